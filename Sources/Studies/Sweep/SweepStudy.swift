package import Scenario

/// What the settings of a sweep did, all with the same draws.
package struct SweepStudy: Sendable {
  /// The paths that were varied.
  package var keys: [String]
  /// The goals of the scenario with nothing varied.
  package var goals: [Goal]
  package var runs: [SweepRun]

  package init(keys: [String], goals: [Goal], runs: [SweepRun]) {
    self.keys = keys
    self.goals = goals
    self.runs = runs
  }

  /// The figures that tables show: those of the goals, then what a planner asks for first, as far as anything was measured.
  package var figures: [FigureName] {
    var seen: Set<FigureName> = []
    let window = runs.first?.summary.rows.first { $0.metric == .peakRPS }?.labels.window ?? ""
    let standard = FigureName.usual(window: window)
    return (goals.map(\.figure) + standard).filter { name in
      seen.insert(name).inserted && runs.contains { $0.summary.figure(name)?.value != nil }
    }
  }
}

/// One setting of a sweep with its figures.
package struct SweepRun: Sendable {
  /// As written, one for each varied key.
  package var values: [String]
  package var replications: Int
  package var summary: Summary
  package var goals: [GoalResult]

  package init(values: [String], replications: Int, summary: Summary, goals: [GoalResult]) {
    self.values = values
    self.replications = replications
    self.summary = summary
    self.goals = goals
  }

  /// Whether every goal passes, those of severity warning too.
  package var passes: Bool { goals.allSatisfy { $0.verdict == .pass } }
}

extension FigureName {
  /// What a planner asks for first.
  ///
  /// - Parameter window: of the load.
  package static func usual(window: String) -> [FigureName] {
    let load = Labels().with(\.window, window)
    return [
      FigureName(.peakRPS, .max, load), FigureName(.meanRPS, .mean, load), FigureName(.requests, .total),
      FigureName(.runsPerDay, .mean), FigureName(.lateness, .mean), FigureName(.staleViews, .share),
      FigureName(.dataAge, .mean), FigureName(.energyPerDay, .mean), FigureName(.batteryPercentPerDay, .mean),
    ]
  }
}
