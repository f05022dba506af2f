package import Scenario

/// The significant changes in a comparison (Docs/STUDIES.md), for the first sentence of its page and the last sentence
/// of its table.
package struct ComparisonVerdict: Hashable, Sendable {
  /// The overall result; raw values are the words shown on pages and terminals.
  package enum Word: String, CaseIterable, Sendable {
    case regression = "REGRESSION"
    case worse = "WORSE"
    case tradeOff = "TRADE-OFF"
    case better = "BETTER"
    case unknown = "CANNOT TELL"
    case same = "NOTHING THAT MATTERS CHANGED"
  }

  package var word: Word
  /// The compared figures in display order.
  package var figures: [ComparedFigure]

  package init(_ comparison: RunComparison) {
    figures = Self.figures(comparison)
    word = Self.word(figures)
  }

  /// The figures with a significant change.
  package var changed: [ComparedFigure] { figures.filter { $0.outcome == .worse || $0.outcome == .better } }
  /// The figures for which the comparison is inconclusive.
  package var open: [ComparedFigure] { figures.filter { $0.outcome == .open } }
  /// The figures whose change is too small to be significant.
  package var same: [ComparedFigure] { figures.filter { $0.outcome == .same } }

  private static func word(_ figures: [ComparedFigure]) -> Word {
    let reasons = figures.map(\.reason)
    let outcomes = Set(figures.map(\.outcome))
    if reasons.contains(where: { if case .condition(let result) = $0 { result.verdict == .regression } else { false } })
    {
      return .regression
    }
    // A newly missed goal outweighs a lower load.
    let breaks = figures.contains { $0.outcome == .worse && $0.isGoalTurned }
    let repairs = figures.contains { $0.outcome == .better && $0.isGoalTurned }
    if breaks, !repairs { return .worse }
    if outcomes.isSuperset(of: [.worse, .better]) { return .tradeOff }
    if outcomes.contains(.worse) { return .worse }
    if outcomes.contains(.better) { return .better }
    return outcomes.contains(.open) ? .unknown : .same
  }

  // MARK: - Compared figures

  /// Returns the conditions, goals and headline figures. If a figure has several entries, only the most informative one
  /// is kept.
  private static func figures(_ comparison: RunComparison) -> [ComparedFigure] {
    let all = conditions(comparison) + goals(comparison) + headline(comparison)
    let known = comparison.base.summary.hasServerLoad || comparison.new.summary.hasServerLoad
    var kept: [ComparedFigure] = []
    for figure in all {
      let name = figure.change.figure.plain(of: comparison.base.scenario, hasServerLoad: known)
      let index = kept.firstIndex {
        $0.change.figure.plain(of: comparison.base.scenario, hasServerLoad: known) == name
      }
      guard let index else {
        kept.append(figure)
        continue
      }
      if kept[index].outcome.rank > figure.outcome.rank { kept[index] = figure }
    }
    return kept.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
  }

  private static func conditions(_ comparison: RunComparison) -> [ComparedFigure] {
    comparison.conditions.compactMap { result in
      let outcome: ComparedFigure.Outcome
      switch result.verdict {
      case .regression: outcome = .worse
      case .inconclusive: outcome = .open
      case .clear: return nil
      }
      return ComparedFigure(
        change: result.change, minimum: ComparedFigure.minimum(of: result.change, comparison.minimum), outcome: outcome,
        reason: .condition(result))
    }
  }

  /// Returns the goals of the run NEW, followed by goals that only the run BASE has; each goal is evaluated in both
  /// runs.
  private static func goals(_ comparison: RunComparison) -> [ComparedFigure] {
    let new = comparison.new.scenario.goals
    let gone = comparison.base.scenario.goals.filter { goal in !new.contains { $0.id == goal.id } }
    return (new + gone).compactMap { goal in
      let (base, changed) = (goal.finding(in: comparison.base.summary), goal.finding(in: comparison.new.summary))
      let change = FigureChange(
        goal.figure, comparison.base.summary.figure(goal.figure), comparison.new.summary.figure(goal.figure))
      guard change.difference != nil else { return nil }
      var figure = ComparedFigure(
        change, risesToWorse: goal.comparison.risesToWorse, minEffect: comparison.minimum,
        reason: .goal(goal, turns: false))
      if base == changed, let offered = comparison.demand(of: goal.figure) {
        figure = ComparedFigure(
          offered, risesToWorse: goal.comparison.risesToWorse, minEffect: comparison.minimum, reason: figure.reason)
      }
      switch (base, changed) {
      case (.holds, .misses): (figure.outcome, figure.reason) = (.worse, .goal(goal, turns: true))
      case (.misses, .holds): (figure.outcome, figure.reason) = (.better, .goal(goal, turns: true))
      case (.holds, .open), (.misses, .open):
        if figure.outcome == .same { figure.outcome = .open }
      default: break
      }
      return figure
    }
  }

  /// Returns the headline figures: peak at the servers (or offered load), failed requests, data freshness and battery
  /// use.
  private static func headline(_ comparison: RunComparison) -> [ComparedFigure] {
    let (base, new) = (comparison.base, comparison.new)
    let window = HeadlineWindow.of(base.scenario, [base.summary, new.summary])?.name ?? ""
    let change = { (name: FigureName) -> FigureChange? in
      let change = FigureChange(name, base.summary.figure(name), new.summary.figure(name))
      return change.difference == nil ? nil : change
    }
    let served = FigureName(.serverPeakRPS, .max, Labels().with(\.window, window))
    let peak = comparison.demand(of: served) ?? change(served)
    let freshness = change(FigureName(.staleViews, .share)) ?? change(FigureName(.dataAge, .mean))
    let others = [
      peak, change(FigureName(.failures, .share)), freshness, change(FigureName(.batteryPercentPerDay, .mean)),
    ]
    return others.compactMap { $0 }.map {
      ComparedFigure($0, risesToWorse: true, minEffect: comparison.minimum, reason: .headline)
    }
  }
}

