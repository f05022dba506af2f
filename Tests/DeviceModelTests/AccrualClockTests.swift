import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// Zones whose clocks change at night, by day (as on Easter Island), at midnight, and by two hours.
enum Zone: String, CaseIterable {
  case utc, berlin, easter, midnight, troll

  var segments: [ZoneTable.Segment] {
    let (offset, changes): (Int64, [(Int64, Int64)]) =
      switch self {
      case .utc: (0, [])
      case .berlin: (60, [(25, 120), (97, 60)])
      case .easter: (-300, [(27, -360), (123, -300)])
      case .midnight: (0, [(24, 60), (95, 0)])
      case .troll: (0, [(25, 120), (97, 0)])
      }
    let later = changes.map { ZoneTable.Segment(from: .start + .hours($0.0), offset: .minutes($0.1)) }
    return [ZoneTable.Segment(from: .longAgo, offset: .minutes(offset))] + later
  }

  func clock(_ storage: SamplerStorage, _ accrual: Budget.Accrual, offset: TimeAmount, nightHour: Int64 = 23)
    -> AccrualClock
  {
    AccrualClock(
      wall: WallClock(segments: storage.keep(segments), startUnixMilliseconds: World.startDay * 86_400_000),
      offset: offset, nightHour: nightHour, accrual: accrual)
  }
}

@Suite struct AccrualClockTests {
  let storage = SamplerStorage()

  /// There is one accrual for every quarter hour that the local clock shows between 07:00 and 22:45.
  ///
  /// A skipped quarter hour is lost; a repeated one counts twice.
  @Test(arguments: Zone.allCases, [Budget.Accrual.awake, .even])
  func accrualsFollowLocalQuarterHours(zone: Zone, accrual: Budget.Accrual) {
    let clock = zone.clock(storage, accrual, offset: .seconds(100))
    var tick = clock.tick(at: .start + clock.offset)
    for quarter in 1...(6 * 96) as ClosedRange<Int64> {
      let now = Instant.start + .minutes(15) * quarter + clock.offset
      let shown = clock.wall.reading(at: now - clock.offset).sinceMidnight
      let counts = accrual == .even || (shown >= .hours(7) && shown < .hours(23))
      #expect(clock.tick(at: now - .milliseconds(1)) == tick, "\(zone) quarter \(quarter)")
      if counts { tick += 1 }
      #expect(clock.tick(at: now) == tick, "\(zone) quarter \(quarter)")
      if counts { #expect(clock.instant(ofTick: tick) == now, "\(zone) quarter \(quarter)") }
    }
  }

  /// The last accrual is at or before the current instant, and the next one is after it.
  @Test(arguments: 0..<2_000 as Range<UInt32>)
  func numbersAndInstantsAreInverse(key: UInt32) {
    let draw = Philox.block(counter: Philox.Block(key, 0, 0, 0), key: 41)
    let zone = Zone.allCases[Int(key) % Zone.allCases.count]
    let now = Instant(millisecondsSinceStart: Int64(draw.first % (8 * 86_400_000)) - 86_400_000)
    let offset = TimeAmount.milliseconds(Int64(draw.second % 900_000))
    for accrual in [Budget.Accrual.awake, .even] {
      let clock = zone.clock(storage, accrual, offset: offset, nightHour: Int64(draw.word3 % 24))
      let tick = clock.tick(at: now)
      #expect(clock.instant(ofTick: tick) <= now, "key \(key), \(zone)")
      #expect(clock.instant(ofTick: tick + 1) > now, "key \(key), \(zone)")
      #expect(clock.tick(at: clock.instant(ofTick: tick)) == tick, "key \(key), \(zone)")
      let renewal = clock.renewal(at: now)
      #expect(clock.instant(ofRenewal: renewal) <= now, "key \(key), \(zone)")
      #expect(clock.instant(ofRenewal: renewal + 1) > now, "key \(key), \(zone)")
    }
  }

  /// Renewals come once per local date, at the night's first hour: moved if it is skipped, at its first pass if it is
  /// repeated.
  @Test func renewalsFollowTheLocalHour() {
    let clock = Zone.berlin.clock(storage, .awake, offset: .seconds(7), nightHour: 2)
    let day = World.startDay
    func hours(_ number: Int64) -> TimeAmount { clock.instant(ofRenewal: day + number) - .start - .seconds(7) }
    #expect((0...5).map { hours($0) } == [1, 25, 48, 72, 96, 121].map { TimeAmount.hours($0) })
  }

  /// Two hours are repeated: a renewal in the first pass does not recur in the second.
  @Test(arguments: 0..<24 as Range<Int64>)
  func nextRenewalIsInTheFuture(hour: Int64) {
    let clock = Zone.troll.clock(storage, .awake, offset: .seconds(7), nightHour: hour)
    for half in 190..<210 as Range<Int64> {
      let now = Instant.start + .minutes(30) * half
      #expect(clock.instant(ofRenewal: clock.renewal(at: now)) <= now, "half hour \(half)")
      #expect(clock.instant(ofRenewal: clock.renewal(at: now) + 1) > now, "half hour \(half)")
    }
  }

  @Test func awakeHoursHave64QuarterHours() {
    let clock = Zone.utc.clock(storage, .awake, offset: .zero)
    let day = World.startDay
    let first = clock.tick(at: .start)
    #expect(clock.tick(at: .start + .hours(7) - .milliseconds(1)) == first)
    #expect(clock.tick(at: .start + .hours(7)) == first + 1)
    #expect(clock.tick(at: .start + .minutes(22 * 60 + 45)) == first + 64)
    #expect(clock.tick(at: .start + .hours(31)) == first + 65)
    #expect(clock.instant(ofTick: first + 65) == .start + .hours(31))
    #expect(clock.renewal(at: .start) == day - 1)
  }
}
