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
  let ofWidgets = report.run.groups.reduce(into: CountHistogram()) { $0 += $1.runsPerDay }
  let perWidget = histogram(ofWidgets, widgets, id: "refreshes-widget", report)
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

extension HistogramFigure {
  /// Shares of whole numbers in at most 80 bins, with the median and the 95th percentile marked.
  init(_ histogram: CountHistogram, title: String) {
    let counts = histogram.counts
    let first = counts.firstIndex { $0 > 0 } ?? 0
    let last = histogram.maximum ?? 0
    let width = max(1, (last - first + 80) / 80)
    self.init(
      shares: stride(from: first, through: last, by: width).map { start in
        Double(counts[start..<min(start + width, counts.count)].reduce(0, +)) / Double(histogram.total)
      }, origin: Double(first), width: Double(width),
      marks: [Statistic.p50, .p95].compactMap { statistic in
        histogram.quantile(statistic.probability ?? 0).map {
          ("\(statistic == .p50 ? "median" : statistic.rawValue) \(NumberText.text($0))", $0)
        }
      }, title: title)
  }
}
