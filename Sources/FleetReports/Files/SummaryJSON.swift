import Scenario
import SimulationKernel
import Studies

/// summary.json: the rows of summary.csv with the values of every replication.
package func summaryJSON(of report: Report) -> [UInt8] {
  let header = identity(of: report, schema: "widgetfleet.summary/v1")
  let rows = report.summary.rows.map { document(of: $0) }
  return JSONValue.object(header + [("rows", .array(rows)), ("goals", .array(report.goals.map(document)))]).bytes(
    lines: 2)
}

/// What every document says of its run first.
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

/// Seconds from the clock's start.
private func seconds(_ instant: Instant) -> JSONValue {
  JSONValue(Quantity(Int128(instant.millisecondsSinceStart), over: 1_000))
}
