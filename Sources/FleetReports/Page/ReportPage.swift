import Scenario
import Studies

/// report.html: one offline file of questions, answers, figures and tables.
package func reportPage(of report: ReportContent) -> [UInt8] {
  let sections = [
    verdictSection(of: report), lookSection(of: report), loadSection(of: report), causesSection(of: report),
    herdSection(of: report),
    capacitySection(of: report), echoSection(of: report), cacheSection(of: report),
    refreshSection(of: report), reasonsSection(of: report), budgetSection(of: report), waitsSection(of: report),
    ageSection(of: report), energySection(of: report), contributorsSection(of: report), sizeSection(of: report),
    assumptionsSection(of: report), glossarySection(of: report),
  ].compactMap { $0 }
  let scenario = report.run.scenario
  return Document(
    version: report.provenance.version, title: scenario.name, kicker: "WidgetFleet report", heading: scenario.name,
    lead: scenario.description, facts: facts(of: report), opening: keyFigures(of: report), sections: sections,
    footer: footer(of: report), isZoomable: true
  ).bytes
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
    devices + sample, TimeText.words(scenario.clock.duration) + " from " + UTCTime(.start, of: scenario.clock).full,
    count == 1 ? "1 replication" : "\(count) replications", "seed \(scenario.run.seed)",
  ].joined(separator: " · ")
}

private func keyFigures(of report: ReportContent) -> Markup {
  let summary = report.summary
  let source = LoadSource(report)
  let requests = summary.row(.requests, .total)
  let figures =
    [
      (
        "Requests", NumberText.text(summary.value(.requests, .total)), "in the whole period",
        BracketText.range(requests)
      ),
      (
        "Mean load", NumberText.text(meanLoad(of: report)), "requests per second",
        BracketText.range(requests) { NumberText.text(rate($0, report)) }
      ),
      (
        "Peak load", NumberText.text(source.peakRow?.value?.approximate),
        source.window == .second ? "requests per second" : "requests per second, " + source.windowText,
        BracketText.range(source.peakRow)
      ),
      (
        "Refreshes", NumberText.text(summary.value(.runsPerDay, .mean)), "per widget and day, mean",
        BracketText.range(summary.row(.runsPerDay, .mean))
      ),
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

/// The age of what people see, where anybody looks.
private func ageTile(_ summary: Summary) -> [(String, String, String, String)] {
  let bracket = BracketText.range(summary.row(.dataAge, .p50)) { TimeText.seconds($0) }
  return summary.value(.dataAge, .p50).map { [("Data age", TimeText.seconds($0), "at a view, median", bracket)] } ?? []
}

/// Requests per second over the whole period; nil when nothing was simulated.
func meanLoad(of report: ReportContent) -> Double? {
  report.summary.value(.requests, .total).flatMap { rate($0, report) }
}

/// A count of the whole period per second; nil for a period of no length.
private func rate(_ count: Double, _ report: ReportContent) -> Double? {
  let seconds = report.run.scenario.clock.duration.seconds
  return seconds > 0 ? count / seconds : nil
}

private func footer(of report: ReportContent) -> String {
  let provenance = report.provenance
  return "Simulated by WidgetFleet \(provenance.version), scenario \(provenance.scenarioHash.prefix(12)), "
    + "seed \(report.run.scenario.run.seed). The same scenario, seed and version give the same report. "
    + "This page needs no network; without scripts it shows the same, and only the zoom is missing."
}
