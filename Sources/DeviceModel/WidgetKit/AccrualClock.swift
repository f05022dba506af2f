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

  static var quarter: TimeAmount { .milliseconds(ModelConstants.accrualStepMilliseconds) }

  /// Quanta of a day's capacity.
  var quartersPerDay: Int64 {
    switch accrual {
    case .awake: ModelConstants.awakeAccruals
    case .even: ModelConstants.accrualsPerDay
    }
  }

  /// The number of the last accrual at or before `now`; a quarter hour that the local clock skips has no number, one
  /// that it shows twice has two.
  func tick(at now: Instant) -> Int64 {
    let shifted = now - offset
    switch accrual {
    case .even:
      // Zones differ from UTC by whole quarters, so every local quarter hour is one of UTC's.
      let sinceEpoch = shifted.millisecondsSinceStart + wall.startUnixMilliseconds
      return sinceEpoch.floorDivided(by: Self.quarter.milliseconds)
    case .awake:
      var index = 0
      var changes: Int64 = 0
      while index + 1 < wall.segments.count, wall.segments[index + 1].from <= shifted {
        index += 1
        changes += ticksOfChange(index)
      }
      return Self.awakeTicks(upTo: shown(at: shifted, segment: index)) + changes
    }
  }

  /// The instant of an accrual by its number.
  func instant(ofTick tick: Int64) -> Instant {
    switch accrual {
    case .even:
      return Instant(millisecondsSinceStart: tick * Self.quarter.milliseconds - wall.startUnixMilliseconds) + offset
    case .awake:
      var index = 0
      var number = tick
      var instant = awakeInstant(ofTick: number, segment: index)
      while index + 1 < wall.segments.count, instant >= wall.segments[index + 1].from {
        index += 1
        number -= ticksOfChange(index)
        instant = awakeInstant(ofTick: number, segment: index)
      }
      return instant + offset
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

  /// The next whole hour of UTC plus offset after `now`.
  func hour(after now: Instant) -> Instant {
    let sinceEpoch = (now - offset).millisecondsSinceStart + wall.startUnixMilliseconds
    let hour = sinceEpoch.floorDivided(by: TimeAmount.hour.milliseconds) + 1
    return Instant(millisecondsSinceStart: hour * TimeAmount.hour.milliseconds - wall.startUnixMilliseconds) + offset
  }

  /// What the clock would show at an instant if a segment's offset held.
  private func shown(at instant: Instant, segment: Int) -> LocalTime {
    LocalTime(
      unixMilliseconds: instant.millisecondsSinceStart + wall.startUnixMilliseconds
        + wall.segments[segment].offset.milliseconds)
  }

  /// How many more accruals the clock has shown before a change than its readings after the change say.
  private func ticksOfChange(_ segment: Int) -> Int64 {
    let last = wall.segments[segment].from - .milliseconds(1)
    return Self.awakeTicks(upTo: shown(at: last, segment: segment - 1))
      - Self.awakeTicks(upTo: shown(at: last, segment: segment))
  }

  /// Awake quarters from 1970-01-01 up to and including a local time, on a clock that never changes.
  private static func awakeTicks(upTo local: LocalTime) -> Int64 {
    let day = local.day.number
    let quarter = (local.unixMilliseconds - day * 86_400_000) / Self.quarter.milliseconds
    let today = min(max(quarter - ModelConstants.asleepAccruals + 1, 0), ModelConstants.awakeAccruals)
    return day * ModelConstants.awakeAccruals + today
  }

  /// The instant at which a clock with a segment's offset shows an awake quarter.
  private func awakeInstant(ofTick tick: Int64, segment: Int) -> Instant {
    let day = (tick - 1).floorDivided(by: ModelConstants.awakeAccruals)
    let quarter = tick - 1 - day * ModelConstants.awakeAccruals + ModelConstants.asleepAccruals
    let local = LocalTime(day: LocalDay(number: day), Self.quarter * quarter)
    return Instant(millisecondsSinceStart: local.unixMilliseconds - wall.startUnixMilliseconds)
      - wall.segments[segment].offset
  }

  /// The number of the last renewal of a fixed budget at or before `now`: its local date.
  func renewal(at now: Instant) -> Int64 {
    let local = wall.reading(at: now - offset)
    let shown = (local.unixMilliseconds - resetHour * TimeAmount.hour.milliseconds)
      .floorDivided(by: TimeAmount.day.milliseconds)
    // In the second pass of doubled hours the clock can show less than at a renewal that is over.
    return instant(ofRenewal: shown + 1) <= now ? shown + 1 : shown
  }

  /// The instant of a renewal by its number.
  func instant(ofRenewal renewal: Int64) -> Instant {
    wall.instant(of: LocalTime(day: LocalDay(number: renewal), .hours(resetHour))) + offset
  }
}
