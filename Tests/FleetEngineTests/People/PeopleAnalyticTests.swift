import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel
@testable import FleetEngine

/// Cases with users and a known answer (MODEL.md 4.7, 5.2, 9).
@Suite struct PeopleAnalyticTests {
  private static let looks = "unlocks_per_day: 60, hours: flat, session: 1s, home_visits: 0"

  /// The mean age at random views is tau/2 for reloads every tau, and 1/rate for random reloads.
  @Test(
    arguments: [
      ("{reload: {after: 1h}, cpu: 0s}", "{}", 1_039.0), ("{reload: never, cpu: 0s}", "48", 1_800),
    ] as [(String, String, Double)])
  func meanAgeAtViewsIsAsExpected(kind: String, refreshes: String, deviation: Double) throws {
    var crowd = Crowd(devices: 300, person: Self.looks, kinds: "{k: \(kind)}")
    crowd.clock = "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1d, duration: 2d}"
    crowd.os = """
      {idle: none, budget: {model: off}, min_spacing: 0s, start_delay: {policy: 0s, in_use: 0s, background: 0s},
       stale_view_reload: {rare: 0%, frequent: 0%}}
      """
    if refreshes != "{}" {
      crowd.app = "{reloads: [{when: background-refresh, per_day: \(refreshes), kinds: all}]}"
    }
    let result = try #require(try crowd.engine().run(threads: 2, control: RunControl()))
    let age = result.replications[0].groups[0].dataAge
    let views = Double(result.replications[0].groups[0].views)
    #expect(views > 30_000)
    let mean = Double(age.sumMilliseconds) / 1_000 / views
    // Views of the same refresh are correlated: about 1.25 in half an hour, 2.5 in an hour.
    #expect(abs(mean - 1_800) < 4.5 * deviation * (3.5 / views).squareRoot(), "\(mean)")
  }

  /// With one instance, the misses of a cache are at least its ttl apart, however many taps there are.
  @Test func cacheMissesAreAtLeastATTLApart() throws {
    let crowd = Crowd(
      devices: 60, clock: "{start: 2027-01-18T00:00:00Z, warmup: 0s, duration: 4d}",
      kinds: """
        {k: {reload: {after: 6h}, cache: {ttl: 6h}, taps: {per_day: 20, burst: 5}, requests: [{endpoint: api}]}}
        """)
    var (requests, last, misses, taps) = (UInt32(0), Instant.longAgo, 0, 0)
    try crowd.live { _ in
      (requests, last) = (0, .longAgo)
    } _: { simulator, now, event in
      if case .tap = event { taps += 1 }
      let row = simulator.tally.rows[0]
      guard row.requests != requests else { return }
      #expect(row.requests == requests + 1 && now - last >= .hours(6))
      (requests, last) = (row.requests, now)
      misses += 1
    }
    // At most 16 in four days per phone, and about 60 x 4 x 20 taps.
    #expect(misses <= 60 * 16 && misses > 60 * 8 && taps > 4_000)
  }

  /// A cache that never expires misses once per device if simultaneous runs share a flight.
  @Test func neverExpires() throws {
    let crowd = Crowd(
      devices: 60,
      kinds: """
        {k: {reload: {after: 1h}, cache: {ttl: never-expires, single_flight: true}, taps: {per_day: 20},
             requests: [{endpoint: api}]}}
        """, widgets: "[{kind: k}, {kind: k, page: 2}]")
    let result = try #require(try crowd.engine().run(threads: 1, control: RunControl()))
    let devices = result.replications[0].devices
    for row in 0..<devices.rowCount {
      #expect(devices[row, .requests] == 1 && devices[row, .cacheHits] > 20)
    }
  }

  /// Two instances of a kind each have a budget.
  @Test func budgetsOfTwoInstances() throws {
    func charged(_ widgets: String) throws -> [Int64] {
      let crowd = Crowd(
        devices: 40, clock: "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1d, duration: 3d}",
        kinds: "{k: {reload: {after: 15min}}}",
        widgets: widgets,
        os: """
          {idle: none, budget: {capacity: 10/day}, coalescing_window: 0s, stale_view_reload: {rare: 0%, frequent: 0%}}
          """)
      let result = try #require(try crowd.engine().run(threads: 1, control: RunControl()))
      let devices = result.replications[0].devices
      return (0..<devices.rowCount).map { devices[$0, .charged] }
    }
    let (one, two) = (try charged("[{kind: k}]"), try charged("[{kind: k}, {kind: k, page: 2}]"))
    for (alone, together) in zip(one, two) {
      // Each is within 3 x 10 plus the initial balance.
      #expect((25...47).contains(alone) && (50...94).contains(together))
      #expect(together - alone >= 25)
    }
  }

