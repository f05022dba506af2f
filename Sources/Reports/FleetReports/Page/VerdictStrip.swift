import Scenario
import Studies

/// Returns the answer at the top of the page. It has a coloured verdict, and a bar for each value and its limit.
func verdictStrip(of report: ReportContent) -> [Markup] {
  let goals = report.goals
  guard !goals.isEmpty else { return [RunVerdictText(report).answer.strip()] }
  let reasons = Markup.reasons(goals.filter { !$0.explanation.isEmpty }.map { ($0.goal.id, $0.explanation) })
  return [
    RunVerdictText(report).answer.strip([
      .details(
        "Goals, as a table",
        [.tag("p", ["class": "answer"], GoalText.sentence(goals))] + table(of: report).markup + reasons
          + [.tag("p", ["class": "note"], note(report))])
    ])
  ]
}

/// Returns a name with a coloured word, followed by text and a bar.
func chip(_ style: String, _ name: String, _ word: String, _ words: String, _ bar: [Markup]) -> Markup {
  .tag(
    "li", ["class": "chip " + style],
    [.tag("p", [:], [.tag("strong", [:], name), .text(" "), .tag("span", [:], word)]), .tag("p", [:], words)] + bar)
}

func limitWords(_ comparison: Comparison) -> String {
  switch comparison {
  case .atMost: "at most"
  case .less: "less than"
  case .atLeast: "at least"
  case .more: "more than"
  case .equal: "exactly"
  case .unequal: "anything but"
  }
}

private func table(of report: ReportContent) -> Table {
  let end = { (value: Quantity?, result: GoalResult) in
    value.map { Cell.figure($0, result.goal.figure) } ?? .blank
  }
  return Table(
    "Goals, failed ones first", report.goals,
    [
      Column("Goal") { .text($0.goal.id) }, Column("Verdict") { .text($0.verdict.rawValue) },
      Column("Assertion") { .text(GoalText.assertion($0.goal, report.run.scenario)) },
      Column(number: "Value") { .figure($0.value, $0.goal.figure) },
      Column(number: "95 % interval") { .text(GoalText.interval($0)) },
      Column(number: "Limit") { .text(GoalText.limit($0)) },
      Column(number: "prompt") { end($0.prompt, $0) }, Column(number: "lazy") { end($0.lazy, $0) },
    ])
}

private func note(_ report: ReportContent) -> String {
  let chance =
    report.goals.contains { $0.interval != nil }
    ? "A goal is inconclusive when its 95 % interval includes the limit. "
    : "With one replication, a goal is judged by its value alone. "
  guard report.goals.contains(where: { $0.prompt != nil || $0.lazy != nil }) else { return chance }
  return chance
    + "prompt and lazy use extreme values for what Apple does not document; a goal passes only if it passes under both."
}

extension Markup {
  /// Returns the reasons why goals are inconclusive, one line each; empty if no goal is inconclusive.
  fileprivate static func reasons(_ lines: [(name: String, text: String)]) -> [Markup] {
    let items = lines.map { Markup.tag("li", [:], [.tag("strong", [:], $0.name), .text(": " + $0.text + ".")]) }
    return items.isEmpty ? [] : [.tag("ul", ["class": "reasons"], items)]
  }
}
