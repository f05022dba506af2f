import Scenario
import Studies

/// The answer on top of the page: the verdict in words and colour, and every limit with its value on a bar.
func verdictStrip(of report: ReportContent) -> [Markup] {
  let text = RunVerdictText(report)
  let heading = Markup.tag(
    "h2", ["id": "verdict-question"], [.tag("span", ["class": "word"], text.head), .text(": " + text.reason)])
  let chips = text.verdict.checks.map { Claim($0.result).chip }
  let goals = report.goals
  let hasIntervals = goals.contains { $0.interval != nil }
  let table =
    goals.isEmpty
    ? []
    : [
      Markup.details(
        "Goals, as numbers",
        [.tag("p", ["class": "answer"], GoalText.sentence(goals)), table(of: report, hasIntervals).markup]
          + reasons(of: goals) + [.tag("p", ["class": "note"], note(hasIntervals, report))])
    ]
  return [
    .tag(
      "section",
      ["id": "verdict", "class": "verdict " + text.verdict.word.style, "aria-labelledby": "verdict-question"],
      [heading] + (chips.isEmpty ? [] : [.tag("ul", ["class": "chips"], chips)]) + table)
  ]
}

extension RunVerdict.Word {
  /// The class that colours it.
  fileprivate var style: String {
    switch self {
    case .holds: "is-good"
    case .fails: "is-bad"
    case .depends, .unknown: "is-open"
    case .unlimited: "is-plain"
    }
  }
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

private func table(of report: ReportContent, _ hasIntervals: Bool) -> DataTable {
  let goals = report.goals
  let hasBracket = goals.contains { $0.prompt != nil || $0.lazy != nil }
  let rows = goals.map { result -> [String] in
    let value = GoalText.text(result.value?.approximate, result.goal.figure)
    return [result.goal.id, result.verdict.rawValue, GoalText.assertion(result.goal, report.run.scenario)]
      + [value] + (hasIntervals ? [GoalText.interval(result)] : [])
      + [GoalText.text(result.limit, result.goal.figure)]
      + (hasBracket
        ? [result.prompt, result.lazy].map { GoalText.text($0?.approximate, result.goal.figure) } : [])
  }
  return DataTable(
    caption: "Goals, failed ones first",
    columns: ["Goal", "Verdict", "Assertion"] + ["Value"]
      + (hasIntervals ? ["95 % interval"] : []) + ["Limit"] + (hasBracket ? ["prompt", "lazy"] : []),
    rows: rows, textColumns: 3, stacks: true)
}

/// Why goals are inconclusive, one line for each.
private func reasons(of goals: [GoalResult]) -> [Markup] {
  let lines = goals.filter { !$0.explanation.isEmpty }.map { result in
    Markup.tag("li", [:], [.tag("strong", [:], result.goal.id), .text(": " + result.explanation + ".")])
  }
  return lines.isEmpty ? [] : [.tag("ul", ["class": "reasons"], lines)]
}

private func note(_ hasIntervals: Bool, _ report: ReportContent) -> String {
  let chance =
    hasIntervals
    ? "A goal is inconclusive when its 95 % interval lies on both sides of the limit. "
    : "With one replication nothing can be said of chance: a goal is judged by the value alone. "
  guard report.goals.contains(where: { $0.prompt != nil || $0.lazy != nil }) else { return chance }
  return chance
    + "prompt and lazy: the same with the extremes of what Apple does not document (when a due refresh starts, how large "
    + "the budget is); a goal passes only where it is known to pass under both of them, too."
}
