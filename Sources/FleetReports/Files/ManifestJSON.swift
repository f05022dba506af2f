import Scenario
import Studies

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
