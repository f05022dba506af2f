import Scenario

/// What is assumed?
func assumptionsSection(of report: Report) -> ReportSection {
  let scenario = report.result.scenario
  let systems =
    [("", scenario.os)] + scenario.fleet.cohorts.compactMap { cohort in cohort.os.map { (cohort.name, $0) } }
  let used = systems.filter { name, _ in !name.isEmpty || scenario.fleet.cohorts.contains { $0.os == nil } }
  let tables = used.map { name, os in table(name, Assumption.scheduler(os), os.preset) }
  let surroundings = Assumption.surroundings(scenario)
  let all = used.flatMap { Assumption.scheduler($0.1) } + surroundings
  let assumed = all.filter { $0.evidence == .assumed }.count
  return ReportSection(
    id: "assumptions", short: "Assumptions", question: "What is assumed?",
    answer:
      "\(assumed) of the \(all.count) settings below are assumptions: Apple documents no number for them. Peaks of "
      + "dates that line up hinge on the start delay most of all.",
    figures: [],
    note: "Every default can be overridden in the scenario; the values are those of this run.",
    details: tables.map(\.markup) + [
      DataTable(
        caption: "Network and provider", columns: columns, rows: surroundings.map(row), textColumns: 4, stacks: true
      ).markup, resolved(report),
    ])
}

private let columns = ["Setting", "Value here", "Evidence", "Source of the default"]

private func table(_ cohort: String, _ assumptions: [Assumption], _ preset: Preset) -> DataTable {
  let whose = cohort.isEmpty ? "" : ", cohort " + cohort
  return DataTable(
    caption: "The system's scheduler (preset \(preset.rawValue)\(whose))", columns: columns,
    rows: assumptions.map(row), textColumns: 4, stacks: true)
}

private func row(_ assumption: Assumption) -> [String] {
  [assumption.setting, assumption.value, assumption.evidence.rawValue, assumption.source]
}

/// The scenario with every default filled in.
private func resolved(_ report: Report) -> Markup {
  .tag(
    "details", [:],
    [
      .tag("summary", [:], "The scenario with every default filled in"),
      .tag(
        "pre", ["tabindex": "0", "role": "region", "aria-label": "Resolved scenario"],
        [.tag("code", [:], report.provenance.resolvedScenario)]),
    ])
}
