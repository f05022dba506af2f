import DeviceModel
import Scenario
import SimulationKernel

/// A calendar of the simulated dates in a time zone, used to compute the instants of wall-clock events (MODEL.md 2.1,
/// 4.1, 5.7).
struct Calendar {
  let wall: WallClock
  /// The local days of the calendar. Two days are added at each end because windows and dates may extend beyond the
  /// run.
  let days: ClosedRange<Int64>

  init(wall: WallClock, clock: Clock) {
    self.wall = wall
    days = wall.reading(at: clock.firstInstant).day.number - 2...wall.reading(at: clock.end).day.number + 2
  }

  /// Returns the instants at which the local clock shows a time of day on the given weekdays, in ascending order.
  func instants(at time: TimeOfDay, on weekdays: Set<Weekday>) -> [Instant] {
    days.map { LocalDay(number: $0) }.filter { weekdays.contains($0.weekday) }
      .map { wall.instant(of: LocalTime(day: $0, time.sinceMidnight)) }
  }

  /// Returns the instants at which the time since local midnight is a multiple of `every` (including 0), in ascending
  /// order.
  func multiples(of every: TimeAmount) -> [Instant] {
    var instants: Set<Instant> = []
    for day in days {
      for sinceMidnight in stride(from: 0, to: TimeAmount.day.milliseconds, by: Int(every.milliseconds)) {
        instants.insert(wall.instant(of: LocalTime(day: LocalDay(number: day), .milliseconds(sinceMidnight))))
      }
    }
    return instants.sorted()
  }

  /// Returns the spells during which the local time is within a window.
  ///
  /// A window that ends at or before its start time ends on the next day. An hour skipped by a clock change is in no
  /// window, and a repeated hour is included both times.
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

  /// Returns the instant that corresponds to a local time under the UTC offset of a segment.
  fileprivate func instant(of local: LocalTime, segment: Int) -> Instant {
    Instant(millisecondsSinceStart: local.unixMilliseconds - startUnixMilliseconds) - segments[segment].offset
  }
}

/// A builder that distributes a daily rate over the hours of each date in a time zone, taking clock changes into
/// account (MODEL.md 2.1, 2.2).
struct HourProfileBuilder {
  let wall: WallClock
  let weights: HourWeights
  let storage: SamplerStorage

  /// Returns the hourly profile for all dates of a calendar.
  func profile(days: ClosedRange<Int64>) -> HourProfile {
    let exceptions = days.map { LocalDay(number: $0) }.filter { !isRegular($0) }.map { date in
      let next = LocalDay(number: date.number + 1)
      return HourProfile.Exception(
        date: date, day: day(weights.lines(from: beginning(of: date), to: beginning(of: next), of: wall)))
    }
    return HourProfile(regular: day(weights.lines), exceptions: storage.keep(exceptions))
  }

  private func beginning(of date: LocalDay) -> Instant { wall.instant(of: LocalTime(day: date, .zero)) }

  private func isRegular(_ date: LocalDay) -> Bool {
    let from = beginning(of: date)
    let to = beginning(of: LocalDay(number: date.number + 1))
    let isWhole = wall.reading(at: from) == LocalTime(day: date, .zero)
    return isWhole && to - from == .day
      && !(0..<wall.segments.count).contains { index in
        wall.segments[index].from > from && wall.segments[index].from < to
      }
  }

  private func day(_ lines: [HourWeights.Line]) -> HourProfile.Day {
    var passed = 0.0
    let pieces = lines.map { line in
      let share = (line.first + line.last) / 2 * (Double(line.length.milliseconds) / Self.day)
      defer { passed += share }
      // The lower bound keeps the ratio of the end values finite if a line rises from nearly zero.
      let first = max(line.first, line.last * 1e-12)
      guard first > 0 else { return HourProfile.Piece(from: line.from, passed: passed, millisecondsPerDayRate: 0) }
      let last = line.last / first
      return HourProfile.Piece(
        from: line.from, passed: passed, millisecondsPerDayRate: Self.day / first,
        bend: (last * last - 1) / share)
    }
    return HourProfile.Day(pieces: storage.keep(pieces), total: passed)
  }

  private static let day = Double(TimeAmount.day.milliseconds)
}
