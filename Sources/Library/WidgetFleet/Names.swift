@_exported public import enum Scenario.Cause
@_exported public import enum Scenario.FailureReason
@_exported public import enum Scenario.Family
@_exported public import struct Scenario.LocalDay
@_exported public import struct Scenario.LocalTime
@_exported public import struct Scenario.NoMemory
@_exported public import protocol Scenario.ParameterlessProvider
@_exported public import class Scenario.ProviderCode
@_exported public import protocol Scenario.RequestChoosingProvider
@_exported public import struct Scenario.ServerAnswer
@_exported public import protocol Scenario.SimulatedMemory
@_exported public import struct Scenario.SimulatedRequests
@_exported public import struct Scenario.SimulatedTimeline
@_exported public import protocol Scenario.SimulatedTimelineProvider
@_exported public import struct Scenario.TimelineContext
@_exported public import enum Scenario.Weekday
@_exported public import struct SimulationKernel.ByteCount
@_exported public import struct SimulationKernel.Instant
@_exported public import struct SimulationKernel.TimeAmount

// Importing a type does not import its operators. The engine's operators are preferred where both are visible.

extension Instant {
  /// Returns the instant that follows another by a span.
  @_disfavoredOverload
  public static func + (left: Instant, right: TimeAmount) -> Instant {
    Instant(millisecondsSinceStart: left.millisecondsSinceStart + right.milliseconds)
  }

  /// Returns the instant that precedes another by a span.
  @_disfavoredOverload
  public static func - (left: Instant, right: TimeAmount) -> Instant {
    Instant(millisecondsSinceStart: left.millisecondsSinceStart - right.milliseconds)
  }

  /// Returns the span from one instant to another.
  @_disfavoredOverload
  public static func - (left: Instant, right: Instant) -> TimeAmount {
    .milliseconds(left.millisecondsSinceStart - right.millisecondsSinceStart)
  }
}

extension TimeAmount {
  /// Returns the sum of two spans.
  @_disfavoredOverload
  public static func + (left: TimeAmount, right: TimeAmount) -> TimeAmount {
    .milliseconds(left.milliseconds + right.milliseconds)
  }

  /// Returns the difference between two spans.
  @_disfavoredOverload
  public static func - (left: TimeAmount, right: TimeAmount) -> TimeAmount {
    .milliseconds(left.milliseconds - right.milliseconds)
  }

  /// Returns a multiple of a span.
  @_disfavoredOverload
  public static func * (left: TimeAmount, right: Int64) -> TimeAmount { .milliseconds(left.milliseconds * right) }
}
