import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// Who runs out of budget?
func budgetSection(of report: ReportContent) -> ReportSection {
  let systems = report.run.scenario.fleet.cohorts.map { $0.os ?? report.run.scenario.os }
  let isInForce = systems.contains { $0.budget.model != .off }
  let counts = hourCounts(report)
  let isAnybody = counts.contains { $0 > 0 }
  return ReportSection(
    id: "budget", short: "Budget", question: "Who runs out of budget, and when?",
    answer: answer(report, isAnybody, isInForce),
    figures: isAnybody ? [hours(report, counts)] + shares(report) : [],
    note:
      "Counted once per widget and local day: when the balance first held a refresh back. A budget that is spent but "
      + "holds nothing back does not count."
      + (report.run.scenario.os.budget.accrual == .awake
        ? " Nothing accrues from 23:00 to 07:00: what is held back in the night was spent the evening before." : ""),
    details: [whoseTable(report).details("Budgets, as numbers")]
      + (isAnybody ? [hourTable(counts).details("Hours, as numbers")] : []), saysNothing: !isInForce)
}

private func answer(_ report: ReportContent, _ isAnybody: Bool, _ isInForce: Bool = true) -> String {
  guard isInForce else { return "Nobody: no budget is in force." }
  guard isAnybody, let all = ScopeTotal(.fleet, report) else {
    return "Nobody: no refresh was held back because a budget was spent."
  }
  let hour = TimeText.clock(hour: report.summary.value(.budgetExhaustedHour, .p50))
  return
    "A widget's budget runs out \(often(timesPerDay(all, report))) on average\(bracket(all, report)), half of the times before \(hour) "
    + "local time." + push(report) + most(report)
}

/// How far the constants move how often budgets of a scope run out.
private func bracket(_ scope: ScopeTotal, _ report: ReportContent) -> String {
  let row = report.summary.row(.budgetExhaustedPerDay, .mean, scope.labels)
  let range = BracketText.range(row)
  return range.isEmpty ? "" : " (bracket \(range) times a day)"
}

/// Why the scenario's own figure lies at an end of its bracket, where it does.
private func push(_ report: ReportContent) -> String {
  let row = report.summary.row(.budgetExhaustedPerDay, .mean)
  let scenario = report.run.scenario
  guard BracketText.push(row) == .up, scenario.constants(of: .prompt).contains(.policyDelay),
    scenario.constants(of: .lazy).contains(.budgetCap), scenario.under(.lazy).os.budget.cap < scenario.os.budget.cap
  else { return BracketText.pushSentence(row, "how often budgets run out") }
  return
    " At both ends of the bracket it does so more often: under prompt refreshes start sooner, so that a widget asks "
    + "for more of them (start_delay.policy), under lazy it is given fewer (budget.cap)."
}

/// The kind or cohort that runs out most often, where one does so more often than all others beyond chance.
private func most(_ report: ReportContent) -> String {
  let groups = [kindParts(report), cohortParts(report)].filter { $0.count > 1 }
  for parts in groups {
    let sorted = parts.sorted { timesPerDay($0, report) > timesPerDay($1, report) }
    guard isMoreOften(sorted[0], than: sorted[1], report) else { continue }
    return
      " It does so most often for \(scopeName(sorted[0].labels)): \(often(timesPerDay(sorted[0], report)))\(bracket(sorted[0], report))."
  }
  return groups.isEmpty ? "" : " None of the kinds or cohorts does so more often than the others beyond chance."
}

/// Whether budgets of one scope run out more often than those of another: by 3.3 standard errors, one false alarm in a
/// thousand comparisons, and by 5 %.
private func isMoreOften(_ one: ScopeTotal, than other: ScopeTotal, _ report: ReportContent) -> Bool {
  let (first, second) = (timesPerDay(one, report), timesPerDay(other, report))
  let (many, others) = (independentWidgets(one, report), independentWidgets(other, report))
  guard first > second * 1.05, many > 0, others > 0 else { return false }
  // At most once a local day; a widget's days may all be alike, so that each counts once.
  let common = min((first * many + second * others) / (many + others), 1)
  let error = (common * (1 - common) * (1 / many + 1 / others)).squareRoot()
  return first - second > 3.3 * error
}

