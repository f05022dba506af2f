package import Calibration
import RequestStatistics
package import Scenario
import Studies

/// The content of a calibration: the findings from a log about each key, and the scenario with these findings applied.
package struct CalibrationReport: Sendable {
  /// The scenario as written in the scenario file.
  package var base: Scenario
  package var logs: LogsReport
  package var evidence: LogEvidence
  package var findings: [KeyFinding]
  /// The evidence from testers' phones; `nil` if there are no such records.
  package var telemetry: TelemetryEvidence?
  package var provenance: Provenance
  /// The text of the scenario file with the findings applied; `nil` if they cannot be written into the file.
  package var calibratedText: [UInt8]?
  /// The patch that turns the original file into `calibratedText`.
  package var patch: [UInt8]
  /// The simulated load of the scenario as written, over the log's period; `nil` if it was not simulated.
  package var asWritten: SimulatedLoad?
  package var simulated: SimulatedLoad?
  /// The load forecast for the days after the log; `nil` if no forecast was requested.
  package var forecast: NextLoad?
  /// The results of the fit by simulation, which estimates keys that no other method can; `nil` if there was no such
  /// fit.
  package var fit: ReportedFit?
  /// Whether the key for pseudonyms is stored in a file, rather than only in memory during this run.
  package var keepsKey = false
  /// Whether to write the calibrated file even if its load differs greatly from the measured load.
  package var isForced = false

  package init(
    base: Scenario, logs: LogsReport, evidence: LogEvidence, findings: [KeyFinding], provenance: Provenance
  ) {
    (self.base, self.logs, self.evidence) = (base, logs, evidence)
    (self.findings, self.provenance, patch) = (findings, provenance, [])
  }

  /// Whether the calibration is based on a log rather than only on telemetry.
  var hasLog: Bool { !logs.files.isEmpty || telemetry == nil }

  /// The name of the source of evidence, as a single word.
  var sourceName: String { (hasLog ? EvidenceSource.log : .telemetry).rawValue }

  /// The measured load of the widgets in five-minute steps, starting with the step that contains the log's first line.
  package var measured: MeasuredLoad {
    MeasuredLoad(logs.picture, logs.counted, requestsPerRun: evidence.requestsPerRun)
  }

  /// The simulated load of the resulting scenario, in which all findings are applied.
  var resultingLoad: SimulatedLoad? { (patchesValues ? simulated : nil) ?? asWritten }

  /// The findings that rule out values in the scenario file, for keys set by the team's own code.
  package var contradictions: [KeyFinding] { findings.filter { $0.owner == .team && $0.contradicts } }

  /// Phrases about kinds whose requests cannot be distinguished from those of other kinds.
  var mixedKinds: [String] {
    let traffic = evidence.traffic
    let mixed = base.kinds.indices.filter { kind in
      !traffic.isAlone[kind] && base.kinds[kind].requests.contains { traffic.endpoints.contains($0.endpoint) }
    }
    guard mixed.count > 1 else { return [] }
    let names = mixed.map { "'\(base.kinds[$0].name)'" }.joined(separator: ", ")
    return [
      "kinds \(names) use the same endpoints: their runs cannot be separated, nor can their policies be estimated"
    ]
  }

  /// The defects that can be found only by comparing the log with the scenario, each with a sentence that describes it.
  var kindDefects: [(defect: LogDefect, sentence: String)] {
    mixedKinds.map { (.runs, $0) } + releases.map { (.releases, $0) }
  }

  /// Phrases about kinds whose phones use several different intervals.
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

/// The results of a fit by simulation, in the units of the fitted keys.
package struct ReportedFit: Sendable {
  package let result: FitResult
  package let keys: [Key]

  package struct Key: Sendable {
    package let finding: KeyFinding
    package let fitted: FitResult.FittedKey
    /// The range that encloses both 95 % intervals.
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

  /// Returns the findings computed in closed form. If one of them does not determine a key or its distribution, it is
  /// replaced by the finding from the fit.
  package func joined(with others: [KeyFinding]) -> [KeyFinding] {
    let fitted = keys.map(\.finding.path)
    let rest = others.filter { other in
      let isOfFitted = other.estimate.value == nil && fitted.contains { $0.hasPrefix(other.path + ".") }
      return !fitted.contains(other.path) && !isOfFitted
    }
    return rest + keys.map(\.finding)
  }
}
