/// A span of simulated time.
///
/// Whole milliseconds, signed; sums and differences trap on overflow, which the limits on `clock` exclude.
@usableFromInline package struct TimeAmount: BitwiseCopyable, Hashable, Comparable, Sendable {
  @usableFromInline package var milliseconds: Int64

  @inlinable package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  @inlinable package static var zero: TimeAmount { TimeAmount(milliseconds: 0) }
  @inlinable package static var second: TimeAmount { TimeAmount(milliseconds: 1_000) }
  @inlinable package static var minute: TimeAmount { TimeAmount(milliseconds: 60_000) }
  @inlinable package static var hour: TimeAmount { TimeAmount(milliseconds: 3_600_000) }
  @inlinable package static var day: TimeAmount { TimeAmount(milliseconds: 86_400_000) }

  @inlinable package static func milliseconds(_ count: Int64) -> TimeAmount { TimeAmount(milliseconds: count) }
  @inlinable package static func seconds(_ count: Int64) -> TimeAmount { TimeAmount(milliseconds: count * 1_000) }
  @inlinable package static func minutes(_ count: Int64) -> TimeAmount { TimeAmount(milliseconds: count * 60_000) }
  @inlinable package static func hours(_ count: Int64) -> TimeAmount { TimeAmount(milliseconds: count * 3_600_000) }
  @inlinable package static func days(_ count: Int64) -> TimeAmount { TimeAmount(milliseconds: count * 86_400_000) }

  /// The span in seconds, for statistics only: decisions stay in whole milliseconds.
  @inlinable package var seconds: Double { Double(milliseconds) / 1_000 }

  @inlinable package static func < (left: TimeAmount, right: TimeAmount) -> Bool {
    left.milliseconds < right.milliseconds
  }
  @inlinable package static func + (left: TimeAmount, right: TimeAmount) -> TimeAmount {
    TimeAmount(milliseconds: left.milliseconds + right.milliseconds)
  }
  @inlinable package static func - (left: TimeAmount, right: TimeAmount) -> TimeAmount {
    TimeAmount(milliseconds: left.milliseconds - right.milliseconds)
  }
  @inlinable package static func * (left: TimeAmount, right: Int64) -> TimeAmount {
    TimeAmount(milliseconds: left.milliseconds * right)
  }
  @inlinable package static func += (left: inout TimeAmount, right: TimeAmount) { left = left + right }
}

/// A point of simulated time: whole milliseconds since `clock.start`, UTC; negative in the warm-up.
@usableFromInline package struct Instant: BitwiseCopyable, Hashable, Comparable, Sendable {
  @usableFromInline package var millisecondsSinceStart: Int64

  @inlinable package init(millisecondsSinceStart: Int64) { self.millisecondsSinceStart = millisecondsSinceStart }

  /// The first measured instant.
  @inlinable package static var start: Instant { Instant(millisecondsSinceStart: 0) }
  /// Later than anything that happens.
  @inlinable package static var never: Instant { Instant(millisecondsSinceStart: 1 << 56) }
  /// Earlier than anything that happens.
  @inlinable package static var longAgo: Instant { Instant(millisecondsSinceStart: -(1 << 56)) }

  @inlinable package static func < (left: Instant, right: Instant) -> Bool {
    left.millisecondsSinceStart < right.millisecondsSinceStart
  }
  @inlinable package static func + (left: Instant, right: TimeAmount) -> Instant {
    Instant(millisecondsSinceStart: left.millisecondsSinceStart + right.milliseconds)
  }
  @inlinable package static func - (left: Instant, right: TimeAmount) -> Instant {
    Instant(millisecondsSinceStart: left.millisecondsSinceStart - right.milliseconds)
  }
  @inlinable package static func - (left: Instant, right: Instant) -> TimeAmount {
    TimeAmount(milliseconds: left.millisecondsSinceStart - right.millisecondsSinceStart)
  }
}
