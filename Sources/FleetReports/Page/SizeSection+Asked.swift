import Scenario
import Studies

/// What `--until-ci` asked for and what came of it; empty without it.
func askedAnswer(_ report: ReportContent) -> String {
  guard let precision = report.precision else { return "" }
  let reached = precision.reached(report.goals.map(\.goal), report.summary)
  let count = report.run.replications.count
  let asked =
    "As many replications were asked for as it takes to know every goal's figure within "
    + "±\u{202F}\(NumberText.percent(precision.share)), \(precision.mostReplications) at most: "
  let open = reached.filter { !$0.isEnough }
  guard !open.isEmpty else {
    return asked + "\(count) were enough. "
  }
  let parts = open.map { one in
    one.figure.text + (one.share.map { " within ±\u{202F}" + NumberText.percent($0) } ?? " with no precision at all")
  }
  return asked + "after \(count) it was known of \(reached.count - open.count) of \(reached.count), and "
    + parts.joined(separator: ", ") + ". "
}

/// The figures of goals with what was asked for and what was reached; nil without `--until-ci`.
func askedTable(_ report: ReportContent) -> DataTable? {
  guard let precision = report.precision else { return nil }
  let reached = precision.reached(report.goals.map(\.goal), report.summary)
  return DataTable(
    caption: "Figures of goals: half of the 95 % interval as a share of the figure, asked for and reached",
    columns: ["Figure", "Mean (95 % interval)", "Asked for", "Reached", "Enough"],
    rows: reached.map { one in
      [
        one.figure.text, GoalText.withInterval(one.row, one.figure), "±\u{202F}" + NumberText.percent(precision.share),
        one.share.map { "±\u{202F}" + NumberText.percent($0) } ?? NumberText.unknown, one.isEnough ? "yes" : "no",
      ]
    })
}
