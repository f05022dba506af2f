import Scenario
import Studies

/// A tuning as text for a terminal: the values that were found, the figure, and the room that each goal leaves.
package func tuneTable(of report: TuneReport) -> [UInt8] {
  let study = report.study
  guard let final = study.final else { return [] }
  let values = alignedLines(
    [["key", study.isFeasible ? "value" : "nearest miss"]] + zip(report.keys, report.finalValues).map { [$0, $1] },
    numberColumns: [])
  let lines = values + [""] + figureLines(final, report) + [""] + folded(sentence(of: report))
  return Array((lines + foldedEnd(of: report)).joined(separator: "\n").utf8) + Array("\n".utf8)
}

/// The figure that was made small, then the goals, and where their loads are counted.
private func figureLines(_ trial: TuneTrial, _ report: TuneReport) -> [String] {
  let figure = report.study.problem.objective
  let first = [
    "minimize", figure.text, GoalText.text(trial.objective?.value?.approximate, figure),
    trial.objective?.interval?.words(figure) ?? "", "", "", "", "",
  ]
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
  let rows = [["", "figure", "value", "95 %", "bracket", "limit", "margin", "worst"], first] + goals
  let numbers = [2, 6 - hidden.count { $0 < 6 }]
  let lines = alignedLines(
    rows.map { row in row.indices.filter { !hidden.contains($0) }.map { row[$0] } }, numberColumns: Set(numbers))
  return lines + GoalText.placeLines([figure] + trial.goals.map(\.goal.figure), [report.base]).flatMap { folded($0) }
}

private func sentence(of report: TuneReport) -> String {
  let study = report.study
  let tried = "\(study.settingCount) settings in \(study.runs) runs"
  guard study.isFeasible else { return infeasible(study) + " Tried: \(tried)." }
  let open = study.final?.goals.first { $0.verdict == .inconclusive }
  let end =
    open.map { " The goal '\($0.goal.id)' is at its limit: \($0.reason)." } ?? ""
  guard study.problem.judging == .nominal else {
    return "The best of \(tried), simulated again on fresh draws and judged as run judges it, by the scenario and its "
      + "bracket." + end
  }
  return "The best of \(tried), simulated again on fresh draws." + end
}

/// Which goal is missed, and by how much.
private func infeasible(_ study: TuneStudy) -> String {
  let worst = study.final.flatMap { final in
    zip(final.goals, final.margins).max { ($0.1.miss ?? 0) < ($1.1.miss ?? 0) }
  }
  guard let worst, let miss = worst.1.miss, miss > 0 else { return "No setting meets every goal for certain." }
  let share = NumberText.trimmed(NumberText.fixed(100 * miss, decimals: 1))
  let under = worst.1.preset.map { " under \($0.rawValue)" } ?? ""
  let alone = study.final?.passesAlone == true && worst.1.preset != nil
  return "No setting meets every goal. The nearest misses '\(worst.0.goal.id)' by \(share)\u{A0}%\(under)."
    + (alone ? " By the scenario alone it would pass: --nominal judges by that." : "")
}

/// How to see the figures again.
private func foldedEnd(of report: TuneReport) -> [String] {
  guard report.tunedText != nil, let final = report.study.final else { return [] }
  return ["Again: run tuned.yaml with --seed \(final.seed) -n \(final.replications)"]
}
