import Studies

/// How every manifest of ours begins, whatever its version: what an existing folder must bear to be replaced.
package let manifestPrefix = "{\n  \"schema\": \"widgetfleet.manifest/"

/// manifest.json: what the folder holds and how to make it again.
func manifestJSON(of report: Report) -> [UInt8] {
  let files = report.files.map { JSONValue.string($0.name) }
  return JSONValue.object(
    identity(of: report, schema: "widgetfleet.manifest/v1") + [
      ("files", .array(files)),
      ("resolved_scenario", .string(report.provenance.resolvedScenario)),
      ("complete", .boolean(true)),
    ]
  ).bytes(lines: 1)
}
