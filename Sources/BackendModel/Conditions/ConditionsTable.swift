public import SimulationKernel

/// A trajectory of conditions prepared for the event path: a view that retains nothing.
///
/// The memory belongs to a `SamplerStorage`, which must outlive it.
public struct ConditionsTable: BitwiseCopyable, Sendable {
  /// One endpoint's conditions.
  public struct Track: BitwiseCopyable, Sendable {
    /// By step: index into `values`.
    @usableFromInline let places: PreparedList<UInt32>
    @usableFromInline let values: PreparedList<Conditions>
  }

  /// At least one step.
  public let grid: StepGrid
  /// By endpoint.
  @usableFromInline let tracks: PreparedList<Track>

  init(grid: StepGrid, tracks: PreparedList<Track>) {
    precondition(grid.count > 0, "conditions hold in some step")
    self.grid = grid
    self.tracks = tracks
  }

  /// What a request meets that arrives at an instant; beyond the last step that step's conditions hold; O(1).
  @inlinable public func conditions(of endpoint: Int, at instant: Instant) -> Conditions {
    let track = tracks.element(at: endpoint)
    let place = track.places[grid.step(containing: instant)]
    return track.values[Int(place)]
  }
}
