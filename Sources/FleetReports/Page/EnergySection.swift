import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// What does it cost the battery? nil where no widget spent anything.
func energySection(of report: ReportContent) -> ReportSection? {
  guard let all = EnergyShares(.fleet, report), all.total > 0 else { return nil }
  return ReportSection(
    id: "energy", short: "Battery", question: "What does it cost the battery?",
    answer: all.answer + EnergyOfWaiting(report.summary).sentence + battery(report) + standby(report, all) + all.company
      + all.sessions,
    figures: [drawing(all)],
    note:
      "Tails are the seconds that a radio stays awake after its last transfer. “Each refresh alone” is what the same "
      + "refreshes would cost if no two shared the radio and nobody used the phone; waiting is the processor, awake for "
      + "answers. Energy belongs to a radio profile, never to “a phone”: measured tails differ by a factor of 40. "
      + "For the same phones on another radio: widgetfleet compare DIR --with fleet.cohorts.NAME.network=RADIO.",
    details: [
      componentTable(report).details("Energy by component, as numbers"),
      companyTable(report).details("With and without coalescing, as numbers"),
    ]
      + (hasBatteries(report) ? [batteryTable(report).details("Battery per day, as numbers")] : []))
}

/// The energy of a scope's instances, the mean over replications, in joules per instance and day.
private struct EnergyShares {
  var name: String
  /// Summary row of the energy of all components together.
  private var row: SummaryRow?
  var components: [(component: EnergyComponent, joules: Double)]
  var saved: Double
  var inSessions: Double
  /// On promotions, active radio and tails, and waiting, each refresh alone.
  var aloneRadio: Double
  var aloneWait: Double

  /// nil without instances.
  init?(_ scope: Scope, _ report: ReportContent) {
    guard let total = ScopeTotal(scope, report) else { return nil }
    let summary = report.summary
    let joules = { (metric: Metric, component: String) in
      summary.value(metric, .mean, total.labels.with(\.component, component)) ?? 0
    }
    name = scopeName(total.labels)
    row = summary.row(.energyPerDay, .mean, total.labels)
    components = EnergyComponent.allCases.map { ($0, joules(.energyPerDay, $0.name)) }
    saved = joules(.energySavedPerDay, "")
    inSessions = joules(.energyPerDay, "") * (summary.value(.energyInSessions, .share, total.labels) ?? 0)
    let apart = [EnergyComponent.transfer, .cpu, .wait].map { joules(.energyAlonePerDay, $0.name) }
    aloneRadio = max(joules(.energyAlonePerDay, "") - apart.reduce(0, +), 0)
    aloneWait = apart[2]
  }

  static func all(_ report: ReportContent) -> [EnergyShares] {
    Scope.all(of: report.run.scenario).compactMap { EnergyShares($0, report) }
  }

  func joules(_ component: EnergyComponent) -> Double { components[Int(component.rawValue)].joules }

  var total: Double { components.reduce(0) { $0 + $1.joules } }
  /// What the same refreshes would cost each alone.
  var alone: Double { aloneRadio + joules(.transfer) + joules(.cpu) + aloneWait }

  var answer: String {
    guard let most = components.max(by: { $0.joules < $1.joules }) else { return "" }
    return
      "A widget costs \(NumberText.text(total)) J a day\(BracketText.hull(row)), \(NumberText.percent(most.joules / total)) of it for "
      + "\(most.component.description)." + BracketText.pushSentence(row, "what a widget costs")
  }

  var company: String {
    guard alone > 0, saved > alone / 1_000 else { return " Refreshes did not share the radio to their advantage." }
    return " Sharing the radio saved \(NumberText.percent(saved / alone)) of what each refresh alone would have cost."
  }

  var sessions: String {
    inSessions > 0
      ? " \(NumberText.percent(inSessions / total)) was spent while the person used the phone anyway." : ""
  }
}

private func hasBatteries(_ report: ReportContent) -> Bool { report.summary.value(.batteryPercentPerDay, .mean) != nil }

private func battery(_ report: ReportContent) -> String {
  guard let mean = report.summary.value(.batteryPercentPerDay, .mean) else { return "" }
  let most = report.summary.value(.batteryPercentPerDay, .p95).map {
    ", and on one day in twenty more than \(NumberText.text($0))\u{A0}%"
  }
  let bracket = BracketText.hull(report.summary.row(.batteryPercentPerDay, .mean)) { NumberText.text($0) + "\u{A0}%" }
  return " All widgets of a phone use \(NumberText.text(mean))\u{A0}% of its battery a day on average\(bracket)"
    + "\(most ?? "")."
}

