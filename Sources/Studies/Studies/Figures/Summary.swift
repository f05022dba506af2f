package import FleetEngine
package import Scenario
package import SimulationKernel

/// All figures of a run: the content of summary.csv and summary.json, and the input for goals and reports.
package struct Summary: Hashable, Sendable {
  package var rows: [SummaryRow]
  private var index: [FigureName: Int]

  /// - Parameter names: the load figures to estimate, or the figures from which their values are taken; `nil` for all.
  package init(of result: RunResult, loads names: Set<FigureName>? = nil) {
    let choice = LoadChoice(names: names)
    let loads = Summary(
      rows: loadRows(of: result, choice) + (choice.hasOtherDays ? otherDayRows(of: result) : [])
        + originRows(of: result, choice) + serverRows(of: result, choice))
    self.init(
      ofPeriod: result.scenario.clock.duration < .day,
      rows: runRows(of: result) + trafficRows(of: result) + cacheRows(of: result) + viewRows(of: result)
        + pushRows(of: result)
        + loads.rows + offeredRows(of: result, loads)
        + askedRows(of: result)
        + staleAnswerRows(of: result) + busiestMinuteRows(of: result)
        + overloadRows(of: result) + queueRows(of: result) + recoveryRows(of: result)
        + energyRows(of: result) + herdRows(of: result) + windowRows(of: result, choice))
  }

  private init(ofPeriod isOfPeriod: Bool, rows: [SummaryRow]) {
    self.init(
      rows: !isOfPeriod
        ? rows
        : rows.map { row in
          var row = row
          row.isOfPeriod = true
          return row
        })
  }

  package init(rows: [SummaryRow]) {
    self.rows = rows
    index = Dictionary(
      rows.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the row of a figure; `nil` if this run does not have the figure.
  package func row(_ metric: Metric, _ statistic: Statistic, _ labels: Labels = Labels()) -> SummaryRow? {
    index[FigureName(metric, statistic, labels)].map { rows[$0] }
  }

  /// Returns the value of a figure; `nil` if it is unknown.
  package func value(_ metric: Metric, _ statistic: Statistic, _ labels: Labels = Labels()) -> Double? {
    row(metric, statistic, labels)?.value?.approximate
  }

  /// Whether the servers' load differs from the phones' load.
  package var hasServerLoad: Bool { rows.contains { $0.metric == .serverPeakRPS } }

  /// Returns this summary with a bracket's values in `prompt` and `lazy` (MODEL.md 4.8).
  ///
  /// A failure reason that occurs only under one of the presets gets a row with the value 0.
  package func bracketed(_ bracket: Bracket) -> Summary {
    let ofEnds = Bracket.ends.flatMap { bracket.summaries[$0]?.rows ?? [] }.filter {
      $0.metric == .failures && !$0.labels.reason.isEmpty && index[$0.name] == nil
    }
    let added = ofEnds.map(\.name).uniqued.compactMap { figure($0) }
    return Summary(
      rows: (rows + added).map { row in
        var row = row
        let prompt = bracket.row(row.name, under: .prompt, own: row)
        let lazy = bracket.row(row.name, under: .lazy, own: row)
        (row.prompt, row.promptInterval) = (prompt?.value, prompt?.estimatedInterval)
        (row.lazy, row.lazyInterval) = (lazy?.value, lazy?.estimatedInterval)
        return row
      })
  }
}

extension RunResult {
  /// The causes with at least one run or request in any replication, in model order.
  package var causesSeen: [Cause] {
    Cause.allCases.filter { cause in
      let index = Int(cause.rawValue)
      return replications.contains { replication in
        replication.groups.contains { group in
          group.runs[index] > 0 || group.traffic.contains { $0[index].requests > 0 }
        }
      }
    }
  }
}

/// A figure of a run and its uncertainty.
package struct SummaryRow: Hashable, Sendable {
  package var metric: Metric
  package var labels: Labels
  package var statistic: Statistic
  /// The value in each replication; `nil` if unknown.
  package var replications: [Quantity?]
  /// The mean over the replications in which the value is known; `nil` if there are none.
  package var value: Quantity?
  /// The 95 % sampling interval of each replication's estimate; empty for counted figures.
  package var bounds: [Interval?] = []
  /// Student's t interval over replications, clamped to possible values (MODEL.md 8.1) and at least as wide as the mean
  /// of the estimates' intervals; `nil` if there is no interval of either type.
  package var interval: Interval?
  /// The value under the preset `prompt`; `nil` if not computed.
  package var prompt: Quantity?
  /// The value under the preset `lazy`; `nil` if not computed.
  package var lazy: Quantity?
  /// The 95 % intervals of `prompt` and `lazy` if estimated from a sample; `nil` if counted.
  package var promptInterval: Interval?
  package var lazyInterval: Interval?
  /// The values of the figure at both bounds of each assumption's range, varying one assumption at a time (MODEL.md
  /// 4.8). The array is empty if these values were not computed.
  package var effects: [AssumedEffect] = []
  /// The spans in which the load may peak, given the uncertainty of its intensity, most likely first; empty if unknown
  /// or if the figure is not a load (MODEL.md 8.1).
  package var busiest: [Range<Instant>] = []
  /// Whether the value is precise: it is counted, or its interval extends by at most 5 % of the value in each direction
  /// (MODEL.md 8.1).
  package var isResolved: Bool
  /// Whether the measured period is shorter than a day, in which case daily figures refer to this period.
  package var isOfPeriod = false

  /// The figure's name, as used in goals and studies.
  package var name: FigureName {
    var name = FigureName(metric, statistic, labels)
    name.isOfPeriod = isOfPeriod
    return name
  }

  /// The unit of the value, as shown in the `unit` column; it is `share` for shares.
  package var unit: String { name.unit.rawValue }

  package init(
    _ metric: Metric, _ labels: Labels, _ statistic: Statistic, replications: [Quantity?], isResolved: Bool = true
  ) {
    self.metric = metric
    self.labels = labels
    self.statistic = statistic
    self.replications = replications
    self.isResolved = isResolved
    value = Quantity.mean(of: replications)
    interval = Interval.student95(of: replications.compactMap { $0?.approximate }).map {
      Interval(
        low: metric.isDifference ? $0.low : max($0.low, 0), high: statistic == .share ? min($0.high, 1) : $0.high)
    }
  }

  /// Creates a figure that is estimated from each replication's sample; `nil` estimates are unknown.
  package init(_ metric: Metric, _ labels: Labels, _ statistic: Statistic, estimates: [Estimate?]) {
    self.init(
      metric, labels, statistic, replications: estimates.map { $0.map { .real(significant($0.value)) } },
      bounds: estimates.map { $0.map { Interval(low: significant($0.low), high: significant($0.high)) } })
  }

  /// Creates a figure from one estimate with bounds per replication; an estimate without bounds is an exact count.
  package init(
    _ metric: Metric, _ labels: Labels, _ statistic: Statistic, replications: [Quantity?], bounds: [Interval?]
  ) {
    self.init(metric, labels, statistic, replications: replications)
    self.bounds = bounds
    guard !bounds.isEmpty else { return }
    if case .real(let mean) = value { value = .real(significant(mean)) }
    let known = bounds.compactMap { $0 }
    guard let value = value?.approximate, !known.isEmpty else { return }
    // More replications cover more days, but the sample of devices stays the same.
    let low = known.reduce(0) { $0 + $1.low } / Double(known.count)
    let high = known.reduce(0) { $0 + $1.high } / Double(known.count)
    interval = Interval(
      low: significant(min(low, interval?.low ?? low, value)),
      high: significant(max(high, interval?.high ?? high, value)))
    isResolved = interval.map { ($0.high - $0.low) / 2 <= Self.resolution * value } ?? true
  }

  /// The maximum half-width of a resolved figure's interval, as a fraction of its value.
  package static let resolution = 0.05

  /// The interval of an estimate; `nil` for a counted figure.
  package var estimatedInterval: Interval? { isEstimate ? interval : nil }

  /// The interval's half-width as a fraction of the value; `nil` if there is no interval or the value is 0.
  package var halfWidth: Double? {
    guard let interval, let value = value?.approximate, value > 0 else { return nil }
    return (interval.high - interval.low) / 2 / value
  }

  /// Returns the number of replications that reduces the interval's half-width to a given fraction of the value; `nil`
  /// if there is no interval.
  package func replications(within share: Double) -> Double? {
    halfWidth.map { (Double(replications.count) * ($0 / share) * ($0 / share)).rounded(.up) }
  }

  /// Whether the figure is estimated from a sample.
  package var isEstimate: Bool { !bounds.isEmpty }

  /// Returns the figure under one of the bracket's presets, based on a single replication; `nil` if unknown.
  package func under(_ end: Preset) -> SummaryRow? {
    let (value, interval) = end == .prompt ? (prompt, promptInterval) : (lazy, lazyInterval)
    return value.map {
      SummaryRow(metric, labels, statistic, replications: [$0], bounds: interval.map { [$0] } ?? [])
    }
  }
}

extension Metric {
  /// Whether the metric may be negative.
  fileprivate var isDifference: Bool { self == .energySavedPerDay || self == .budgetExhaustedDrift }
}
