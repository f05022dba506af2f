import Scenario
package import Studies

/// A manifest of ours by its lines, each of which holds one key: enough to know whose results a folder has.
package struct ManifestLines: Sendable {
  package static let file = ReportFile.manifest.name
  package static let studyHash = "study_sha256"
  package static let runSchema = "widgetfleet.manifest/v1"
  package static let partSchema = "widgetfleet.manifest/sweep-part-v1"

  private let lines: [Substring]

  /// - Parameter bytes: the content of manifest.json.
  package init(_ bytes: [UInt8]) { lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n") }

  /// The value of a key as JSON; `nil`: there is none.
  package subscript(key: String) -> Substring? {
    let start = "  \"\(key)\": "
    return lines.first { $0.hasPrefix(start) }.map { line in
      line.dropFirst(start.count).dropLast(line.hasSuffix(",") ? 1 : 0)
    }
  }

  /// A text without anything to be escaped, such as a hash; `nil`: there is none.
  package func text(_ key: String) -> String? {
    self[key].flatMap { $0.first == "\"" && $0.last == "\"" && $0.count > 1 ? String($0.dropFirst().dropLast()) : nil }
  }

  /// Whether a run of a scenario would write the same results.
  ///
  /// - Parameter hash: of the scenario with so many replications as a run that stops by itself has made.
  package func isRun(_ precision: AskedPrecision?, _ hash: (_ replications: Int?) -> String) -> Bool {
    let asked = ManifestLines(JSONValue.object(untilCI(precision)).bytes(lines: 1))
    guard self["until_ci"] == asked["until_ci"] else { return false }
    return text("scenario_sha256") == hash(precision == nil ? nil : self["replications"].flatMap { Int($0) })
  }
}
