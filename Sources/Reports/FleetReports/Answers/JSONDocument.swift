import Scenario
package import Studies

/// A type whose values can be written to a JSON document. `nil` is written as `null`.
package protocol JSONWritable {
  var json: JSONValue { get }
}

extension JSONValue: JSONWritable {
  package var json: JSONValue { self }

  /// Returns this object with the members of another object appended.
  func with(_ other: JSONValue) -> JSONValue {
    guard case .object(let own) = self, case .object(let more) = other else { return self }
    return .object(own + more)
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, any JSONWritable)...) {
    self = .object(elements.map { (key: $0.0, value: $0.1.json) })
  }
}

extension String: JSONWritable { package var json: JSONValue { .string(self) } }
extension Int: JSONWritable { package var json: JSONValue { .integer(Int128(self)) } }
extension Int64: JSONWritable { package var json: JSONValue { .integer(Int128(self)) } }
extension UInt64: JSONWritable { package var json: JSONValue { .integer(Int128(self)) } }
extension Double: JSONWritable { package var json: JSONValue { .number(self) } }
extension Bool: JSONWritable { package var json: JSONValue { .boolean(self) } }
extension Quantity: JSONWritable { package var json: JSONValue { JSONValue(self) } }
extension Optional: JSONWritable where Wrapped: JSONWritable {
  package var json: JSONValue { map(\.json) ?? .null }
}
extension Array: JSONWritable where Element: JSONWritable {
  package var json: JSONValue { .array(map(\.json)) }
}

/// Returns the content of a study's manifest.json.
func manifest(
  _ schema: String, _ provenance: Provenance, scenario: String, seed: UInt64, _ own: JSONValue, files: [String]
) -> [UInt8] {
  let identity: JSONValue = [
    "schema": "widgetfleet.manifest/" + schema, "version": provenance.version, "scenario": scenario,
    "scenario_sha256": provenance.scenarioHash, ManifestLines.studyHash: provenance.studyHash, "seed": seed,
  ]
  return identity.with(own).with([
    "files": files, "resolved_scenario": provenance.resolvedScenario, "complete": true,
  ]).bytes(lines: 1)
}
