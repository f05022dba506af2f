package import Scenario

/// What the settings of a sweep cost the backend, the people and the batteries, and which of them are sensible.
package struct Tradeoff: Sendable {
  /// What makes a setting sensible.
  package enum Rule: String, Sendable {
    /// It passes every goal.
    case goals
    /// No setting passes every goal, so none is.
    case noneMeetsGoals = "none-meets-goals"
    /// Without goals: no other setting beats it, and of each figure it is in the better half between best and worst.
    case betterHalf = "better-half"
    /// Without goals, and none of that kind: the one that no other beats and that is nearest to the best of each figure.
    case nearest
  }

  package struct Setting: Sendable {
    /// The peak load of the backend, how old what people see is, and what the battery gives; nil: unknown.
    package var peak: SummaryRow?
    package var staleness: SummaryRow?
    package var battery: SummaryRow?
    /// Whether no other setting beats it in the three (`ParetoFront`).
    package var isOnFront: Bool
    /// Whether no other setting beats it in peak and staleness alone.
    package var isOnPlaneFront: Bool
    package var isSensible = false
  }

  package let study: SweepStudy
  package let peak: FigureName
  package let staleness: FigureName
  /// nil: nothing of it was measured.
  package let battery: FigureName?
  /// Requests per second that the endpoint of `peak` serves, with nothing varied; nil without a limit, or where it is varied.
  package let capacity: Double?
  package let rule: Rule
  /// The sensible setting that comes nearest to the best of each figure by the sum of squares, each figure counted from 0
  /// at its best to 1 at its worst; nil: no setting is sensible.
  package let recommended: Int?
  /// In the order of the study's runs.
  package let settings: [Setting]

  /// - Parameter base: the scenario with nothing varied.
  /// - Returns: nil when no setting sends a request, or nothing is known of how old the data is.
  package init?(_ study: SweepStudy, base: Scenario) {
    guard let peak = Self.highestPeak(of: study).map({ Self.limited($0, in: study) }),
      let staleness = Self.known(
        study.goals.map(\.figure).filter { $0.metric == .staleViews && $0.statistic == .share } + [
          FigureName(.staleViews, .share), FigureName(.dataAge, .p95), FigureName(.lateness, .mean),
        ], in: study)
    else { return nil }
    (self.study, self.peak, self.staleness) = (study, peak, staleness)
    battery = Self.known(
      [FigureName(.batteryPercentPerDay, .mean), FigureName(.energyPerDay, .mean)], in: study)
    capacity = Self.capacity(of: peak.labels.endpoint, base, study)
    let names = [peak, staleness] + (battery.map { [$0] } ?? [])
    let costs = study.runs.map { run in names.map { run.summary.figure($0)?.value?.approximate } }
    let isClear = ClearDifferences(study.runs.map { run in names.map { run.summary.figure($0) } }).isClear
    let front = ParetoFront.members(costs, isClear: isClear)
    let planeFront = ParetoFront.members(costs.map { Array($0.prefix(2)) }, isClear: isClear)
    let scaled = ScaledCosts(costs, isClear: isClear)
    let (rule, sensible) = Self.sensible(study, scaled, front)
    self.rule = rule
    recommended = scaled.nearest(among: study.runs.indices.filter { sensible[$0] })
    let batteryName = battery
    settings = study.runs.indices.map { index in
      let summary = study.runs[index].summary
      return Setting(
        peak: summary.figure(peak), staleness: summary.figure(staleness),
        battery: batteryName.flatMap { summary.figure($0) }, isOnFront: front[index],
        isOnPlaneFront: planeFront[index], isSensible: sensible[index])
    }
  }

  /// The first figure that every setting knows, or the first that any does.
  private static func known(_ names: [FigureName], in study: SweepStudy) -> FigureName? {
    let knows = { (name: FigureName) in study.runs.map { $0.summary.figure(name)?.value != nil } }
    return names.first { !knows($0).contains(false) } ?? names.first { knows($0).contains(true) }
  }

  /// The peak of single endpoints, at the servers where that is another load, that is the highest under any setting: in the
  /// shortest window whose peaks the sample resolves under all of them, in the longest of all where there is none.
  private static func highestPeak(of study: SweepStudy) -> FigureName? {
    let rows = study.runs.flatMap(\.summary.rows).filter { row in
      (row.metric == .peakRPS || row.metric == .serverPeakRPS) && !row.labels.endpoint.isEmpty
    }
    let served = Set(rows.filter { $0.metric == .serverPeakRPS }.map(\.labels.endpoint))
    let backend = rows.filter { $0.metric == .serverPeakRPS || !served.contains($0.labels.endpoint) }
    let windows = backend.map(\.labels.window).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let highest = windows.compactMap { window in
      let known = backend.filter { $0.labels.window == window && ($0.value?.approximate ?? 0) > 0 }
      return known.max { ($0.value?.approximate ?? 0) < ($1.value?.approximate ?? 0) }?.name
    }
    return highest.first { name in
      study.runs.allSatisfy { $0.summary.figure(name)?.isResolved ?? false }
    } ?? highest.last
  }

  /// A peak in the window in which a goal limits it, where every setting knows it; otherwise as it is.
  private static func limited(_ peak: FigureName, in study: SweepStudy) -> FigureName {
    let goals = study.goals.map(\.figure).filter {
      $0.metric == peak.metric && $0.labels.with(\.window, "") == peak.labels.with(\.window, "")
    }
    return goals.first { name in study.runs.allSatisfy { $0.summary.figure(name)?.value != nil } } ?? peak
  }

  private static func capacity(of endpoint: String, _ base: Scenario, _ study: SweepStudy) -> Double? {
    let isVaried = study.keys.contains { $0.hasPrefix("backend.endpoints.") && $0.hasSuffix(".capacity") }
    return isVaried ? nil : base.endpoints.first { $0.name == endpoint }?.capacity
  }

  /// Requests per second at which there is no headroom: the capacity, else the limit of a goal of the peak; nil: neither.
  package var fullLoad: Double? { capacity ?? limit(of: peak) }

  /// The highest value that the goals allow of a figure; nil: any.
  package func limit(of figure: FigureName) -> Double? {
    study.goals.filter { $0.figure == figure && [.atMost, .less].contains($0.comparison) }.compactMap { goal in
      if case .value(let limit) = goal.limit { limit > 0 ? limit : nil } else { nil }
    }.min()
  }

  // MARK: The sensible ones

  private static func sensible(_ study: SweepStudy, _ scaled: ScaledCosts, _ front: [Bool]) -> (Rule, [Bool]) {
    guard study.goals.isEmpty else {
      let passing = study.runs.map(\.passes)
      return (passing.contains(true) ? .goals : .noneMeetsGoals, passing)
    }
    let better = study.runs.indices.map { index in
      front[index] && (scaled.rows[index] ?? [1]).allSatisfy { $0 <= 0.5 }
    }
    guard !better.contains(true) else { return (.betterHalf, better) }
    let nearest = scaled.nearest(among: study.runs.indices.filter { front[$0] })
    return (.nearest, study.runs.indices.map { $0 == nearest })
  }
}
