import BackendModel
import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

@Suite struct TimelineRuleTests {
  let storage = SamplerStorage()
  private static func at(_ minutes: Int64) -> Instant { .start + .minutes(minutes) }

  /// The dates 10 min, 20 min and 30 min in zone 1, and none in zone 0.
  private var calendar: CalendarPlan {
    CalendarPlan(dates: storage.keep([storage.keep([]), storage.keep([10, 20, 30].map(Self.at))]))
  }

  private func date(_ policy: PolicyPlan, _ entries: EntriesPlan = .single, at now: Instant) -> Instant? {
    TimelineRule.date(of: policy, entries: entries, at: now, zone: 1, atEndGap: .minutes(30), uniform: 1 << 63)
  }

  @Test func dates() {
    let now = Self.at(10)
    #expect(date(.never, at: now) == nil)
    #expect(date(.after(.constant(.minutes(7))), at: now) == Self.at(17))
    #expect(date(.after(.constant(.zero)), at: now) == now)
    #expect(date(.after(.uniform(from: .zero, to: .minutes(10))), at: now) == Self.at(15))
    #expect(date(.atEnd, at: now) == Self.at(40))
    #expect(date(.atEnd, .spread(.hours(3)), at: now) == Self.at(190))
    #expect(date(.next(calendar), at: now) == Self.at(20))
    #expect(date(.atEnd, .aligned(2, calendar), at: now) == Self.at(30))
    #expect(date(.atEnd, .aligned(3, calendar), at: now) == .never)
  }

  /// Dates are strictly after the current instant, and never beyond the list.
  @Test func calendarDates() {
    let rows: [(Int, Int64, Instant)] = [
      (1, 9, Self.at(10)), (1, 10, Self.at(20)), (2, 9, Self.at(20)), (3, 9, Self.at(30)), (4, 9, .never),
      (1, 29, Self.at(30)), (1, 30, .never), (1, -100, Self.at(10)),
    ]
    for (ordinal, now, expected) in rows {
      #expect(calendar.date(ordinal, after: Self.at(now), zone: 1) == expected, "\(ordinal) after \(now)")
    }
    #expect(calendar.date(1, after: Self.at(10) - .milliseconds(1), zone: 1) == Self.at(10))
    #expect(calendar.date(1, after: .start, zone: 0) == .never)
  }

  @Test func windowSpells() {
    let spells = [(0, 10), (10, 20), (30, 40)].map { WindowPlan.Spell(from: Self.at($0.0), to: Self.at($0.1)) }
    let window = WindowPlan(spells: storage.keep([storage.keep([]), storage.keep(spells)]), reload: .never)
    let rows: [(Int64, Bool)] = [
      (-1, false), (0, true), (10, true), (19, true), (20, false), (29, false), (30, true), (40, false), (99, false),
    ]
    for (minute, contains) in rows {
      #expect(window.contains(Self.at(minute), zone: 1) == contains, "\(minute)")
      #expect(!window.contains(Self.at(minute), zone: 0))
    }
  }

  @Test func jitterAndThePast() {
    func jittered(_ minutes: Int64, _ jitter: Int64) -> Instant {
      TimelineRule.jittered(Self.at(minutes), by: .minutes(jitter), at: Self.at(10), earliest: Self.at(15))
    }
    #expect(jittered(20, 3) == Self.at(23))
    #expect(jittered(10, 0) == Self.at(10))
    #expect(jittered(9, 1) == Self.at(10))
    #expect(jittered(9, 0) == Self.at(15))
    #expect(jittered(0, 9) == Self.at(15))
  }

  @Test func cacheFreshness() {
    let cache = CacheState(storedAt: Self.at(10))
    #expect(cache.isFresh(at: Self.at(10), ttl: .milliseconds(1)))
    #expect(!cache.isFresh(at: Self.at(10), ttl: .zero))
    #expect(cache.isFresh(at: Self.at(15) - .milliseconds(1), ttl: .minutes(5)))
    #expect(!cache.isFresh(at: Self.at(15), ttl: .minutes(5)))
    let forGood = Instant.never - Instant.start
    #expect(cache.isFresh(at: .start + .days(400), ttl: forGood))
    #expect(CacheState(storedAt: .start - .days(400)).isFresh(at: .start + .days(400), ttl: forGood))
    #expect(!CacheState().isFresh(at: .start, ttl: forGood))
  }

  /// The timeout applies to the server's latency, excluding the round trip.
  @Test func requestOutcomes() {
    let trip = TimeAmount.milliseconds(30)
    func outcome(_ latency: TimeAmount, timeout: TimeAmount = .seconds(30)) -> RequestOutcome {
      .of(roundTrip: trip, latency: latency, timeout: timeout)
    }
    #expect(outcome(.zero) == .answered(after: trip))
    #expect(outcome(.seconds(30) - .milliseconds(1)) == .answered(after: .milliseconds(30_029)))
    #expect(outcome(.seconds(30)) == .timedOut(after: .milliseconds(30_030)))
    #expect(outcome(.hours(1)) == .timedOut(after: .milliseconds(30_030)))
    #expect(outcome(.zero, timeout: .zero) == .timedOut(after: trip))
  }

  @Test(
    arguments: [
      (0.0, 0, false), (0, .max, false), (1, .max, true), (0.5, 1 << 63, false), (0.5, 1 << 63 - 1, true),
      (0.25, 1 << 62, false),
    ] as [(Double, UInt64, Bool)])
  func chances(share: Double, uniform: UInt64, happens: Bool) {
    #expect(Chance(Share(fraction: share)).happens(at: uniform) == happens)
    #expect(Chance(Share(fraction: share)).isImpossible == (share == 0))
  }
}
