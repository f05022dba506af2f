package import FleetEngine
package import Scenario
package import Studies

/// Everything that the files of one run are made from.
package struct Report: Sendable {
  package var result: RunResult
  package var summary: Summary
  /// Failed ones first.
  package var goals: [GoalResult]
  package var provenance: Provenance
  /// Those that its folder gets.
  package var files: [ReportFile]
  /// nil: as many replications as were given.
  package var precision: AskedPrecision?
  /// What further runs on the same draws have shown.
  package var trials: StoredTrials
  /// The days of three phones; empty where no phone has a row.
  package var phones: [TypicalPhone] = []
  /// Whether load.csv and causes.csv also have the time as ISO 8601.
  package var hasTimestamps = false
  /// The clocks of the zones that phones are in.
  package var zones: [String: ZoneTable] = [:]

  package init(
    result: RunResult, summary: Summary, goals: [GoalResult] = [], provenance: Provenance,
    files: [ReportFile] = ReportFile.allCases, precision: AskedPrecision? = nil,
    trials: StoredTrials = StoredTrials()
  ) {
    self.result = result
    self.summary = summary
    // Equal verdicts keep the order of the file.
    self.goals = Verdict.allCases.flatMap { verdict in goals.filter { $0.verdict == verdict } }
    self.provenance = provenance
    self.files = files
    self.precision = precision
    self.trials = trials
  }

  /// Devices whose rows devices.csv has; nil where these are all simulated ones, and where there is no such file.
  var rowSample: Int? {
    files.contains(.devices) ? result.scenario.run.rowSample(of: result.devicesLived) : nil
  }
}

/// Where results come from.
package struct Provenance: Hashable, Sendable {
  /// Version of the program.
  package var version: String
  /// The scenario with every default and `--set` filled in, as text.
  package var resolvedScenario: String
  /// SHA-256 of the resolved scenario, hexadecimal.
  package let scenarioHash: String
  /// SHA-256 of what a study varies and how, hexadecimal; nil of what is no study.
  package var studyHash: String?

  package init(version: String, resolvedScenario: String, studyHash: String? = nil) {
    self.version = version
    self.resolvedScenario = resolvedScenario
    self.studyHash = studyHash
    scenarioHash = SHA256.hexadecimal(of: Array(resolvedScenario.utf8))
  }
}
