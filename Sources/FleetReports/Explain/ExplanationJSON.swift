package import Scenario
import SimulationKernel
package import Studies

/// What makes a figure of a report, and what lowers it, as one JSON document.
package func explanationJSON(of explained: ExplainedFigure) -> [UInt8] {
  let explanation = explained.explanation
  let subject = explanation.subject
  let (finding, scenario) = (subject.finding, subject.scenario)
  let figure = TrialFigure(of: finding.topic)
  let window = finding.crest.map { crest in
    JSONValue.object([
      ("from_s", .integer(Int128(crest.minute * 60))),
      ("length_s", .integer(Int128(crest.window.length.milliseconds / 1_000))), ("mean", .number(crest.mean)),
    ])
  }
  return JSONValue.object([
    ("schema", .string("widgetfleet.explanation/v1")), ("scenario", .string(scenario.name)),
    ("question", .string(subject.question.rawValue)), ("figure", .string(figure.rawValue)),
    ("unit", .string(figure.unit)),
    ("endpoint", finding.endpoint.map { .string(scenario.endpoints[$0].name) } ?? .null),
    ("kind", finding.kind.map { .string(scenario.kinds[$0].name) } ?? .null),
    ("value", subject.value.map { .number($0) } ?? .null), ("window", window ?? .null),
    ("verdict", verdict(of: explained.content)),
    ("most_stale_views_hour", hour(subject.staleHours?.most)), ("stalest_hour", hour(subject.staleHours?.densest)),
    ("parts", .array(subject.parts.map { document(of: $0, subject) })),
    (
      "without",
      .array(
        explanation.rules.map { name, outcome in
          .object([("rule", .string(name))] + members(of: outcome, figure))
        })
    ),
    ("tried", .integer(Int128(explanation.tried))),
    (
      "settings",
      .array(
        zip(explanation.levers, explained.judged).map { lever, run in
          .object(members(of: lever.outcome, figure) + [("verdict", verdict(of: run))])
        })
    ),
  ]).bytes(lines: 4)
}

private func hour(_ hour: StaleHours.Hour?) -> JSONValue { hour.map { .integer(Int128($0.hour)) } ?? .null }

private func verdict(of run: ReportContent) -> JSONValue {
  let text = RunVerdictText(run)
  return .object([("word", .string(text.verdict.word.rawValue)), ("sentence", .string(plain(text.lineWithoutSample)))])
}

/// The document where a run has nothing of the kind.
package func nothingToExplainJSON(_ question: FigureQuestion, in scenario: Scenario) -> [UInt8] {
  JSONValue.object([
    ("schema", .string("widgetfleet.explanation/v1")), ("scenario", .string(scenario.name)),
    ("question", .string(question.rawValue)), ("value", .null),
    ("note", .string(nothingToExplain(question, in: scenario))),
  ]).bytes(lines: 2)
}

private func document(of part: FigurePart, _ subject: FigureSubject) -> JSONValue {
  let scenario = subject.scenario
  let rule = part.cause.map {
    CauseRule($0, endpoint: subject.finding.endpoint, cohort: part.cohort, in: scenario)
  }
  return .object([
    ("share", .number(part.share)),
    ("cohort", part.cohort.map { .string(scenario.fleet.cohorts[$0].name) } ?? .null),
    ("cause", part.cause.map { .string($0.name) } ?? .null),
    ("reason", part.failure.map { .string($0.name) } ?? .null),
    ("keys", .array((rule?.keys ?? []).map { .string($0) })),
    ("model", rule.map { .string($0.section) } ?? .null), ("by_the_clock", .boolean(rule?.isByTheClock ?? false)),
  ])
}

private func members(of outcome: TrialOutcome, _ figure: TrialFigure) -> JSONValue.Members {
  [
    ("set", .array(outcome.settings.split(separator: " ").map { .string(String($0)) })),
    ("after", outcome[figure]?.after.map { .number($0) } ?? .null),
    (
      "figures",
      .array(
        outcome.changes.map { change in
          .object([
            ("figure", .string(change.figure.rawValue)), ("unit", .string(change.figure.unit)),
            ("before", change.before.map { .number($0) } ?? .null),
            ("after", change.after.map { .number($0) } ?? .null),
          ])
        })
    ),
  ]
}
