import RequestLogs
import RequestStatistics

/// What is in some logs, as one JSON document.
package func logsJSON(of report: LogsReport) -> [UInt8] {
  let picture = report.picture
  let census = picture.census
  let classes = RequestClass.allCases.filter { LoadSeries.lines(of: $0, in: census) > 0 }
  return JSONValue.object([
    ("schema", .string("widgetfleet.logs/v1")), ("files", .array(report.files.map { document(of: $0) })),
    ("lines", .integer(Int128(report.lines))), ("requests", .integer(Int128(report.parsed))),
    ("left_out", leftOut(report.rejected)),
    ("first", picture.span == nil ? .null : .string(stamp(census.first))),
    ("last", picture.span == nil ? .null : .string(stamp(census.last))),
    ("stamp_milliseconds", .integer(Int128(census.digits.resolution))),
    ("busiest_minute", busiest(report)), ("classes", .array(classes.map { document(of: $0, census) })),
    ("paths", names(census.paths, picture.names.paths)), ("user_agents", names(census.agents, picture.names.agents)),
    ("kinds", names(census.kinds, picture.names.kinds)), ("servers", names(census.nodes, picture.names.nodes)),
    ("statuses", counts(census.statuses)), ("ios", counts(census.systems)),
    (
      "cdn",
      .object(
        CacheResult.allCases.dropFirst().map { result in
          ("\(result)", .integer(Int128(census.cacheResults[Int(result.rawValue)])))
        })
    ),
    ("counts", counts(report)), ("ids", ids(report)),
    ("findings", .array(picture.findings.map { document(of: $0, picture.names) })),
  ]).bytes(lines: 3)
}

extension LoadSeries {
  /// Lines of a class, however they ended.
  static func lines(of requestClass: RequestClass, in census: LogCensus) -> Int64 {
    of(requestClass).reduce(0) { $0 + census.series[$1] }
  }
}

private func document(of file: LogFileReport) -> JSONValue {
  let format = file.format?.rawValue
  let problem = file.problem?.description
  let members: JSONValue.Members = [
    ("file", .string(file.path)), ("format", format.map(JSONValue.string) ?? .null),
    ("reason", .string(file.reason)), ("packed", .string(file.stream.compression.rawValue)),
    ("members", .integer(Int128(file.stream.members))), ("bytes", .integer(Int128(file.bytes))),
    ("text_bytes", .integer(Int128(file.textBytes))), ("lines", .integer(Int128(file.lines))),
    ("requests", .integer(Int128(file.parsed))), ("left_out", leftOut(file.rejected)),
    ("torn", .boolean(file.stream.isTorn)), ("garbage_bytes", .integer(Int128(file.stream.garbage))),
    ("same_as", file.duplicateOf.map(JSONValue.string) ?? .null),
    ("problem", problem.map(JSONValue.string) ?? .null),
  ]
  return .object(members)
}

private func leftOut(_ count: (Rejection) -> Int) -> JSONValue {
  .object(Rejection.allCases.filter { count($0) > 0 }.map { (word($0), .integer(Int128(count($0)))) })
}

private func word(_ reason: Rejection) -> String {
  switch reason {
  case .malformed: "malformed"
  case .noTime: "no_time"
  case .impossibleTime: "impossible_time"
  case .tooLong: "too_long"
  case .noRequest: "no_request"
  case .tornEnd: "torn_end"
  }
}

private func busiest(_ report: LogsReport) -> JSONValue {
  guard let busiest = report.busiestMinute else { return .null }
  return .object([("minute", .string(stamp(busiest.start))), ("requests", .integer(Int128(busiest.lines)))])
}

private func document(of requestClass: RequestClass, _ census: LogCensus) -> JSONValue {
  .object(
    [
      ("class", .string("\(requestClass)")),
      ("requests", .integer(Int128(LoadSeries.lines(of: requestClass, in: census)))),
    ]
      + LoadSeries.Outcome.allCases.map { outcome in
        ("\(outcome)", .integer(Int128(census.series[LoadSeries(requestClass, outcome).index])))
      })
}

private func names(_ counts: NameCounts, _ table: NameTable) -> JSONValue {
  let (named, others) = counts.ranked(table)
  let most = 100
  let rest = named.dropFirst(most).reduce(others.lines) { $0 + $1.row.lines }
  return .object([
    (
      "named",
      .array(
        named.prefix(most).map { name, row in
          .object([
            ("name", .string(name)), ("requests", .integer(Int128(row.lines))),
            ("failed", .integer(Int128(row.failures))), ("class", .string("\(row.commonestClass)")),
            ("mean_bytes", row.sized > 0 ? .number(Double(row.bytes) / Double(row.sized)) : .null),
          ])
        })
    ), ("others", .integer(Int128(rest))), ("share_named_apart", .number(table.share)),
  ])
}

private func counts(_ counts: [Int64]) -> JSONValue {
  .object(
    counts.enumerated().filter { $0.offset > 0 && $0.element > 0 }.map {
      ("\($0.offset)", .integer(Int128($0.element)))
    })
}

private func counts(_ report: LogsReport) -> JSONValue {
  guard let counted = report.counted else { return .null }
  return .object([
    ("column", .string(report.countedColumn)), ("first", .string(stamp(counted.start))),
    ("step_seconds", .number(Double(counted.step) / 1_000)), ("steps", .integer(Int128(counted.counts.count))),
    ("missing", .integer(Int128(counted.missing.count))), ("requests", .number(counted.counts.reduce(0, +))),
  ])
}

private func ids(_ report: LogsReport) -> JSONValue {
  let picture = report.picture
  return .object([
    ("used", .boolean(report.hasIDs)), ("requests", .integer(Int128(picture.census.signed))),
    ("distinct", report.hasIDs ? .number(picture.distinctSenders) : .null),
    ("sampled_share", .number(picture.senders.share)),
    (
      "candidates",
      .array(
        report.candidates.map { candidate in
          .object([
            ("field", .string(candidate.field)), ("lines", .integer(Int128(candidate.lines))),
            ("of", .integer(Int128(candidate.looked))), ("distinct", .integer(Int128(candidate.distinct))),
          ])
        })
    ),
  ])
}

private func document(of finding: LogFinding, _ names: LogNames) -> JSONValue {
  .object([
    ("code", .string(finding.defect.rawValue)), ("title", .string(finding.defect.meaning.title)),
    ("sentence", .string(LogSentences.sentence(finding, names))), ("note", .boolean(finding.isNote)),
    ("refused", .boolean(finding.isFatal)),
  ])
}
