import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// Returns the section on the causes of the load.
func causesSection(of report: ReportContent) -> ReportSection {
  let summary = report.summary
  let sum = { (metric: Metric, cause: Cause) in cause.column(metric).value(Labels(), summary) ?? 0 }
  let causes = Cause.allCases.filter { sum(.runs, $0) > 0 }
  let sending = Cause.allCases.filter { sum(.requests, $0) > 0 }
  let requests = FigureList(
    LoadSource(report).phonesTitle("Requests") + " by cause", shares(of: .requests, sending, summary))
  let runs = FigureList("Refreshes by cause", shares(of: .runs, causes, summary))
  let perDay = FigureList("Refreshes per widget per day by cause", causes.map { $0.column(.runsPerDay, .mean) })
  let rows = FigureList.scopes(report)
  let pushes = report.run.scenario.events.contains { $0.push != nil }
  return ReportSection(
    "causes",
    answer: requests.sentence(summary),
    figures: (sending.count > 1 ? [drawing(report, sending, requests)] : [])
      + (causes.count > 1 && report.run.scenario.kinds.count > 1 ? [kindDrawing(report, causes)] : []),
    note: pushes
      ? "A due refresh keeps its cause when a push joins it; if several pushes wait, only the last counts."
      : "",
    details: ([requests, runs, perDay] + totals(sending)).flatMap { $0.table(report, rows) })
}

/// Returns one column for each cause, largest share first.
private func shares(of metric: Metric, _ causes: [Cause], _ summary: Summary) -> [FigureColumn] {
  let columns = causes.map { $0.column(metric, .share) }
  return columns.sorted { ($0.value(Labels(), summary) ?? 0) > ($1.value(Labels(), summary) ?? 0) }
}

/// Returns the failures and the bytes for each cause.
private func totals(_ causes: [Cause]) -> [FigureList] {
  let lists: [(String, Metric)] = [
    ("Failures by cause", .failures), ("Bytes received by cause", .bytesDown), ("Bytes sent by cause", .bytesUp),
  ]
  return lists.map { title, metric in FigureList(title, causes.map { $0.column(metric) }) }
}

private func drawing(_ report: ReportContent, _ causes: [Cause], _ requests: FigureList) -> Markup {
  Chart.stack(
    report.run.ratesByMinute(causes), layers: causes.map { ($0.style, $0.name) }, clock: report.run.scenario.clock,
    zone: report.drawnZone
  ).markup(
    id: "causes", title: LoadSource(report).phonesTitle("Requests per second") + " by cause",
    description: requests.sentence(report.summary), legend: causes.map { ($0.style, $0.name) })
}

/// Returns a chart of the refreshes by cause for each kind.
private func kindDrawing(_ report: ReportContent, _ causes: [Cause]) -> Markup {
  let all = FigureColumn("", .runsPerDay)
  let bars = FigureList.kinds(report).map { name, labels in
    BarRow(
      name,
      (all.value(labels, report.summary).map(all.text) ?? NumberText.unknown)
        + (report.run.scenario.clock.duration < .day ? " in this period" : " a day"),
      parts: causes.map { ($0.column(.runsPerDay, .mean).value(labels, report.summary) ?? 0, $0.style) })
  }
  return Chart.bars(bars).markup(
    id: "reasons", title: "Refreshes per widget per day, by kind and cause",
    description: "Refreshes of each kind by cause, as in the table of refreshes per widget per day.",
    legend: causes.map { ($0.style, $0.name) })
}

extension Cause {
  /// The CSS class for the cause's colour.
  var style: String { "cause-" + name }

  /// The meaning of the cause, for use within sentences.
  var description: String {
    switch self {
    case .policy: "the widgets' own reload policy"
    case .retry: "reloads after an error"
    case .background: "reloads requested by the app in the background"
    case .widgetPush: "widget pushes"
    case .foreground: "reloads requested by the app in the foreground"
    case .tap: "taps on buttons and toggles"
    case .view: "views of stale widgets"
    case .location: "location changes"
    case .placement: "newly placed widgets"
    case .system: "system changes"
    case .gallery: "the widget gallery"
    case .action: "the taps' own requests"
    }
  }
}
