import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

@Suite struct ChargingScheduleTests {
  let storage = SamplerStorage()
  let stream = DeviceStream(seed: 3, device: 1, replication: 0)

  private func nights(_ share: Double, plugHour: Int64 = 23, unplugHour: Int64 = 7) -> PowerPlan {
    .overnight(
      Chance(Share(fraction: share)), plug: .constant(.hours(plugHour)), unplug: .constant(.hours(unplugHour)))
  }

  private func wall(_ zone: Zone = .utc) -> WallClock {
    WallClock(segments: storage.keep(zone.segments), startUnixMilliseconds: World.startDay * 86_400_000)
  }

  /// Every night from 23:00 to 07:00, including the one before the start.
  @Test func everyNight() {
    let wall = wall()
    let power = nights(1)
    var schedule = ChargingSchedule(wall: wall, beginning: .start)
    for minute in stride(from: 0, to: 5 * 1_440, by: 20) as StrideTo<Int64> {
      let now = Instant.start + .minutes(minute)
      let hour = minute / 60 % 24
      let isCharging = schedule.isCharging(at: now, power, stream: stream, wall: wall)
      #expect(isCharging == (hour < 7 || hour >= 23), "\(minute)")
      let next = schedule.nextPlug(after: now, power, stream: stream, wall: wall)
      let tonight = Instant.start + .days(minute / 1_440) + .hours(23)
      #expect(next == (hour >= 23 || hour < 7 ? .never : tonight), "\(minute)")
    }
  }

  /// A plug-in time after midnight belongs to the previous evening; the night of a clock change is an hour longer.
  @Test func plugTimesAfterMidnight() {
    let wall = wall(.berlin)
    let power = nights(1, plugHour: 25)
    var schedule = ChargingSchedule(wall: wall, beginning: .start)
    let spells: [(Int64, Int64)] = [(0, 6), (24, 29), (47, 53), (71, 77), (95, 102)]
    for hour in 0..<110 as Range<Int64> {
      let isOn = spells.contains { $0.0 <= hour && hour < $0.1 }
      let isCharging = schedule.isCharging(at: .start + .hours(hour), power, stream: stream, wall: wall)
      #expect(isCharging == isOn, "hour \(hour)")
    }
  }

  /// No night has a charging spell if the phone is unplugged before it is plugged in.
  @Test func unplugBeforePlugMeansNoCharging() {
    let wall = wall()
    for plugHour in [31, 40] as [Int64] {
      let power = nights(1, plugHour: plugHour)
      var schedule = ChargingSchedule(wall: wall, beginning: .start)
      for hour in stride(from: 0, to: 120, by: 5) as StrideTo<Int64> {
        let now = Instant.start + .hours(hour)
        let isCharging = schedule.isCharging(at: now, power, stream: stream, wall: wall)
        let next = schedule.nextPlug(after: now, power, stream: stream, wall: wall)
        #expect(!isCharging && next == .never, "hour \(hour)")
      }
    }
  }

  @Test func mains() {
    let wall = wall()
    let power = PowerPlan.mains
    var schedule = ChargingSchedule(wall: wall, beginning: .start)
    let isCharging = schedule.isCharging(at: .start + .hours(12), power, stream: stream, wall: wall)
    let next = schedule.nextPlug(after: .start + .hours(12), power, stream: stream, wall: wall)
    #expect(isCharging && next == .never)
  }

  /// Neither a chance of zero nor one night in a billion years makes the search take long.
  ///
  /// The time limit only stops an endless loop: it includes the time that a test waits for its turn.
  @Test(.timeLimit(.minutes(60)), arguments: [0, 1e-19, 1e-12])
  func never(share: Double) {
    let wall = wall()
    let power = nights(share)
    var schedule = ChargingSchedule(wall: wall, beginning: .start)
    for day in 0..<400 as Range<Int64> {
      let now = Instant.start + .days(day)
      let isCharging = schedule.isCharging(at: now, power, stream: stream, wall: wall)
      let next = schedule.nextPlug(after: now, power, stream: stream, wall: wall)
      #expect(!isCharging && next == .never)
    }
  }

  /// Phones charge on 85 % of nights, drawn once per night, however often it is asked for.
  @Test func phonesChargeOnTheGivenShareOfNights() {
    let wall = wall()
    var (charged, often) = (0, 0)
    for device in 0..<400 as Range<UInt32> {
      let stream = DeviceStream(seed: 3, device: device, replication: 0)
      let power = nights(0.85)
      var schedule = ChargingSchedule(wall: wall, beginning: .start)
      var asked = ChargingSchedule(wall: wall, beginning: .start)
      for night in 0..<10 as Range<Int64> {
        let now = Instant.start + .days(night) + .hours(23)
        for hour in 1...3 as ClosedRange<Int64> {
          if hour == 3 { often += asked.isCharging(at: now, power, stream: stream, wall: wall) ? 1 : 0 }
          _ = asked.nextPlug(after: now - .hours(4 - hour), power, stream: stream, wall: wall)
        }
        charged += schedule.isCharging(at: now, power, stream: stream, wall: wall) ? 1 : 0
      }
    }
    // 4 000 nights: the standard error is 22.6.
    #expect(abs(charged - 3_400) < 102)
    #expect(charged == often)
  }
}
