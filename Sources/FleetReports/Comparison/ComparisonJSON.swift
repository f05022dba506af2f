import Scenario
package import Studies

/// A comparison as one JSON document: every figure, also those that the tables hide.
package func comparisonJSON(of comparisons: [RunComparison], version: String) -> [UInt8] {
  JSONValue.object([
    ("schema", .string("widgetfleet.comparison/v1")), ("version", .string(version)),
    ("base", comparisons.first.map { document(of: $0.base) } ?? .null),
    ("comparisons", .array(comparisons.map(document))),
  ]).bytes(lines: 4)
}

private func document(of run: ComparedRun) -> JSONValue {
  .object([
    ("name", .string(run.name)), ("scenario", .string(run.scenario.name)), ("version", .string(run.version)),
    ("scenario_sha256", .string(SHA256.hexadecimal(of: Array(run.resolvedScenario.utf8)))),
    ("seed", .integer(Int128(run.scenario.run.seed))),
    ("replications", .integer(Int128(run.scenario.run.replications))),
    ("devices", .integer(Int128(run.scenario.fleet.devices))),
    ("devices_simulated", .integer(Int128(run.devicesSimulated))),
  ])
}

private func document(of comparison: RunComparison) -> JSONValue {
  .object([
    ("new", document(of: comparison.new)), ("min_effect", .number(comparison.least)),
    ("verdict", document(of: ComparisonVerdictText(comparison))),
    ("scenario_differences", .array(comparison.differences.map(document))),
    ("conditions", .array(comparison.conditions.map(document))),
    ("figures", .array(comparison.figures.map { document(of: $0, least: comparison.least) })),
    (
      "distributions",
      .array(comparison.distributions.map { document(of: $0, isShown: $0.isLarge(least: comparison.least)) })
    ),
  ])
}

private func document(of text: ComparisonVerdictText) -> JSONValue {
  .object([
    ("word", .string(text.verdict.word.rawValue)), ("sentence", .string(text.line)),
    (
      "figures",
      .array(
        text.verdict.figures.map { figure in
          .object([
            ("figure", .string(figure.change.figure.text)), ("outcome", .string("\(figure.outcome)")),
            ("least", .number(significant(figure.least))),
          ])
        })
    ),
  ])
}

private func document(of difference: ScenarioDifference) -> JSONValue {
  .object([
    ("path", .string(difference.path)), ("base", difference.base.map { .string($0) } ?? .null),
    ("new", difference.new.map { .string($0) } ?? .null),
  ])
}

private func document(of result: ConditionResult) -> JSONValue {
  .object(
    [
      ("condition", .string(result.condition.text)), ("verdict", .string(result.verdict.rawValue)),
      ("explanation", result.reason.isEmpty ? .null : .string(result.reason)),
    ] + members(of: result.change))
}

private func document(of change: FigureChange, least: Double) -> JSONValue {
  .object(members(of: change) + [("size", .string(change.size(least: least).rawValue))])
}

private func members(of change: FigureChange) -> JSONValue.Members {
  let figure = change.figure
  let relative = { (value: Double?) in JSONValue(value.flatMap { change.relative($0) }) }
  return [("metric", .string(figure.metric.rawValue))] + JSONValue.members(of: figure.labels) + [
    ("statistic", .string(figure.statistic.rawValue)), ("unit", .string(figure.unit.rawValue)),
    ("base", JSONValue(change.base)), ("new", JSONValue(change.new)), ("pairs", .integer(Int128(change.pairs))),
    ("difference", JSONValue(change.difference)), ("low", JSONValue(change.interval?.low)),
    ("high", JSONValue(change.interval?.high)), ("relative", relative(change.difference)),
    ("relative_low", relative(change.interval?.low)), ("relative_high", relative(change.interval?.high)),
    ("resolved", .boolean(change.isResolved)),
  ]
}

private func document(of change: DistributionChange, isShown: Bool) -> JSONValue {
  .object(
    [("metric", .string(change.name.metric.rawValue))] + JSONValue.members(of: change.name.labels) + [
      ("unit", .string(change.name.metric.unit)), ("distance", .number(change.distance)),
      ("at", .number(change.place)), ("probability", .number(change.probability)), ("shown", .boolean(isShown)),
    ])
}
