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

  /// `36 runs, 3 a setting: the scenario, prompt, lazy (--nominal: 1)`; empty where the scenario alone is simulated.
  var note: String {
    guard !presets.isEmpty else { return "" }
    let parts = [replications == 1 ? "the scenario" : "\(replications) of the scenario"] + presets.map(\.rawValue)
    return "\(isLimit ? "at most " : "")\(runs) runs, \(replications + presets.count) a setting: "
      + "\(parts.joined(separator: ", ")) (--nominal: \(replications))\n"
  }
}
