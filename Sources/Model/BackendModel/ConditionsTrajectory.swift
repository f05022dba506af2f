public import SimulationKernel

/// The conditions of each endpoint in each step of a run, which are sufficient to replay any single device.
///
/// Each step stores the index of its spell of constant conditions, so a step takes four bytes and a lookup needs no
/// search.
package struct ConditionsTrajectory: Equatable, Sendable {
  package let beginning: Instant
  package let stepLength: TimeAmount
  /// The names of the endpoints, in scenario order.
  package let endpoints: [String]
  /// The number of steps appended so far.
  package private(set) var stepCount = 0
  private var tracks: [Track]

  /// The conditions of one endpoint.
  private struct Track: Equatable {
    /// The index into `values` for each step.
    var places: [UInt32] = []
    /// The conditions of each spell; adjacent spells have different conditions.
    var values: [Conditions] = []

    mutating func append(_ conditions: Conditions, steps: Int = 1) {
      if values.last != conditions { values.append(conditions) }
      places.append(contentsOf: repeatElement(UInt32(values.count - 1), count: steps))
    }
  }

  /// Creates a trajectory that has no steps yet.
  package init(beginning: Instant, stepLength: TimeAmount, endpoints: [String]) {
    self.beginning = beginning
    self.stepLength = stepLength
    self.endpoints = endpoints
    tracks = Array(repeating: Track(), count: endpoints.count)
  }

  /// Creates a trajectory from consecutive spells for each endpoint; all endpoints have the same number of steps.
  init(
    beginning: Instant, stepLength: TimeAmount, endpoints: [String], spells: [[(conditions: Conditions, steps: Int)]]
  ) {
    self.init(beginning: beginning, stepLength: stepLength, endpoints: endpoints)
    for (endpoint, spells) in spells.enumerated() {
      for spell in spells { tracks[endpoint].append(spell.conditions, steps: spell.steps) }
    }
    stepCount = tracks.first?.places.count ?? 0
    precondition(tracks.allSatisfy { $0.places.count == stepCount }, "every endpoint has conditions in every step")
  }

  /// Returns the conditions caused only by outages, for endpoints without feedback (MODEL.md 6.7).
  package static func fromOutages(_ plans: [EndpointPlan], names: [String], grid: StepGrid) -> ConditionsTrajectory {
    precondition(!plans.contains { $0.hasFeedback }, "conditions with feedback are not known in advance")
    var trajectory = ConditionsTrajectory(beginning: grid.beginning, stepLength: grid.length, endpoints: names)
    for step in 0..<grid.count {
      let beginning = grid.beginning(of: step)
      trajectory.append(plans.map { $0.knownConditions(at: beginning) })
    }
    return trajectory
  }

  /// The grid of the steps appended so far.
  package var grid: StepGrid { StepGrid(beginning: beginning, length: stepLength, count: stepCount) }

  /// Appends a step with the conditions of each endpoint.
  package mutating func append(_ conditions: [Conditions]) { conditions.withUnsafeBufferPointer { append($0) } }

  /// Appends a step with the conditions of each endpoint, which are read from memory.
  package mutating func append(_ conditions: UnsafeBufferPointer<Conditions>) {
    precondition(conditions.count == tracks.count, "every endpoint has conditions")
    for endpoint in conditions.indices { tracks[endpoint].append(conditions[endpoint]) }
    stepCount += 1
  }

  /// The conditions of an endpoint in a step that has been appended; access is O(1).
  package subscript(endpoint: Int, step: Int) -> Conditions {
    let track = tracks[endpoint]
    return track.values[Int(track.places[step])]
  }

  /// Returns an endpoint's spells of constant conditions, with the first step of each spell.
  package func spells(of endpoint: Int) -> [(firstStep: Int, conditions: Conditions)] {
    let track = tracks[endpoint]
    var spells: [(firstStep: Int, conditions: Conditions)] = []
    for (step, place) in track.places.enumerated() where Int(place) == spells.count {
      spells.append((step, track.values[Int(place)]))
    }
    return spells
  }

  /// Returns a table of these conditions for the event path; the table is valid for the lifetime of the storage.
  package func prepared(in storage: SamplerStorage) -> ConditionsTable {
    let prepared = tracks.map {
      ConditionsTable.Track(places: storage.keep($0.places), values: storage.keep($0.values))
    }
    return ConditionsTable(grid: grid, tracks: storage.keep(prepared))
  }
}

/// A non-owning view of a trajectory of conditions, prepared for the event path.
///
/// The memory belongs to a `SamplerStorage`, which must outlive the table.
public struct ConditionsTable: BitwiseCopyable, Sendable {
  /// The conditions of one endpoint.
  public struct Track: BitwiseCopyable, Sendable {
    /// The index into `values` for each step.
    @usableFromInline let places: PreparedList<UInt32>
    @usableFromInline let values: PreparedList<Conditions>
  }

  /// The step grid, which has at least one step.
  public let grid: StepGrid
  @usableFromInline let tracks: PreparedList<Track>

  init(grid: StepGrid, tracks: PreparedList<Track>) {
    precondition(grid.count > 0, "conditions need at least one step")
    self.grid = grid
    self.tracks = tracks
  }

  /// Returns, in O(1), the conditions for a request that arrives at an instant. After the last step, the conditions of
  /// the last step apply.
  @inlinable public func conditions(of endpoint: Int, at instant: Instant) -> Conditions {
    let track = tracks.element(at: endpoint)
    let place = track.places[grid.step(containing: instant)]
    return track.values[Int(place)]
  }
}
