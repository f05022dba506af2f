package import Scenario
package import Studies

/// A run.bin file, which contains the results of a run for the program to read back (Docs/FILES.md).
///
/// The file consists of a line with the format, a line with the program version, the fields, and the SHA-256 hash of
/// all preceding bytes.
package struct RunFile: Sendable {
  /// The first characters of run files in every version.
  package static let beginning = "widgetfleet.run/"
  private static let schema = beginning + "v2"

  package var content: ReportContent
  package var distributions: Distributions

  package init(content: ReportContent, distributions: Distributions) {
    (self.content, self.distributions) = (content, distributions)
  }

  package var bytes: [UInt8] { Self.sealed(fields, version: content.provenance.version) }

  /// The content without the header or the checksum.
  package var fields: [UInt8] {
    var file = StoredFields()
    var copy = self
    var text = content.provenance.resolvedScenario
    file.field(&text)
    copy.visit(&file)
    return file.bytes
  }

  /// Returns the fields preceded by a header and followed by a checksum.
  package static func sealed(_ fields: [UInt8], version: String) -> [UInt8] {
    let bytes = Array("\(schema)\n\(version)\n".utf8) + fields
    return bytes + SHA256.digest(of: bytes)
  }

  /// Reads a file in the format of this version.
  ///
  /// - Parameter scenario: a function that parses a resolved scenario, and returns `nil` for any other text.
  package init(
    _ bytes: [UInt8], version: String, scenario: (String) -> Scenario?
  ) throws(StoredFileError) {
    let lines = bytes.prefix(1_000).split(separator: UInt8(ascii: "\n"), maxSplits: 2).prefix(2)
    let head = lines.map { String(decoding: $0, as: UTF8.self) }
    guard head.count == 2, head[0].hasPrefix(Self.beginning) else {
      throw StoredFileError("is not a run file")
    }
    guard head[0] == Self.schema else {
      throw StoredFileError("has format '\(head[0])', which this version cannot read: run the scenario again")
    }
    let sealed = bytes.dropLast(SHA256.length)
    guard bytes.suffix(from: sealed.endIndex).elementsEqual(SHA256.digest(of: Array(sealed))) else {
      throw StoredFileError("is damaged: its contents have changed since it was written; run the scenario again")
    }
    guard head[1] == version else {
      throw StoredFileError("was written by widgetfleet \(head[1]), but this is \(version): run the scenario again")
    }
    var file = StoredFields(Array(sealed.dropFirst(lines.reduce(0) { $0 + $1.count + 1 })))
    var text = ""
    file.field(&text)
    let read = scenario(text)
    file.check(read != nil, "an invalid scenario")
    guard let scenario = read else { throw file.refusal }
    content = ReportContent(
      run: StoredRun(of: scenario), summary: Summary(rows: []), goals: [],
      provenance: Provenance(version: version, resolvedScenario: text))
    distributions = Distributions()
    visit(&file)
    try file.end()
  }

  private mutating func visit(_ file: inout StoredFields) {
    content.run.visit(&file)
    file.field(&content.summary)
    GoalResult.visit(&content.goals, of: content.run.scenario, &file)
    file.field(&content.precision)
    content.trials.visit(&file, of: content.run)
    file.field(&content.phones)
    file.field(&content.rowSample)
    file.check((0...1_000_000_000).contains(content.rowSample ?? 0), "more rows than devices")
    file.field(&content.hasTimestamps)
    file.field(&distributions)
  }
}
