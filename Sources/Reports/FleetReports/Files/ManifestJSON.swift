import Scenario
package import Studies

/// How every manifest of ours begins, whatever its version: what an existing folder must bear to be replaced.
package let manifestPrefix = "{\n  \"schema\": \"widgetfleet.manifest/"

/// manifest.json: what the folder holds and how to make it again.
func manifestJSON(of report: Report) -> [UInt8] {
  let files = report.files.map { JSONValue.string($0.name) }
  return JSONValue.object(
    identity(of: report, schema: ManifestLines.runSchema) + rows(of: report.rowSample) + untilCI(report.precision)
      + sample(report.result.scenario) + (report.hasTimestamps ? [("timestamps", .boolean(true))] : []) + [
        ("files", .array(files)),
        ("resolved_scenario", .string(report.provenance.resolvedScenario)),
        ("complete", .boolean(true)),
      ]
  ).bytes(lines: 1)
}

/// How many devices the rows of devices.csv are of; nothing where they are of all.
private func rows(of sample: Int?) -> JSONValue.Members {
  sample.map { [("device_rows", .integer(Int128($0)))] } ?? []
}

/// Why not all devices were simulated, where a word of `run.simulate` decided it; nothing else.
private func sample(_ scenario: Scenario) -> JSONValue.Members {
  scenario.sampleReason.map { [("sample", .string($0))] } ?? []
}

/// What `--until-ci` asked for; nothing without it.
func untilCI(_ precision: AskedPrecision?) -> JSONValue.Members {
  guard let precision else { return [] }
  return [
    (
      "until_ci",
      .object([
        ("share", .number(precision.share)), ("max_replications", .integer(Int128(precision.mostReplications))),
      ])
    )
  ]
}

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
