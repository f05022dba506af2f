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
