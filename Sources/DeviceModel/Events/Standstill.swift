package import SimulationKernel

/// Finds out that events at one instant never end, as when nothing in a scenario takes any time (RELIABILITY.md).
package struct Standstill: BitwiseCopyable {
  /// The instant of the last event.
  package private(set) var instant = Instant.longAgo
  /// Events there after the first.
  private var count = 0
  /// Of the last ones, by `DeviceEvent.number`.
  private var seen: UInt32 = 0

  /// More events at one instant than any device needs.
  static let most = 100_000
  /// Events that are watched for their names.
  static let watched = 100

  /// Whether time has stopped.
  package var isOver: Bool { count > Self.most + Self.watched }

  /// Whether an event is one of too many at its instant.
  @inline(__always)
  mutating func isEndless(at now: Instant, _ event: DeviceEvent) -> Bool {
    guard now == instant else {
      instant = now
      count = 0
      return false
    }
    count &+= 1
    return count > Self.most && watch(event)
  }

  private mutating func watch(_ event: DeviceEvent) -> Bool {
    seen |= 1 << UInt32(event.number)
    return isOver
  }

  /// The names of the events that follow one another.
  package var names: [String] {
    DeviceEvent.names.enumerated().filter { seen & 1 << UInt32($0.offset) != 0 }.map(\.element)
  }
}
