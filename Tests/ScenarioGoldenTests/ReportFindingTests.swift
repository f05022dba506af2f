import FleetEngine
import Foundation
import Scenario
import ScenarioFiles
import Studies
import Testing

/// What the report finds in each shipped scenario, held against what its header tells to look for.
struct ReportFindingTests {
  typealias Topic = RunFinding.Topic

  /// A scenario with what its report must find; whatever is not in `must` must not come up.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var devices = 200
    var must: [Topic]
    var because: String

    var testDescription: String { name }
  }

  static let rows: [Row] = [
    Row(
      name: "airplane-placement", must: [.stale],
      because: "half of the widgets begin with a placeholder, 6 % of the views show one"),
    Row(
      name: "autoscale-morning", must: [.overload, .stale],
      because: "above the capacity for 40 minutes; 17 % of the views are stale"),
    Row(
      name: "bank-protected", must: [.withheld, .stale],
      because: "19 waits for an unlock a day, 32 minutes each; 5.5 % of the views are stale"),
    Row(name: "character-health", must: [], because: "two reloads a cycle, as the code asks"),
    Row(name: "dragon", must: [.herd], because: "the push at 18:00 is the worst of all, 16 600 requests/s"),
    Row(name: "gallery-campaign", must: [], because: "an hour of twice the load, which nobody notices"),
    Row(
      name: "glucose-5min", must: [.withheld, .stale],
      because: "35 waits for the budget a day, 16 minutes each; 19 % of the views are stale"),
    Row(name: "healing-potion", must: [], because: "refreshes are wasted, none is withheld"),
    Row(name: "healing-potion-filtered", must: [], because: "the same, half as often"),
    Row(
      name: "ivi-continue-watching", must: [.coldCaches],
      because: "the budget plays no part; widgets of a phone meet an empty cache together"),
    Row(name: "jitter-sweep", must: [.herd], because: "the opening of New York within five minutes"),
    Row(name: "low-power-evening", must: [], because: "Low Power Mode delays and does not withhold"),
    Row(name: "market-open-overload", must: [.overload], because: "20 minutes above the capacity of 900 requests/s"),
  ]

  /// The findings of a scenario, and each remedy as `--set` takes it.
  @Test(arguments: rows) func findsWhatItsHeaderTells(_ row: Row) throws {
    let trial = try Trial(row.name, devices: row.devices, "run.replications=1")
    let run = StoredRun(of: trial.result)
    let findings = RunFinding.all(run, Summary(of: trial.result))
    let topics = Set(findings.map(\.topic))
    #expect(topics == Set(row.must), "\(findings)")
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
