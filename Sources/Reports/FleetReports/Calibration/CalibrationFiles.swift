import Calibration
import RequestLogs
import RequestStatistics
import Scenario
import Studies

/// The files in the results folder of a calibration. The manifest is written last, so a folder with a manifest is
/// complete.
package enum CalibrationFile: String, CaseIterable, Sendable {
  case calibrated = "calibrated.yaml"
  case patch = "calibrated.patch"
  case profile = "profile.yaml"
  case parameters = "parameters.csv"
  case fit = "fit.csv"
  case correlation = "correlation.csv"
  case statistics = "statistics.csv"
  case quality = "quality.csv"
  case load = "load.csv"
  case page = "report.html"
  case manifest = "manifest.json"

  package var name: String { rawValue }

  package func bytes(of report: CalibrationReport) -> [UInt8] {
    switch self {
    case .calibrated: report.calibratedText ?? []
    case .patch: report.patch
    case .profile: report.profileText ?? []
    case .parameters: parametersCSV(of: report)
    case .fit: fitCSV(of: report)
    case .correlation: correlationCSV(of: report)
    case .statistics: statisticsCSV(of: report)
    case .quality: qualityCSV(of: report)
    case .load: calibrationLoadCSV(of: report)
    case .page: calibrationPage(of: report)
    case .manifest: calibrationManifest(of: report)
    }
  }
}

/// Returns the content of parameters.csv, which has one row for each key about which the log provides information.
private func parametersCSV(of report: CalibrationReport) -> [UInt8] {
  var csv = CSVWriter(header: [
    "path", "owner", "source", "file", "unit", "value", "low", "high", "verdict", "reason", "count", "written",
  ])
  for finding in report.findings {
    let estimate = finding.estimate
    csv.row(
      finding.path, finding.owner.rawValue, finding.source.rawValue, finding.written, finding.measure.unit,
      estimate.value, estimate.low, estimate.high, estimate.verdict.rawValue, estimate.reason?.rawValue,
      estimate.count, finding.found)
  }
  return csv.bytes
}

/// Returns the content of statistics.csv: the statistics of the log and of simulated requests, which are computed in
/// the same way.
private func statisticsCSV(of report: CalibrationReport) -> [UInt8] {
  let names = report.base.kinds.map(\.name)
  func values(_ load: SimulatedLoad?) -> [[String]: Double] {
    let rows = load?.evidence.statistics(names) ?? []
    return Dictionary(rows.map { ($0.identity, $0.value) }) { first, _ in first }
  }
  let (before, after) = (values(report.asWritten), values(report.simulated))
  var csv = CSVWriter(header: ["kind", "statistic", "part", "measured", "se", "before", "after", "z"])
  for row in report.evidence.statistics(names) {
    let simulated = after[row.identity]
    csv.row(
      row.kind, row.name, row.part, row.value, row.error, before[row.identity], simulated,
      row.distance(from: simulated))
  }
  // Telemetry has no simulated counterpart, because simulated phones do not run the probe.
  for row in report.telemetry?.statistics ?? [] {
    csv.row(row.kind, row.name, row.part, row.value, row.error, "", "", "")
  }
  return csv.bytes
}

/// Returns the content of quality.csv: the lines that were read, the lines that were skipped (with the reasons), and
/// the log's defects.
private func qualityCSV(of report: CalibrationReport) -> [UInt8] {
  var csv = CSVWriter(header: ["what", "code", "count", "from", "to", "text"])
  let logs = report.logs
  csv.row("files", "", logs.files.count, "", "", "")
  csv.row("lines", "", logs.lines, "", "", "")
  csv.row("requests", "", logs.parsed, "", "", "")
  for (reason, count) in logs.losses { csv.row("damaged_files", "", count, "", "", reason) }
  for reason in Rejection.allCases where logs.files.rejected(reason) > 0 {
    csv.row("left_out", "", logs.files.rejected(reason), "", "", reason.description)
  }
  for finding in logs.picture.findings {
    let span = finding.span
    csv.row(
      finding.isNote ? "note" : "defect", finding.defect.rawValue, finding.count.map { Int($0) },
      span.map { stamp($0.lowerBound) } ?? "",
      span.map { stamp($0.upperBound) } ?? "", LogSentences.sentence(finding, logs.picture))
  }
  for (defect, sentence) in report.kindDefects { csv.row("defect", defect.rawValue, "", "", "", sentence) }
  return csv.bytes
}

/// Returns the content of load.csv: the measured and simulated widget requests in five-minute steps, scaled to the
/// fleet.
private func calibrationLoadCSV(of report: CalibrationReport) -> [UInt8] {
  var csv = CSVWriter(header: ["time", "measured", "before", "after", "is_hole"])
  let measured = report.measured
  for bin in measured.counts.indices {
    let start = measured.time(bin)
    let isHole = report.logs.picture.silences.contains { $0.overlaps(start..<measured.time(bin + 1)) }
    csv.row(
      stamp(start), Int(measured.counts[bin]), report.asWritten?.count(at: bin), report.simulated?.count(at: bin),
      isHole ? "yes" : "no")
  }
  return csv.bytes
}

/// Returns a UTC time in ISO 8601 format, such as `2027-01-18T09:30:05Z`.
func stamp(_ unixMilliseconds: Int64) -> String {
  let time = UTCTime(unixMilliseconds: unixMilliseconds)
  return "\(time.date)T\(time.time)Z"
}

