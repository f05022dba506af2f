package import Scenario

/// What tuning is asked for.
package struct TuneProblem: Hashable, Sendable {
  /// To be made small.
  package var objective: FigureName
  /// To be met.
  package var goals: [Goal]
  package var axes: [TuneAxis]
  /// Of the search; checks take the seeds after it.
  package var seed: UInt64
  /// Of each setting in the search; each counts as a run.
  package var replications: Int
  package var mostRuns: Int

  package init(
    objective: FigureName, goals: [Goal], axes: [TuneAxis], seed: UInt64, replications: Int, mostRuns: Int
  ) {
    self.objective = objective
    self.goals = goals
    self.axes = axes
    self.seed = seed
    self.replications = replications
    self.mostRuns = mostRuns
  }

  /// Replications of a check on fresh seeds: enough for an interval.
  package var checkReplications: Int { max(5, replications) }

  /// For less no search is worth its name: three settings and two checks.
  package var fewestRuns: Int { 3 * replications + 2 * checkReplications }

  /// What tables show: the figure, then those of the goals, each once.
  package var figures: [FigureName] {
    var seen: Set<FigureName> = []
    return ([objective] + goals.map(\.figure)).filter { seen.insert($0).inserted }
  }
}
