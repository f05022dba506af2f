import DeviceModel
import Scenario
import SimulationKernel

/// Lists what happens by the wall clock over a simulated calendar (MODEL.md 2.1, 4.1, 5.7).
struct Calendar {
  let wall: WallClock
  /// Local days from two before the beginning to two after the end, since windows and dates may reach over.
  let days: ClosedRange<Int64>

  init(wall: WallClock, clock: Clock) {
    self.wall = wall
    days = wall.reading(at: clock.firstInstant).day.number - 2...wall.reading(at: clock.end).day.number + 2
  }

  /// The instants of a clock time on these days of the week, ascending.
  func instants(at time: TimeOfDay, on weekdays: Set<Weekday>) -> [Instant] {
    days.map { LocalDay(number: $0) }.filter { weekdays.contains($0.weekday) }
      .map { wall.instant(of: LocalTime(day: $0, time.sinceMidnight)) }
  }

  /// The instants of the multiples of `every` since local midnight, ascending; midnight is always one.
  func multiples(of every: TimeAmount) -> [Instant] {
    var instants: Set<Instant> = []
    for day in days {
      for sinceMidnight in stride(from: 0, to: TimeAmount.day.milliseconds, by: Int(every.milliseconds)) {
        instants.insert(wall.instant(of: LocalTime(day: LocalDay(number: day), .milliseconds(sinceMidnight))))
      }
    }
    return instants.sorted()
  }

  /// The spells in which the clock shows a time of a window; one that ends at or before its beginning ends on the next
  /// day. An hour that the clock skips is in no window, one that it shows twice is in it twice.
  func spells(from: TimeOfDay, to: TimeOfDay, on weekdays: Set<Weekday>) -> [WindowPlan.Spell] {
    var spells: [WindowPlan.Spell] = []
    for segment in wall.segments.indices {
      for day in days.map({ LocalDay(number: $0) }) where weekdays.contains(day.weekday) {
        let lastDay = from < to ? day : LocalDay(number: day.number + 1)
        let begins = wall.instant(of: LocalTime(day: day, from.sinceMidnight), segment: segment)
        let ends = wall.instant(of: LocalTime(day: lastDay, to.sinceMidnight), segment: segment)
        let spell = WindowPlan.Spell(
          from: max(begins, wall.segments[segment].from), to: min(ends, wall.end(ofSegment: segment)))
        if spell.from < spell.to { spells.append(spell) }
      }
    }
    return spells
  }
}

extension WallClock {
  fileprivate func end(ofSegment index: Int) -> Instant {
    index + 1 < segments.count ? segments[index + 1].from : .never
  }

  /// When the clock would show a time if a segment's offset held.
  fileprivate func instant(of local: LocalTime, segment: Int) -> Instant {
    Instant(millisecondsSinceStart: local.unixMilliseconds - startUnixMilliseconds) - segments[segment].offset
  }
}
