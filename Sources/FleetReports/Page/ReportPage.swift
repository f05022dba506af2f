import Scenario
import Studies

/// report.html: one offline file of questions, answers, figures and tables.
package func reportPage(of report: ReportContent) -> [UInt8] {
  let scenario = report.run.scenario
  return Document(
    version: report.provenance.version, title: scenario.name, kicker: "WidgetFleet report", heading: scenario.name,
    lead: scenario.description, facts: facts(of: report), opening: keyFigures(of: report),
    sections: reportSections(of: report), footer: footer(of: report), isZoomable: true
  ).bytes
}

/// The questions that the data can answer, in their order.
func reportSections(of report: ReportContent) -> [ReportSection] {
  [
    verdictSection(of: report), lookSection(of: report), loadSection(of: report),
    askedSection(of: report), hoursSection(of: report), pushSection(of: report), causesSection(of: report),
    herdSection(of: report),
    capacitySection(of: report), echoSection(of: report), cacheSection(of: report),
    refreshSection(of: report), reasonsSection(of: report), budgetSection(of: report), waitsSection(of: report),
    ageSection(of: report), energySection(of: report), contributorsSection(of: report), sizeSection(of: report),
    assumptionsSection(of: report), glossarySection(of: report),
  ].compactMap { $0 }
}

/// What was simulated, in one line.
func facts(of report: ReportContent) -> String {
  let (result, scenario) = (report.run, report.run.scenario)
  let devices = NumberText.whole(Double(scenario.fleet.devices)) + " devices"
  let sample =
    result.devicesSimulated < scenario.fleet.devices
    ? " (\(NumberText.whole(Double(result.devicesSimulated))) simulated)" : ""
  let count = result.replications.count
  return [
    devices + sample + growth(of: scenario.fleet),
    TimeText.words(scenario.clock.duration) + " from " + UTCTime(.start, of: scenario.clock).full,
    count == 1 ? "1 replication" : "\(count) replications", "seed \(scenario.run.seed)",
  ].joined(separator: " · ")
}

/// How the number of devices changes; empty where it does not.
private func growth(of fleet: Fleet) -> String {
  guard let change = fleet.growthPerDay?.fraction, change != 0 else { return "" }
  return " at the start, \(NumberText.percent(abs(change))) \(change > 0 ? "more" : "fewer") each day"
}

private func keyFigures(of report: ReportContent) -> Markup {
  let summary = report.summary
  let requests = summary.row(.requests, .total)
  let figures =
    [
      (
        "Requests", NumberText.short(summary.value(.requests, .total)), "in the whole period" + failed(summary),
        BracketText.range(requests) { NumberText.short($0) }
      )
    ] + loadTiles(LoadSource(report)) + [
      (
        "Refreshes", NumberText.text(summary.value(.runsPerDay, .mean)), "per widget and day, mean",
        BracketText.range(summary.row(.runsPerDay, .mean))
      )
    ] + ageTile(summary)
  return .tag(
    "section", ["class": "tiles", "aria-label": "Key figures"],
    figures.map { name, value, unit, bracket in
      .tag(
        "div", ["class": "tile"],
        [
          .tag("p", ["class": "name"], name), .tag("p", ["class": "value"], value), .tag("p", ["class": "unit"], unit),
        ] + (bracket.isEmpty ? [] : [.tag("p", ["class": "unit"], "bracket " + bracket)]))
    })
}

/// How many of the requests fail, where one in a thousand does.
private func failed(_ summary: Summary) -> String {
  let row = summary.row(.failures, .share)
  guard let share = row?.value?.approximate, share >= 0.001 else { return "" }
  return "; \(NumberText.percent(share)) fail" + BracketText.hull(row, NumberText.percent)
}

/// Mean and peak of the load, the servers first.
private func loadTiles(_ source: LoadSource) -> [(String, String, String, String)] {
  let scenario = source.report.run.scenario
  return source.places(endpoint: nil).flatMap { place -> [(String, String, String, String)] in
    let words = place.words(scenario, endpoint: nil)
    let rest = words.isEmpty ? "" : ", " + words
    let unit = source.window == .second ? "requests per second" : "requests per second, " + source.windowText
    let (mean, peak) = (source.row(.mean, place: place), source.row(.peak, place: place))
    return [
      (
        "Mean load", NumberText.text(mean?.value?.approximate), "requests per second" + rest, BracketText.range(mean)
      ),
      (
        "Peak load", NumberText.short(peak?.value?.approximate),
        unit + rest + (place == .phones ? "" : source.capacityWords) + doubt(peak), BracketText.range(peak)
      ),
    ]
  }
}

/// How far an estimate reaches that the sample does not resolve.
private func doubt(_ row: SummaryRow?) -> String {
  guard let row, !row.isResolved, let interval = row.estimatedInterval else { return "" }
  return "; 95 % interval \(interval.words())"
}

/// The age of what people see, where anybody looks.
private func ageTile(_ summary: Summary) -> [(String, String, String, String)] {
  let bracket = BracketText.range(summary.row(.dataAge, .p50), TimeText.seconds)
  return summary.value(.dataAge, .p50).map { [("Data age", TimeText.seconds($0), "at a view, median", bracket)] } ?? []
}

private func footer(of report: ReportContent) -> String {
  let provenance = report.provenance
  return "Simulated by WidgetFleet \(provenance.version), scenario \(provenance.scenarioHash.prefix(12)), "
    + "seed \(report.run.scenario.run.seed). The same scenario, seed and version give the same report. "
    + "This page needs no network; without scripts it shows the same, and only the zoom is missing."
}
