public import SimulationKernel

/// The date and time shown by a local clock, stored as milliseconds since 1970-01-01T00:00 local time.
public struct LocalTime: BitwiseCopyable, Hashable, Comparable, Sendable {
  public var unixMilliseconds: Int64

  @inlinable public init(unixMilliseconds: Int64) { self.unixMilliseconds = unixMilliseconds }

  @inlinable public init(day: LocalDay, _ sinceMidnight: TimeAmount) {
    unixMilliseconds = day.number * 86_400_000 + sinceMidnight.milliseconds
  }

  @inlinable public var day: LocalDay { LocalDay(number: unixMilliseconds.floorDivided(by: 86_400_000)) }

  @inlinable public var sinceMidnight: TimeAmount { .milliseconds(unixMilliseconds - day.number * 86_400_000) }

  /// The hour of the day, from 0 to 23.
  @inlinable public var hour: Int { Int(sinceMidnight.milliseconds / 3_600_000) }

  @inlinable public static func < (left: LocalTime, right: LocalTime) -> Bool {
    left.unixMilliseconds < right.unixMilliseconds
  }
}

/// A local date, stored as the number of days since 1970-01-01.
public struct LocalDay: BitwiseCopyable, Hashable, Comparable, Sendable {
  public var number: Int64

  @inlinable public init(number: Int64) { self.number = number }

  /// The date in ISO 8601 format, such as `2027-01-18` (algorithm from Hinnant, "chrono-compatible low-level date
  /// algorithms").
  public var text: String {
    let shifted = number + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return "\(year)-" + (month < 10 ? "0" : "") + "\(month)-" + (day < 10 ? "0" : "") + "\(day)"
  }

  /// The day of the week.
  public var weekday: Weekday {
    // 1970-01-01 was a Thursday, three days after a Monday.
    let sinceMonday = number + 3
    return Weekday.allCases[Int(sinceMonday - sinceMonday.floorDivided(by: 7) * 7)]
  }

  @inlinable public static func < (left: LocalDay, right: LocalDay) -> Bool { left.number < right.number }
}

/// The wall clock of a time zone, in the form used by the event path (MODEL.md 2.1).
public struct WallClock: BitwiseCopyable, Sendable {
  /// The segments with a constant offset, in ascending order; there is at least one, and the first has no lower limit.
  public let segments: PreparedList<ZoneTable.Segment>
  /// The time from 1970-01-01T00:00:00Z to `clock.start`, in milliseconds.
  public let startUnixMilliseconds: Int64

  public init(segments: PreparedList<ZoneTable.Segment>, startUnixMilliseconds: Int64) {
    precondition(!segments.isEmpty, "a zone has an offset")
    self.segments = segments
    self.startUnixMilliseconds = startUnixMilliseconds
  }

  /// Returns the local time that the clock shows at an instant.
  @inlinable public func reading(at instant: Instant) -> LocalTime {
    var index = segments.count &- 1
    while index > 0, instant < segments[index].from { index &-= 1 }
    let sinceEpoch = instant.millisecondsSinceStart &+ startUnixMilliseconds
    return LocalTime(unixMilliseconds: sinceEpoch &+ segments[index].offset.milliseconds)
  }

  /// Returns the instant at which the clock shows a local time. For a repeated time, it is the first of two instants; a
  /// skipped time is shifted by the length of the gap.
  public func instant(of local: LocalTime) -> Instant {
    let asUTC = Instant(millisecondsSinceStart: local.unixMilliseconds - startUnixMilliseconds)
    var movedOn = Instant.longAgo
    for index in 0..<segments.count {
      let candidate = asUTC - segments[index].offset
      let next = index + 1 < segments.count ? segments[index + 1].from : Instant.never
      if candidate >= segments[index].from, candidate < next { return candidate }
      // The clock skips this time, which is after the end of this segment but before the start of the next one.
      if candidate >= next { movedOn = candidate }
    }
    return movedOn
  }
}

/// The UTC offsets of an IANA time zone over the simulated calendar, as a table of (UTC, offset).
public struct ZoneTable: Hashable, Sendable {
  public struct Segment: BitwiseCopyable, Hashable, Sendable {
    /// The first instant with this offset; `.longAgo` for the first segment.
    public var from: Instant
    /// The difference between local time and UTC.
    public var offset: TimeAmount

    public init(from: Instant, offset: TimeAmount) {
      self.from = from
      self.offset = offset
    }
  }

  public var name: String
  /// The segments with a constant offset, in ascending order; there is at least one.
  public var segments: [Segment]

  public init(name: String, segments: [Segment]) {
    precondition(segments.first?.from == .longAgo, "the first segment holds since ever")
    self.name = name
    self.segments = segments
  }
}
