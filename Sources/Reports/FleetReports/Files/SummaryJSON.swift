import Scenario
import SimulationKernel
import Studies

/// Returns the content of summary.json: the rows of summary.csv, each with its values in all replications.
package func summaryJSON(of report: Report) -> [UInt8] {
  let header = identity(of: report, schema: "widgetfleet.summary/v1")
  let rows = report.summary.rows
  let content: JSONValue.Members = [
    ("rows", .rows(count: rows.count) { document(of: rows[$0]) }), ("goals", .array(report.goals.map(document))),
  ]
  return JSONValue.object(header + content).bytes(lines: 2)
}

/// Returns the members that identify the run at the start of every JSON document.
func identity(of report: Report, schema: String) -> JSONValue.Members {
  let scenario = report.result.scenario
  return [
    ("schema", .string(schema)),
    ("version", .string(report.provenance.version)),
    ("scenario", .string(scenario.name)),
    ("scenario_sha256", .string(report.provenance.scenarioHash)),
    ("seed", .integer(Int128(scenario.run.seed))),
    ("replications", .integer(Int128(report.result.replications.count))),
    ("devices", .integer(Int128(scenario.fleet.devices))),
    ("devices_simulated", .integer(Int128(report.result.devicesSimulated))),
  ]
}

private func document(of row: SummaryRow) -> JSONValue {
  return .object(
    [("metric", .string(row.metric.rawValue))] + JSONValue.members(of: row.labels) + [
      ("statistic", .string(row.statistic.rawValue)), ("unit", .string(row.unit)),
    ] + JSONValue.members(row.value, row.interval) + [
      ("prompt", JSONValue(row.prompt)), ("lazy", JSONValue(row.lazy)),
    ] + JSONValue.ends(row.promptInterval, row.lazyInterval) + [
      ("resolved", .boolean(row.isResolved)),
      ("busiest_s", .array(row.busiest.flatMap { [$0.lowerBound, $0.upperBound] }.map(seconds))),
      ("per_replication", .array(row.replications.map { JSONValue($0) })),
      ("per_replication_low", .array(row.bounds.map { JSONValue($0?.low) })),
      ("per_replication_high", .array(row.bounds.map { JSONValue($0?.high) })),
    ])
}

/// Returns the number of seconds from the instant at which the clock starts to another instant.
private func seconds(_ instant: Instant) -> JSONValue {
  JSONValue(Quantity(Int128(instant.millisecondsSinceStart), over: 1_000))
}

/// Returns the JSON Schema (draft-07) of summary.json in format widgetfleet.summary/v1.
package func summarySchema() -> [UInt8] {
  let properties: JSONValue.Members = [
    ("schema", .object([("const", .string("widgetfleet.summary/v1"))])),
    ("version", text("version of the program")), ("scenario", text("the scenario's name")),
    (
      "scenario_sha256",
      .object([("type", .string("string")), ("pattern", .string("^[0-9a-f]{64}$"))])
    ), ("seed", integer(from: 0, "random seed")),
    ("replications", integer(from: 1, "number of replications")),
    ("devices", integer(from: 1, "devices in the fleet")),
    ("devices_simulated", integer(from: 1, "devices simulated; counts are scaled up")),
    ("rows", .object([("type", .string("array")), ("items", row)])),
    ("goals", .object([("type", .string("array")), ("items", goal)])),
  ]
  return JSONValue.object(
    [
      ("$schema", .string("http://json-schema.org/draft-07/schema#")), ("$id", .string("widgetfleet.summary/v1")),
      ("title", .string("WidgetFleet summary")),
    ] + closed(properties)
  ).bytes()
}

private let row = JSONValue.object(
  closed(
    [("metric", words(Metric.allCases.map(\.rawValue)))] + labels + figures + [
      ("resolved", type("boolean", "false: an estimate whose 95 % interval is wider than ±5 %")),
      (
        "busiest_s",
        numbers("start and end of each span that may contain the peak, in one flat list, likeliest first")
      ),
      ("per_replication", numbers("value of each replication")),
      ("per_replication_low", numbers("lower end of each estimate's 95 % interval; empty: counted")),
      ("per_replication_high", numbers("upper end of each estimate's 95 % interval; empty: counted")),
    ]))

private let goal = JSONValue.object(
  closed(
    [
      ("id", text("the goal's id")), ("severity", words(Goal.Severity.allCases.map(\.rawValue))),
      ("verdict", words(Verdict.allCases.map(\.rawValue))), ("assert", text("as written in the scenario")),
      ("metric", words(Metric.allCases.map(\.rawValue))),
    ] + labels + figures + [
      ("limit", number), ("changed_under", ends), ("unknown_under", ends),
      ("depends_on", .object([("type", .string("array")), ("items", text("a key"))])),
      ("explanation", .object([("type", .array([.string("string"), .string("null")]))])),
    ]))

private let labels = Label.allCases.map { label in
  (key: label.rawValue, value: text(label.meaning + "; empty: all combined"))
}

private let figures: JSONValue.Members = [
  ("statistic", words(Statistic.allCases.map(\.rawValue))), ("unit", words(MetricUnit.allCases.map(\.rawValue))),
  ("value", number), ("low", number), ("high", number), ("prompt", number), ("lazy", number),
  ("prompt_low", number), ("prompt_high", number), ("lazy_low", number), ("lazy_high", number),
]

private let number = JSONValue.object([("type", .array([.string("number"), .string("null")]))])

/// The JSON Schema of a list of bracket presets.
private let ends = JSONValue.object([
  ("type", .string("array")), ("items", words(Bracket.ends.map(\.rawValue))),
])

private func numbers(_ meaning: String) -> JSONValue {
  .object([("type", .string("array")), ("description", .string(meaning)), ("items", number)])
}

private func text(_ meaning: String) -> JSONValue { type("string", meaning) }

private func type(_ name: String, _ meaning: String) -> JSONValue {
  .object([("type", .string(name)), ("description", .string(meaning))])
}

private func integer(from minimum: Int, _ meaning: String) -> JSONValue {
  .object([
    ("type", .string("integer")), ("minimum", .integer(Int128(minimum))), ("description", .string(meaning)),
  ])
}

private func words(_ words: [String]) -> JSONValue { .object([("enum", .array(words.map { .string($0) }))]) }

/// Returns the schema of an object that has exactly these properties, all of them required.
private func closed(_ properties: JSONValue.Members) -> JSONValue.Members {
  [
    ("type", .string("object")), ("properties", .object(properties)),
    ("required", .array(properties.map { .string($0.key) })), ("additionalProperties", .boolean(false)),
  ]
}
