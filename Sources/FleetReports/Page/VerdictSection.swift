import Scenario
import Studies

/// Are the goals met? nil without goals.
func verdictSection(of report: ReportContent) -> ReportSection? {
  guard !report.goals.isEmpty else { return nil }
  let hasIntervals = report.goals.contains { $0.interval != nil }
  return ReportSection(
    id: "verdict", short: "Verdict", question: "Are the goals met?", answer: GoalText.sentence(report.goals),
    figures: [table(of: report, hasIntervals).markup] + reasons(of: report.goals),
    note: note(hasIntervals, report))
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
    : "With one replication nothing is known of chance: a goal is judged by the value alone. "
  guard report.goals.contains(where: { $0.prompt != nil || $0.lazy != nil }) else { return chance }
  return chance
    + "prompt and lazy: the same with the extremes of what Apple does not document (when a due refresh starts, how large "
    + "the budget is); a goal that they turn is inconclusive."
}
