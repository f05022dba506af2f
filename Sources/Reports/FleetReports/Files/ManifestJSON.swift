import Scenario
package import Studies

/// The first characters of the manifest in every WidgetFleet version. The program replaces only folders with such a
/// manifest.
package let manifestPrefix = "{\n  \"schema\": \"widgetfleet.manifest/"

/// Returns the content of manifest.json, which describes the results in the folder and how to reproduce them.
func manifestJSON(of report: Report) -> [UInt8] {
  let files = report.files.map { JSONValue.string($0.name) }
  return JSONValue.object(
    identity(of: report, schema: ManifestLines.runSchema) + rows(of: report.rowSample) + untilCI(report.precision)
      + sample(report.result.scenario) + providers(report.result.scenario)
      + (report.hasTimestamps ? [("timestamps", .boolean(true))] : []) + [
        ("files", .array(files)),
        ("resolved_scenario", .string(report.provenance.resolvedScenario)),
        ("complete", .boolean(true)),
      ]
  ).bytes(lines: 1)
}

/// Returns, as a member, the number of devices with rows in devices.csv; empty if all devices have rows.
private func rows(of sample: Int?) -> JSONValue.Members {
  sample.map { [("device_rows", .integer(Int128($0)))] } ?? []
}

/// Returns, as a member, the reason why not all devices were simulated. Empty unless the reason is a keyword in
/// `run.simulate`.
private func sample(_ scenario: Scenario) -> JSONValue.Members {
  scenario.sampleReason.map { [("sample", .string($0))] } ?? []
}

/// Returns the versions of the code that kinds use instead of policies, by name; empty if there are none.
func providers(_ scenario: Scenario) -> JSONValue.Members {
  let names = scenario.kinds.compactMap(\.provider)
  guard !names.isEmpty else { return [] }
  let versions = Dictionary(names.map { ($0.name, $0.version ?? "") }) { first, _ in first }
  return [("providers", .object(versions.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))]
}

/// Returns the settings of `--until-ci`; empty if it is not given.
func untilCI(_ precision: RequiredPrecision?) -> JSONValue.Members {
  guard let precision else { return [] }
  return [
    (
      "until_ci",
      .object([
        ("share", .number(precision.share)), ("max_replications", .integer(Int128(precision.maxReplications))),
      ])
    )
  ]
}

/// The lines of a WidgetFleet manifest, one per key, which identify the results in a folder.
package struct ManifestLines: Sendable {
  package static let file = ReportFile.manifest.name
  package static let studyHash = "study_sha256"
  package static let runSchema = "widgetfleet.manifest/v1"
  package static let planSchema = "widgetfleet.manifest/plan-v1"
  package static let partSchema = "widgetfleet.manifest/sweep-part-v1"

  private let lines: [Substring]

  /// - Parameter bytes: the content of manifest.json.
  package init(_ bytes: [UInt8]) { lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n") }

  /// Returns the value of a key as JSON; `nil` if the key is missing.
  package subscript(key: String) -> Substring? {
    let start = "  \"\(key)\": "
    return lines.first { $0.hasPrefix(start) }.map { line in
      line.dropFirst(start.count).dropLast(line.hasSuffix(",") ? 1 : 0)
    }
  }

  /// Returns a string value that contains no escapes, such as a hash; `nil` if the key is missing.
  package func text(_ key: String) -> String? {
    self[key].flatMap { $0.first == "\"" && $0.last == "\"" && $0.count > 1 ? String($0.dropFirst().dropLast()) : nil }
  }

  /// Returns whether a run of a scenario would write the same results as those in the folder.
  ///
  /// - Parameter hash: a function that returns the hash of the scenario with the given number of replications, or with
  ///   the scenario's own number if it is `nil`.
  package func isRun(_ precision: RequiredPrecision?, _ hash: (_ replications: Int?) -> String) -> Bool {
    let asked = ManifestLines(JSONValue.object(untilCI(precision)).bytes(lines: 1))
    guard self["until_ci"] == asked["until_ci"] else { return false }
    return text("scenario_sha256") == hash(precision == nil ? nil : self["replications"].flatMap { Int($0) })
  }
}
