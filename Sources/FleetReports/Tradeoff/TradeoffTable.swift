import Scenario
package import Studies

/// A trade-off as a table for a terminal: one line per setting, the sensible ones marked; at the end the answer.
///
/// - Parameter answerAlone: for scripts: no table.
package func tradeoffTable(of tradeoff: Tradeoff, answerAlone isAlone: Bool = false) -> [UInt8] {
  if isAlone { return answerAlone([tradeoff.answer.line]) }
  let study = tradeoff.study
  let names = tradeoff.figures
  let rows = zip(study.runs, tradeoff.settings).map { run, setting in
    [setting.isSensible ? "sensible" : setting.isOnFront ? "" : "beaten"] + run.values.map(\.text)
      + (study.goals.isEmpty ? [] : [GoalText.worst(run)])
      + names.map { GoalText.cell(run, $0) }
  }
  let first = 1 + study.keys.count + (study.goals.isEmpty ? 0 : 1)
  let lines =
    alignedLines(
      [[""] + shortened(study.keys) + (study.goals.isEmpty ? [] : ["tightest goal"]) + tradeoff.titles] + rows,
      numberColumns: Set(first..<first + names.count))
    + study.placeLines(of: study.goals.map(\.figure)).flatMap { folded($0) }
  let capacity = tradeoff.capacity.map {
    folded("Capacity of \(tradeoff.peak.labels.endpoint): \(GoalText.text($0, tradeoff.peak)).")
  }
  let mark = GoalText.markLines(study, names)
  let answer = [""] + folded(tradeoff.answer.line)
  return Array(
    (lines + [""] + folded(tradeoff.ruleSentence) + (capacity ?? []) + mark + answer).joined(separator: "\n").utf8)
    + Array("\n".utf8)
}

/// A trade-off as one JSON document.
package func tradeoffJSON(of tradeoff: Tradeoff, version: String) -> [UInt8] {
  let study = tradeoff.study
  let settings = zip(study.runs, tradeoff.settings).enumerated().map { index, pair in
    let (run, setting) = pair
    return JSONValue.object([
      ("values", .object(zip(study.keys, run.values).map { (key: $0, value: .string($1.text)) })),
      ("sensible", .boolean(setting.isSensible)), ("beaten", .boolean(!setting.isOnFront)),
      ("recommended", .boolean(index == tradeoff.recommended)),
      ("passes", study.goals.isEmpty ? .null : .boolean(run.passes)),
      ("margin", (run.worst?.margin).map { document(of: $0) } ?? .null),
      ("peak", document(setting.peak)), ("staleness", document(setting.staleness)),
      ("battery", document(setting.battery)),
    ])
  }
  return JSONValue.object([
    ("schema", .string("widgetfleet.tradeoff/v1")), ("version", .string(version)),
    ("judged_by", .string(study.judging.rawValue)), ("peak", document(tradeoff.peak)),
    ("staleness", document(tradeoff.staleness)),
    ("battery", tradeoff.battery.map(document) ?? .null), ("capacity", JSONValue(tradeoff.capacity)),
    ("rule", .string(tradeoff.rule.rawValue)), ("settings", .array(settings)),
  ]).bytes(lines: 4)
}

private func document(_ figure: FigureName) -> JSONValue {
  .object([("figure", .string(figure.text)), ("unit", .string(figure.unit.rawValue))])
}

private func document(_ row: SummaryRow?) -> JSONValue {
  row.map { .object(JSONValue.members($0.value, $0.interval) + [("resolved", .boolean($0.isResolved))]) } ?? .null
}
