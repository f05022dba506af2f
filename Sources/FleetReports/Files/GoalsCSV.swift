import Scenario
import Studies

/// goals.csv: one row per goal, failed ones first.
func goalsCSV(of goals: [GoalResult]) -> [UInt8] {
  let ends = ["statistic", "unit", "value", "low", "high", "limit", "prompt", "lazy", "hinges_on", "explanation"]
  var csv = CSVWriter(header: ["id", "severity", "verdict", "assert", "metric"] + Labels.names + ends)
  for result in goals {
    let figure = result.goal.figure
    csv.row(
      result.goal.id, result.goal.severity.rawValue, result.verdict.rawValue, result.goal.text,
      figure.metric.rawValue, figure.labels.values, figure.statistic.rawValue, figure.unit.rawValue,
      result.value, result.interval?.low, result.interval?.high, result.limit, result.prompt, result.lazy,
      result.hinges.map { "os." + $0.rawValue }.joined(separator: " "), result.explanation)
  }
  return csv.bytes
}

/// A goal in summary.json.
func document(of result: GoalResult) -> JSONValue {
  let figure = result.goal.figure
  return .object(
    [
      ("id", .string(result.goal.id)), ("severity", .string(result.goal.severity.rawValue)),
      ("verdict", .string(result.verdict.rawValue)), ("assert", .string(result.goal.text)),
      ("metric", .string(figure.metric.rawValue)),
    ] + JSONValue.members(of: figure.labels) + [
      ("statistic", .string(figure.statistic.rawValue)), ("unit", .string(figure.unit.rawValue)),
    ] + JSONValue.members(result.value, result.interval) + [
      ("limit", JSONValue(result.limit)), ("prompt", JSONValue(result.prompt)), ("lazy", JSONValue(result.lazy)),
    ] + JSONValue.ends(result.promptInterval, result.lazyInterval) + [
      ("turned_under", .array(result.turning.map { .string($0.rawValue) })),
      ("unknown_under", .array(result.unknownUnder.map { .string($0.rawValue) })),
      ("hinges_on", .array(result.hinges.map { .string("os." + $0.rawValue) })),
      ("explanation", result.explanation.isEmpty ? .null : .string(result.explanation)),
    ])
}
