import Scenario
import Studies

/// Who contributes?
func contributorsSection(of report: ReportContent) -> ReportSection {
  let scenario = report.run.scenario
  let parts = FigureList.scopes(report).dropFirst().filter { _, labels in
    (labels.cohort.isEmpty ? scenario.kinds.count : scenario.fleet.cohorts.count) > 1
  }
  let shares = FigureList(
    "Share of the requests and of the widgets",
    [FigureColumn("requests", .requests, .share), FigureColumn("widgets", .widgets, .share)])
  let counts = FigureList(
    "Cohorts and kinds in the whole period",
    [
      FigureColumn("Widgets", .widgets), FigureColumn("Refreshes", .runs), FigureColumn("Requests", .requests),
      FigureColumn("Failures", .failures), FigureColumn("Down", .bytesDown),
      FigureColumn("Energy per widget and day", .energyPerDay),
    ])
  let busiest = parts.max { share($0.labels, report) < share($1.labels, report) }
  let answer = busiest.map { name, labels in
    FigureList(name.asSentence, shares.columns).sentence(report.summary, labels)
  }
  return ReportSection(
    id: "who", short: "Who", question: "Who contributes to the load?", answer: answer ?? "",
    figures: shares.bars(report, Array(parts.prefix(10)), id: "who", whole: 1),
    note: "A part whose share of the requests is larger than its share of the widgets asks more often than others. "
      + "Cohorts add up to all, and so do kinds.",
    details: shares.table(report, Array(parts)) + counts.table(report, Array(parts)), saysNothing: parts.isEmpty)
}

private func share(_ labels: Labels, _ report: ReportContent) -> Double {
  report.summary.value(.requests, .share, labels) ?? 0
}
