import Scenario
import Studies

/// Returns the section on the requests that caches save; `nil` if no kind has a cache.
func cacheSection(of report: ReportContent) -> ReportSection? {
  let kinds = FigureList.kinds(report).filter { report.summary.value(.requestsSaved, .total, $0.labels) != nil }
  guard !kinds.isEmpty else { return nil }
  let saved = FigureList(
    "Requests from kinds with a cache",
    [
      FigureColumn("saved by the cache", .requestsSaved, .share), FigureColumn("saved", .requestsSaved),
      FigureColumn("sent", .requests), FigureColumn("due to taps", .requests, .share) { $0.with(\.cause, "tap") },
    ])
  let hits = FigureList(
    "Refreshes from the cache per widget per day",
    [FigureColumn("mean", .runsPerDay), FigureColumn("from the cache", .cacheHitsPerDay)])
  let answers = kinds.prefix(3).map { name, labels in
    FigureList("Requests from \(name)", saved.columns).sentence(report.summary, labels)
      + FigureList("Refreshes of \(name) per widget per day", hits.columns).sentence(report.summary, labels)
  }
  return ReportSection(
    "cache", answer: answers.joined(),
    figures: FigureList(
      "Fleet requests sent, and saved by the cache", [saved.columns[2], saved.columns[1]]
    )
    .bars(report, kinds, id: "cache"),
    details: saved.table(report, kinds, head: "Kind") + hits.table(report, kinds, head: "Kind"))
}

/// Returns the section on battery use; `nil` if no widget used energy.
func energySection(of report: ReportContent) -> ReportSection? {
  guard let all = report.summary.value(.energyPerDay, .mean), all > 0 else { return nil }
  let components = EnergyComponent.allCases.map { component in
    FigureColumn(component.name, .energyPerDay) { $0.with(\.component, component.name) }
  }
  let energy = FigureList(
    "Energy per widget per day",
    [
      FigureColumn("mean", .energyPerDay), FigureColumn("if each refresh ran alone", .energyAlonePerDay),
      FigureColumn("saved by sharing the radio", .energySavedPerDay, .share),
      FigureColumn("spent while the phone is in use", .energyInSessions),
    ])
  let parts = FigureList("Energy per widget per day by component", components)
  let battery = FigureList(
    "Battery use per phone per day", FigureColumn.statistics(.batteryPercentPerDay, [.mean, .p50, .p95, .p99]))
  let rows = FigureList.scopes(report)
  return ReportSection(
    "energy",
    answer: [battery, FigureList(energy.title, [energy.columns[0]])].map { $0.sentence(report.summary) }.joined(),
    figures: [drawing(report, energy, components)],
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
    id: "energy", title: "Energy per widget per day, by component", description: energy.sentence(report.summary),
    legend: shares)
}

/// Returns the section on cohorts and kinds; `nil` if there is only one cohort and one kind.
func contributorsSection(of report: ReportContent) -> ReportSection? {
  let scenario = report.run.scenario
  let parts = FigureList.scopes(report).dropFirst().filter { _, labels in
    (labels.cohort.isEmpty ? scenario.kinds.count : scenario.fleet.cohorts.count) > 1
  }
  guard !parts.isEmpty else { return nil }
  let shares = FigureList(
    "Share of the requests and of the widgets",
    [FigureColumn("requests", .requests, .share), FigureColumn("widgets", .widgets, .share)])
  let counts = FigureList(
    "Cohorts and kinds in the whole period",
    [
      FigureColumn("Widgets", .widgets), FigureColumn("Refreshes", .runs), FigureColumn("Requests", .requests),
      FigureColumn("Failures", .failures), FigureColumn("Received", .bytesDown),
      FigureColumn("Energy per widget per day", .energyPerDay),
    ])
  let busiest = parts.max { share($0.labels, report) < share($1.labels, report) }
  let answer = busiest.map { name, labels in
    FigureList(name.asSentence, shares.columns).sentence(report.summary, labels)
  }
  return ReportSection(
    "who", answer: answer ?? "",
    figures: shares.bars(report, Array(parts.prefix(10)), id: "who", whole: 1),
    details: shares.table(report, Array(parts)) + counts.table(report, Array(parts)))
}

private func share(_ labels: Labels, _ report: ReportContent) -> Double {
  report.summary.value(.requests, .share, labels) ?? 0
}
