import Scenario
import Studies

/// The goals with their verdicts for a terminal, failed ones first; empty without goals.
func verdictLines(of report: Report) -> [String] {
  guard !report.goals.isEmpty else { return [] }
  let hasIntervals = report.goals.contains { $0.interval != nil }
  let hasBracket = report.goals.contains { !GoalText.bracket($0).isEmpty }
  let header =
    ["", "goal", "value"] + (hasIntervals ? ["95 % interval"] : []) + (hasBracket ? ["bracket"] : []) + ["asserts"]
  let rows = report.goals.map { result in
    [result.verdict.rawValue, result.goal.id, GoalText.text(result.value?.approximate, result.goal.figure)]
      + (hasIntervals ? [interval(result)] : []) + (hasBracket ? [bracket(result)] : [])
      + [GoalText.assertion(result.goal, report.result.scenario)]
  }
  let reasons = report.goals.filter { !$0.explanation.isEmpty }.flatMap { result in
    folded("\(result.goal.id): \(result.explanation)")
  }
  return [""] + folded(GoalText.sentence(report.goals)) + alignedLines([header] + rows, numberColumns: [2]) + reasons
}

private func interval(_ result: GoalResult) -> String {
  result.interval.map { interval in
    CompactRange.text(interval.low, interval.high, beside: result.value?.approximate) {
      GoalText.text($0, result.goal.figure)
    }
  } ?? ""
}

private func bracket(_ result: GoalResult) -> String {
  CompactRange.bracket([result.value, result.prompt, result.lazy]) { GoalText.text($0, result.goal.figure) }
}

/// The last line: what may be concluded.
package func verdictLine(of report: ReportContent) -> String { RunVerdictText(report).line }
