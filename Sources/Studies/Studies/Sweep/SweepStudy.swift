package import Scenario

/// The results of all settings of a sweep, which were simulated with the same draws.
package struct SweepStudy: Sendable {
  /// The keys that vary.
  package var axes: [SweepAxis]
  /// The goals of the scenario before any key is varied.
  package var goals: [Goal]
  package var judging: Judging
  /// The scenario before any key is varied; `nil` if only the figures are available.
  package var scenario: Scenario?
  /// The figures that good settings minimize or maximize; empty if none of them was measured.
  package private(set) var objectives: [SweepObjective]
  package private(set) var runs: [SweepRun]

  /// Creates the study and marks each setting that no other setting beats.
  package init(
    axes: [SweepAxis], goals: [Goal], judging: Judging = .nominal, scenario: Scenario? = nil, runs: [SweepRun]
  ) {
    self.scenario = scenario
    self.axes = axes
    self.goals = goals
    self.judging = judging
    let objectives = SweepObjective.all(of: goals, runs)
    let (costs, isClear) = Self.costs(objectives, runs)
    let front = ParetoFront.members(costs, isClear: isClear)
    self.objectives = objectives
    self.runs = zip(runs, front).map { run, isOnFront in
      var run = run
      run.isOnFront = isOnFront
      return run
    }
  }

  /// Returns the costs of each setting, one per objective, and a function that returns whether two settings clearly
  /// differ in an objective.
  private static func costs(
    _ objectives: [SweepObjective], _ runs: [SweepRun]
  ) -> (costs: [[Double?]], isClear: (_ one: Int, _ other: Int, _ cost: Int) -> Bool) {
    let differences = ClearDifferences(runs.map { run in objectives.map { run.summary.figure($0.figure) } })
    return (runs.map { run in objectives.map { $0.cost(in: run.summary) } }, differences.isClear)
  }

  /// The costs of all settings, with all objectives on a common scale.
  var scaledCosts: ScaledCosts {
    let (costs, isClear) = Self.costs(objectives, runs)
    return ScaledCosts(costs, isClear: isClear)
  }

  /// Returns the change in a figure between two settings.
  package func change(of figure: FigureName, from one: Int, to other: Int) -> FigureChange {
    FigureChange(figure, runs[one].summary.figure(figure), runs[other].summary.figure(figure))
  }

  /// The paths of the varied keys.
  package var keys: [String] { axes.map(\.path) }

  /// The figures shown in tables: the figures of the goals, followed by any other headline figures that were measured.
  package var figures: [FigureName] {
    let window = runs.first?.summary.rows.first { $0.metric == .peakRPS }?.labels.window ?? ""
    let standard = FigureName.usual(window: window, hasServerLoad: runs.contains { $0.summary.hasServerLoad })
      .map { figure in runs.lazy.compactMap { $0.summary.figure(figure)?.name }.first ?? figure }
    let wanted = goals.flatMap { [$0.figure, offered($0.figure)].compactMap { $0 } }
    return (wanted + objectives.map(\.figure) + standard).uniqued.filter { name in
      runs.contains { $0.summary.figure(name)?.value != nil }
    }
  }

  /// Returns the offered load to show next to a server peak. Returns `nil` for other figures, or if the two differ by
  /// less than 1 % in all settings.
  package func offered(_ figure: FigureName) -> FigureName? {
    guard figure.metric == .serverPeakRPS else { return nil }
    let offered = FigureName(.offeredPeakRPS, .max, figure.labels)
    let differs = runs.contains { run in
      guard let load = run.summary.figure(figure)?.value?.approximate,
        let other = run.summary.figure(offered)?.value?.approximate
      else { return false }
      return abs(other - load) > 0.01 * load
    }
    return differs ? offered : nil
  }
}

/// One setting of a sweep with its figures.
package struct SweepRun: Sendable {
  /// The value of each axis.
  package var values: [SweepValue]
  package var replications: Int
  package var summary: Summary
  package var goals: [GoalResult]
  /// The margins of the goals, in the order of `goals`.
  package var margins: [GoalMargin]
  /// The figures under the presets with which goals are also evaluated; empty if only the scenario itself is evaluated.
  package var bracket: Bracket
  /// Whether no other setting beats this one, considering all objectives (`ParetoFront`).
  package internal(set) var isOnFront = false

  package init(
    values: [SweepValue], replications: Int, summary: Summary, goals: [Goal], bracket: Bracket = Bracket(summaries: [:])
  ) {
    self.values = values
    self.replications = replications
    self.summary = summary
    self.goals = goals.map { GoalResult($0, summary, bracket) }
    margins = goals.map { GoalMargin(of: $0, in: summary, bracket) }
    self.bracket = bracket
  }

  /// The goal with the smallest margin, and this margin; `nil` if the margins of all goals are unknown.
  package var worst: (goal: Goal, margin: GoalMargin)? {
    let known = margins.indices.filter { margins[$0].miss != nil }
    let worst = known.max { (margins[$0].miss ?? 0) < (margins[$1].miss ?? 0) }
    return worst.map { (goals[$0].goal, margins[$0]) }
  }

  /// The worst verdict on any goal; `nil` if there are no goals.
  package var verdict: Verdict? { Verdict.allCases.first { verdict in goals.contains { $0.verdict == verdict } } }

  /// Whether every goal passes, including goals of severity `warning`.
  package var passes: Bool { goals.allSatisfy { $0.verdict == .pass } }
}

extension FigureName {
  /// Returns the headline figures that are most useful for planning.
  ///
  /// - Parameters:
  ///   - window: the window of the load.
  ///   - hasServerLoad: whether the servers' load differs from the phones' load.
  package static func usual(window: String, hasServerLoad: Bool) -> [FigureName] {
    let load = Labels().with(\.window, window)
    let servers = [FigureName(.serverPeakRPS, .max, load), FigureName(.serverMeanRPS, .mean, load)]
    return (hasServerLoad ? servers : []) + [
      FigureName(.peakRPS, .max, load), FigureName(.meanRPS, .mean, load), FigureName(.requests, .total),
      FigureName(.runsPerDay, .mean), FigureName(.lateness, .mean), FigureName(.staleViews, .share),
      FigureName(.dataAge, .mean), FigureName(.energyPerDay, .mean), FigureName(.batteryPercentPerDay, .mean),
    ]
  }
}
