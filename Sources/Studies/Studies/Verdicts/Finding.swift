package import Scenario

/// The result of evaluating a goal with the figures of one run.
package enum Finding: Hashable, Sendable {
  case holds
  case misses
  /// An undecided result, with the reason.
  case open(String)
}

extension Metric {
  /// The reason why a figure has no value.
  fileprivate var whyUnknown: String {
    switch self {
    case .recoveryTime: "no recovery before the period ended, or the endpoint was not healthy before the event"
    case .overloadRequests, .queueLength: "a sample does not resolve it"
    case .pushToView, .eventToView: "too few phones showed the pushed data before the period ended"
    default: "it was not measured"
    }
  }
}

extension Goal {
  /// Returns whether the figures of a run meet the goal.
  ///
  /// With several replications, the finding is based on Student's 95 % t interval of the distance to the limit, and is
  /// open if the interval contains 0. A required equality must hold in every replication. For a figure that is
  /// estimated from a sample, the interval of the estimate is used (MODEL.md 8.1).
  package func finding(in summary: Summary) -> Finding {
    finding(of: summary.figure(figure), reference.flatMap { summary.figure($0) })
  }

  /// Returns whether the row of the goal's figure meets the goal.
  ///
  /// - Parameter other: the row of the figure that serves as the limit, if any.
  func finding(of row: SummaryRow?, _ other: SummaryRow?) -> Finding {
    guard let row else { return .open("the results do not contain this figure") }
    guard row.value != nil else { return .open("the figure is unknown: " + figure.metric.whyUnknown) }
    guard let limits = limits(other, count: row.replications.count) else {
      return .open("the results do not contain the figure it is compared with")
    }
    let pairs = zip(row.replications, limits).compactMap { value, limit in
      value.flatMap { value in limit.map { (value.approximate, $0) } }
    }
    guard !pairs.isEmpty else { return .open("the figure it is compared with is unknown") }
    if let interval = row.estimatedInterval { return estimated(interval, limitInterval(other)) }
    return comparison.isExact ? exact(pairs) : statistical(pairs)
  }

  /// Returns the interval of the limit; `nil` if the limit is a figure that is missing from the results.
  private func limitInterval(_ other: SummaryRow?) -> Interval? {
    switch limit {
    case .value, .share: return limit.number.map { Interval(low: $0, high: $0) }
    case .multiple(let factor, of: _):
      guard let row = other, let value = row.value?.approximate else { return nil }
      let interval = row.estimatedInterval ?? row.interval ?? Interval(low: value, high: value)
      return Interval(low: factor * interval.low, high: factor * interval.high)
    }
  }

  private func estimated(_ interval: Interval, _ limit: Interval?) -> Finding {
    guard let limit else { return .open("the figure it is compared with is unknown") }
    let (low, high) = (interval.low - limit.high, interval.high - limit.low)
    if comparison.isExact {
      if low == 0 && high == 0 { return comparison == .equal ? .holds : .misses }
      if low < 0 && high < 0 || low > 0 && high > 0 { return comparison == .equal ? .misses : .holds }
    }
    switch (comparison.isExact, comparison.holds(low, 0), comparison.holds(high, 0)) {
    case (false, true, true): return .holds
    case (false, false, false): return .misses
    default: return .open("the 95 % interval of the sample's estimate includes the limit")
    }
  }

  /// Returns the limit for each replication; `nil` if the limit is a figure that is missing from the results.
  func limits(in summary: Summary, count: Int) -> [Double?]? {
    limits(reference.flatMap { summary.figure($0) }, count: count)
  }

  private func limits(_ other: SummaryRow?, count: Int) -> [Double?]? {
    switch limit {
    case .value, .share: Array(repeating: limit.number, count: count)
    case .multiple(let factor, of: _): other?.replications.map { $0.map { factor * $0.approximate } }
    }
  }

  /// The figure used as the limit; `nil` if the limit is a number.
  var reference: FigureName? {
    if case .multiple(_, of: let other) = limit { other } else { nil }
  }

  private func exact(_ pairs: [(Double, Double)]) -> Finding {
    let areEqual = pairs.allSatisfy { $0 == $1 }
    return areEqual == (comparison == .equal) ? .holds : .misses
  }

  private func statistical(_ pairs: [(Double, Double)]) -> Finding {
    guard pairs.count > 1, let interval = Interval.student95(of: pairs.map { $0 - $1 }) else {
      return pairs.allSatisfy { comparison.holds($0, $1) } ? .holds : .misses
    }
    let ends = (comparison.holds(interval.low, 0), comparison.holds(interval.high, 0))
    if ends == (true, true) { return .holds }
    return ends == (false, false)
      ? .misses : .open("the 95 % interval over replications includes the limit")
  }
}

extension FigureName {
  /// The figure, followed by the figures that `Summary.figure` uses instead if the figure has no row.
  var withSources: [FigureName] {
    if metric == .offeredPeakRPS { return [self] + FigureName(.serverPeakRPS, statistic, labels).withSources }
    return [self] + (metric.ofPhones.map { [FigureName($0, statistic, labels)] } ?? [])
  }
}

extension Summary {
  /// Returns the row of a figure, or an equivalent row. The equivalent is a row of zeros for causes and reasons that
  /// never occurred, and the phones' load for servers that receive no other requests.
  package func figure(_ name: FigureName) -> SummaryRow? {
    if let row = row(name.metric, name.statistic, name.labels) { return row }
    // Without limits, every request succeeds.
    if name.metric == .offeredPeakRPS { return figure(FigureName(.serverPeakRPS, name.statistic, name.labels)) }
    // Without a CDN or base load, the servers receive exactly the phones' requests.
    if let metric = name.metric.ofPhones { return row(metric, name.statistic, name.labels) }
    guard name.metric.countsOccurrences, !name.labels.cause.isEmpty || !name.labels.reason.isEmpty else { return nil }
    let labels = name.labels.with(\.cause, "").with(\.reason, "")
    let isShare = name.statistic == .share
    guard let all = row(name.metric, isShare ? .total : name.statistic, labels) else { return nil }
    let zeros = all.replications.map { all -> Quantity? in
      all.flatMap { isShare && $0.approximate == 0 ? nil : .whole(0) }
    }
    return SummaryRow(name.metric, name.labels, name.statistic, replications: zeros)
  }
}
