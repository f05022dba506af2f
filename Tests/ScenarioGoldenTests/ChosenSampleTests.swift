import FleetEngine
import Scenario
import ScenarioFiles
import Studies
import Testing

/// If a keyword sets the number of simulated phones, all runs of a report have the same phones (MODEL.md 1.6).
struct ChosenSampleTests {
  /// 20 days x (1 + 24) x 2 in steps are a work of 1 000 per phone: 1 500 phones. Without the outage there are no
  /// steps: 3 000.
  private static let text = """
    schema: widgetfleet/v1
    name: chosen
    clock: {start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 0s, duration: 20d, step: 10s}
    run: {simulate: quick}
    kinds: {film: {reload: {after: 10d}, requests: [{endpoint: api}]}}
    fleet:
      devices: 9k
      cohorts:
        - name: all
          zones: {Europe/Berlin: 100%}
          person: {unlocks_per_day: 1}
          network: wifi
          widgets: [\(Array(repeating: "{kind: film}", count: 24).joined(separator: ", "))]
    events: [{name: o, at: 2027-01-18T03:00:00Z, outage: {endpoint: api, for: 1h, capacity: 1/s}}]

    """

  @Test func variantsSimulateTheSamePhones() throws {
    let outcome = ScenarioReader.read(text: Array(Self.text.utf8), fileName: "a.yaml", settings: [])
    let scenario = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    let zones = zoneTables(for: scenario)
    let engine = try Engine(preparing: scenario, zones: zones)
    #expect(engine.devicesSimulated == 1_500)
    #expect(scenario.withoutOutages.devicesSimulated == 3_000)
    let runs = VariantRuns(of: engine, zones: zones, threads: 2, control: RunControl())
    let result = try #require(try runs.result(of: scenario.withoutOutages))
    #expect(result.devicesSimulated == 1_500)
  }
}
