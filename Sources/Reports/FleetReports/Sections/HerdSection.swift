import Scenario
import SimulationKernel
import Studies

/// Returns the section on devices that send requests simultaneously; `nil` if a minute is not a multiple of the time
/// step.
func herdSection(of report: ReportContent) -> ReportSection? {
  guard let day = MinutesOfDay(report.run) else { return nil }
  let heat = HeatPlot(hours: day.rates)
  let isAnything = heat.highest > 0
  // A map that covers only a few hours would not show any stripes.
  let map = isAnything && day.hours >= 12 ? [drawing(heat, report)] : []
  let list = FigureList(
    "Share of the load's variance that repeats",
    Herd.periods.map { period in
      FigureColumn("every " + minutes(period), .herd) { $0.with(\.period, Herd.name(of: period)) }
    })
  let endpoints = report.run.scenario.endpoints.map(\.name)
  let bars = herdBars(report)
  guard !map.isEmpty || !bars.isEmpty else { return nil }
  return ReportSection(
    "herd",
    answer: isAnything ? herdAnswer(bars, report) : "No requests were sent during the measured period.",
    figures: map + (isAnything && !bars.isEmpty ? [drawing(bars, report)] : []),
    details: isAnything
      ? list.table(
        report, [("all", Labels())] + endpoints.map { ($0, Labels().with(\.endpoint, $0)) }, head: "Endpoint") : [])
}

/// The share of the load's variance that repeats with a given period, and the share expected by chance.
private struct HerdShare {
  var period: TimeAmount
  var row: SummaryRow
  var share: Double
  var chance: Double

  var text: String {
    "\(NumberText.percent(share)) of the load's variance\(BracketText.hull(row, NumberText.percent)) repeats every "
      + minutes(period)
  }
}

/// Returns the periods that the measured period contains at least twice, shortest first.
private func herdBars(_ report: ReportContent) -> [HerdShare] {
  Herd.periods.compactMap { period in
    let labels = Labels().with(\.period, Herd.name(of: period))
    guard let row = report.summary.row(.herd, .share, labels), let share = row.value?.approximate,
      let chance = report.summary.value(.herdByChance, .share, labels)
    else { return nil }
    return HerdShare(period: period, row: row, share: share, chance: chance)
  }
}

/// Returns the answer for the shortest period that accounts for nearly all of the variance that repeats with the
/// longest period.
private func herdAnswer(_ shares: [HerdShare], _ report: ReportContent) -> String {
  guard let longest = shares.last else {
    return "Unknown: the load does not vary, or fewer than 10 minutes were measured."
  }
  let chance = { (share: HerdShare) in ", compared with \(NumberText.percent(share.chance)) expected by chance." }
  guard longest.share >= max(0.1, 2 * longest.chance),
    let shortest = shares.first(where: { $0.share >= 0.9 * longest.share })
  else {
    let isSudden = Crest(nil, of: report.run)?.isSudden ?? false
    return isSudden
      ? "Yes, but only at certain times: at the busiest one, the load suddenly triples."
      : "No: only " + longest.text + chance(longest)
  }
  return (longest.share >= 0.5 ? "Yes: " : "In part: ") + shortest.text + chance(shortest)
}

/// Returns a period as text that follows `every`.
private func minutes(_ period: TimeAmount) -> String { period == .hour ? "hour" : TimeText.span(period) }

private func drawing(_ heat: HeatPlot, _ report: ReportContent) -> Markup {
  let title = LoadSource(report).phonesTitle("Requests per second") + " by hour and minute, all endpoints"
  return heat.chart.markup(
    id: "herd", title: title, description: title + ", up to \(NumberText.text(heat.highest)).", legend: heat.legend)
}

private func drawing(_ shares: [HerdShare], _ report: ReportContent) -> Markup {
  let bars = shares.map { BarRow("every " + minutes($0.period), $0.share, NumberText.percent($0.share)) }
  return Chart.bars(bars, whole: 1).markup(
    id: "herd-shares", title: "Share of the load's variance that repeats, all endpoints",
    description: herdAnswer(shares, report))
}
