import Scenario
import SimulationKernel
import Testing

@testable import ScenarioFiles

@Suite struct ReadValuesTests {
  private func codes(_ settings: [String]) -> [Code] {
    ScenarioReader.read(
      text: Array(Samples.minimal.utf8), fileName: "a.yaml", settings: settings.map { SetArgument($0) }
    ).diagnostics.map(\.code)
  }

  @Test(arguments: [
    "kinds.weather.taps=none", "kinds.weather.location_changes_per_day=0.0", "kinds.weather.protected=false",
    "kinds.weather.background_session=false", "kinds.weather.stale_after=none", "events=none", "goals=none",
    "fleet.cohorts.all.person={unlocks_per_day: 0.0, home_visits: 3}", "fleet.cohorts.all.network=5g-sa",
    "fleet.cohorts.all.power={overnight: 10%}", "fleet.cohorts.all.power={low_power_mode: 0%, health: 100.0%}",
    "app.reloads=[{when: background-refresh, per_day: 1, kinds: all}]", "clock.duration=7d",
    "backend.endpoints.api={latency: {p50: 1ms, p99: 1s}, timeout: 1s, capacity: none}",
  ]) func defaultsEqualTheAssumedValues(_ setting: String) { #expect(codes([setting]) == []) }

  /// The values of networks, events and limits are read.
  @Test(arguments: [
    "kinds.weather.background_session=true", "fleet.cohorts.all.network={wifi: 63%}",
    "events=[{name: a, at: \"00:00\", zone: local, system_change: {}}]", "backend.endpoints.api={capacity: 1/s}",
    "backend.endpoints.api={queue: 1}", "backend.endpoints.api={base_load: {rate: 1/s}}",
    "backend.endpoints.api={rate_limit: {rate: 1/s}}", "backend.endpoints.api={cdn: {keys: 1, ttl: 1min}}",
    "goals=[{id: a, assert: requests > 0}]",
  ]) func isRead(_ setting: String) { #expect(codes([setting]) == []) }

  @Test func theNetworkHasADefault() throws {
    let scenario = try #require(Samples.read(Samples.minimal.replacing("      network: wifi\n", with: "")).scenario)
    guard case .roaming(let roaming) = scenario.fleet.cohorts[0].network else {
      Issue.record("not roaming")
      return
    }
    #expect(roaming.offlineShare == .none)
    #expect(roaming.dwell == .hours(3))
  }

  /// The values of people are read.
  @Test(arguments: [
    "app.opens_per_day=2", "app.foreground=60s", "app.audio_session={per_day: 1}",
    "app.reloads=[{when: open, kinds: all}]", "kinds.weather.taps={per_day: 1}",
    "kinds.weather.location_changes_per_day=0.5", "kinds.weather.protected=true", "kinds.weather.stale_after=1h",
    "fleet.cohorts.all.person.unlocks_per_day=1", "fleet.cohorts.all.person.unlocks_per_day={exponential: 60}",
    "fleet.cohorts.all.person={home_visits: 1}", "fleet.cohorts.all.power={low_power_mode: 10%}",
    "fleet.cohorts.all.power={health: 90%}", "fleet.cohorts.all.widgets.0.place=lock-screen",
    "fleet.cohorts.all.widgets=[{stack: [{kind: weather}]}]", "clock.duration=8d",
  ]) func peopleValuesAreRead(_ setting: String) { #expect(codes([setting]) == []) }

  @Test func refusedEndpointValuesAreStillRead() throws {
    var problems = ProblemList(file: SourceText(name: "a", bytes: Array(Samples.reference.utf8)))
    let root = try #require(TreeReader.read(source: 0, problems: &problems))
    let builder = ScenarioBuilder(root, problems: problems)
    let scenario = builder.build()
    #expect(scenario.kinds[0].taps?.burst == 5)
    #expect(scenario.app.audioSession?.perDay == 0.5)
    #expect(scenario.app.reloads.count == 6)
    #expect(scenario.fleet.cohorts[0].widgets[2].members.count == 2)
    #expect(scenario.fleet.cohorts[0].widgets[2].otherWeight == 4)
    #expect(scenario.fleet.cohorts[0].widgets[1].place == .lockScreen)
    guard case .roaming(let roaming) = scenario.fleet.cohorts[0].network else {
      Issue.record("not roaming")
      return
    }
    #expect(roaming.offlineShare.fraction == 0.03)
    #expect(
      scenario.events.map(\.name)
        == ["parcel", "storm", "paced", "api-down", "release", "midnight", "night-update", "campaign"])
    let outage = Outage.with {
      $0.endpoint = 0
      $0.lasts = .minutes(8)
      $0.errors = .all
      $0.capacity = 0
    }
    #expect(scenario.events[2].push?.sender?.rate == 4_000)
    #expect(scenario.events[3].timing == .once(.start + .minutes(552)))
    #expect(scenario.events[3].action == .outage(outage))
    #expect(scenario.endpoints[0].capacity == 7_000)
    #expect(
      scenario.endpoints[1].cdn
        == CDN.with {
          $0.keys = 10_000
          $0.ttl = .minutes(10)
          $0.staleIfError = .hours(1)
          $0.errorTTL = .seconds(30)
          $0.popularity = .zipf(exponent: 1)
        })
    #expect(builder.problems.isEmpty)
  }
}
