import Scenario
import SimulationKernel
import Studies

/// Returns the section on the precision of the figures.
func sizeSection(of report: ReportContent) -> ReportSection {
  let peaks = SureFigure.peaks(report)
  let counted = SureFigure.counted(report)
  let all = peaks + counted
  let table = Table(
    "Figures with their 95 % intervals", all,
    [
      Column("Figure") { .text($0.name) }, Column(number: "Value") { .figure($0.row, $0.row.name) },
      Column(number: "95 % interval") { .interval($0.row.interval, $0.row.name) },
      Column(number: "±") { .share($0.share) },
      Column("Resolved") { $0.row.isEstimate ? .yes($0.row.isResolved) : .blank },
    ])
  return ReportSection(
    "size",
    answer: askedAnswer(report) + chanceAnswer(peaks, report) + replicationAnswer(counted, report)
      + driftAnswer(Drift(of: report.run), budgets: Drift.ofBudgets(report.summary)) + rowAnswer(report),
    figures: (askedTable(report)?.markup ?? []) + drawing(all),
    details: table.details("Intervals, as a table"))
}

/// A figure with its precision.
private struct SureFigure {
  var name: String
  var row: SummaryRow
  /// Half the width of the figure's interval, relative to its value.
  var share: Double

  init?(_ name: String, _ row: SummaryRow?) {
    guard let row, let share = row.halfWidth else { return nil }
    (self.name, self.row, self.share) = (name, row, share)
  }

  /// Returns the peak in each window. If a sample was simulated, the peaks are estimates for the whole fleet;
  /// otherwise, they are estimates for other days.
  static func peaks(_ report: ReportContent) -> [SureFigure] {
    LoadWindow.all(of: report.run.scenario.clock).compactMap { window in
      let labels = Labels().with(\.window, window.name)
      let own = LoadPoint.first(report.run.scenario, endpoint: nil).name(.peak, window: window.name)
      let rows = [own.flatMap { report.summary.figure($0) }, report.summary.row(.otherDayPeakRPS, .p50, labels)]
      let row = rows.compactMap { $0 }.first(where: \.isEstimate)
      let other = row?.metric == .otherDayPeakRPS ? " on other days" : ""
      return SureFigure(TimeText.span(window.length) + " peak" + other, row)
    }
  }

  /// Returns the figures whose intervals are based on variation between replications.
  static func counted(_ report: ReportContent) -> [SureFigure] {
    let window = Labels().with(\.window, LoadSource(report).window?.name ?? "")
    let rows: [(String, SummaryRow?)] = [
      ("peak load", report.summary.row(.peakRPS, .max, window)), ("requests", report.summary.row(.requests, .total)),
      ("refreshes per widget per day", report.summary.row(.runsPerDay, .mean)),
      ("stale views", report.summary.row(.staleViews, .share)), ("data age, p95", report.summary.row(.dataAge, .p95)),
      ("overload", report.summary.row(.overloadSeconds, .total)),
      ("energy per widget per day", report.summary.row(.energyPerDay, .mean)),
    ]
    return rows.compactMap { name, row in row?.isEstimate == true ? nil : SureFigure(name, row) }
  }

  var range: String { row.interval.map { "\(NumberText.text($0.low)) and \(NumberText.text($0.high))" } ?? "" }
}

private func chanceAnswer(_ peaks: [SureFigure], _ report: ReportContent) -> String {
  let headline = LoadSource(report).window
  guard let finest = peaks.first, let longest = peaks.last else { return "There is no load. " }
  let shown = peaks.first { $0.row.labels.window == headline?.name } ?? finest
  guard shown.row.metric != .otherDayPeakRPS else {
    return
      "Every device was simulated. On 95\u{A0}% of comparable days, the \(peaksName(shown)) would fall between "
      + "\(shown.range) requests/s. "
  }
  if shown.row.isResolved {
    return "The \(shown.name) is known to within ±\u{202F}\(NumberText.percent(shown.share)). "
  }
  let resolved = peaks.drop { $0.row.labels.window != shown.row.labels.window }.first(where: \.row.isResolved)
  return "The \(shown.name) is uncertain: it lies between \(shown.range) requests/s. "
    + (resolved.map { "The \($0.name) is known to within ±5 %. " }
      ?? "Even the \(longest.name) is known only to within ±\u{202F}\(NumberText.percent(longest.share)). ")
}

private func peaksName(_ figure: SureFigure) -> String { figure.name.replacing(" on other days", with: "") }

private func replicationAnswer(_ counted: [SureFigure], _ report: ReportContent) -> String {
  let count = report.run.replications.count
  guard count > 1 else { return "One replication cannot show how days differ: run with -n 5." }
  guard let widest = counted.max(by: { $0.share < $1.share }) else { return "" }
  let wanted = widest.row.replications(within: SummaryRow.resolution).map(NumberText.whole) ?? NumberText.unknown
  return "The widest interval over \(count) replications is for \(widest.name), "
    + "±\u{202F}\(NumberText.percent(widest.share))"
    + (widest.share > SummaryRow.resolution ? "; ±5\u{A0}% would take about \(wanted) replications." : ".")
}

