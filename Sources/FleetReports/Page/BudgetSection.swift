import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// Who runs out of budget?
func budgetSection(of report: Report) -> ReportSection {
  let all = ScopeTotal(.fleet, report.result)
  let count = all?.group.budgetExhausted.total ?? 0
  return ReportSection(
    id: "budget", short: "Budget", question: "Who runs out of budget, and when?", answer: answer(report, all),
    figures: count > 0 ? [hours(report, all)] + shares(report) : [],
    note:
      "Counted once per widget and local day: when the balance first held a refresh back. A budget that is spent but "
      + "holds nothing back does not count."
      + (report.result.scenario.os.budget.accrual == .awake
        ? " Nothing accrues from 23:00 to 07:00: what is held back in the night was spent the evening before." : ""),
    details: [whoseTable(report).details("Budgets, as numbers")]
      + (count > 0 ? [hourTable(report, all).details("Hours, as numbers")] : []))
}

private func answer(_ report: Report, _ all: ScopeTotal?) -> String {
  let systems = report.result.scenario.fleet.cohorts.map { $0.os ?? report.result.scenario.os }
  guard systems.contains(where: { $0.budget.model != .off }) else { return "Nobody: no budget is in force." }
  guard let all, all.group.budgetExhausted.total > 0 else {
    return "Nobody: no refresh was held back because a budget was spent."
  }
  let hour = TimeText.clock(hour: report.summary.value(.budgetExhaustedHour, .p50))
  return "A widget's budget runs out \(often(timesPerDay(all))) on average, half of the times before \(hour) "
    + "local time." + most(report)
}

/// The kind or cohort that runs out most often, where there are several.
private func most(_ report: Report) -> String {
  let parts = parts(of: report)
  guard parts.count > 1, let first = parts.max(by: { timesPerDay($0) < timesPerDay($1) }) else { return "" }
  return " It does so most often for \(scopeName(first.labels)): \(often(timesPerDay(first)))."
}

/// A rate in words: rare things are told by the days between them.
private func often(_ timesPerDay: Double) -> String {
  switch timesPerDay {
  case 0: "never"
  case ..<0.95: "once in \(NumberText.text(1 / timesPerDay)) days"
  default: "\(NumberText.text(timesPerDay)) times a day"
  }
}

private func timesPerDay(_ scope: ScopeTotal) -> Double { scope.perDay(scope.group.budgetExhausted.total) }

/// Kinds where there are several, then cohorts where there are several.
private func parts(of report: Report) -> [ScopeTotal] {
  let scenario = report.result.scenario
  let kinds = scenario.kinds.count > 1 ? ScopeTotal.kinds(of: report.result) : []
  let cohorts = scenario.fleet.cohorts.count > 1 ? scenario.fleet.cohorts.indices.map { Scope.cohort($0) } : []
  return kinds + cohorts.compactMap { ScopeTotal($0, report.result) }
}

/// How often budgets ran out in each local hour.
private func hourCounts(_ all: ScopeTotal?) -> [Int64] {
  let minutes = all?.group.budgetExhausted.counts ?? []
  return (0..<24).map { hour in
    minutes.dropFirst(hour * 60).prefix(60).reduce(0, +)
  }
}

private func hours(_ report: Report, _ all: ScopeTotal?) -> Markup {
  let counts = hourCounts(all)
  let total = Double(max(counts.reduce(0, +), 1))
  let figure = HistogramFigure(
    shares: counts.map { Double($0) / total }, origin: 0, width: 1, marks: [], title: "local hour of the day",
    labelSteps: [1, 3, 6])
  return Figure(
    id: "budget-hours", title: "When budgets run out, by local hour", description: answer(report, all),
    draw: figure.draw
  ).markup
}

private func shares(_ report: Report) -> [Markup] {
  let parts = parts(of: report)
  guard parts.count > 1 else { return [] }
  let figure = BarFigure(
    bars: parts.map {
      (scopeName($0.labels), timesPerDay($0), often(timesPerDay($0)), "bar")
    })
  return [
    Figure(
      id: "budget-parts", title: "How often a widget's budget runs out", description: most(report), draw: figure.draw,
      height: figure.height
    ).markup
  ]
}

private func whoseTable(_ report: Report) -> DataTable {
  let rows = ScopeTotal.all(of: report.result).map { scope -> [String] in
    let charged = scope.labels.with(\.charged, "yes")
    let hours = [Statistic.p50, .p95].map {
      TimeText.clock(hour: report.summary.value(.budgetExhaustedHour, $0, scope.labels))
    }
    return [scopeName(scope.labels), NumberText.text(timesPerDay(scope))] + hours
      + [
        withInterval(report.summary.row(.runsPerDay, .mean, charged)),
        NumberText.text(report.summary.value(.runsPerDay, .p95, charged)),
        NumberText.text(report.summary.value(.runsPerDay, .max, charged)),
      ]
  }
  return DataTable(
    caption: "How often and when (local time) budgets run out, and the refreshes per widget and day that they pay for",
    columns: ["Whose", "Times a day", "Half before", "95 % before", "Charged, mean", "p95", "Most"], rows: rows)
}

private func hourTable(_ report: Report, _ all: ScopeTotal?) -> DataTable {
  let counts = hourCounts(all)
  let total = Double(max(counts.reduce(0, +), 1))
  let rows = counts.indices.filter { counts[$0] > 0 }.map { hour in
    [
      TimeText.two(hour) + ":00–" + TimeText.two(hour + 1) + ":00", NumberText.percent(Double(counts[hour]) / total),
    ]
  }
  return DataTable(
    caption: "Share of the times that a budget ran out", columns: ["Local time", "Share"], rows: rows)
}
