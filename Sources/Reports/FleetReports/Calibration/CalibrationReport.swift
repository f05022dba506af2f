package import Calibration
import RequestStatistics
package import Scenario
import Studies

/// The content of a calibration: the findings about each key from a log, and the scenario with these findings.
package struct CalibrationReport: Sendable {
  /// The scenario as it is written in the file.
  package var base: Scenario
  package var logs: LogsReport
  package var evidence: LogEvidence
  package var findings: [KeyFinding]
  /// The evidence from testers' phones; `nil` if there are no such records.
  package var telemetry: TelemetryEvidence?
  package var provenance: Provenance
  /// The text of the scenario file with the findings; `nil` if they cannot be written into the file.
  package var calibratedText: [UInt8]?
  /// The patch that turns the original file into `calibratedText`.
  package var patch: [UInt8]
  /// The simulated load over the log's period for the scenario as written; `nil` if it was not simulated.
  package var asWritten: SimulatedLoad?
  package var simulated: SimulatedLoad?
  /// The load that is forecast for the days after the log, if a forecast was requested.
  package var forecast: NextLoad?
  /// The results of the fit by simulation, which covers keys that no other method can estimate; `nil` if there was no
  /// such fit.
  package var fit: ReportedFit?
  /// Whether the key for pseudonyms is stored in a file, not just in the memory of this run.
  package var keepsKey = false
  /// Whether to write the calibrated file even if its load is far from the measured load.
  package var isForced = false

  package init(
    base: Scenario, logs: LogsReport, evidence: LogEvidence, findings: [KeyFinding], provenance: Provenance
  ) {
    (self.base, self.logs, self.evidence) = (base, logs, evidence)
    (self.findings, self.provenance, patch) = (findings, provenance, [])
  }

  /// Whether the calibration is based on a log rather than only on telemetry.
  var hasLog: Bool { !logs.files.isEmpty || telemetry == nil }

  /// The name of the evidence's source, as a single word.
  var sourceName: String { (hasLog ? EvidenceSource.log : .telemetry).rawValue }

  /// The measured widget load in five-minute steps, starting with the step that contains the log's first line.
  package var measured: MeasuredLoad {
    MeasuredLoad(logs.picture, logs.counted, requestsPerRun: evidence.requestsPerRun)
  }

  /// The simulated load of the resulting scenario, which includes any findings.
  var resultingLoad: SimulatedLoad? { (patchesValues ? simulated : nil) ?? asWritten }

  /// The keys set by the team's own code whose values in the file are ruled out by the log.
  package var contradictions: [KeyFinding] { findings.filter { $0.owner == .team && $0.contradicts } }

  /// The kinds whose requests cannot be distinguished from those of other kinds, as text.
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

  /// The defects that are only detected by comparing the log with the scenario, each with a sentence that describes it.
  var kindDefects: [(defect: LogDefect, sentence: String)] {
    mixedKinds.map { (.runs, $0) } + releases.map { (.releases, $0) }
  }

  /// The kinds whose phones use several different intervals, as text.
  private var releases: [String] {
    evidence.kinds.filter { $0.estimates.versions.count > 1 }.map { kind, estimates in
      let first = logs.picture.span?.lowerBound ?? 0
      let parts = estimates.versions.sorted { $0.edge.place < $1.edge.place }.map { version -> String in
        let last = first + Int64(max(version.byDay.count, 1) - 1) * BacktestReport.dayMilliseconds
        let shares = [(first, version.byDay.first), (last, version.byDay.last)].map { time, share in
          "\(NumberText.percent(share ?? 0)) of the phones on \(UTCTime(unixMilliseconds: time).date)"
        }
        return TimeText.precise(seconds: version.edge.place, width: 60) + " on " + shares.joined(separator: " and ")
      }
      return "kind '\(base.kinds[kind].name)' follows several intervals: " + parts.joined(separator: "; ")
    }
  }

  /// Whether the log determines the value of at least one key.
  package var isIdentified: Bool {
    findings.contains { $0.estimate.verdict == .identified || $0.estimate.verdict == .oneSided }
  }

  /// The files to write to the results folder.
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
    /// The bounds that enclose both 95 % intervals.
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

  /// Returns the closed-form findings. A finding that leaves a key or its distribution open is replaced by the fitted
  /// one.
  package func joined(with others: [KeyFinding]) -> [KeyFinding] {
    let fitted = keys.map(\.finding.path)
    let rest = others.filter { other in
      let isOfFitted = other.estimate.value == nil && fitted.contains { $0.hasPrefix(other.path + ".") }
      return !fitted.contains(other.path) && !isOfFitted
    }
    return rest + keys.map(\.finding)
  }
}
