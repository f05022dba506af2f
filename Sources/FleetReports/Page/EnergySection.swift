import Scenario
import Studies

/// What does it cost the battery? `nil` where no widget spent anything.
func energySection(of report: ReportContent) -> ReportSection? {
  guard let all = report.summary.value(.energyPerDay, .mean), all > 0 else { return nil }
  let components = EnergyComponent.allCases.map { component in
    FigureColumn(component.name, .energyPerDay) { $0.with(\.component, component.name) }
  }
  let energy = FigureList(
    "Energy per widget and day",
    [
      FigureColumn("mean", .energyPerDay), FigureColumn("each refresh alone", .energyAlonePerDay),
      FigureColumn("saved by sharing the radio", .energySavedPerDay, .share),
      FigureColumn("spent while the phone is in use", .energyInSessions),
    ])
  let parts = FigureList("Energy per widget and day by component", components)
  let battery = FigureList(
    "Battery per phone and day", FigureColumn.statistics(.batteryPercentPerDay, [.mean, .p50, .p95, .p99]))
  let rows = FigureList.scopes(report)
  return ReportSection(
    id: "energy", short: "Battery", question: "What does it cost the battery?",
    answer: [battery, energy, parts].map { $0.sentence(report.summary) }.joined(),
    figures: [drawing(report, energy, components)],
    note:
      "Tails are the seconds that a radio stays awake after its last transfer. “Each refresh alone” is what the same "
      + "refreshes would cost if no two shared the radio and nobody used the phone; waiting is the processor, awake for "
      + "answers. Energy belongs to a radio profile, never to “a phone”: measured tails differ by a factor of 40. "
      + "For the same phones on another radio: widgetfleet compare DIR --with fleet.cohorts.NAME.network=RADIO.",
    details: [energy, parts, battery].flatMap { $0.table(report, rows) })
}

private func drawing(_ report: ReportContent, _ energy: FigureList, _ components: [FigureColumn]) -> Markup {
  let parts = components.map { ($0.value(Labels(), report.summary) ?? 0, "energy-" + $0.title) }
  let bar = { (column: FigureColumn, parts: [(Double, String)]?) in
    let value = column.value(Labels(), report.summary) ?? 0
    return BarRow(column.title, column.text(value), parts: parts ?? [(value, "energy-radio")])
  }
  let shares = EnergyComponent.allCases.compactMap { component -> (swatch: String, text: String)? in
    let labels = Labels().with(\.component, component.name)
    guard let share = report.summary.value(.energyPerDay, .share, labels), share > 0 else { return nil }
    return ("energy-" + component.name, component.name + " " + NumberText.percent(share))
  }
  return Chart.bars([bar(energy.columns[0], parts), bar(energy.columns[1], nil)]).markup(
    id: "energy", title: "Energy of a widget in a day, by component", description: energy.sentence(report.summary),
    legend: shares)
}
