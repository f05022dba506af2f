package import Calibration
import RequestStatistics
package import Scenario
import Studies

/// What is told of a calibration: what the log says of each key, and the scenario with it.
package struct CalibrationReport: Sendable {
  /// The scenario as the file has it.
  package var base: Scenario
  package var logs: LogsReport
  package var evidence: LogEvidence
  package var findings: [KeyFinding]
  /// What testers' phones say; nil: there are no records of theirs.
  package var telemetry: TelemetryEvidence?
  package var provenance: Provenance
  /// The scenario file with what was found; nil where the file does not take it.
  package var calibratedText: [UInt8]?
  /// From the file as it was to `calibratedText`.
  package var patch: [UInt8]
  /// What the scenario sends in the log's time as the file has it, and with what was found; nil: it was not simulated.
  package var asWritten: SimulatedLoad?
  package var simulated: SimulatedLoad?
  /// What simulations found of keys that nothing else tells; nil: none were asked for.
  package var fit: ReportedFit?
  /// Whether the key of the pseudonyms lies in a file and not in this run's memory alone.
  package var keepsKey = false
  /// Whether the calibrated file is written however far its load is off.
  package var isForced = false

  package init(
    base: Scenario, logs: LogsReport, evidence: LogEvidence, findings: [KeyFinding], provenance: Provenance
  ) {
    (self.base, self.logs, self.evidence) = (base, logs, evidence)
    (self.findings, self.provenance, patch) = (findings, provenance, [])
  }

  /// Whether there is a log, and not telemetry alone.
  var hasLog: Bool { !logs.files.isEmpty || telemetry == nil }

  /// What tells of the scenario, in a word.
  var sourceName: String { (hasLog ? EvidenceSource.log : .telemetry).rawValue }

  package static let binMilliseconds: Int64 = 300_000

  /// Widgets' requests per step of five minutes of the log, from the step of its first line on.
  var measured: (start: Int64, counts: [Int64]) { logs.measured }

  /// Keys of the team's own code that the log rules out.
  package var contradictions: [KeyFinding] { findings.filter { $0.owner == .team && $0.contradicts } }

  /// Kinds that asked and whose runs no line tells from others', in words.
  var mixedKinds: [String] {
    let traffic = evidence.traffic
    let mixed = base.kinds.indices.filter { kind in
      !traffic.isAlone[kind] && base.kinds[kind].requests.contains { traffic.endpoints.contains($0.endpoint) }
    }
    guard mixed.count > 1 else { return [] }
    let names = mixed.map { "'\(base.kinds[$0].name)'" }.joined(separator: ", ")
    return [
      "kinds \(names) ask the same endpoints: their runs cannot be told apart, and nothing is said of their policies"
    ]
  }

  /// Whether the log could tell anything.
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

/// The load of a simulation, beside the measured one.
package struct SimulatedLoad: Sendable {
  /// Widgets' requests of the whole fleet per step of five minutes, from the step of the log's first line on.
  package var counts: [Double]
  /// What the same statistics say of the simulated requests.
  package var evidence: LogEvidence
  /// Phones of the fleet for which each simulated one stands.
  package var scale: Double

  package init(counts: [Double], evidence: LogEvidence, scale: Double = 1) {
    (self.counts, self.evidence, self.scale) = (counts, evidence, scale)
  }

  /// Blank beyond what was simulated.
  func count(at bin: Int) -> Double? { counts.indices.contains(bin) ? counts[bin] : nil }
}

/// What a fit by simulation found, with the values in the units of their keys.
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

  /// Findings of closed forms, with those of the fit in place of what they left open: a key, or the law that it is of.
  package func joined(with others: [KeyFinding]) -> [KeyFinding] {
    let fitted = keys.map(\.finding.path)
    let rest = others.filter { other in
      let isOfFitted = other.estimate.value == nil && fitted.contains { $0.hasPrefix(other.path + ".") }
      return !fitted.contains(other.path) && !isOfFitted
    }
    return rest + keys.map(\.finding)
  }
}
