public import SimulationKernel

/// The offsets of one IANA zone over the simulated calendar, as a table of (UTC, offset).
public struct ZoneTable: Hashable, Sendable {
  public struct Segment: BitwiseCopyable, Hashable, Sendable {
    /// The first instant at which the offset holds; `.longAgo` in the first segment.
    public var from: Instant
    /// Local time less UTC.
    public var offset: TimeAmount

    public init(from: Instant, offset: TimeAmount) {
      self.from = from
      self.offset = offset
    }
  }

  public var name: String
  /// Ascending; never empty.
  public var segments: [Segment]

  public init(name: String, segments: [Segment]) {
    precondition(segments.first?.from == .longAgo, "the first segment holds since ever")
    self.name = name
    self.segments = segments
  }
}
