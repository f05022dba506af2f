import Numerics
import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine

/// The time from the start of a push event to the first view of its data, across the fleet (MODEL.md 8.4, 9).
@Suite struct EventToViewTests {
  /// Returns phones that view their first page as a Poisson process and fetch pushed data at once.
  private static func crowd(looks: Double, event: String, days: Int = 1) -> Crowd {
    var crowd = Crowd(devices: 4_000)
    crowd.clock = "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 0s, duration: \(days)d}"
    crowd.person = "unlocks_per_day: \(looks), day_variation: none, hours: flat, session: 1s, home_visits: 0"
    crowd.kinds = "{k: {reload: never, cpu: 0s}}"
    crowd.os = """
      {idle: none, budget: {model: off}, min_spacing: 0s, start_delay: {background: 0s},
       silent_push: {delivered: 100%}}
      """
    crowd.events = "[{name: news, \(event)}]"
    return crowd
  }

  private static func pushes(_ crowd: Crowd) throws -> PushResult {
    let result = try #require(try crowd.engine().run(threads: 2, control: RunControl()))
    let rows = result.replications[0].groups[0].followed.eventPushes
    #expect(rows.map(\.event) == [0])
    return try #require(rows.first).pushes
  }

  /// With a push span O and views at rate v, the proportion by t <= O is t / O - (1 - exp(-v t)) / (v O).
  ///
  /// Beyond O it is 1 - exp(-v t) (exp(v O) - 1) / (v O).
  @Test(arguments: [0, 30, 120]) func spanAndWaitTogether(minutes: Int) throws {
    let looks = 48.0
    let pushes = try Self.pushes(
      Self.crowd(
        looks: looks, event: "at: 2027-01-18T06:00:00Z, push: {type: silent, kinds: all, over: \(minutes)min}"))
    #expect(pushes.pushes == 4_000 && pushes.waits == 4_000)
    let (rate, span) = (looks / 1_440, Double(minutes))
    for time in [5.0, 20, 45, 90, 150, 300] {
      let expected =
        span == 0
        ? 1 - SteadyMath.exp(-rate * time)
        : time <= span
          ? time / span - (1 - SteadyMath.exp(-rate * time)) / (rate * span)
          : 1 - SteadyMath.exp(-rate * time) * (SteadyMath.exp(rate * span) - 1) / (rate * span)
      let bin = SpanHistogram.bin(of: .seconds(Int64(time * 60)))
      let found = Double(pushes.shown.counts.prefix(bin).reduce(0, +)) / 4_000
      let deviation = (expected * (1 - expected)).squareRoot()
      // Bins are 1/512 wide, and a view within 5 s of another is ignored.
      let tolerance = 4.5 * deviation / 4_000.0.squareRoot() + 0.004
      #expect(abs(found - expected) < tolerance, "\(time) min: \(found), \(expected)")
    }
  }

  /// Each date of a daily event at 08:00 local time is a separate wait, with one view a day.
  ///
  /// It ends with the next date or the clock. 1 - exp(-1) of the phones see each of the first two, 1 - exp(-16/24) the
  /// last.
  @Test func dailyEventDatesAreSeparateWaits() throws {
    var crowd = Self.crowd(
      looks: 1, event: "at: \"08:00\", zone: local, push: {type: silent, kinds: all}", days: 3)
    crowd.zones = "{UTC: 100%}"
    let pushes = try Self.pushes(crowd)
    #expect(pushes.pushes == 12_000 && pushes.waits == 12_000)
    let shares = [1.0, 1, 2.0 / 3].map { 1 - SteadyMath.exp(-$0) }
    let deviation = (shares.reduce(0) { $0 + $1 * (1 - $1) } * 4_000).squareRoot()
    #expect(abs(Double(pushes.shown.total) - 4_000 * shares.reduce(0, +)) < 4.5 * deviation)
    // No wait is longer than the time until the next date.
    let day = SpanHistogram.bin(of: .day)
    #expect(pushes.shown.counts.dropFirst(day + 1).allSatisfy { $0 == 0 })
  }

  /// Events at each phone's own times have no start.
  @Test func perPhoneEventsHaveNoStart() throws {
    let crowd = Self.crowd(looks: 48, event: "push: {type: silent, kinds: all, per_device_per_day: 2}")
    let result = try #require(try crowd.engine().run(threads: 2, control: RunControl()))
    let followed = result.replications[0].groups[0].followed
    #expect(followed.eventPushes.isEmpty && followed.pushes.pushes > 7_000)
  }

  /// In steps, one thread may count a phone's push and another the end of its wait: the sums are the same.
  @Test func anyNumberOfThreads() throws {
    var sample = FleetSample(devices: 400)
    sample.clock = "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1h, duration: 1h}"
    sample.endpoints = "{api: {capacity: 2/s, queue: 30}}"
    sample.events = "[{name: p, at: 2027-01-18T00:17:00Z, push: {type: silent, kinds: all}}]"
    let one = try sample.replication().groups
    #expect(one[0].followed.eventPushes.map(\.pushes.unshown) == [400])
    for _ in 0..<3 { #expect(try sample.replication(threads: 4).groups == one) }
  }
}
