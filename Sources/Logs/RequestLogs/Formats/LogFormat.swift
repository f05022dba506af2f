/// The format of log lines.
package enum LogFormat: String, CaseIterable, Sendable {
  /// The nginx and Apache formats: common, combined, or a given pattern.
  case nginx
  case alb
  /// Tables with a `#Fields:` line, from CloudFront and other writers of the W3C extended format.
  case cloudfront
  /// One JSON object per line, or a document of objects.
  case jsonl
  /// OpenTelemetry spans or log records in JSON.
  case otlp
  /// A comma-separated table with one row per request or per count.
  case csv
}

/// The reason why a line is not a request.
package enum Rejection: Int, CaseIterable, Error, Sendable {
  /// The line does not have the form that its format requires.
  case malformed
  case noTime
  /// The time is before 1990 or after 2100, or the date does not exist.
  case impossibleTime
  case tooLong
  /// The line has no request, path, status or User-Agent, or is a span that does not come from a server.
  case noRequest
  /// The line is incomplete, because the file ends in the middle of it.
  case tornEnd
}

/// A parser for a line's fields.
protocol LineFormat {
  /// - Returns: the reason for rejecting the line; `nil` if the row was filled.
  mutating func fill(_ row: Row, _ line: Text) -> Rejection?
}

/// A search for the end of a quoted string.
enum Quotes {
  /// Returns the position of the quote that closes the text starting at a position. A backslash escapes the next byte.
  @inline(__always) static func closing(_ line: Text, from start: Int) -> Int? {
    var place = start
    while let found = line.place(of: UInt8(ascii: "\""), from: place) {
      guard found > start, line[found - 1] == UInt8(ascii: "\\"), isEscaped(line, found, start) else { return found }
      place = found + 1
    }
    return nil
  }

  private static func isEscaped(_ line: Text, _ place: Int, _ start: Int) -> Bool {
    var count = 0
    while place - count > start, line[place - count - 1] == UInt8(ascii: "\\") { count += 1 }
    return count % 2 == 1
  }
}

/// The plan for parsing the lines of a file, with the reason why it was chosen.
final class LinePlan: Sendable {
  enum Lines: Sendable {
    case pattern(PatternLines)
    case table(TableLines)
    case objects(ObjectLines)
    case counts(CountLines)
  }

  let format: LogFormat
  let lines: Lines
  /// The name of the format in words, such as `nginx combined`.
  let name: String
  var isTelemetry: Bool { format == .otlp }
  /// Whether the file is a JSON document whose objects must first be split into lines.
  let isDocument: Bool
  /// Whether timestamps without a defined meaning mark the start of requests.
  let startsRequests: Bool
  /// The `#Fields:` line with the column names or, in a comma-separated table, its first line.
  let header: [UInt8]

  init(
    _ format: LogFormat, _ lines: Lines, name: String, isDocument: Bool = false, startsRequests: Bool = false,
    header: [UInt8] = []
  ) {
    (self.format, self.lines, self.name, self.isDocument, self.header) = (format, lines, name, isDocument, header)
    self.startsRequests = startsRequests
  }

  /// Returns the plan to use after a `#Fields:` line; `nil` if the line is something else or does not change the
  /// columns.
  func following(_ header: Text, _ table: FieldTable) -> LinePlan? {
    guard format == .cloudfront, header.hasPrefix("#Fields:") else { return nil }
    let isKnown = self.header.withText { $0 == header }
    guard !isKnown, case .table(let lines) = self.lines else { return nil }
    return ExtendedFormat.plan(header, table, isTabbed: lines.separator == 0x09)
  }
}

/// Tables in the W3C extended log file format.
enum ExtendedFormat {
  /// - Parameters:
  ///   - header: a line such as `#Fields: date time ...`, separated by spaces or tabs.
  ///   - isTabbed: whether lines contain tabs.
  static func plan(_ header: Text, _ table: FieldTable, isTabbed: Bool) -> LinePlan? {
    guard header.hasPrefix("#Fields:") else { return nil }
    let names = header.from(8).bytes.split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }
    guard !names.isEmpty else { return nil }
    // CloudFront separates names with spaces and values with tabs; other writers use spaces for both.
    let isCloudFront = names.contains { $0.hasPrefix("x-edge-") || $0 == "DistributionId" || $0 == "timestamp(ms)" }
    let lines = TableLines(
      names, table, separator: isCloudFront || isTabbed ? 0x09 : 0x20, allowsQuotes: !isCloudFront,
      fewest: names.count)
    let name = isCloudFront ? "CloudFront standard log" : "W3C extended log format"
    return LinePlan(.cloudfront, .table(lines), name: name, header: Array(header.bytes))
  }
}
