package import Scenario

/// What tuning is asked for.
package struct TuneProblem: Hashable, Sendable {
  /// To be made small.
  package var objective: TuneObjective
  /// To be met.
  package var goals: [Goal]
  package var axes: [TuneAxis]
  /// Seed of the search; checks take the seeds after it.
  package var seed: UInt64
  /// Replications of each setting in the search; each counts as a run.
  package var replications: Int
  package var mostRuns: Int
  /// The ends of the bracket by which settings are judged besides; each is a run of one replication.
  package var presets: [Preset]

  package init(
    objective: TuneObjective, goals: [Goal], axes: [TuneAxis], seed: UInt64, replications: Int, mostRuns: Int,
    presets: [Preset] = []
  ) {
    self.objective = objective
    self.goals = goals
    self.axes = axes
    self.seed = seed
    self.replications = replications
    self.mostRuns = mostRuns
    self.presets = presets
  }

  /// Replications of a check on fresh seeds: enough for an interval.
  package var checkReplications: Int { max(5, replications) }

  /// For less no search is worth its name: three settings and two checks.
  package var fewestRuns: Int { 3 * settingRuns + 2 * checkRuns }

  /// Runs of a setting of the search, and of the least check.
  package var settingRuns: Int { replications + presets.count }
  var checkRuns: Int { checkReplications + presets.count }

  package var judging: Judging { presets.isEmpty ? .nominal : .bracket }

  /// What tables show: the figure that is made small, then those of the goals, each once.
  package var figures: [FigureName] { ([objective.figure].compactMap { $0 } + goals.map(\.figure)).eachOnce }
}