  /// In D days, an instance has at most 1.5 C + D C + 2 charged runs, and C a day in the long run.
  @Test func chargedRunsOfManyDays() throws {
    let crowd = Crowd(
      devices: 60, clock: "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 3d, duration: 7d}",
      kinds: "{k: {reload: {after: 10min}, taps: {per_day: 10}}}",
      app: "{opens_per_day: 4, reloads: [{when: open, kinds: all}]}",
      os: "{budget: {capacity: 20/day}}")
    let result = try #require(try crowd.engine().run(threads: 2, control: RunControl()))
    let devices = result.replications[0].devices
    let charged = (0..<devices.rowCount).map { Double(devices[$0, .charged]) }
    #expect(charged.allSatisfy { $0 <= 30 + 140 + 2 })
    // The initial balance of the placement on the day before, up to 1.5 C in the worst case, is used up after a week.
    let mean = Sample(charged).mean / 7
    #expect(mean <= 20 + 30.0 / 7 && mean > 17, "\(mean)")
  }

  /// The capacity C from views is the estimate until seven whole local days have passed, then their mean.
  @Test func capacityFollowsTheViews() throws {
    var days: [Int] = []
    var total: UInt32 = 0
    var (estimated, learned) = (0, 0)
    let crowd = Crowd(
      devices: 30, clock: "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1d, duration: 10d}",
      zones: "{America/New_York: 100%}", person: "unlocks_per_day: {uniform: 10..50}", widgets: "[{kind: k, page: 2}]",
      os: "{idle: none, budget: {cap: 60}}")
    try crowd.live { _ in
      (days, total) = ([], 0)
    } _: { simulator, _, event in
      let instance = simulator.widgets[0]
      guard case .midnight = event, instance.isPlaced else { return }
      days.append(Int(simulator.widgets[0].views - total))
      total = simulator.widgets[0].views
      // The first of them is the day of the placement, which is not whole.
      let views = days.count < 8 ? 16.5 : Double(days.suffix(7).reduce(0, +)) / 7
      if days.count < 8 { estimated += 1 } else { learned += 1 }
      #expect(instance.account.capacity == ViewsLaw.roundedCapacity(views: views, cap: 60), "\(days)")
    }
    #expect(estimated >= 30 * 7 && learned >= 30 * 3)
  }

  /// Scheduled runs follow all rules under all actions together, with each event checked.
  ///
  /// None starts before it is due, none of a protected widget while locked, and none closer to the last run than the
  /// spacing; debug builds also check the invariants.
  @Test func allActionsTogetherKeepTheRules() throws {
    let crowd = Crowd(
      devices: 25, clock: "{start: 2027-03-27T00:00:00Z, settle: 0s, warmup: 1d, duration: 2d}",
      zones: "{Europe/Berlin: 50%, Asia/Kolkata: 50%}",
      kinds: """
        {k: {reload: {after: 20min}, protected: true, taps: {per_day: 20, burst: 4}, crash: 5%, cpu: 5s},
         m: {phases: [{entries: {count: 3, every: 20min}, reload: at-end}, {reload: never}], location_changes_per_day: 9,
             cache: {ttl: 1h}, requests: [{endpoint: api}], stale_after: 30min}}
        """,
      widgets: """
        [{kind: k}, {kind: m, place: lock-screen}, {stack: [{kind: k, weight: 1}, {kind: m, weight: 1}, {other: 1}], page: 2}]
        """,
      app: """
        {opens_per_day: 9, audio_session: {per_day: 3, length: 20min}, reloads: [
          {when: open, kinds: all}, {when: close, kinds: [m]}, {when: change, per_day: 40, kinds: [k]},
          {when: profile-switch, per_day: 3, kinds: all, clears_cache: true, restarts: true},
          {when: background-refresh, per_day: 40, kinds: all, fills_cache: true}, {when: audio, every: 1min, kinds: [m]}]}
        """, os: "{budget: {capacity: 30/day}}",
      power: "{overnight: 40%, health: 60%, low_power_mode: 100%}")
    var before: [WidgetSnapshot] = []
    var causes: Set<Cause> = []
    var reasons: Set<WaitReason> = []
    try crowd.live { simulator in
      before = simulator.widgets
    } _: { simulator, now, _ in
      for slot in before.indices {
        let (old, new) = (before[slot], simulator.widgets[slot])
        if let reason = new.wait.reason { reasons.insert(reason) }
        guard new.runs != old.runs else { continue }
        causes.insert(new.flight.cause)
        guard new.flight.cause.isCharged else { continue }
        #expect(now >= old.ticket.due && now - old.flight.end >= .minutes(5))
        #expect(new.kind == 1 || simulator.presence.isInSession)
      }
      before = simulator.widgets
    }
    #expect(causes == [.policy, .retry, .background, .foreground, .tap, .view, .location, .placement])
    #expect(reasons == [.locked, .idle, .lowPower, .budget])
  }
}