/// Simulated widgets of a scope on phones of their own, over all replications.
private func independentWidgets(_ scope: ScopeTotal, _ report: ReportContent) -> Double {
  let run = report.run
  let simulated = Double(run.devicesSimulated)
  let widgets = scope.widgets * simulated / Double(max(run.scenario.fleet.devices, 1))
  return min(widgets, simulated) * Double(run.replications.count)
}

/// A rate in words: rare things are told by the days between them.
private func often(_ timesPerDay: Double) -> String {
  switch timesPerDay {
  case 0: "never"
  case ..<0.95: "once in \(NumberText.text(1 / timesPerDay)) days"
  default: "\(NumberText.text(timesPerDay)) times a day"
  }
}

private func timesPerDay(_ scope: ScopeTotal, _ report: ReportContent) -> Double {
  report.summary.value(.budgetExhaustedPerDay, .mean, scope.labels) ?? 0
}

/// Kinds where there are several, then cohorts where there are several.
private func parts(of report: ReportContent) -> [ScopeTotal] { kindParts(report) + cohortParts(report) }

private func kindParts(_ report: ReportContent) -> [ScopeTotal] {
  report.run.scenario.kinds.count > 1 ? ScopeTotal.kinds(of: report) : []
}

private func cohortParts(_ report: ReportContent) -> [ScopeTotal] {
  let cohorts = report.run.scenario.fleet.cohorts
  return cohorts.count > 1 ? cohorts.indices.compactMap { ScopeTotal(.cohort($0), report) } : []
}

/// How often budgets ran out in each local hour.
private func hourCounts(_ report: ReportContent) -> [Int64] {
  (0..<24).map { hour in report.run.groups.reduce(0) { $0 + $1.exhaustedHours[hour] } }
}

private func hours(_ report: ReportContent, _ counts: [Int64]) -> Markup {
  let total = Double(max(counts.reduce(0, +), 1))
  let figure = HistogramFigure(
    shares: counts.map { Double($0) / total }, origin: 0, width: 1, marks: [], title: "local hour of the day",
    labelSteps: [1, 3, 6])
  return figure.markup(
    id: "budget-hours", title: "When budgets run out, by local hour", description: answer(report, true))
}

private func shares(_ report: ReportContent) -> [Markup] {
  let parts = parts(of: report)
  guard parts.count > 1 else { return [] }
  let figure = BarFigure(
    bars: parts.map {
      (scopeName($0.labels), timesPerDay($0, report), often(timesPerDay($0, report)), "bar")
    })
  return [
    figure.markup(id: "budget-parts", title: "How often a widget's budget runs out", description: most(report))
  ]
}

private func whoseTable(_ report: ReportContent) -> DataTable {
  let rows = ScopeTotal.all(of: report).map { scope -> [String] in
    let charged = scope.labels.with(\.charged, "yes")
    let row = report.summary.row(.budgetExhaustedPerDay, .mean, scope.labels)
    let hours = [Statistic.p50, .p95].map {
      TimeText.clock(hour: report.summary.value(.budgetExhaustedHour, $0, scope.labels))
    }
    return [scopeName(scope.labels), BracketText.cell(row)] + hours
      + [
        withUncertainty(report.summary.row(.runsPerDay, .mean, charged)),
        NumberText.text(report.summary.value(.runsPerDay, .p95, charged)),
        NumberText.text(report.summary.value(.runsPerDay, .max, charged)),
      ]
  }
  return DataTable(
    caption: "How often and when (local time) budgets run out, and the refreshes per widget and day that they pay for",
    columns: ["Whose", "Times a day", "Half before", "95 % before", "Charged, mean", "p95", "Most"], rows: rows)
}

private func hourTable(_ counts: [Int64]) -> DataTable {
  let total = Double(max(counts.reduce(0, +), 1))
  let rows = counts.indices.filter { counts[$0] > 0 }.map { hour in
    [
      TimeText.two(hour) + ":00–" + TimeText.two(hour + 1) + ":00", NumberText.percent(Double(counts[hour]) / total),
    ]
  }
  return DataTable(
    caption: "Share of the times that a budget ran out", columns: ["Local time", "Share"], rows: rows)
}
