import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// How old is what people see?
func ageSection(of report: ReportContent) -> ReportSection {
  let ages = FigureList(
    "Age of the data at a view", FigureColumn.statistics(.dataAge, [.mean, .p50, .p95, .p99]))
  let stale = FigureList(
    "Share of views of stale data",
    [
      FigureColumn("at the view", .staleViews),
      FigureColumn("after the refresh that the view starts", .staleViewsAfter),
    ])
  let views = FigureList(
    "Views per widget and day", [FigureColumn("mean", .viewsPerDay), FigureColumn("without data", .emptyViews)])
  let kinds = FigureList.kinds(report).filter { (report.summary.value(.viewsPerDay, .mean, $0.labels) ?? 0) > 0 }
  let rows = FigureList.scopes(report)
  return ReportSection(
    id: "age", short: "Data age", question: "How old is what people see?",
    answer: [stale, ages, views].map { $0.sentence(report.summary) }.joined(),
    figures: curves(report, ages.sentence(report.summary)) + stale.bars(report, kinds, id: "stale", whole: 1),
    note:
      "The age of the data on screen at each view, before a refresh that the view may start. A steep rise means that "
      + "most people see data of the same age; a curve far to the right that they see old data. Dashed lines mark the "
      + "ages from which on data counts as stale.",
    details: [stale, ages, views].flatMap { $0.table(report, rows) }, saysNothing: kinds.isEmpty)
}

/// Ages at views of the eight kinds that are seen most.
private func curves(_ report: ReportContent, _ description: String) -> [Markup] {
  let kinds = report.run.scenario.kinds.enumerated().map { ($0, $1, report.run.dataAge(in: .kind($0))) }
    .filter { $2.total > 0 }.sorted { $0.2.total > $1.2.total }.prefix(8)
  guard !kinds.isEmpty else { return [] }
  let figure = Chart.ages(
    kinds.map { Chart.Ages(name: $1.name, style: "series-\($0 % 8)", ages: $2) },
    limits: Set(kinds.compactMap(\.1.staleAfter)).sorted(), of: "views", title: "age of the data at the view, or less")
  return [
    figure.markup(
      id: "age", title: "Share of views that show data of at most an age", description: description,
      legend: kinds.map { index, kind, _ in
        ("series-\(index % 8)", kind.name + (kind.staleAfter.map { ", stale after " + TimeText.span($0) } ?? ""))
      })
  ]
}
