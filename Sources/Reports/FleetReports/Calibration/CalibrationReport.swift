package import Calibration
import RequestStatistics
package import Scenario
import Studies

/// The content of a calibration: the findings of a log about each key, and the scenario with them.
package struct CalibrationReport: Sendable {
  /// The scenario of the file.
  package var base: Scenario
  package var logs: LogsReport
  package var evidence: LogEvidence
  package var findings: [KeyFinding]
  /// The evidence of testers' phones; `nil` without their records.
  package var telemetry: TelemetryEvidence?
  package var provenance: Provenance
  /// The scenario file with the findings; `nil` where the file cannot take them.
  package var calibratedText: [UInt8]?
  /// The patch from the original file to `calibratedText`.
  package var patch: [UInt8]
  /// The simulated load in the log's time of the file's scenario, and of the one with the findings; `nil` where it was
  /// not simulated.
  package var asWritten: SimulatedLoad?
  package var simulated: SimulatedLoad?
  /// The fit by simulation of keys that other methods cannot find; `nil` without one.
  package var fit: ReportedFit?
  /// Whether the key of the pseudonyms is in a file, and not only in this run's memory.
  package var keepsKey = false
  /// Whether the calibrated file is written even if its load is far off.
  package var isForced = false

  package init(
    base: Scenario, logs: LogsReport, evidence: LogEvidence, findings: [KeyFinding], provenance: Provenance
  ) {
    (self.base, self.logs, self.evidence) = (base, logs, evidence)
    (self.findings, self.provenance, patch) = (findings, provenance, [])
  }

  /// Whether there is a log, and not telemetry alone.
  var hasLog: Bool { !logs.files.isEmpty || telemetry == nil }

  /// The source of the evidence, in a word.
  var sourceName: String { (hasLog ? EvidenceSource.log : .telemetry).rawValue }

  /// The load of widgets in steps of five minutes, from the step of the log's first line on.
  package var measured: MeasuredLoad {
    MeasuredLoad(logs.picture, logs.counted, requestsPerRun: evidence.requestsPerRun)
  }

  /// The load of the resulting scenario: with the findings where there are any.
  var resultingLoad: SimulatedLoad? { (patchesValues ? simulated : nil) ?? asWritten }

  /// The keys of the team's own code that the log excludes.
  package var contradictions: [KeyFinding] { findings.filter { $0.owner == .team && $0.contradicts } }

  /// The kinds with requests that cannot be separated from those of other kinds, in words.
  var mixedKinds: [String] {
    let traffic = evidence.traffic
    let mixed = base.kinds.indices.filter { kind in
      !traffic.isAlone[kind] && base.kinds[kind].requests.contains { traffic.endpoints.contains($0.endpoint) }
    }
    guard mixed.count > 1 else { return [] }
    let names = mixed.map { "'\(base.kinds[$0].name)'" }.joined(separator: ", ")
    return [
      "kinds \(names) use the same endpoints: their runs cannot be separated, nor their policies estimated"
    ]
  }

  /// Whether the log determines any key.
  package var isIdentified: Bool {
    findings.contains { $0.estimate.verdict == .identified || $0.estimate.verdict == .oneSided }
  }

  /// The files of the folder.
  package var files: [CalibrationFile] {
    CalibrationFile.allCases.filter { file in
      switch file {
      case .calibrated, .patch: calibratedText != nil && !isWithheld
      case .profile: profileText != nil
      case .fit, .correlation: fit != nil
      default: true
      }
    }
  }
}

/// The results of a fit by simulation, in the units of their keys.
package struct ReportedFit: Sendable {
  package let result: FitResult
  package let keys: [Key]

  package struct Key: Sendable {
    package let finding: KeyFinding
    package let fitted: FitResult.FittedKey
    /// The values at the ends of both 95 % intervals.
    package let statistical: ClosedRange<Double>
    package let withModelError: ClosedRange<Double>

    package init(
      _ finding: KeyFinding, _ fitted: FitResult.FittedKey, statistical: ClosedRange<Double>,
      withModelError: ClosedRange<Double>
    ) {
      (self.finding, self.fitted) = (finding, fitted)
      (self.statistical, self.withModelError) = (statistical, withModelError)
    }
  }

  package init(_ result: FitResult, _ keys: [Key]) { (self.result, self.keys) = (result, keys) }

  /// Returns findings of closed forms, where the fit replaces those that they left open: a key, or a key's
  /// distribution.
  package func joined(with others: [KeyFinding]) -> [KeyFinding] {
    let fitted = keys.map(\.finding.path)
    let rest = others.filter { other in
      let isOfFitted = other.estimate.value == nil && fitted.contains { $0.hasPrefix(other.path + ".") }
      return !fitted.contains(other.path) && !isOfFitted
    }
    return rest + keys.map(\.finding)
  }
}
