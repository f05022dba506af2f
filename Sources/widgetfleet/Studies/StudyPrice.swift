import FleetReports
import Scenario
import Studies

/// What judging by the bracket makes a study of settings cost, said before it starts.
struct StudyPrice {
  /// Replications of a setting itself, runs under presets left out.
  var replications: Int
  /// The presets under which a setting is simulated besides.
  var presets: [Preset]
  /// Runs of the whole study; in a search at most so many.
  var runs: Int
  var isLimit = false
  /// The setting whose sample stands for the others'.
  var base: Scenario?

  /// What the runs are, and of how many phones where the scenario leaves that open; empty where all is as asked for.
  var note: String { runsNote + (base.map(SampleWords.note) ?? "") }

  /// `36 runs, 3 a setting: the scenario, prompt, lazy (--nominal: 1)`; empty where the scenario alone is simulated.
  private var runsNote: String {
    guard !presets.isEmpty else { return "" }
    let parts = [replications == 1 ? "the scenario" : "\(replications) of the scenario"] + presets.map(\.rawValue)
    return "\(isLimit ? "at most " : "")\(runs) runs, \(replications + presets.count) a setting: "
      + "\(parts.joined(separator: ", ")) (--nominal: \(replications))\n"
  }
}
