import Scenario
import SimulationKernel

/// When budgets grow: the local quarter hours plus the device's offset (MODEL.md 4.7).
struct AccrualClock: BitwiseCopyable {
  var wall: WallClock
  /// U(0, 15 min) of the device.
  var offset: TimeAmount
  /// The local hour at which a fixed budget is renewed, plus the offset.
  var resetHour: Int64
  var accrual: Budget.Accrual

  static let quarter = TimeAmount.minutes(15)
  /// Quarters from 07:00 to 22:45.
  static let awakeQuarters: Int64 = 64
  /// The quarter of the day that begins at 07:00.
  static let firstAwakeQuarter: Int64 = 28
  static let allQuarters: Int64 = 96

  /// Quanta of a day's capacity.
  var quartersPerDay: Int64 {
    switch accrual {
    case .awake: Self.awakeQuarters
    case .even: Self.allQuarters
    }
  }

  /// The number of the last accrual at or before `now`, counted from 1970-01-01.
  func tick(at now: Instant) -> Int64 {
    switch accrual {
    case .even:
      // Zones differ from UTC by whole quarters, so every local quarter hour is one of UTC's; an hour that is
      // missing or doubled by daylight saving loses or doubles its accruals.
      let sinceEpoch = (now - offset).millisecondsSinceStart + wall.startUnixMilliseconds
      return sinceEpoch.floorDivided(by: Self.quarter.milliseconds)
    case .awake:
      let local = wall.reading(at: now - offset)
      let day = local.day.number
      let quarter = (local.unixMilliseconds - day * 86_400_000) / Self.quarter.milliseconds
      return day * Self.awakeQuarters + min(max(quarter - Self.firstAwakeQuarter + 1, 0), Self.awakeQuarters)
    }
  }

  /// The instant of an accrual by its number.
  func instant(ofTick tick: Int64) -> Instant {
    switch accrual {
    case .even:
      return Instant(millisecondsSinceStart: tick * Self.quarter.milliseconds - wall.startUnixMilliseconds) + offset
    case .awake:
      let day = (tick - 1).floorDivided(by: Self.awakeQuarters)
      let quarter = tick - 1 - day * Self.awakeQuarters + Self.firstAwakeQuarter
      return wall.instant(of: LocalTime(day: LocalDay(number: day), Self.quarter * quarter)) + offset
    }
  }

  /// The number of the last quarter hour plus offset at or before `now`, asleep or awake.
  func quarterNumber(at now: Instant) -> Int64 {
    let sinceEpoch = (now - offset).millisecondsSinceStart + wall.startUnixMilliseconds
    return sinceEpoch.floorDivided(by: Self.quarter.milliseconds)
  }

  /// The next quarter hour plus offset after `now`.
  func quarter(after now: Instant) -> Instant {
    let number = quarterNumber(at: now) + 1
    return Instant(millisecondsSinceStart: number * Self.quarter.milliseconds - wall.startUnixMilliseconds) + offset
  }

  /// The number of the last renewal of a fixed budget at or before `now`: its local date.
  func renewal(at now: Instant) -> Int64 {
    let local = wall.reading(at: now - offset)
    return (local.unixMilliseconds - resetHour * TimeAmount.hour.milliseconds)
      .floorDivided(by: TimeAmount.day.milliseconds)
  }

  /// The instant of a renewal by its number.
  func instant(ofRenewal renewal: Int64) -> Instant {
    wall.instant(of: LocalTime(day: LocalDay(number: renewal), .hours(resetHour))) + offset
  }
}
