import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// How often do phones and their widgets refresh?
func refreshSection(of report: ReportContent) -> ReportSection {
  let statistics: [Statistic] = [.mean, .p50, .p95, .p99, .max]
  let list = { (title: String, metric: Metric) in
    FigureList(
      title,
      FigureColumn.statistics(metric, statistics)
        + [FigureColumn("charged to the budget, mean", metric, .mean) { $0.with(\.charged, "yes") }])
  }
  let phones = list("Refreshes per phone and day", .phoneRunsPerDay)
  let widgets = list("Refreshes per widget and day", .runsPerDay)
  let answer = [phones, widgets].map { $0.sentence(report.summary) }.joined()
  let rows = FigureList.scopes(report)
  let perWidget = histogram(report.run.runsPerDay, widgets, id: "refreshes-widget", report)
  return ReportSection(
    id: "refreshes", short: "Refreshes", question: "How often do phones and their widgets refresh?",
    answer: answer.isEmpty ? "Not known: the measured period holds no full day of a widget." : answer,
    figures: histogram(report.run.phoneDays, phones, id: "refreshes", report) + phoneDays(report),
    note: "Counted on every full day of the measured period. devices.csv has a row for each phone and kind; "
      + "'widgetfleet run FILE --device N' shows the day of one phone, refresh by refresh with its cause.",
    details: (perWidget.isEmpty ? [] : [.details("Refreshes per widget and day", perWidget)])
      + phones.table(report, rows) + widgets.table(report, rows))
}

/// Share of days by number of refreshes; empty where all days are alike.
private func histogram(_ counts: CountHistogram, _ list: FigureList, id: String, _ report: ReportContent) -> [Markup] {
  guard counts.counts.count(where: { $0 > 0 }) > 1 else { return [] }
  let names: [Statistic: String] = [.p50: "median", .p95: "p95", .max: "most"]
  let marks = list.columns.compactMap { column -> (name: String, value: Double)? in
    guard let value = column.value(Labels(), report.summary) else { return nil }
    let name = column.isCharged ? "on the budget, mean" : names[column.statistic]
    return name.map { ("\($0) \(NumberText.text(value))", value) }
  }
  return [
    Chart.histogram(counts, title: list.title.lowercased(), marks: marks.sorted { $0.value < $1.value }).markup(
      id: id, title: list.title, description: list.sentence(report.summary))
  ]
}

/// The days of three phones, refresh by refresh; empty where no phone has a row.
private func phoneDays(_ report: ReportContent) -> [Markup] {
  let (phones, clock) = (report.phones, report.run.scenario.clock)
  let causes = Cause.allCases.filter { cause in phones.contains { $0.refreshes.contains { $0.cause == cause } } }
  guard !causes.isEmpty else { return [] }
  var day = clock
  day.duration = min(clock.duration, .day)
  return [
    Chart.days(of: phones, day, zone: report.drawnZone).markup(
      id: "phone-days", title: "The day of three phones, refresh by refresh",
      description: phones.map(\.words).joined(separator: "; "), legend: causes.map { ($0.style, $0.name) })
  ]
}
