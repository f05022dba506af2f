public import SimulationKernel

/// A zone's clock on the wall, as the event path reads it (MODEL.md 2.1).
public struct WallClock: BitwiseCopyable, Sendable {
  /// Ascending; never empty; the first holds since ever.
  public let segments: PreparedList<ZoneTable.Segment>
  /// `clock.start` in milliseconds since 1970-01-01T00:00:00Z.
  public let startUnixMilliseconds: Int64

  public init(segments: PreparedList<ZoneTable.Segment>, startUnixMilliseconds: Int64) {
    precondition(!segments.isEmpty, "a zone has an offset")
    self.segments = segments
    self.startUnixMilliseconds = startUnixMilliseconds
  }

  /// What the clock shows at an instant.
  @inlinable public func reading(at instant: Instant) -> LocalTime {
    var index = segments.count &- 1
    while index > 0, instant < segments[index].from { index &-= 1 }
    let sinceEpoch = instant.millisecondsSinceStart &+ startUnixMilliseconds
    return LocalTime(unixMilliseconds: sinceEpoch &+ segments[index].offset.milliseconds)
  }

  /// The instant of a reading: the first of two, and moved on by the gap where there is none.
  public func instant(of local: LocalTime) -> Instant {
    let asUTC = Instant(millisecondsSinceStart: local.unixMilliseconds - startUnixMilliseconds)
    var movedOn = Instant.longAgo
    for index in 0..<segments.count {
      let candidate = asUTC - segments[index].offset
      let next = index + 1 < segments.count ? segments[index + 1].from : Instant.never
      if candidate >= segments[index].from, candidate < next { return candidate }
      // Past the end of this segment, before the start of the next: skipped between the two.
      if candidate >= next { movedOn = candidate }
    }
    return movedOn
  }
}
