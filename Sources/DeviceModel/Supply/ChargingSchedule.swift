import Scenario
import SimulationKernel

/// When a phone is plugged in: always, or over the nights that fall to it (MODEL.md 3.2).
///
/// Its owner's habits are told anew at every call; the times of the day are drawn anew by their key.
struct ChargingSchedule: BitwiseCopyable {
  /// The end of the next or present spell on the charger, or of the last one.
  private(set) var unplugged: Instant = .longAgo
  /// The length of that spell, in milliseconds; `none`: no next one is to be foreseen.
  private var length: UInt32 = 0
  /// The number of the first date whose night was not yet looked at.
  private var nextNight: Int32

  /// Nights looked at beyond the present one: more than a calendar has, so that rare charging ends the search.
  private static let nightsAhead: Int64 = 802

  private static let none = UInt32.max

  /// The schedule of a device whose world begins at `beginning`.
  init(wall: WallClock, beginning: Instant) {
    // The night before may still be on.
    nextNight = Int32(truncatingIfNeeded: wall.reading(at: beginning).day.number - 1)
  }

  /// The beginning of the next or present spell on the charger; `.never` if none is to be foreseen.
  var plugged: Instant { length == Self.none ? .never : unplugged - .milliseconds(Int64(length)) }

  /// Whether the phone charges at `now`; instants asked for never go back.
  mutating func isCharging(at now: Instant, _ power: PowerPlan, stream: DeviceStream, wall: WallClock) -> Bool {
    guard case .battery(let habits) = power else { return true }
    advance(to: now, habits, stream: stream, wall: wall)
    return now >= plugged
  }

  /// The next instant after `now` at which the phone is plugged in; `.never` if that is not to be foreseen.
  mutating func nextPlug(after now: Instant, _ power: PowerPlan, stream: DeviceStream, wall: WallClock) -> Instant {
    guard case .battery(let habits) = power else { return .never }
    advance(to: now, habits, stream: stream, wall: wall)
    return plugged > now ? plugged : .never
  }

  /// Moves on to the spell that `now` lies in or before.
  private mutating func advance(to now: Instant, _ habits: BatteryPlan, stream: DeviceStream, wall: WallClock) {
    guard !habits.overnight.isImpossible else {
      length = Self.none
      return
    }
    guard now >= unplugged else { return }
    let times = stream.block(.traits, index: 2)
    let (plug, unplug) = (habits.plug.span(at: times.first), habits.unplug.span(at: times.second))
    let horizon = wall.reading(at: now).day.number + Self.nightsAhead
    while now >= unplugged {
      let night = LocalDay(number: Int64(nextNight))
      guard night.number <= horizon else {
        length = Self.none
        return
      }
      nextNight += 1
      guard habits.overnight.happens(at: stream.block(.night, index: Int(night.number)).first) else { continue }
      let from = wall.instant(of: LocalTime(day: night, plug))
      let to = wall.instant(of: LocalTime(day: LocalDay(number: Int64(nextNight)), unplug))
      // A night whose plug would come after its unplug is none, and a spell never begins before the last has ended.
      guard from < to else { continue }
      length = UInt32(clamping: (to - max(from, unplugged)).milliseconds)
      unplugged = to
    }
  }
}
