package import FleetEngine
package import Scenario
package import Studies

/// The content of all files that a run writes.
package struct Report: Sendable {
  package var result: RunResult
  package var summary: Summary
  /// The goals, failed goals first.
  package var goals: [GoalResult]
  package var provenance: Provenance
  /// The files to write to the results folder.
  package var files: [ReportFile]
  /// The precision that `--until-ci` requires; `nil` if the number of replications is fixed.
  package var precision: RequiredPrecision?
  /// The results of additional runs that use the same draws.
  package var trials: StoredTrials
  /// The days of three example phones; empty if no phone has rows in devices.csv.
  package var phones: [TypicalPhone] = []
  /// Whether load.csv and causes.csv also contain times in ISO 8601 format.
  package var hasTimestamps = false
  /// The clocks of the time zones that phones use.
  package var zones: [String: ZoneTable] = [:]

  package init(
    result: RunResult, summary: Summary, goals: [GoalResult] = [], provenance: Provenance,
    files: [ReportFile] = ReportFile.allCases, precision: RequiredPrecision? = nil,
    trials: StoredTrials = StoredTrials()
  ) {
    self.result = result
    self.summary = summary
    // Goals with the same verdict keep the order of the scenario file.
    self.goals = Verdict.allCases.flatMap { verdict in goals.filter { $0.verdict == verdict } }
    self.provenance = provenance
    self.files = files
    self.precision = precision
    self.trials = trials
  }

  /// The number of devices with rows in devices.csv. It is `nil` if all simulated devices have rows, or if there is no
  /// such file.
  var rowSample: Int? {
    files.contains(.devices) ? result.scenario.run.rowSample(of: result.devicesTotal) : nil
  }
}

/// The program version and inputs that produced a set of results.
package struct Provenance: Hashable, Sendable {
  /// The program version.
  package var version: String
  /// The scenario as text, after applying all defaults and `--set` options.
  package var resolvedScenario: String
  /// The SHA-256 hash of the resolved scenario, in hexadecimal.
  package let scenarioHash: String
  /// The SHA-256 hash of a study's design, in hexadecimal; `nil` for results that do not come from a study.
  package var studyHash: String?

  package init(version: String, resolvedScenario: String, studyHash: String? = nil) {
    self.version = version
    self.resolvedScenario = resolvedScenario
    self.studyHash = studyHash
    scenarioHash = SHA256.hexadecimal(of: Array(resolvedScenario.utf8))
  }
}
