import Scenario
import Studies

/// The answer on top of the page: the verdict in words and colour, and every limit with its value on a bar.
func verdictStrip(of report: ReportContent) -> [Markup] {
  let goals = report.goals
  guard !goals.isEmpty else { return [RunVerdictText(report).answer.strip()] }
  let reasons = Markup.reasons(goals.filter { !$0.explanation.isEmpty }.map { ($0.goal.id, $0.explanation) })
  return [
    RunVerdictText(report).answer.strip([
      .details(
        "Goals, as numbers",
        [.tag("p", ["class": "answer"], GoalText.sentence(goals))] + table(of: report).markup + reasons
          + [.tag("p", ["class": "note"], note(report))])
    ])
  ]
}

/// A name with a word that is coloured, and words and a bar below.
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

/// The value from the left, a line at the limit, and a thin line from the least to the most of bracket and interval; twice
/// the limit fills it. None of figures without a limit above 0.
func chipBar(value: Double?, limit: Double?, reaching ends: [Double]) -> [Markup] {
  guard let limit, limit > 0, let value, value >= 0 else { return [] }
  let (width, height) = (240.0, 14.0)
  let x = { (value: Double) in min(max(value / limit, 0), 2) / 2 * width }
  let reach = ends + [value]
  let (least, most) = (x(reach.min() ?? value), x(reach.max() ?? value))
  return [
    .tag(
      "svg", ["class": "bar", "viewBox": "0 0 \(place(width)) \(place(height))", "aria-hidden": "true"],
      [
        .rectangle("track", x: 0, y: 3, width: width, height: 8),
        .rectangle("filled", x: 0, y: 3, width: max(x(value), 1), height: 8),
      ]
        + (most - least >= 1 ? [.line("reach", from: (least, 7), to: (most, 7))] : [])
        + [.line("limit", from: (width / 2, 0), to: (width / 2, height))])
  ]
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
      Column(number: "Limit") { .text(GoalText.text($0.limit, $0.goal.figure)) },
      Column(number: "prompt") { end($0.prompt, $0) }, Column(number: "lazy") { end($0.lazy, $0) },
    ])
}

private func note(_ report: ReportContent) -> String {
  let chance =
    report.goals.contains { $0.interval != nil }
    ? "A goal is inconclusive when its 95 % interval lies on both sides of the limit. "
    : "With one replication nothing can be said of chance: a goal is judged by the value alone. "
  guard report.goals.contains(where: { $0.prompt != nil || $0.lazy != nil }) else { return chance }
  return chance
    + "prompt and lazy: the same with the extremes of what Apple does not document (when a due refresh starts, how large "
    + "the budget is); a goal passes only where it is known to pass under both of them, too."
}

extension Markup {
  /// Why goals are inconclusive, one line for each; none without.
  fileprivate static func reasons(_ lines: [(name: String, text: String)]) -> [Markup] {
    let items = lines.map { Markup.tag("li", [:], [.tag("strong", [:], $0.name), .text(": " + $0.text + ".")]) }
    return items.isEmpty ? [] : [.tag("ul", ["class": "reasons"], items)]
  }
}
