import Scenario
import Studies

/// Returns report.html, a single file that works offline, with questions, answers, figures and tables.
package func reportPage(of report: ReportContent) -> [UInt8] {
  let scenario = report.run.scenario
  return Document(
    version: report.provenance.version, title: scenario.name, kicker: "WidgetFleet report", heading: scenario.name,
    lead: scenario.description, facts: facts(of: report), opening: verdictStrip(of: report) + keyFigures(of: report),
    openingLinks: [("verdict", "Verdict")], sections: reportSections(of: report), footer: footer(of: report),
    isZoomable: true
  ).bytes
}

/// Returns the sections of the page. All sections are folded, except those on the load, the refreshes and the findings.
func reportSections(of report: ReportContent) -> [ReportSection] {
  let open = [
    unknownsSection(of: report), loadSection(of: report), refreshSection(of: report), findingSection(of: report),
  ].compactMap { $0 }
  let folded = [
    causesSection(of: report), askedSection(of: report), hoursSection(of: report), pushSection(of: report),
    herdSection(of: report),
    capacitySection(of: report), echoSection(of: report), cacheSection(of: report),
    budgetSection(of: report), waitsSection(of: report),
    ageSection(of: report), energySection(of: report), contributorsSection(of: report), sizeSection(of: report),
    assumptionsSection(of: report), repeatSection(of: report), glossarySection(of: report),
  ].compactMap { $0?.folded }
  return open + folded
}

/// Returns the facts about the simulation, on one line.
func facts(of report: ReportContent) -> String {
  let (result, scenario) = (report.run, report.run.scenario)
  let devices = NumberText.whole(Double(scenario.fleet.devices)) + " devices"
  let choice = scenario.hasChosenSample ? ", chosen by run.simulate" : ""
  let sample =
    result.devicesSimulated < scenario.fleet.devices
    ? " (\(NumberText.whole(Double(result.devicesSimulated))) simulated\(choice))" : ""
  let count = result.replications.count
  return [
    devices + sample + growth(of: scenario.fleet),
    TimeText.words(scenario.clock.duration) + " from " + start(of: report),
    count == 1 ? "1 replication" : "\(count) replications", "seed \(scenario.run.seed)",
  ].joined(separator: " · ")
}

/// Returns the time at which the clock starts. Standalone pictures show it in the time zone with the most phones.
private func start(of report: ReportContent) -> String {
  let clock = report.run.scenario.clock
  let zone = report.isStandalone ? report.drawnZone : nil
  return zone?.date(of: clock) ?? UTCTime(.start, of: clock).full
}

/// Returns a phrase about the growth of the fleet; empty if the number of devices is constant.
private func growth(of fleet: Fleet) -> String {
  guard let change = fleet.growthPerDay?.fraction, change != 0 else { return "" }
  return " at the start, \(NumberText.percent(abs(change))) \(change > 0 ? "more" : "fewer") each day"
}

private func footer(of report: ReportContent) -> String {
  let provenance = report.provenance
  return "Made by WidgetFleet \(provenance.version) from scenario \(provenance.scenarioHash.prefix(12)) with seed "
    + "\(report.run.scenario.run.seed); these three always give the same report."
}
