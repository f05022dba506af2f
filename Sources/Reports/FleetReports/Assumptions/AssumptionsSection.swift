import Scenario

/// Returns the section on assumptions.
func assumptionsSection(of report: ReportContent) -> ReportSection {
  let scenario = report.run.scenario
  let systems =
    [("", scenario.os)] + scenario.fleet.cohorts.compactMap { cohort in cohort.os.map { (cohort.name, $0) } }
  let used = systems.filter { name, _ in !name.isEmpty || scenario.fleet.cohorts.contains { $0.os == nil } }
  let people = peopleTables(scenario)
  let tables = used.flatMap { name, os in
    table(
      "The system's scheduler (preset \(os.preset.rawValue)\(name.isEmpty ? "" : ", cohort " + name))",
      settings(os, people).filter { !$0.isMeasured(scenario) })
  }
  let surroundings = Assumption.surroundings(scenario)
  let energy = Assumption.energy(scenario)
  let scheduler = used.flatMap { settings($0.1, people) }.filter { !$0.isMeasured(scenario) }
  let all = scheduler + people.flatMap(\.assumptions) + surroundings + energy + Assumption.fixed
  let assumed = all.filter { $0.evidence == .assumed }.count
  let peopleMarkup = people.flatMap { table("People (cohort \($0.cohorts.joined(separator: ", ")))", $0.assumptions) }
  let others = [
    table("Network and provider", surroundings), table("Energy", energy),
    table("Fixed in the model: no key changes these", Assumption.fixed, ("Number", "Value")),
  ].flatMap { $0 }
  return ReportSection(
    "assumptions",
    answer: "\(assumed) of the \(all.count) numbers below are assumed, not documented by Apple. Peaks "
      + "of simultaneous reloads depend most on the start delay." + measuredAnswer(scenario),
    details: measuredTable(scenario) + tables + peopleMarkup + others)
}

/// Returns a sentence that states how many assumptions a profile replaced; empty if it replaced none.
private func measuredAnswer(_ scenario: Scenario) -> String {
  let count = MeasuredText.inForce(scenario).count
  guard let profile = scenario.profile, count > 0 else { return "" }
  return count == 1
    ? " One more was measured (profile \(profile.name))."
    : " \(count) more were measured (profile \(profile.name))."
}

/// Returns a table of the constants that the profile measured, with the basis of each measurement.
private func measuredTable(_ scenario: Scenario) -> [Markup] {
  let measured = MeasuredText.inForce(scenario)
  guard let profile = scenario.profile, !measured.isEmpty else { return [] }
  let value = { (title: String, system: OperatingSystem) in
    Column<MeasuredConstant>(title) { .text(MeasuredText.value($0.constant, system)) }
  }
  return Table(
    "Measured (profile \(profile.name)); the bracket uses one end with prompt and the other with lazy", measured,
    [
      Column("Key") { .text("os." + $0.constant.rawValue) }, value("Value here", profile.values),
      value("Low", profile.low), value("High", profile.high), Column("Evidence") { .text(MeasuredText.basis($0)) },
    ]
  ).markup
}

/// Returns the settings of the scheduler. Settings for views and for the active app are included only if phones have
/// users.
private func settings(_ os: OperatingSystem, _ people: [PeopleTable]) -> [Assumption] {
  Assumption.scheduler(os) + (people.isEmpty ? [] : Assumption.views(os))
}

private typealias PeopleTable = (cohorts: [String], assumptions: [Assumption])

/// Returns one table for each distinct set of user settings; empty if phones have no users.
private func peopleTables(_ scenario: Scenario) -> [PeopleTable] {
  var persons: [Person] = []
  var tables: [PeopleTable] = []
  for cohort in scenario.fleet.cohorts where cohort.person.unlocksPerDay != .constant(0) {
    if let index = persons.firstIndex(of: cohort.person) {
      tables[index].cohorts.append(cohort.name)
    } else {
      persons.append(cohort.person)
      tables.append(([cohort.name], Assumption.people(cohort, scenario.app)))
    }
  }
  return tables
}

private func table(
  _ caption: String, _ assumptions: [Assumption], _ names: (String, String) = ("Setting", "Value here")
) -> [Markup] {
  Table(
    caption, assumptions,
    [
      Column(names.0) { .text($0.setting) }, Column(names.1) { .text($0.value) },
      Column("Evidence") { .text($0.evidence.rawValue) }, Column("Source of the default") { .text($0.source) },
    ]
  ).markup
}
