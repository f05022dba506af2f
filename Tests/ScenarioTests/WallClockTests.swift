import SimulationKernel
import Testing

@testable import Scenario

/// Handmade zones; clock.start is 2027-03-28T00:00:00Z, a Sunday on which many clocks change.
struct HandZone {
  let storage = SamplerStorage()
  let clock: WallClock
  static let startDay: Int64 = 20_905

  /// Creates a zone.
  ///
  /// - Parameter changes: hours after the start, and the offsets in minutes that apply from then on.
  init(offset: Int64, changes: [(hours: Int64, offset: Int64)]) {
    let first = ZoneTable.Segment(from: .longAgo, offset: .minutes(offset))
    let later = changes.map { ZoneTable.Segment(from: .start + .hours($0.hours), offset: .minutes($0.offset)) }
    clock = WallClock(segments: storage.keep([first] + later), startUnixMilliseconds: Self.startDay * 86_400_000)
  }

  /// A zone that changes in spring at 01:00Z (02:00 to 03:00), and back 24 h later.
  static let twice = HandZone(offset: 60, changes: [(1, 120), (25, 60)])
  /// A zone in which midnight of the second local day is skipped (00:00 to 01:00); two days later 24:00 becomes 23:00.
  static let atMidnight = HandZone(offset: 0, changes: [(24, 60), (71, 0)])

  static func local(_ day: Int64, _ hour: Int64, _ minute: Int64 = 0) -> LocalTime {
    LocalTime(day: LocalDay(number: startDay + day), .minutes(hour * 60 + minute))
  }

  static func instant(_ hour: Int64, _ minute: Int64 = 0) -> Instant { .start + .minutes(hour * 60 + minute) }
}

@Suite struct WallClockTests {
  @Test func readings() {
    let clock = HandZone.twice.clock
    #expect(clock.reading(at: HandZone.instant(0, 59)) == HandZone.local(0, 1, 59))
    #expect(clock.reading(at: HandZone.instant(1)) == HandZone.local(0, 3))
    #expect(clock.reading(at: HandZone.instant(24, 59)) == HandZone.local(1, 2, 59))
    #expect(clock.reading(at: HandZone.instant(25)) == HandZone.local(1, 2))
    #expect(clock.reading(at: HandZone.instant(-2)) == HandZone.local(-1, 23))
  }

  /// A skipped time is moved by the gap; of a repeated hour the first pass counts.
  @Test func instants() {
    let clock = HandZone.twice.clock
    #expect(clock.instant(of: HandZone.local(0, 1, 59)) == HandZone.instant(0, 59))
    #expect(clock.instant(of: HandZone.local(0, 2)) == HandZone.instant(1))
    #expect(clock.instant(of: HandZone.local(0, 2, 30)) == HandZone.instant(1, 30))
    #expect(clock.instant(of: HandZone.local(0, 3)) == HandZone.instant(1))
    #expect(clock.instant(of: HandZone.local(1, 2)) == HandZone.instant(24))
    #expect(clock.instant(of: HandZone.local(1, 2, 59)) == HandZone.instant(24, 59))
    #expect(clock.instant(of: HandZone.local(1, 3)) == HandZone.instant(26))
  }

  @Test func changesAtMidnight() {
    let clock = HandZone.atMidnight.clock
    #expect(clock.instant(of: HandZone.local(1, 0)) == HandZone.instant(24))
    #expect(clock.reading(at: HandZone.instant(24)) == HandZone.local(1, 1))
    #expect(clock.instant(of: HandZone.local(1, 0, 15)) == HandZone.instant(24, 15))
    #expect(clock.reading(at: HandZone.instant(70, 59)) == HandZone.local(2, 23, 59))
    #expect(clock.reading(at: HandZone.instant(71)) == HandZone.local(2, 23))
    #expect(clock.instant(of: HandZone.local(2, 23)) == HandZone.instant(70))
    #expect(clock.instant(of: HandZone.local(3, 0)) == HandZone.instant(72))
  }

  /// The first instant of a local time is either that instant or an earlier pass of the same hour.
  @Test(arguments: 0..<4_000 as Range<UInt32>)
  func readingAndInstantAgree(key: UInt32) {
    let draw = Philox.block(counter: Philox.Block(key, 0, 0, 0), key: 21)
    let zone = key % 2 == 0 ? HandZone.twice : HandZone.atMidnight
    let instant = Instant(millisecondsSinceStart: Int64(draw.first % 345_600_000) - 86_400_000)
    let shown = zone.clock.reading(at: instant)
    let first = zone.clock.instant(of: shown)
    #expect(zone.clock.reading(at: first) == shown, "key \(key)")
    #expect(first == instant || first == instant - .hour, "key \(key)")
  }

  @Test(
    arguments: [
      (0, .thursday), (1, .friday), (-1, .wednesday), (4, .monday), (-3, .monday), (-4, .sunday), (20_905, .sunday),
    ] as [(Int64, Weekday)])
  func weekdays(day: Int64, expected: Weekday) {
    #expect(LocalDay(number: day).weekday == expected)
  }

  @Test func partsOfATimeBeforeTheEpoch() {
    let local = LocalTime(unixMilliseconds: -1)
    #expect(local.day == LocalDay(number: -1))
    #expect(local.sinceMidnight == .milliseconds(86_399_999))
  }
}
