import Scenario
import SimulationKernel

/// When a phone is plugged in: always, or over the nights that fall to it (MODEL.md 3.2).
struct ChargingSchedule: BitwiseCopyable {
  /// The next or present spell on the charger.
  private(set) var plugged: Instant
  private(set) var unplugged: Instant
  /// The number of the first date whose night was not yet looked at.
  private var nextNight: Int32
  private let habits: Habits

  /// Nights looked at beyond the present one: more than a calendar has, so that rare charging ends the search.
  private static let nightsAhead: Int64 = 802

  private enum Habits: BitwiseCopyable {
    case mains
    /// Times of the day, in milliseconds.
    case overnight(Chance, plug: Int32, unplug: Int32)
  }

  /// The schedule of a device whose world begins at `beginning`.
  init(_ power: PowerPlan, stream: DeviceStream, wall: WallClock, beginning: Instant) {
    // The night before may still be on.
    nextNight = Int32(truncatingIfNeeded: wall.reading(at: beginning).day.number - 1)
    switch power {
    case .mains:
      habits = .mains
      plugged = .longAgo
      unplugged = .never
    case .battery(let battery):
      let times = stream.block(.traits, index: 2)
      habits = .overnight(
        battery.overnight, plug: Int32(truncatingIfNeeded: battery.plug.span(at: times.first).milliseconds),
        unplug: Int32(truncatingIfNeeded: battery.unplug.span(at: times.second).milliseconds))
      plugged = .longAgo
      unplugged = .longAgo
    }
  }

  /// Whether the phone charges at `now`; instants asked for never go back.
  mutating func isCharging(at now: Instant, stream: DeviceStream, wall: WallClock) -> Bool {
    advance(to: now, stream: stream, wall: wall)
    return now >= plugged
  }

  /// The next instant after `now` at which the phone is plugged in; `.never` if that is not to be foreseen.
  mutating func nextPlug(after now: Instant, stream: DeviceStream, wall: WallClock) -> Instant {
    advance(to: now, stream: stream, wall: wall)
    return plugged > now ? plugged : .never
  }

  /// Moves on to the spell that `now` lies in or before.
  private mutating func advance(to now: Instant, stream: DeviceStream, wall: WallClock) {
    guard case .overnight(let chance, let plug, let unplug) = habits, !chance.isImpossible else {
      if case .overnight = habits { plugged = .never }
      return
    }
    guard now >= unplugged else { return }
    let horizon = wall.reading(at: now).day.number + Self.nightsAhead
    while now >= unplugged {
      let night = LocalDay(number: Int64(nextNight))
      guard night.number <= horizon else {
        plugged = .never
        return
      }
      nextNight += 1
      guard chance.happens(at: stream.block(.night, index: Int(night.number)).first) else { continue }
      let from = wall.instant(of: LocalTime(day: night, .milliseconds(Int64(plug))))
      let to = wall.instant(of: LocalTime(day: LocalDay(number: Int64(nextNight)), .milliseconds(Int64(unplug))))
      // A night whose plug would come after its unplug is none, and a spell never begins before the last has ended.
      guard from < to else { continue }
      plugged = max(from, unplugged)
      unplugged = to
    }
  }
}
