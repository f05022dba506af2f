/// How lines of logs are written.
package enum LogFormat: String, CaseIterable, Sendable {
  /// nginx and Apache: common, combined, or as a given pattern has it.
  case nginx
  case alb
  /// Tables with a line `#Fields:`, as CloudFront and other writers of W3C's extended format have them.
  case cloudfront
  /// An object of JSON a line, or a document of objects.
  case jsonl
  /// OpenTelemetry's spans or log records in JSON.
  case otlp
  /// A table with commas, of requests or of counts.
  case csv
}

/// Why a line is no request.
package enum Rejection: Int, CaseIterable, Error, Sendable {
  /// It is not as the format has lines.
  case malformed
  case noTime
  /// Before 1990, after 2100, or a day that no month has.
  case impossibleTime
  case tooLong
  /// It has neither a request nor a path, a status or a User-Agent; or it is a span of something else than a server.
  case noRequest
  /// The file ends within it.
  case tornEnd
}

/// What takes the fields out of a line.
protocol LineFormat {
  /// - Returns: why it is no line of this format; nil: the row is filled.
  mutating func fill(_ row: Row, _ line: Text) -> Rejection?
}

/// Finds where a quoted text ends.
enum Quotes {
  /// The place of the quote that closes the text that begins at a place; a backslash takes the meaning of what follows.
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

/// How the lines of a file are to be read, and how that was found out.
final class LinePlan: Sendable {
  enum Lines: Sendable {
    case pattern(PatternLines)
    case table(TableLines)
    case objects(ObjectLines)
    case counts(CountLines)
  }

  let format: LogFormat
  let lines: Lines
  /// In words: `nginx combined`.
  let name: String
  var isTelemetry: Bool { format == .otlp }
  /// Whether the objects of a document have to be made lines first.
  let isDocument: Bool
  /// The line `#Fields:` that names the columns, or the first line of a table with commas.
  let header: [UInt8]

  init(_ format: LogFormat, _ lines: Lines, name: String, isDocument: Bool = false, header: [UInt8] = []) {
    (self.format, self.lines, self.name, self.isDocument, self.header) = (format, lines, name, isDocument, header)
  }

  /// The plan for what follows a line `#Fields:`; nil: the line is none, or names what is known.
  func following(_ header: Text, _ table: FieldTable) -> LinePlan? {
    guard format == .cloudfront, header.hasPrefix("#Fields:") else { return nil }
    let isKnown = self.header.withText { $0 == header }
    return isKnown ? nil : ExtendedFormat.plan(header, table)
  }
}

/// Tables of W3C's extended log file format.
enum ExtendedFormat {
  /// - Parameter header: `#Fields: date time ...`, with spaces or tabs.
  static func plan(_ header: Text, _ table: FieldTable) -> LinePlan? {
    guard header.hasPrefix("#Fields:") else { return nil }
    let names = header.from(8).bytes.split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }
    guard !names.isEmpty else { return nil }
    // CloudFront separates names by spaces and values by tabs; others use spaces for both.
    let isCloudFront = names.contains { $0.hasPrefix("x-edge-") || $0 == "DistributionId" || $0 == "timestamp(ms)" }
    let lines = TableLines(
      names, table, separator: isCloudFront ? 0x09 : 0x20, allowsQuotes: !isCloudFront, fewest: names.count)
    let name = isCloudFront ? "CloudFront's standard log" : "a table of W3C's extended format"
    return LinePlan(.cloudfront, .table(lines), name: name, header: Array(header.bytes))
  }
}
