import Scenario
import Studies

/// A tuning as text for a terminal: the values that were found, the figure, and the room that each goal leaves; at
/// the end the answer.
///
/// - Parameter answerAlone: for scripts: no table.
package func tuneTable(of report: TuneReport, answerAlone isAlone: Bool = false) -> [UInt8] {
  if isAlone { return answerAlone([TuneVerdictText(report).line]) }
  let study = report.study
  guard let final = study.final else { return [] }
  let values = alignedLines(
    [["key", study.isFeasible ? "value" : "nearest miss"]]
      + zip(report.keys, report.finalValues).map { [$0.path, $1] },
    numberColumns: [])
  let lines =
    values + [""] + figureLines(final, report) + again(of: report) + [""] + folded(TuneVerdictText(report).line)
  return Array(lines.joined(separator: "\n").utf8) + Array("\n".utf8)
}

/// The figure that was made small, then the goals, and where their loads are counted.
private func figureLines(_ trial: TuneTrial, _ report: TuneReport) -> [String] {
  let figure = report.study.problem.objective.figure
  // A key that is made small stands among the values already.
  let first = figure.map { figure in
    [
      "minimize", figure.text, GoalText.text(trial.objective?.value?.approximate, figure),
      trial.objective?.interval?.words(figure) ?? "", "", "", "", "",
    ]
  }
  let goals = zip(trial.goals, trial.margins).map { goal, margin in
    [
      goal.verdict.rawValue, goal.goal.figure.text, GoalText.text(goal.value?.approximate, goal.goal.figure),
      GoalText.interval(goal), GoalText.bracket(goal),
      goal.goal.comparison.rawValue + " " + GoalText.text(goal.limit, goal.goal.figure),
      GoalText.margin(margin), trial.ends.isEmpty ? "" : margin.preset?.rawValue ?? "scenario",
    ]
  }
  // Without a bracket its columns would be blank, and so would be that of intervals with one replication.
  let hidden = Set((trial.ends.isEmpty ? [4, 7] : []) + (trial.replications > 1 ? [] : [3]))
  let rows =
    [["", "figure", "value", "95 %", "bracket", "limit", "margin", "worst"]] + [first].compactMap { $0 } + goals
  let numbers = [2, 6 - hidden.count { $0 < 6 }]
  let lines = alignedLines(
    rows.map { row in row.indices.filter { !hidden.contains($0) }.map { row[$0] } }, numberColumns: Set(numbers))
  return lines
    + GoalText.placeLines([figure].compactMap { $0 } + trial.goals.map(\.goal.figure), [report.base]).flatMap {
      folded($0)
    }
}

/// How to see the figures again.
private func again(of report: TuneReport) -> [String] {
  guard report.tunedText != nil, let final = report.study.final else { return [] }
  return ["", "Again: run tuned.yaml with --seed \(final.seed) -n \(final.replications)"]
}
