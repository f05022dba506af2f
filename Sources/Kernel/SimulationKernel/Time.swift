/// A span of simulated time, in whole milliseconds; it may be negative.
///
/// The limits on `clock` and on every span of a scenario keep sums and differences far from overflow, which debug
/// builds check.
public struct TimeAmount: BitwiseCopyable, Hashable, Comparable, Sendable {
  public var milliseconds: Int64

  @inlinable public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  @inlinable public static var zero: TimeAmount { TimeAmount(milliseconds: 0) }
  @inlinable public static var second: TimeAmount { TimeAmount(milliseconds: 1_000) }
  @inlinable public static var minute: TimeAmount { TimeAmount(milliseconds: 60_000) }
  @inlinable public static var hour: TimeAmount { TimeAmount(milliseconds: 3_600_000) }
  @inlinable public static var day: TimeAmount { TimeAmount(milliseconds: 86_400_000) }

  @inlinable public static func milliseconds(_ count: Int64) -> TimeAmount { TimeAmount(milliseconds: count) }
  @inlinable public static func seconds(_ count: Int64) -> TimeAmount { TimeAmount(milliseconds: count * 1_000) }
  @inlinable public static func minutes(_ count: Int64) -> TimeAmount { TimeAmount(milliseconds: count * 60_000) }
  @inlinable public static func hours(_ count: Int64) -> TimeAmount { TimeAmount(milliseconds: count * 3_600_000) }
  @inlinable public static func days(_ count: Int64) -> TimeAmount { TimeAmount(milliseconds: count * 86_400_000) }

  /// The span in seconds, for statistics only: decisions use whole milliseconds.
  @inlinable public var seconds: Double { Double(milliseconds) / 1_000 }

  @inlinable public static func < (left: TimeAmount, right: TimeAmount) -> Bool {
    left.milliseconds < right.milliseconds
  }
  @inlinable public static func + (left: TimeAmount, right: TimeAmount) -> TimeAmount {
    TimeAmount(milliseconds: left.milliseconds.plus(right.milliseconds))
  }
  @inlinable public static func - (left: TimeAmount, right: TimeAmount) -> TimeAmount {
    TimeAmount(milliseconds: left.milliseconds.minus(right.milliseconds))
  }
  @inlinable public static func * (left: TimeAmount, right: Int64) -> TimeAmount {
    TimeAmount(milliseconds: left.milliseconds * right)
  }
  @inlinable public static func += (left: inout TimeAmount, right: TimeAmount) { left = left + right }
}

/// A point in simulated time: whole milliseconds since `clock.start`, UTC; negative during the warm-up.
public struct Instant: BitwiseCopyable, Hashable, Comparable, Sendable {
  public var millisecondsSinceStart: Int64

  @inlinable public init(millisecondsSinceStart: Int64) { self.millisecondsSinceStart = millisecondsSinceStart }

  /// The first measured instant.
  @inlinable public static var start: Instant { Instant(millisecondsSinceStart: 0) }
  /// An instant that is later than all events.
  @inlinable public static var never: Instant { Instant(millisecondsSinceStart: 1 << 56) }
  /// An instant that is earlier than all events.
  @inlinable public static var longAgo: Instant { Instant(millisecondsSinceStart: -(1 << 56)) }

  @inlinable public static func < (left: Instant, right: Instant) -> Bool {
    left.millisecondsSinceStart < right.millisecondsSinceStart
  }
  @inlinable public static func + (left: Instant, right: TimeAmount) -> Instant {
    Instant(millisecondsSinceStart: left.millisecondsSinceStart.plus(right.milliseconds))
  }
  @inlinable public static func - (left: Instant, right: TimeAmount) -> Instant {
    Instant(millisecondsSinceStart: left.millisecondsSinceStart.minus(right.milliseconds))
  }
  @inlinable public static func - (left: Instant, right: Instant) -> TimeAmount {
    TimeAmount(milliseconds: left.millisecondsSinceStart.minus(right.millisecondsSinceStart))
  }
}
