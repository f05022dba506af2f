package import Scenario
import SimulationKernel
package import Studies

/// Returns the parts and the levers of a figure as one JSON document.
package func explanationJSON(of explained: ExplainedFigure) -> [UInt8] {
  let explanation = explained.explanation
  let subject = explanation.subject
  let (finding, scenario) = (subject.finding, subject.scenario)
  let figure = TrialFigure(of: finding.topic)
  let window = finding.crest.map { crest -> JSONValue in
    [
      "from_s": crest.minute * 60, "length_s": crest.window.minutes * 60, "mean": crest.mean,
    ]
  }
  let rules = explanation.rules.map { name, outcome in (["rule": name] as JSONValue).with(json(of: outcome, figure)) }
  let settings = zip(explanation.levers, explained.judged).map { lever, run in
    json(of: lever.outcome, figure).with(["verdict": verdict(of: run)])
  }
  let value: JSONValue = [
    "schema": "widgetfleet.explanation/v1", "scenario": scenario.name, "question": subject.question.rawValue,
    "figure": figure.rawValue, "unit": figure.unit, "endpoint": finding.endpoint.map { scenario.endpoints[$0].name },
    "kind": finding.kind.map { scenario.kinds[$0].name }, "value": subject.value, "window": window,
    "verdict": verdict(of: explained.content), "most_stale_views_hour": subject.staleHours?.maximum?.hour,
    "stalest_hour": subject.staleHours?.densest?.hour, "parts": subject.parts.map { json(of: $0, subject) },
    "without": rules, "assumptions": explained.assumed.map(json), "tried": explanation.tried, "settings": settings,
  ]
  return value.bytes(lines: 4)
}

/// Returns an assumption as JSON, with the lowest and highest values of the figure over the assumption's range.
func json(of span: AssumedSpan) -> JSONValue {
  ["key": span.range.key, "range": span.range.ends.map(\.text), "low": span.low, "high": span.high]
}

private func verdict(of run: ReportContent) -> JSONValue {
  let text = RunVerdictText(run)
  return ["word": text.verdict.word.rawValue, "sentence": plain(text.lineWithoutSample)]
}

/// Returns the JSON document for a run in which this figure does not exist.
package func nothingToExplainJSON(_ question: FigureQuestion, in scenario: Scenario) -> [UInt8] {
  let value: JSONValue = [
    "schema": "widgetfleet.explanation/v1", "scenario": scenario.name, "question": question.rawValue,
    "value": Double?.none, "note": nothingToExplain(question, in: scenario),
  ]
  return value.bytes(lines: 2)
}

private func json(of part: FigurePart, _ subject: FigureSubject) -> JSONValue {
  let scenario = subject.scenario
  let rule = part.cause.map { CauseRule($0, endpoint: subject.finding.endpoint, cohort: part.cohort, in: scenario) }
  return [
    "share": part.share, "cohort": part.cohort.map { scenario.fleet.cohorts[$0].name }, "cause": part.cause?.name,
    "reason": part.failure?.name, "keys": rule?.keys ?? [], "model": rule?.section,
    "by_the_clock": rule?.isByTheClock ?? false,
  ]
}

private func json(of outcome: TrialOutcome, _ figure: TrialFigure) -> JSONValue {
  let changes = outcome.changes.map { change -> JSONValue in
    ["figure": change.figure.rawValue, "unit": change.figure.unit, "before": change.before, "after": change.after]
  }
  return [
    "set": outcome.settings.split(separator: " ").map(String.init), "after": outcome[figure]?.after, "figures": changes,
  ]
}
