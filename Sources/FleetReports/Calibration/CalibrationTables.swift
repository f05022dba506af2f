import Calibration
import RequestLogs
import RequestStatistics
import Studies

/// parameters.csv: one row for each key that the log could tell something of.
func parametersCSV(of report: CalibrationReport) -> [UInt8] {
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

/// statistics.csv: what was computed of the log, and by the same code of simulated requests.
func statisticsCSV(of report: CalibrationReport) -> [UInt8] {
  let names = report.base.kinds.map(\.name)
  func values(_ load: SimulatedLoad?) -> [[String]: Double] {
    let rows = load?.evidence.statistics(names) ?? []
    return Dictionary(rows.map { ($0.identity, $0.value) }) { first, _ in first }
  }
  let (before, after) = (values(report.asWritten), values(report.simulated))
  var csv = CSVWriter(header: ["kind", "statistic", "part", "measured", "se", "before", "after", "z"])
  for row in report.evidence.statistics(names) {
    let simulated = after[row.identity]
    let distance = row.error.flatMap { error in simulated.map { error > 0 ? (row.value - $0) / error : nil } } ?? nil
    csv.row(row.kind, row.name, row.part, row.value, row.error, before[row.identity], simulated, distance)
  }
  // The simulator's phones have no probe.
  for row in report.telemetry?.statistics ?? [] {
    csv.row(row.kind, row.name, row.part, row.value, row.error, "", "", "")
  }
  return csv.bytes
}

/// quality.csv: what was read, what was left out and why, and what is wrong with the log.
func qualityCSV(of report: CalibrationReport) -> [UInt8] {
  var csv = CSVWriter(header: ["what", "code", "count", "from", "to", "text"])
  let logs = report.logs
  csv.row("files", "", logs.files.count, "", "", "")
  csv.row("lines", "", logs.lines, "", "", "")
  csv.row("requests", "", logs.parsed, "", "", "")
  for reason in Rejection.allCases where logs.rejected(reason) > 0 {
    csv.row("left_out", "", logs.rejected(reason), "", "", reason.description)
  }
  for finding in logs.picture.findings {
    let span = finding.span
    csv.row(
      finding.isNote ? "note" : "defect", finding.defect.rawValue, finding.count.map { Int($0) },
      span.map { stamp($0.lowerBound) } ?? "",
      span.map { stamp($0.upperBound) } ?? "", LogSentences.sentence(finding, logs.picture.names))
  }
  for sentence in report.mixedKinds { csv.row("defect", LogDefect.runs.rawValue, "", "", "", sentence) }
  return csv.bytes
}

/// load.csv: measured and simulated requests of widgets per step of five minutes, scaled to the fleet.
func calibrationLoadCSV(of report: CalibrationReport) -> [UInt8] {
  var csv = CSVWriter(header: ["time", "measured", "before", "after", "is_hole"])
  let measured = report.measured
  for bin in measured.counts.indices {
    let start = measured.start + Int64(bin) * CalibrationReport.binMilliseconds
    let isHole = report.logs.picture.silences.contains {
      $0.overlaps(start..<start + CalibrationReport.binMilliseconds)
    }
    csv.row(
      stamp(start), Int(measured.counts[bin]), report.asWritten?.count(at: bin), report.simulated?.count(at: bin),
      isHole ? "yes" : "no")
  }
  return csv.bytes
}

/// `2027-01-18T09:30:05Z`.
func stamp(_ unixMilliseconds: Int64) -> String {
  let time = UTCTime(unixMilliseconds: unixMilliseconds)
  return "\(time.date)T\(time.time)Z"
}

extension KeyMeasure {
  /// How parameters.csv calls it.
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
  /// Milliseconds since 1970 that it is about.
  fileprivate var span: Range<Int64>? {
    switch self {
    case .hole(let span): span
    case .lostNode(let lost): lost.span
    case .shift(let shift): shift.span
    default: nil
    }
  }

  /// Lines, or senders.
  fileprivate var count: Int64? {
    switch self {
    case .copies(let lines), .repeated(let lines): lines
    case .machines(let senders, _), .sharedIDs(let senders, _): Int64(senders)
    default: nil
    }
  }
}

/// manifest.json of a calibration: hashes in place of names, and nothing that tells people apart.
func calibrationManifest(of report: CalibrationReport) -> [UInt8] {
  JSONValue.object([
    ("schema", .string("widgetfleet.manifest/calibrate-v1")), ("version", .string(report.provenance.version)),
    ("scenario", .string(report.base.name)), ("scenario_sha256", .string(report.provenance.scenarioHash)),
    (ManifestLines.studyHash, report.provenance.studyHash.map { .string($0) } ?? .null),
    ("seed", .integer(Int128(report.base.run.seed))), ("lines", .integer(Int128(report.logs.lines))),
    ("requests", .integer(Int128(report.logs.parsed))),
    ("telemetry_runs", .integer(Int128(report.telemetry?.runs ?? 0))),
    ("sampled_share", .number(report.logs.picture.senders.share)),
    ("contradictions", .array(report.contradictions.map { .string($0.path) })),
    ("identified", .boolean(report.isIdentified)), ("files", .array(report.files.map { .string($0.name) })),
    ("resolved_scenario", .string(report.provenance.resolvedScenario)), ("complete", .boolean(true)),
  ]).bytes(lines: 1)
}
