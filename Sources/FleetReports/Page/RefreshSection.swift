import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// How often do phones and their widgets refresh?
func refreshSection(of report: ReportContent) -> ReportSection {
  let statistics: [Statistic] = [.mean, .p50, .p95, .p99, .max]
  let phones = FigureList("Refreshes per phone and day", FigureColumn.statistics(.phoneRunsPerDay, statistics))
  let widgets = FigureList(
    "Refreshes per widget and day",
    FigureColumn.statistics(.runsPerDay, statistics)
      + [FigureColumn("charged to the budget", .runsPerDay) { $0.with(\.charged, "yes") }])
  let answer = [phones, widgets].map { $0.sentence(report.summary) }.joined()
  let rows = FigureList.scopes(report)
  let perWidget = histogram(report.run.runsPerDay, widgets, id: "refreshes-widget", report)
  return ReportSection(
    id: "refreshes", short: "Refreshes", question: "How often do phones and their widgets refresh?",
    answer: answer.isEmpty ? "Not known: the measured period holds no full day of a widget." : answer,
    figures: histogram(report.run.phoneDays, phones, id: "refreshes", report),
    note: "Counted on every full day of the measured period. devices.csv has a row for each phone and kind; "
      + "'widgetfleet run FILE --device N' shows the day of one phone, refresh by refresh with its cause.",
    details: (perWidget.isEmpty ? [] : [.details("Refreshes per widget and day", perWidget)])
      + phones.table(report, rows) + widgets.table(report, rows))
}

/// Share of days by number of refreshes; empty where all days are alike.
private func histogram(_ counts: CountHistogram, _ list: FigureList, id: String, _ report: ReportContent) -> [Markup] {
  guard counts.counts.count(where: { $0 > 0 }) > 1 else { return [] }
  return [
    HistogramFigure(counts, title: list.title.lowercased()).markup(
      id: id, title: list.title, description: list.sentence(report.summary))
  ]
}
