import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// Who runs out of budget?
func budgetSection(of report: ReportContent) -> ReportSection {
  let systems = report.run.scenario.fleet.cohorts.map { $0.os ?? report.run.scenario.os }
  let often = FigureList(
    "Budget exhausted, times per widget and day", [FigureColumn("mean", .budgetExhaustedPerDay)])
  let hours = FigureList(
    "Local time at which it is exhausted", FigureColumn.statistics(.budgetExhaustedHour, [.mean, .p50, .p95]))
  let charged = FigureList(
    "Charged refreshes per widget and day",
    FigureColumn.statistics(.runsPerDay, [.mean, .p50, .p95, .max]) { $0.with(\.charged, "yes") })
  let rows = FigureList.scopes(report)
  let counts = report.run.exhaustedHours
  let histogram = counts.total > 0 ? [hourFigure(counts, hours.sentence(report.summary))] : []
  return ReportSection(
    id: "budget", short: "Budget", question: "Who runs out of budget, and when?",
    answer: [often, hours, charged].map { $0.sentence(report.summary) }.joined(),
    figures: histogram + (rows.count > 3 ? often.bars(report, rows, id: "budget-parts") : []),
    note:
      "Counted once per widget and local day: when the balance first held a refresh back. A budget that is spent but "
      + "holds nothing back does not count.",
    details: [often, hours, charged].flatMap { $0.table(report, rows) },
    saysNothing: systems.allSatisfy { $0.budget.model == .off })
}

private func hourFigure(_ hours: CountHistogram, _ description: String) -> Markup {
  let shares = hours.counts.map { Double($0) / Double(hours.total) }
  let chart = Chart.histogram(shares, title: "local hour of the day")
  return chart.markup(id: "budget-hours", title: "When budgets run out, by local hour", description: description)
}
