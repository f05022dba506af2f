import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// Returns the section on refreshes per phone and per widget.
func refreshSection(of report: ReportContent) -> ReportSection {
  let statistics: [Statistic] = [.mean, .p50, .p95, .p99, .max]
  let list = { (title: String, metric: Metric) in
    FigureList(
      title,
      FigureColumn.statistics(metric, statistics)
        + [FigureColumn("mean charged to the budget", metric, .mean) { $0.with(\.charged, "yes") }])
  }
  let phones = list("Refreshes per phone per day", .phoneRunsPerDay)
  let widgets = list("Refreshes per widget per day", .runsPerDay)
  let spread = phones.columns.filter { ![.mean, .p99].contains($0.statistic) || $0.isCharged }
  let answer = FigureList(phones.title, spread).sentence(report.summary)
  let rows = FigureList.scopes(report)
  let perWidget = histogram(report.run.runsPerDay, widgets, id: "refreshes-widget", report)
  return ReportSection(
    "refreshes",
    answer: answer.isEmpty ? "Unknown: the measured period contains no full widget day." : answer,
    figures: histogram(report.run.phoneDays, phones, id: "refreshes", report) + phoneDays(report),
    details: (perWidget.isEmpty ? [] : [.details(widgets.title, perWidget)])
      + phones.table(report, rows) + widgets.table(report, rows))
}

/// Returns a histogram of the number of refreshes per day; empty if all days have the same number.
private func histogram(_ counts: CountHistogram, _ list: FigureList, id: String, _ report: ReportContent) -> [Markup] {
  guard counts.counts.count(where: { $0 > 0 }) > 1 else { return [] }
  let names: [Statistic: String] = [.p50: "median", .p95: "p95", .max: "max"]
  let marks = list.columns.compactMap { column -> (name: String, value: Double)? in
    guard let value = column.value(Labels(), report.summary) else { return nil }
    let name = column.isCharged ? "mean charged" : names[column.statistic]
    return name.map { ("\($0) \(NumberText.text(value))", value) }
  }
  return [
    Chart.histogram(counts, title: list.title.lowercased(), marks: marks.sorted { $0.value < $1.value }).markup(
      id: id, title: list.title, description: list.sentence(report.summary))
  ]
}

/// Returns a chart of all refreshes of three example phones over a day; empty if no phone has rows in devices.csv.
private func phoneDays(_ report: ReportContent) -> [Markup] {
  let (phones, clock) = (report.phones, report.run.scenario.clock)
  let causes = Cause.allCases.filter { cause in phones.contains { $0.refreshes.contains { $0.cause == cause } } }
  guard !causes.isEmpty else { return [] }
  var day = clock
  day.duration = min(clock.duration, .day)
  return [
    Chart.days(of: phones, day, zone: report.drawnZone).markup(
      id: "phone-days",
      title: (clock.duration > .day ? "The first day" : "The day") + " on three phones, refresh by refresh",
      description: phones.map(\.words).joined(separator: "; "),
      legend: causes.map { ($0.style, $0.name) })
  ]
}

/// Returns the section on refreshes that are withheld or late.
func waitsSection(of report: ReportContent) -> ReportSection {
  let waits = FigureList("Waits per widget per day", [FigureColumn("total", .waitsPerDay)] + byReason(.waitsPerDay))
  let lengths = FigureList("Mean length of a wait", byReason(.waitLength))
  let lateness = FigureList(
    "Lateness of scheduled refreshes", FigureColumn.statistics(.lateness, [.mean, .p50, .p95, .p99]))
  let reasons = WaitReason.allCases.map { ($0.name, Labels().with(\.reason, $0.name)) }
  let rows = FigureList.scopes(report)
  return ReportSection(
    "waits",
    answer: [FigureList(waits.title, [waits.columns[0]]), lateness].map { $0.sentence(report.summary) }.joined(),
    figures: FigureList(waits.title, [FigureColumn("", .waitsPerDay)]).bars(report, reasons, id: "waits"),
    details: [waits, lengths, lateness].flatMap { $0.table(report, rows) })
}

private func byReason(_ metric: Metric) -> [FigureColumn] {
  WaitReason.allCases.map { reason in FigureColumn(reason.name, metric) { $0.with(\.reason, reason.name) } }
}

/// Returns the section on refresh budgets; `nil` if no operating system has a budget.
func budgetSection(of report: ReportContent) -> ReportSection? {
  let systems = report.run.scenario.fleet.cohorts.map { $0.os ?? report.run.scenario.os }
  guard systems.contains(where: { $0.budget.model != .off }) else { return nil }
  let often = FigureList(
    "Times the budget ran out, per widget per day", [FigureColumn("mean", .budgetExhaustedPerDay)])
  let hours = FigureList(
    "Local time when it runs out", FigureColumn.statistics(.budgetExhaustedHour, [.mean, .p50, .p95]))
  let charged = FigureList(
    "Charged refreshes per widget per day",
    FigureColumn.statistics(.runsPerDay, [.mean, .p50, .p95, .max]) { $0.with(\.charged, "yes") })
  let rows = FigureList.scopes(report)
  let counts = report.run.exhaustedHours
  let histogram = counts.total > 0 ? [hourFigure(counts, hours.sentence(report.summary))] : []
  return ReportSection(
    "budget",
    answer: [often, hours].map { $0.sentence(report.summary) }.joined(),
    figures: histogram + (rows.count > 3 ? often.bars(report, rows, id: "budget-parts") : []),
    details: [often, hours, charged].flatMap { $0.table(report, rows) })
}

private func hourFigure(_ hours: CountHistogram, _ description: String) -> Markup {
  Chart.histogram(hours, title: "local hour of the day", marks: []).markup(
    id: "budget-hours", title: "When budgets run out, by local hour", description: description)
}
