import Scenario
import Testing

@testable import ScenarioFiles

/// The levers that a page offers for a scenario.
@Suite struct LeverTests {
  private let text = """
    schema: widgetfleet/v1
    name: levers
    clock: {start: 2027-01-18T00:00:00Z}
    kinds:
      feed:
        reload: {after: 30min}
        requests: [{endpoint: api, up: 500B, down: 8kB}]
    fleet:
      devices: 3M
      cohorts:
        - {name: all, zones: {Europe/Berlin: 100%}, widgets: [{kind: feed}]}
    backend:
      endpoints:
        api: {capacity: 2.5k/s}
    """

  private func read(_ settings: [String] = []) throws -> Scenario {
    let outcome = ScenarioReader.read(
      text: Array(text.utf8), fileName: "levers.yaml", settings: settings.map { SetArgument($0) })
    return try #require(outcome.scenario, "\(settings): \(outcome.diagnostics.humanText)")
  }

  @Test func leversAreFoundInTheScenario() throws {
    let levers = Lever.all(in: try read())
    #expect(
      levers.map(\.path).prefix(4) == [
        "kinds.feed.reload.after", "kinds.feed.jitter.up_to", "fleet.devices", "backend.endpoints.api.capacity",
      ])
    let interval = try #require(levers.first)
    #expect(interval.values[interval.own] == "30min" && interval.values.contains("1h"))
    #expect(levers.map(\.path).contains("os.budget.capacity"))
    let delay = try #require(levers.first { $0.path == "os.start_delay.policy.uniform" })
    #expect(delay.values[delay.own] == "0s..15min" && delay.values.contains("0s..1h"))
    let devices = try #require(levers.first { $0.path == "fleet.devices" })
    #expect(devices.values.first == "300k" && devices.values[devices.own] == "3M" && devices.values.last == "30M")
  }

  /// A lever at its own place changes nothing, and each of its values can be set.
  @Test func valuesAreThoseOfTheKey() throws {
    let scenario = try read()
    for lever in Lever.all(in: scenario) {
      // Keys that the file leaves out would appear in the resolved scenario.
      let isWritten = !lever.path.hasPrefix("os.") && !lever.path.hasSuffix("jitter.up_to")
      let same = try read(["\(lever.path)=\(lever.values[lever.own])"])
      #expect(!isWritten || same.resolvedText == scenario.resolvedText, "\(lever)")
      for value in lever.values { _ = try read(["\(lever.path)=\(value)"]) }
      #expect(Set(lever.values).count == lever.values.count)
    }
  }

  /// A capacity that the file lacks is above all others, which fit the fleet: 3 million phones that ask once a day are
  /// 35/s.
  @Test func unlimitedIsTheUpperEnd() throws {
    let path = "backend.endpoints.api.capacity"
    let lever = try #require(Lever.named(path, in: read(["\(path)=none"])))
    #expect(lever.values.first == "10/s" && lever.values.last == "none" && lever.own == lever.values.count - 1)
    #expect(lever.values.contains("50000/s"))
  }

  /// Any key with a single value can become a lever; words are offered as they are.
  @Test func keysByPathAreLevers() throws {
    let scenario = try read()
    let model = try #require(Lever.named("os.budget.accrual", in: scenario))
    #expect(model.values.contains("awake"))
    #expect(Lever.named("kinds.feed.cache.ttl", in: scenario)?.values.contains("10min") == true)
    #expect(Lever.named("no.such.key", in: scenario) == nil)
  }
}