/// Returns a sentence that states how many devices have rows in devices.csv; empty if all devices do.
private func rowAnswer(_ report: ReportContent) -> String {
  guard let sample = report.rowSample else { return "" }
  return " devices.csv contains a sample of \(NumberText.whole(Double(sample))) of the "
    + "\(NumberText.whole(Double(report.run.devicesSimulated))) simulated devices."
}

/// Returns one bar for half the width of each interval. Bars are pale if the sample does not resolve the figure.
private func drawing(_ figures: [SureFigure]) -> [Markup] {
  guard !figures.isEmpty else { return [] }
  let bars = figures.map { figure in
    let isSure = figure.row.isResolved || figure.row.metric == .otherDayPeakRPS
    return BarRow(
      figure.name, figure.share, "±\u{202F}" + NumberText.percent(figure.share), style: isSure ? "bar" : "ghost")
  }
  let isOpen = figures.contains { !$0.row.isResolved && $0.row.metric != .otherDayPeakRPS }
  return [
    Chart.bars(bars).markup(
      id: "size", title: "Half-width of the 95 % interval, as a share of the figure",
      description: figures.map { "\($0.name) ±\(NumberText.percent($0.share))" }.joined(separator: ", "),
      legend: isOpen ? [("band", "needs more devices for ±5 %")] : [])
  ]
}

/// Returns a sentence about the precision required by `--until-ci` and whether it was reached; empty if the option is
/// not given.
private func askedAnswer(_ report: ReportContent) -> String {
  guard let precision = report.precision else { return "" }
  let reached = precision.reached(report.goals.map(\.goal), report.summary)
  let count = report.run.replications.count
  let asked =
    "Requested: every goal figure within ±\u{202F}\(NumberText.percent(precision.share)), in at most "
    + "\(precision.maxReplications) replications: "
  let open = reached.filter { !$0.isEnough }
  guard !open.isEmpty else { return asked + "\(count) were enough. " }
  let parts = open.map { one in
    one.figure.text + (one.share.map { " within ±\u{202F}" + NumberText.percent($0) } ?? " with unknown precision")
  }
  return asked + "after \(count), achieved for \(reached.count - open.count) of \(reached.count); "
    + parts.joined(separator: ", ") + ". "
}

/// Returns a table of the goals' figures with the required and the achieved precision; `nil` if `--until-ci` is not
/// given.
private func askedTable(_ report: ReportContent) -> Table? {
  guard let precision = report.precision else { return nil }
  return Table(
    "Goal figures: half-width of the 95 % interval as a share of the figure, requested and reached",
    precision.reached(report.goals.map(\.goal), report.summary),
    [
      Column("Figure") { .text($0.figure.text) },
      Column(number: "Mean (95 % interval)") { .text(GoalText.withInterval($0.row, $0.figure)) },
      Column(number: "Requested") { _ in .text("±\u{202F}" + NumberText.percent(precision.share)) },
      Column(number: "Reached") { one in
        .text(one.share.map { "±\u{202F}" + NumberText.percent($0) } ?? NumberText.unknown)
      },
      Column("Enough") { .yes($0.isEnough) },
    ])
}

/// Returns a sentence that states whether the measured days are similar to each other.
private func driftAnswer(_ drift: Drift, budgets: Double?) -> String {
  let changes = driftTexts(drift, budgets)
  guard changes.isEmpty else {
    return " The measured days differ: " + changes.joined(separator: "; ")
      + ". Lengthen clock.settle or clock.warmup, unless weekdays or an event explain the difference."
  }
  return switch drift {
  case .oneDay: " One measured day cannot show drift between days."
  case .oneReplication:
    " One replication cannot show drift between days: run with -n 5."
  case .noLoad, .drifts: ""
  case .within(let maximum):
    " Requests in the first and second half of the measured days differ by at most \(NumberText.percent(maximum))."
  }
}

/// Returns a warning if the figures of a run still drift over the measured days; `nil` if they do not drift, or if this
/// is unknown.
package func driftWarning(of report: Report) -> String? {
  let clock = report.result.scenario.clock
  guard report.result.replications.count > 1, clock.duration >= .days(2) else { return nil }
  let changes = driftTexts(Drift(of: StoredRun(of: report.result)), Drift.ofBudgets(report.summary))
  guard !changes.isEmpty else { return nil }
  return "warning: the measured days differ: "
    + changes.joined(separator: "; ").replacing("\u{A0}", with: " ") + "\n"
}

/// Returns sentences about day-to-day differences that are too large to be due to chance.
private func driftTexts(_ drift: Drift, _ budgets: Double?) -> [String] {
  var texts: [String] = []
  if case .drifts(let change) = drift {
    texts.append(
      "the second half has \(NumberText.percent(abs(change))) \(change > 0 ? "more" : "fewer") requests than the first")
  }
  if let budgets {
    texts.append(
      "in the second half, a widget's budget runs out \(NumberText.text(abs(budgets))) "
        + "\(budgets > 0 ? "more" : "fewer") times a day than in the first")
  }
  return texts
}