/// The time for which the energy of a phone's widgets would have kept it in standby.
private func standby(_ report: ReportContent, _ all: EnergyShares) -> String {
  let phones = Double(report.run.scenario.fleet.devices)
  guard let widgets = ScopeTotal(.fleet, report)?.widgets, phones > 0 else { return "" }
  let joules = all.total * widgets / phones
  let watts = Double(Phone.standby.microwatts) / 1e6
  return " That is \(TimeText.seconds(joules / watts)) of a phone's standby, at \(NumberText.text(watts * 1_000)) mW."
}

private func drawing(_ all: EnergyShares) -> Markup {
  let used = all.components.filter { $0.joules > 0 }
  let figure = StackedBarFigure(bars: [
    StackedBarFigure.Bar(
      name: "as simulated", text: NumberText.text(all.total) + " J",
      parts: all.components.map { ($0.joules, $0.component.style) }),
    StackedBarFigure.Bar(
      name: "each refresh alone", text: NumberText.text(all.alone) + " J",
      parts: [
        (all.aloneRadio, "energy-radio"), (all.joules(.transfer), EnergyComponent.transfer.style),
        (all.joules(.cpu), EnergyComponent.cpu.style), (all.aloneWait, EnergyComponent.wait.style),
      ]),
  ])
  let legend =
    used.map { ($0.component.style, $0.component.name + " " + NumberText.percent($0.joules / all.total)) }
    + (all.aloneRadio > 0 ? [("energy-radio", "promotions, active radio and tails alone")] : [])
  return figure.markup(
    id: "energy", title: "Energy of a widget in a day, by component", description: all.answer, legend: legend)
}

private func componentTable(_ report: ReportContent) -> DataTable {
  let rows = Scope.all(of: report.run.scenario).compactMap { scope -> [String]? in
    let labels = scope.labels(in: report.run.scenario)
    guard let row = report.summary.row(.energyPerDay, .mean, labels), row.value != nil else { return nil }
    let parts = EnergyComponent.allCases.map {
      NumberText.text(report.summary.value(.energyPerDay, .mean, labels.with(\.component, $0.name)))
    }
    return [scopeName(labels), withUncertainty(row)] + parts
  }
  return DataTable(
    caption: "Joules per widget and day", columns: ["Whose", "All"] + EnergyComponent.allCases.map(\.name), rows: rows)
}

private func companyTable(_ report: ReportContent) -> DataTable {
  let rows = EnergyShares.all(report).map { share in
    [
      share.name, NumberText.text(share.total), NumberText.text(share.alone), NumberText.text(share.saved),
      share.alone > 0 ? NumberText.percent(share.saved / share.alone) : NumberText.unknown,
      share.total > 0 ? NumberText.percent(share.inSessions / share.total) : NumberText.unknown,
    ]
  }
  return DataTable(
    caption: "Joules per widget and day, as simulated and if every refresh were alone on the radio",
    columns: ["Whose", "As simulated", "Each alone", "Saved", "Saved, share", "While the phone was in use"], rows: rows)
}

private func batteryTable(_ report: ReportContent) -> DataTable {
  let cohorts = report.run.scenario.fleet.cohorts.indices
  let rows = ([.fleet] + cohorts.map { Scope.cohort($0) }).compactMap { scope -> [String]? in
    let labels = scope.labels(in: report.run.scenario)
    guard let row = report.summary.row(.batteryPercentPerDay, .mean, labels), row.value != nil else { return nil }
    let quantiles = [Statistic.p50, .p95, .p99].map {
      NumberText.text(report.summary.value(.batteryPercentPerDay, $0, labels))
    }
    return [scopeName(labels), withUncertainty(row)] + quantiles
  }
  return DataTable(
    caption: IntervalText.caption("Percent of the battery that all widgets of a phone use in a day", report),
    columns: ["Whose", IntervalText.column("Mean", report), "p50", "p95", "p99"], rows: rows)
}

extension EnergyComponent {
  /// The class that colours it.
  fileprivate var style: String { "energy-" + name }

  /// What it is, to stand inside a sentence.
  fileprivate var description: String {
    switch self {
    case .promotion: "waking the radio"
    case .active: "the radio at work"
    case .transfer: "the bytes themselves"
    case .tail: "the tails of the radio"
    case .cpu: "the processor"
    case .wait: "waiting for answers"
    }
  }
}
