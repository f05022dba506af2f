import FleetEngine
import Foundation
import Scenario
import ScenarioFiles
import Studies
import Testing

/// What the report finds in each shipped scenario, held against what its header tells to look for.
struct ReportFindingTests {
  typealias Topic = RunFinding.Topic

  /// A scenario with what its report must find; whatever is neither in `must` nor in `may` must not come up.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var devices: Int
    var must: [Topic]
    /// Near a threshold with so few devices.
    var may: [Topic] = []
    var because: String

    var testDescription: String { name }
  }

  static let rows: [Row] = [
    Row(
      name: "weather-hourly", devices: 1_000, must: [.herd],
      because: "1.8 million phones at every full hour, four times the mean for as long as the system is late"),
    Row(
      name: "stocks-open", devices: 1_000, must: [.herd],
      because: "nothing until Monday 14:30 UTC, then a million phones within 15 minutes"),
    Row(
      name: "widget-push-herd", devices: 3_000, must: [.overload], because: "16 700 requests/s for servers of 5 000"),
    Row(
      name: "dragon", devices: 3_000, must: [.herd], because: "the push at 18:00 is the worst of all: 16 600 requests/s"
    ),
    Row(
      name: "morning-unlock", devices: 5_000, must: [.herd],
      because: "from a fiftieth of the mean to 2.5 times the mean at 06:00"),
    Row(
      name: "glucose-5min", devices: 500, must: [.withheld, .stale],
      because: "35 waits for the budget a day, 16 minutes each; 19 % of the views are stale"),
    Row(
      name: "game-status", devices: 500, must: [.budget], may: [.withheld],
      because: "the budget of 50 a day binds mildly, and runs dry in the small hours"),
    Row(
      name: "bank-protected", devices: 1_000, must: [.withheld, .stale],
      because: "19 waits for an unlock a day, 32 minutes each; 5.5 % of the views are stale"),
    Row(
      name: "ivi-continue-watching", devices: 500, must: [.coldCaches],
      because: "the budget plays no part; widgets of a phone meet an empty cache together"),
    Row(
      name: "rare-page", devices: 500, must: [.withheld, .stale],
      because: "it asks every 15 minutes and gets one refresh for each view; 33 % of the views are stale"),
  ]

  /// The findings of a scenario, and each remedy as `--set` takes it.
  @Test(arguments: rows) func findsWhatItsHeaderTells(_ row: Row) throws {
    let trial = try Trial(row.name, devices: row.devices, "run.replications=1")
    let run = StoredRun(of: trial.result)
    let findings = RunFinding.all(run, Summary(of: trial.result))
    let topics = Set(findings.map(\.topic))
    #expect(topics.isSuperset(of: row.must), "\(findings)")
    #expect(topics.isSubset(of: row.must + row.may), "\(findings)")
    for remedy in findings.compactMap(\.remedy) {
      let settings = remedy.settings(in: run.scenario)
      let file = Trial.scenarioFolder.appending(path: row.name + ".yaml")
      let outcome = ScenarioReader.read(
        text: Array(try Data(contentsOf: file)), fileName: row.name,
        settings: (["run.simulate=\(row.devices)", "run.replications=1"] + settings).map { SetArgument($0) })
      #expect(outcome.scenario == remedy.applied(to: run.scenario), "\(settings)")
    }
  }
}
