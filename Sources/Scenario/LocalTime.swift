public import SimulationKernel

/// A wall-clock reading as milliseconds since the local 1970-01-01T00:00.
public struct LocalTime: BitwiseCopyable, Hashable, Comparable, Sendable {
  public var unixMilliseconds: Int64

  @inlinable public init(unixMilliseconds: Int64) { self.unixMilliseconds = unixMilliseconds }

  @inlinable public init(day: LocalDay, _ sinceMidnight: TimeAmount) {
    unixMilliseconds = day.number * 86_400_000 + sinceMidnight.milliseconds
  }

  @inlinable public var day: LocalDay { LocalDay(number: unixMilliseconds.floorDivided(by: 86_400_000)) }

  @inlinable public var sinceMidnight: TimeAmount { .milliseconds(unixMilliseconds - day.number * 86_400_000) }

  /// 0..<24.
  @inlinable public var hour: Int { Int(sinceMidnight.milliseconds / 3_600_000) }

  @inlinable public static func < (left: LocalTime, right: LocalTime) -> Bool {
    left.unixMilliseconds < right.unixMilliseconds
  }
}

/// A local date, counted in days from 1970-01-01.
public struct LocalDay: BitwiseCopyable, Hashable, Comparable, Sendable {
  public var number: Int64

  @inlinable public init(number: Int64) { self.number = number }

  package var weekday: Weekday {
    // 1970-01-01 was a Thursday, three days after a Monday.
    let sinceMonday = number + 3
    return Weekday.allCases[Int(sinceMonday - sinceMonday.floorDivided(by: 7) * 7)]
  }

  @inlinable public static func < (left: LocalDay, right: LocalDay) -> Bool { left.number < right.number }
}
