import FleetReports
import Planning
import Scenario
import ScenarioFiles

/// A plan file that has been checked together with its scenarios.
struct PlanSource {
  private let path: String
  private let assignments: [Assignment]
  /// The result of reading the plan, including problems found with its scenarios.
  private(set) var outcome: PlanReader.Outcome
  /// The scenarios: the initial version, followed by the new version if there is one.
  private(set) var versions: [ScenarioSource] = []

  /// - Parameter path: the file path, or `-` for standard input.
  init(path: String, assignments: [Assignment]) throws(Failure) {
    (self.path, self.assignments) = (path, assignments)
    outcome = PlanReader.read(
      text: try InputFile.read(path, kind: "plan"), fileName: InputFile.shownName(path))
    guard let plan = outcome.plan else { return }
    for (file, isNew) in [(plan.base, false)] + (plan.next.map { [($0, true)] } ?? []) {
      do throws(Failure) {
        let source = try scenario(file, [])
        let clock = source.scenario.clock
        if clock.duration.milliseconds % 86_400_000 != 0 {
          outcome.refuse(
            "\(quoted(file)) does not simulate whole days", note: "this scenario",
            help: "a plan repeats whole days: give clock.duration in days", ofNew: isNew)
        }
        versions.append(source)
      } catch .unsuitableInput(_, let reason) {
        outcome.refuse("\(quoted(file)) \(reason)", note: "this path", help: Self.help, ofNew: isNew)
      } catch .cannotRead(let path, let number) {
        let reason = Failure.cannotRead(path: path, errno: number).reason
        outcome.refuse(reason, note: "this path", help: Self.help, ofNew: isNew)
      }
    }
    if outcome.plan != nil { outcome.check(against: versions.map(\.scenario)) }
  }

  private static let help = "name a scenario file, or the results folder of a run, relative to the plan"

  /// Returns the scenarios with some values changed.
  func versions(with setting: [Assignment]) throws(Failure) -> [ScenarioSource] {
    guard !setting.isEmpty, let plan = outcome.plan else { return versions }
    return try [plan.base, plan.next].compactMap { $0 }.map { file throws(Failure) in try scenario(file, setting) }
  }

  /// Reads a scenario file, or the scenario in a results folder.
  private func scenario(_ file: String, _ setting: [Assignment]) throws(Failure) -> ScenarioSource {
    let parent = self.path.lastIndex(of: "/").map { String(self.path[...$0]) } ?? ""
    let path = file.hasPrefix("/") ? file : parent + file
    guard let folder = try ResultsFolder.ifFolder(path) else {
      return try ScenarioSource(path: path, assignments: assignments + setting, warnsOfLoad: false)
    }
    let text = try folder.results().content.provenance.resolvedScenario
    return try ScenarioSource(resolved: text, of: path, assignments: assignments + setting)
  }

  private func quoted(_ file: String) -> String { "'\(file.printable)'" }
}

extension Plan {
  /// Fills in values that the plan takes from its scenarios.
  mutating func complete(from versions: [Scenario]) {
    if growth.start == 0 { growth.start = Double(versions.first?.fleet.devices ?? 0) }
    guard capacity.isEmpty else { return }
    for endpoint in versions.flatMap(\.endpoints) where !capacity.contains(where: { $0.endpoint == endpoint.name }) {
      guard let load = endpoint.capacity else { continue }
      var known = PlannedCapacity(endpoint: endpoint.name)
      known.amount = load
      capacity.append(known)
    }
  }
}
