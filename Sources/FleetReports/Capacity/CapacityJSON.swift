import Scenario
package import Studies

/// The answers of `capacity` as one JSON document.
package func capacityJSON(of study: CapacityStudy) -> [UInt8] {
  let text = CapacityText(study: study)
  return JSONValue.object([
    ("schema", .string("widgetfleet.capacity/v1")), ("scenario", .string(study.scenario.name)),
    ("feasible", .boolean(study.isFeasible)),
    (
      "goals",
      .array(
        study.goals.indices.map { index in
          let goal = study.goals[index]
          return .object([
            ("id", .string(goal.id)), ("assert", .string(goal.text)),
            ("of_file", .boolean(index < study.problem.ownGoals)),
          ])
        })
    ),
    ("answers", .array(study.answers.map { document(of: $0, study, text) })),
    (
      "plans",
      .array(
        study.trials.map { trial in
          .object([
            ("settings", .array(text.settings(of: trial).map { .string($0) })),
            ("missed", .array(zip(study.goals, trial.misses).filter { $0.1 > 0 }.map { .string($0.0.id) })),
          ])
        })
    ),
  ]).bytes(lines: 4)
}

private func document(of answer: CapacityStudy.Answer, _ study: CapacityStudy, _ text: CapacityText) -> JSONValue {
  let (question, unit, endpoint) =
    switch answer.lever {
    case .devices: ("most_devices", "devices", JSONValue.null)
    case .capacity(let index):
      ("least_capacity", MetricUnit.requestsPerSecond.rawValue, .string(study.scenario.endpoints[index].name))
    }
  let word = { (preset: Preset?) in preset?.rawValue ?? "scenario" }
  return .object(
    [
      ("question", .string(question)), ("endpoint", endpoint), ("unit", .string(unit)),
      ("decided_by", .string(word(answer.decidingPreset))), ("plan", JSONValue(answer.plan)),
    ] + members(of: answer.deciding, study)
      + answer.presets.map { (key: word($0), value: JSONValue.object(members(of: answer[$0], study))) }
      + [
        ("queue_needed", JSONValue(text.queueNeeded(answer).map(Double.init))),
        ("sentence", .string(text.sentence(of: answer))),
      ])
}

private func members(of limit: CapacityLimit, _ study: CapacityStudy) -> JSONValue.Members {
  let outcome =
    switch limit.outcome {
    case .found: "found"
    case .holdsThroughout: "holds_throughout"
    case .missedThroughout: "missed_throughout"
    }
  return [
    ("outcome", .string(outcome)), ("value", JSONValue(limit.value)), ("low", JSONValue(limit.interval?.low)),
    ("high", JSONValue(limit.interval?.high)), ("resolved", .boolean(limit.isResolved)),
    ("fails_first", limit.goal.map { .string(study.goals[$0].id) } ?? .null),
    ("devices_simulated", .number(Double(limit.effort.devices))),
    ("replications", .number(Double(limit.effort.replications))),
    (
      "tried",
      .array(
        limit.points.map { point in
          .object([("value", .number(significant(point.load))), ("holds", .boolean(point.holds))])
        })
    ),
  ]
}
