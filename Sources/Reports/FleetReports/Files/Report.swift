package import FleetEngine
package import Scenario
package import Studies

/// The content of one run's files.
package struct Report: Sendable {
  package var result: RunResult
  package var summary: Summary
  /// The goals, failed goals first.
  package var goals: [GoalResult]
  package var provenance: Provenance
  /// The files to write to its folder.
  package var files: [ReportFile]
  /// The precision required by `--until-ci`; `nil` for a fixed number of replications.
  package var precision: RequiredPrecision?
  /// The results of additional runs that use the same random draws.
  package var trials: StoredTrials
  /// The days of three phones; empty if no phone has a row.
  package var phones: [TypicalPhone] = []
  /// Whether load.csv and causes.csv also have times in ISO 8601.
  package var hasTimestamps = false
  /// The clocks of the phones' time zones.
  package var zones: [String: ZoneTable] = [:]

  package init(
    result: RunResult, summary: Summary, goals: [GoalResult] = [], provenance: Provenance,
    files: [ReportFile] = ReportFile.allCases, precision: RequiredPrecision? = nil,
    trials: StoredTrials = StoredTrials()
  ) {
    self.result = result
    self.summary = summary
    // Goals with equal verdicts stay in file order.
    self.goals = Verdict.allCases.flatMap { verdict in goals.filter { $0.verdict == verdict } }
    self.provenance = provenance
    self.files = files
    self.precision = precision
    self.trials = trials
  }

  /// The number of devices with rows in devices.csv; `nil` if all simulated ones have rows or there is no such file.
  var rowSample: Int? {
    files.contains(.devices) ? result.scenario.run.rowSample(of: result.devicesTotal) : nil
  }
}

/// The provenance of results.
package struct Provenance: Hashable, Sendable {
  /// The program version.
  package var version: String
  /// The scenario as text, with all defaults and `--set` options filled in.
  package var resolvedScenario: String
  /// The SHA-256 of the resolved scenario, in hexadecimal.
  package let scenarioHash: String
  /// The SHA-256 of a study's design, in hexadecimal; `nil` for other results.
  package var studyHash: String?

  package init(version: String, resolvedScenario: String, studyHash: String? = nil) {
    self.version = version
    self.resolvedScenario = resolvedScenario
    self.studyHash = studyHash
    scenarioHash = SHA256.hexadecimal(of: Array(resolvedScenario.utf8))
  }
}