extension KeyMeasure {
  /// The unit of the key's value in parameters.csv.
  var unit: String {
    switch self {
    case .span, .uniformSpan: "s"
    case .count: "phones"
    case .share, .number: "1"
    case .daily, .dailyRange: "1/d"
    case .rate: "1/s"
    }
  }
}

extension LogFinding {
  /// The period affected by the defect, in milliseconds since 1970.
  fileprivate var span: Range<Int64>? {
    switch self {
    case .hole(let span): span
    case .lostNode(let lost): lost.span
    case .shift(let shift): shift.span
    default: nil
    }
  }

  /// The number of lines or senders affected by the defect.
  fileprivate var count: Int64? {
    switch self {
    case .copies(let lines), .repeated(let lines): lines
    case .machines(let senders, _), .sharedIDs(let senders, _): Int64(senders)
    default: nil
    }
  }
}

/// Returns the content of a calibration's manifest.json, which contains hashes instead of names and no personal data.
private func calibrationManifest(of report: CalibrationReport) -> [UInt8] {
  manifest(
    "calibrate-v1", report.provenance, scenario: report.base.name, seed: report.base.run.seed,
    report.logs.lossJSON.with([
      "lines": report.logs.lines, "requests": report.logs.parsed, "telemetry_runs": report.telemetry?.runs ?? 0,
      "sampled_share": report.logs.picture.senders.share, "contradictions": report.contradictions.map(\.path),
      "identified": report.isIdentified, "estimates": report.findings.map(estimate),
    ]), files: report.files.map(\.name))
}

private func estimate(_ finding: KeyFinding) -> JSONValue {
  let estimate = finding.estimate
  return [
    "path": finding.path, "file": finding.written, "unit": finding.measure.unit, "value": estimate.value,
    "low": estimate.low, "high": estimate.high, "verdict": estimate.verdict.rawValue,
  ]
}

/// Returns the content of fit.csv: the results of the fit by simulation, one row per key.
private func fitCSV(of report: CalibrationReport) -> [UInt8] {
  var csv = CSVWriter(header: [
    "path", "unit", "value", "statistical_low", "statistical_high", "low", "high", "contraction", "verdict",
    "confounded_with",
  ])
  for key in report.fit?.keys ?? [] {
    csv.row(
      key.finding.path, key.finding.measure.unit, key.finding.estimate.value, key.statistical.lowerBound,
      key.statistical.upperBound, key.withModelError.lowerBound, key.withModelError.upperBound, key.fitted.contraction,
      key.fitted.verdict.rawValue, key.fitted.confounded.joined(separator: " "))
  }
  return csv.bytes
}

/// Returns the content of correlation.csv: the correlations between the estimates of a fit, one row per pair of keys.
private func correlationCSV(of report: CalibrationReport) -> [UInt8] {
  var csv = CSVWriter(header: ["path", "other_path", "correlation"])
  let keys = report.fit?.keys ?? []
  for (number, key) in keys.enumerated() {
    for (other, value) in zip(keys, key.fitted.correlations).prefix(number) {
      csv.row(key.finding.path, other.finding.path, value)
    }
  }
  return csv.bytes
}

extension CalibrationReport {
  /// The system keys for which the log determines both bounds of an interval.
  private var measuredConstants: [MeasuredKey] { findings.compactMap { MeasuredKey($0, self) } }

  /// The operating system of the scenario's phones, used at the start of a line; empty if unknown.
  private var system: String {
    base.os.version.flatMap(SystemVersion.init).map { "os: \"\($0.text)\", " } ?? ""
  }

  /// The findings about the system, as a profile that other scenarios can use with the key `os.profile`; `nil` if there
  /// are none.
  package var profileText: [UInt8]? {
    let keys = measuredConstants
    guard !keys.isEmpty else { return nil }
    let head = [
      "schema: \(SystemProfile.schema)", "name: \(base.name)",
      "measured: {\(system)by: \"widgetfleet \(provenance.version)\"}", "os:",
    ]
    return Array((head + keys.map(\.line)).joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
  }
}

/// A finding, as one line of a profile.
private struct MeasuredKey {
  let line: String

  /// - Returns: `nil` if the key is not a system constant, or if the finding lacks a bound of its interval.
  init?(_ finding: KeyFinding, _ report: CalibrationReport) {
    let estimate = finding.estimate
    guard finding.owner == .system, finding.path.hasPrefix("os."), estimate.verdict == .identified, !finding.isKept,
      let constant = BracketConstant(rawValue: String(finding.path.dropFirst("os.".count))),
      let value = estimate.value, let low = estimate.low, let high = estimate.high, low <= value, value <= high,
      estimate.count > 0
    else { return nil }
    let text = { (value: Double, side: FloatingPointRoundingRule) in finding.measure.preciseText(value, side) }
    let isDirect = finding.source == .telemetry
    let phones = isDirect ? report.telemetry?.phones : report.evidence.history?.phones.count
    line =
      "  \(constant.rawValue): {value: \(text(value, .toNearestOrAwayFromZero)), low: \(text(low, .down)), "
      + "high: \(text(high, .up)), method: \(finding.source.rawValue), n: \(estimate.count)"
      + (phones.map { $0 > 0 ? ", phones: \($0)" : "" } ?? "") + "}"
  }
}
