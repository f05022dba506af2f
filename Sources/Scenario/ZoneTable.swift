public import SimulationKernel

/// The offsets of one IANA zone over the simulated calendar, as a table of (UTC, offset).
@usableFromInline package struct ZoneTable: Hashable, Sendable {
  @usableFromInline package struct Segment: BitwiseCopyable, Hashable, Sendable {
    /// The first instant at which the offset holds; `.longAgo` in the first segment.
    @usableFromInline package var from: Instant
    /// Local time less UTC.
    @usableFromInline package var offset: TimeAmount

    package init(from: Instant, offset: TimeAmount) {
      self.from = from
      self.offset = offset
    }
  }

  package var name: String
  /// Ascending; never empty.
  package var segments: [Segment]

  package init(name: String, segments: [Segment]) {
    precondition(segments.first?.from == .longAgo, "the first segment holds since ever")
    self.name = name
    self.segments = segments
  }
}
