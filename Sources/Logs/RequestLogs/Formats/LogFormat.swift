/// The format of a log's lines.
package enum LogFormat: String, CaseIterable, Sendable {
  /// nginx and Apache: common, combined, or a given pattern.
  case nginx
  case alb
  /// Tables with a line `#Fields:`, from CloudFront and other writers of W3C's extended format.
  case cloudfront
  /// A JSON object per line, or a document of objects.
  case jsonl
  /// OpenTelemetry's spans or log records in JSON.
  case otlp
  /// A table with commas, of requests or of counts.
  case csv
}

/// The reason why a line is not a request.
package enum Rejection: Int, CaseIterable, Error, Sendable {
  /// The line does not have the form of the format.
  case malformed
  case noTime
  /// The time is before 1990 or after 2100, or its month does not have the day.
  case impossibleTime
  case tooLong
  /// It has no request, path, status or User-Agent; or it is a span of something other than a server.
  case noRequest
  /// The file ends within the line.
  case tornEnd
}

/// A parser of a line's fields.
protocol LineFormat {
  /// - Returns: the reason for a rejection; `nil` where the row is filled.
  mutating func fill(_ row: Row, _ line: Text) -> Rejection?
}

/// The ends of quoted texts.
enum Quotes {
  /// Returns the place of the quote that closes the text starting at a place; a backslash escapes the next byte.
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

/// The plan for reading the lines of a file, and the reason for it.
final class LinePlan: Sendable {
  enum Lines: Sendable {
    case pattern(PatternLines)
    case table(TableLines)
    case objects(ObjectLines)
    case counts(CountLines)
  }

  let format: LogFormat
  let lines: Lines
  /// The name in words: `nginx combined`.
  let name: String
  var isTelemetry: Bool { format == .otlp }
  /// Whether the objects of a document must be split into lines first.
  let isDocument: Bool
  /// The line `#Fields:` with the names of the columns, or the first line of a table with commas.
  let header: [UInt8]

  init(_ format: LogFormat, _ lines: Lines, name: String, isDocument: Bool = false, header: [UInt8] = []) {
    (self.format, self.lines, self.name, self.isDocument, self.header) = (format, lines, name, isDocument, header)
  }

  /// Returns the plan after a line `#Fields:`; `nil` for other lines, or for the same columns.
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
    // CloudFront separates names by spaces and values by tabs; other writers use spaces for both.
    let isCloudFront = names.contains { $0.hasPrefix("x-edge-") || $0 == "DistributionId" || $0 == "timestamp(ms)" }
    let lines = TableLines(
      names, table, separator: isCloudFront ? 0x09 : 0x20, allowsQuotes: !isCloudFront, fewest: names.count)
    let name = isCloudFront ? "CloudFront standard log" : "W3C extended log format"
    return LinePlan(.cloudfront, .table(lines), name: name, header: Array(header.bytes))
  }
}
