package import FleetEngine
package import Scenario
package import Studies

/// The content of the files of one run.
package struct Report: Sendable {
  package var result: RunResult
  package var summary: Summary
  /// The goals, failed ones first.
  package var goals: [GoalResult]
  package var provenance: Provenance
  /// The files of its folder.
  package var files: [ReportFile]
  /// The precision of `--until-ci`; `nil` for a fixed number of replications.
  package var precision: AskedPrecision?
  /// The results of further runs on the same draws.
  package var trials: StoredTrials
  /// The days of three phones; empty where no phone has a row.
  package var phones: [TypicalPhone] = []
  /// Whether load.csv and causes.csv also have the time as ISO 8601.
  package var hasTimestamps = false
  /// The clocks of the phones' zones.
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

  /// The number of devices with rows in devices.csv; `nil` for all simulated ones, and without such a file.
  var rowSample: Int? {
    files.contains(.devices) ? result.scenario.run.rowSample(of: result.devicesLived) : nil
  }
}

/// The provenance of results.
package struct Provenance: Hashable, Sendable {
  /// Version of the program.
  package var version: String
  /// The scenario as text, with every default and `--set` filled in.
  package var resolvedScenario: String
  /// SHA-256 of the resolved scenario, hexadecimal.
  package let scenarioHash: String
  /// SHA-256 of a study's design, hexadecimal; `nil` for other results.
  package var studyHash: String?

  package init(version: String, resolvedScenario: String, studyHash: String? = nil) {
    self.version = version
    self.resolvedScenario = resolvedScenario
    self.studyHash = studyHash
    scenarioHash = SHA256.hexadecimal(of: Array(resolvedScenario.utf8))
  }
}
