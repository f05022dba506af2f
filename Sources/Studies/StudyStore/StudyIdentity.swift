package import Studies

/// The identity of a study; stores of identical studies contain the same runs.
package struct StudyIdentity: Hashable, Sendable {
  /// The version of the program.
  package var version: String
  package var scenario: String
  /// The SHA-256 of the resolved scenario before any key is varied, in hexadecimal.
  package var scenarioHash: String
  package var seed: UInt64
  /// The method that generated the settings.
  package var method: String
  /// The SHA-256 of the settings and their scenarios, in hexadecimal.
  package var settingsHash: String
  /// The total number of runs, including runs with presets; for a part, the number of runs in the whole sweep.
  package var runs: Int
  /// The basis for evaluating goals: `bracket` or `nominal`.
  package var judging: Judging
  /// The scenario before any key is varied, as text with all defaults filled in.
  package var resolvedScenario: String
  /// The part of the sweep to simulate; `nil` for the whole sweep.
  package var part: SweepPart?

  package init(
    version: String, scenario: String, scenarioHash: String, seed: UInt64, method: String, settingsHash: String,
    runs: Int, judging: Judging, resolvedScenario: String
  ) {
    self.version = version
    self.scenario = scenario
    self.scenarioHash = scenarioHash
    self.seed = seed
    self.method = method
    self.settingsHash = settingsHash
    self.runs = runs
    self.judging = judging
    self.resolvedScenario = resolvedScenario
  }

  /// The key-value pairs stored in the table `study`.
  var fields: [(key: String, value: String)] {
    [
      ("schema", RunStore.schema), ("version", version), ("scenario", scenario), ("scenario_sha256", scenarioHash),
      ("seed", String(seed)), ("method", method), ("settings_sha256", settingsHash), ("runs", String(runs)),
      ("judged_by", judging.rawValue),
      ("resolved_scenario", resolvedScenario),
    ] + (part.map { [("part", $0.text)] } ?? [])
  }

  /// Returns a description of the difference between a stored study and this one; `nil` if there is none.
  func difference(from stored: [String: String]) -> String? {
    let words = [
      ("schema", "another version of widgetfleet"), ("version", "another version of widgetfleet"),
      ("seed", "another seed"), ("scenario_sha256", "another scenario"), ("method", "another method"),
      ("settings_sha256", "other settings"), ("judged_by", "goals judged differently (--nominal)"),
      ("runs", "other replications"), ("part", stored["part"].map { "--part \($0)" } ?? "all parts"),
    ]
    return words.first { key, _ in stored[key] != fields.first { $0.key == key }?.value }?.1
  }
}