/// A figure with its change and outcome.
package struct ComparedFigure: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    case worse, better, open, same

    fileprivate var rank: Int { self == .same ? 2 : self == .open ? 1 : 0 }
  }

  /// The reason why a figure is compared.
  package enum Reason: Hashable, Sendable {
    case condition(ConditionResult)
    /// A goal; `turns` is true if exactly one of the two runs meets the goal.
    case goal(Goal, turns: Bool)
    case headline
  }

  package var change: FigureChange
  /// The smallest change that is considered significant, in the figure's unit.
  package var minimum: Double
  package var outcome: Outcome
  package var reason: Reason

  package var isGoalTurned: Bool {
    if case .goal(_, turns: true) = reason { return true }
    return false
  }

  /// The display rank: conditions, goals whose result changed, worse figures, better figures, then all others.
  fileprivate var rank: Int {
    let turned = outcome == .worse ? 1 : 2
    switch (outcome, reason) {
    case (.open, _): return 4
    case (.same, _): return 5
    case (_, .condition): return 0
    case (_, .goal(_, turns: true)): return turned
    default: return 3
    }
  }
}

extension ComparedFigure {
  /// - Parameter risesToWorse: `nil` if neither direction is better.
  init(_ change: FigureChange, risesToWorse: Bool?, minEffect: Double, reason: Reason) {
    let minimum = Self.minimum(of: change, minEffect)
    let outcome: Outcome
    switch (change.grows(by: minimum), risesToWorse) {
    case (.unknown, _): outcome = .open
    case (.no, _), (_, nil): outcome = .same
    case (.up, let rises?): outcome = rises ? .worse : .better
    case (.down, let rises?): outcome = rises ? .better : .worse
    }
    self.init(change: change, minimum: minimum, outcome: outcome, reason: reason)
  }

  /// Returns the smallest change that is considered significant, in the figure's unit (Docs/STUDIES.md).
  static func minimum(of change: FigureChange, _ minEffect: Double) -> Double {
    let share = max(Self.share, minEffect) * (change.base?.approximate.magnitude ?? 0)
    switch change.figure.unit {
    case .share: return 0.005
    case .hours: return 0.25
    case .requestsPerSecond: return max(share, 1)
    case .percentPerDay, .percentPerPeriod: return max(share, 0.05)
    case .seconds: return max(share, 1)
    default: return share
    }
  }

  /// Returns the smallest significant change as a fraction of the base; `nil` if an absolute minimum applies instead.
  package func minShare(_ minEffect: Double) -> Double? {
    guard change.figure.unit != .share, let base = change.base?.approximate.magnitude, base > 0 else { return nil }
    let share = minimum / base
    return share <= max(Self.share, minEffect) * 1.000_001 ? share : nil
  }

  /// The smallest significant change as a fraction of the base, unless the unit defines another threshold.
  package static let share = 0.05
}

extension FigureChange {
  enum Growth {
    case up, down
    /// The change in the figure is certainly smaller than the threshold.
    case no
    case unknown
  }

  /// Returns whether the value changes by at least `minimum`, and in which direction.
  ///
  /// The value goes up or down if the mean change is at least `minimum` and its whole interval is on that side of 0. It
  /// does not change if its whole interval is closer to 0 than `minimum`.
  func grows(by minimum: Double) -> Growth {
    guard let difference else { return .unknown }
    if isIdentical { return .no }
    let interval = interval ?? Interval(low: difference, high: difference)
    if interval.low > -minimum, interval.high < minimum { return .no }
    guard difference.magnitude >= minimum, interval.low > 0 || interval.high < 0 else { return .unknown }
    return difference > 0 ? .up : .down
  }
}

extension Comparison {
  /// Whether a larger value makes the goal more likely to be missed; `nil` if the goal requires an exact value.
  fileprivate var risesToWorse: Bool? {
    switch self {
    case .atMost, .less: true
    case .atLeast, .more: false
    case .equal, .unequal: nil
    }
  }
}

extension FigureName {
  /// Returns the common name of figures that are always equal in a scenario. The figure of the only endpoint, kind or
  /// cohort equals the total. The load of servers that receive only the phones' requests equals the phones' load.
  fileprivate func plain(of scenario: Scenario, hasServerLoad: Bool) -> FigureName {
    var name = self
    if !hasServerLoad, let metric = metric.ofPhones { name.metric = metric }
    if scenario.endpoints.count == 1 { name.labels.endpoint = "" }
    if scenario.kinds.count == 1 { name.labels.kind = "" }
    if scenario.fleet.cohorts.count == 1 { name.labels.cohort = "" }
    return name
  }
}
