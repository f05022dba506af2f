import BackendModel
import Scenario
import SimulationKernel

/// The backend between the steps of the devices: sums what arrived and says what the next step's requests meet.
///
/// Unchecked: threads write their own places and read what all agree on; the barrier between steps orders the two.
final class BackendTurn: @unchecked Sendable {
  /// By endpoint: of the present step.
  let conditions: UnsafeMutablePointer<Conditions>
  /// By thread, then endpoint: arrivals of the present step; a cache line at least between threads.
  private let arrivals: UnsafeMutablePointer<Int64>
  private let width: Int
  private let threads: Int
  private let endpoints: Int
  private let grid: StepGrid
  private var states: [EndpointState]
  private var scales: [ArrivalScale]
  private(set) var isStopped = false
  private var trajectory: ConditionsTrajectory
  /// By endpoint: of the measured steps.
  private var records: [[EndpointRecord]]

  init(_ engine: Engine, grid: StepGrid, threads: Int) {
    self.grid = grid
    self.threads = threads
    endpoints = engine.scenario.endpoints.count
    width = (endpoints + 7) / 8 * 8 + 8
    arrivals = .allocate(capacity: threads * width)
    arrivals.initialize(repeating: 0, count: threads * width)
    states = (0..<endpoints).map { EndpointState(engine.plan.endpoints[$0], grid: grid) }
    scales = Array(
      repeating: ArrivalScale(fleet: engine.scenario.fleet.devices, simulated: engine.devicesSimulated),
      count: endpoints)
    conditions = .allocate(capacity: max(endpoints, 1))
    for endpoint in 0..<endpoints { (conditions + endpoint).initialize(to: states[endpoint].conditions) }
    trajectory = ConditionsTrajectory(
      beginning: grid.beginning, stepLength: grid.length, endpoints: engine.scenario.endpoints.map(\.name))
    records = Array(repeating: [], count: endpoints)
    let measured = grid.count - grid.step(containing: .start)
    for endpoint in 0..<endpoints { records[endpoint].reserveCapacity(measured) }
    trajectory.append(states.map(\.conditions))
  }

  deinit {
    conditions.deallocate()
    arrivals.deallocate()
  }

  /// Takes what arrived on a thread in the present step, and clears it there.
  func hand(_ counts: UnsafeMutablePointer<Int64>, from thread: Int) {
    for endpoint in 0..<endpoints {
      arrivals[thread * width + endpoint] = counts[endpoint]
      counts[endpoint] = 0
    }
  }

  /// The backend's turn after a step, which one thread does for all.
  func take(_ step: Int, stops: Bool) {
    isStopped = stops
    for endpoint in 0..<endpoints {
      var sum: Int64 = 0
      for thread in 0..<threads { sum += arrivals[thread * width + endpoint] }
      conditions[endpoint] = states[endpoint].advance(arrivals: scales[endpoint].scaled(sum))
      if grid.beginning(of: step) >= .start, let record = states[endpoint].record { records[endpoint].append(record) }
    }
    if step + 1 < grid.count { trajectory.append((0..<endpoints).map { conditions[$0] }) }
  }

  /// What the backend did, once all steps are over.
  var result: BackendResult { BackendResult(conditions: trajectory, records: records) }
}
