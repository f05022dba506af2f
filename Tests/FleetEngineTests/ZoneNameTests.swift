import Scenario
import ScenarioFiles
import SimulationKernel
import Testing

@testable import FleetEngine

@Suite struct ZoneNameTests {
  /// Cohorts come first: the number of a device's zone does not depend on names elsewhere in the file.
  @Test func everyNamedZoneIsListedOnce() throws {
    var sample = FleetSample()
    sample.kinds = "{k: {reload: {after: {at: \"09:30\", zone: Asia/Tokyo}}, requests: [{endpoint: api}]}}"
    sample.events = """
      [{name: a, at: "00:00", zone: America/New_York, system_change: {}},
       {name: b, at: "00:00", zone: local, system_change: {}},
       {name: c, at: "01:00", zone: Asia/Tokyo, outage: {endpoint: api, for: 1min}}]
      """
    let outcome = ScenarioReader.read(text: Array(sample.text.utf8), fileName: "sample.yaml")
    var scenario = try #require(outcome.scenario, "\(outcome.diagnostics.map { "\($0)" })")
    scenario.endpoints[0].baseLoad = BaseLoad.with {
      $0.rate = 1
      $0.hours = .flat
      $0.zone = "Europe/London"
    }
    let expected = ["Europe/Berlin", "Asia/Tokyo", "America/New_York", "Europe/London"]
    #expect(FleetPlanBuilder.zoneNames(of: scenario) == expected)
    #expect(zoneTables(for: scenario).keys.sorted() == expected.sorted())
  }
}
