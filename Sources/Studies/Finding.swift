package import Scenario

/// What one run says of a goal.
package enum Finding: Hashable, Sendable {
  case holds
  case misses
  /// Neither, for a reason in words.
  case open(String)
}

extension Goal {
  /// Whether the figures of a run meet it.
  ///
  /// With replications Student's t interval at 95 % of the distance to the limit decides: on both sides of it nothing is
  /// known. Equality is asked of every replication. A maximum that a sample does not resolve is rather too large than too
  /// small (MODEL.md 6.8): it can meet an upper limit, and miss a lower one, no more.
  package func finding(in summary: Summary) -> Finding {
    guard let row = summary.figure(figure) else { return .open("the results have no such figure") }
    guard row.value != nil else { return .open("the figure is unknown: nothing of the kind was measured") }
    guard let limits = limits(in: summary, count: row.replications.count) else {
      return .open("the results do not have the figure it is compared with")
    }
    let pairs = zip(row.replications, limits).compactMap { value, limit in
      value.flatMap { value in limit.map { (value.approximate, $0) } }
    }
    guard !pairs.isEmpty else { return .open("the figure it is compared with is unknown") }
    let finding = comparison.isExact ? exact(pairs) : statistical(pairs)
    return row.isResolved ? finding : unresolved(finding)
  }

  /// The limit of each replication; nil when it is another figure that the results do not have.
  private func limits(in summary: Summary, count: Int) -> [Double?]? {
    switch limit {
    case .value(let value): Array(repeating: value, count: count)
    case .multiple(let factor, of: let reference):
      summary.figure(reference)?.replications.map { $0.map { factor * $0.approximate } }
    }
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
      ? .misses : .open("the 95 % interval over replications lies on both sides of the limit")
  }

  private func unresolved(_ finding: Finding) -> Finding {
    let isUpper = comparison == .atMost || comparison == .less
    if case .open = finding { return finding }
    return finding == (isUpper ? .holds : .misses)
      ? finding : .open("fewer than 100 simulated requests make this maximum: the sample does not resolve it")
  }
}

extension Summary {
  /// The row of a figure; of causes and reasons that never came up it is 0, and of servers that get
  /// what the phones send that load.
  package func figure(_ name: FigureName) -> SummaryRow? {
    if let row = row(name.metric, name.statistic, name.labels) { return row }
    // Without CDN, base load and the like the servers get what the phones send.
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
