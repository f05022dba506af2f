import Scenario
import Testing

@testable import FleetEngine

/// Phones whose app the system does not wake, kinds without a push handler, launches, and restarts (MODEL.md 2.8, 4.2).
@Suite struct ClosedAppTests {
  private static func sample(person: String, events: String = "none", app: String = "{}") -> FleetSample {
    var sample = FleetSample(devices: 1_000)
    sample.kinds = "{k: {reload: never}, l: {reload: never, pushes: false}}"
    sample.cohorts = """
      [{name: all, zones: {UTC: 100%}, person: {\(person)}, network: wifi, power: mains,
        widgets: [{kind: k}, {kind: l}]}]
      """
    sample.app = app
    sample.events = events
    return sample
  }

  private static func runs(_ sample: FleetSample, _ cause: Cause) throws -> [Int64] {
    try sample.replication().groups.map { $0.runs[Int(cause.rawValue)] }
  }

  private static func push(_ type: String) -> String {
    "[{name: p, at: 2027-01-18T10:00:00Z, push: {type: \(type)}}]"
  }

  /// A share of 30 % and one of 20 %, independent of each other: 1 - 0.7 x 0.8 of the phones get no silent push.
  @Test(arguments: [("background_refresh_off: 30%, force_quit: 20%", 0.56), ("force_quit: 100%", 0), ("", 1)])
  func closedAppsGetNoSilentPush(habits: String, share: Double) throws {
    let person = "unlocks_per_day: 0" + (habits.isEmpty ? "" : ", " + habits)
    let runs = try Self.runs(Self.sample(person: person, events: Self.push("silent, kinds: all")), .background)
    let deviation = (1_000 * share * (1 - share)).squareRoot()
    #expect(abs(Double(runs[0]) - 1_000 * share) <= 4.5 * deviation, "\(runs)")
    #expect(runs[0] == runs[1])
  }

  /// A pushed app calls for its widgets, which start 26 s later and are no later than that.
  @Test func runsFollowCallsAfterTheStartDelay() throws {
    var sample = Self.sample(person: "unlocks_per_day: 0", events: Self.push("silent, kinds: all"))
    sample.os = "{start_delay: {background: 26s}, idle: none}"
    for group in try sample.replication().groups {
      #expect(group.callToRun.total == 1_000 && group.callToRun.meanSeconds == 26)
      #expect(group.lateness == group.callToRun)
    }
  }

  /// Scheduled reloads are no calls.
  @Test func datesAreNoCalls() throws {
    var sample = Self.sample(person: "unlocks_per_day: 0")
    sample.kinds = "{k: {reload: {after: 1h}}, l: {reload: never}}"
    let group = try #require(try sample.replication().groups.first)
    #expect(group.lateness.total > 0 && group.callToRun.total == 0)
  }

  /// The same phones have no background refresh; others have 4 a day on average.
  @Test func closedAppsAreNotRefreshed() throws {
    let app = "{reloads: [{when: background-refresh, per_day: 4, kinds: all}]}"
    let closed = Self.sample(person: "unlocks_per_day: 0, background_refresh_off: 100%", app: app)
    #expect(try Self.runs(closed, .background) == [0, 0])
    let half = try Self.runs(Self.sample(person: "unlocks_per_day: 0, force_quit: 50%", app: app), .background)
    // Variance of a phone's count: 4 x 1/2 of the Poisson law and 16 x 1/4 of the share.
    #expect(abs(Double(half[0]) - 2_000) < 4.5 * (1_000 * 6.0).squareRoot(), "\(half)")
  }

  /// A widget push reloads the kinds with a push handler alone, on phones with a closed app too.
  @Test func widgetPushesReloadKindsWithAHandler() throws {
    let sample = Self.sample(person: "unlocks_per_day: 0, force_quit: 100%", events: Self.push("widget"))
    #expect(try Self.runs(sample, .widgetPush) == [1_000, 0])
  }

  /// A launch is an opening with the given probability: all of them, none, or Binomial(openings, 25 %).
  @Test func launchesAreAShareOfOpenings() throws {
    let runs = { (when: String) in
      try Self.runs(
        Self.sample(
          person: "unlocks_per_day: 20", app: "{opens_per_day: 5, reloads: [{when: \(when), kinds: [k]}]}"), .foreground
      )[0]
    }
    let opens = try runs("open")
    #expect(try runs("launch, share: 100%") == opens)
    #expect(try runs("launch, share: 0%") == 0)
    let quarter = Double(try runs("launch, share: 25%"))
    #expect(abs(quarter - Double(opens) / 4) < 4.5 * (Double(opens) * 3 / 16).squareRoot(), "\(quarter) of \(opens)")
  }

  /// After a restart at 03:00 each used phone reloads once, and an unused one never.
  @Test func restartsReloadAfterTheFirstUnlock() throws {
    let events = "[{name: r, at: 2027-01-18T03:00:00Z, reboot: {}}]"
    let used = Self.sample(person: "unlocks_per_day: 80, day_variation: none", events: events)
    #expect(try Self.runs(used, .system) == [1_000, 1_000])
    #expect(try Self.runs(Self.sample(person: "unlocks_per_day: 0", events: events), .system) == [0, 0])
    // At the first unlock, not at once: nearly no phone is in use at 03:00, so that few requests start by 03:05.
    var early = used
    early.kinds = "{k: {reload: never, requests: [{endpoint: api}]}, l: {reload: never}}"
    let minutes = try early.replication().requestsPerMinute
    let soon = minutes[180..<185].reduce(0, +)
    #expect(soon < 300 && minutes.reduce(0, +) >= 1_000, "\(soon)")
  }
}
