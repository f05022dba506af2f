import BackendModel
import DeviceModel
import Scenario
import SimulationKernel

/// A backend that is simulated alternately with the devices. It computes the conditions of each step from the requests.
///
/// `@unchecked` is safe because each thread writes only to its own memory during a step. Shared values are written only
/// between steps.
final class BackendStep: @unchecked Sendable {
  /// The conditions of the current step at each endpoint.
  private let conditions: UnsafeMutablePointer<Conditions>
  /// The number of pending requests of parked devices, indexed by thread, then by step, then by endpoint.
  private let expected: UnsafeMutablePointer<UInt32>
  private let grid: StepGrid
  /// The number of arrivals in the current step on all threads, indexed by device group and then by endpoint.
  private let arrivals: UnsafeMutablePointer<Int64>
  /// The arrivals reported by each thread, in the order of `arrivals`. Counts of different threads are at least one
  /// cache line apart.
  private let parts: UnsafeMutablePointer<Int64>
  private let width: Int
  private let threads: Int
  private let endpoints: Int
  private let groups: Int
  private let collective: any Collective
  /// The journal on rank 0; `nil` on other ranks or if nothing is stored.
  private let journal: (any Journal)?
  /// The number of requests at each endpoint in the steps simulated by earlier attempts.
  private let known: [Int64]
  private let firstMeasured: Int
  /// Whether any rank has requested that all ranks stop.
  private(set) var isStopped = false
  /// The error that ended the summation over ranks; `nil` if there was none.
  private(set) var parted: CollectiveError?
  private var course: Course

  /// The endpoints and their records, grouped into one value so that exclusive access is checked only once per step.
  private struct Course {
    let grid: StepGrid
    var states: [EndpointState]
    var scales: [ArrivalScale]
    var trajectory: ConditionsTrajectory
    /// The records of the measured steps, by endpoint.
    var records: [[EndpointRecord]]
    /// The number of requests in the measured steps, by device group.
    var groups: GroupLoad

    /// Adds the arrivals of a measured step, given by group and endpoint.
    mutating func count(_ arrivals: UnsafePointer<Int64>, _ groups: Int, step: Int) {
      let endpoints = records.count
      for index in 0..<groups * endpoints where arrivals[index] > 0 {
        self.groups.add(arrivals[index], group: index / endpoints, endpoint: index % endpoints, step: step)
      }
    }

    init(_ engine: Engine, replication: Int) {
      let endpoints = engine.scenario.endpoints
      let grid = engine.scenario.clock.grid
      self.grid = grid
      let stream = DeviceStream(
        seed: engine.scenario.run.seed, device: 0, replication: UInt32(truncatingIfNeeded: replication)
      ).ofFleet
      states = endpoints.indices.map {
        EndpointState(engine.plan.endpoints[$0], grid: grid, dateDraw: stream.commonDraw)
      }
      scales = Array(
        repeating: ArrivalScale(fleet: engine.scenario.fleet.devices, simulated: engine.devicesSimulated),
        count: endpoints.count)
      trajectory = ConditionsTrajectory(
        beginning: grid.beginning, stepLength: grid.length, endpoints: endpoints.map(\.name))
      records = Array(repeating: [], count: endpoints.count)
      groups = engine.emptyGroupLoad
      let measured = grid.count - grid.step(containing: .start)
      for endpoint in endpoints.indices { records[endpoint].reserveCapacity(measured) }
    }

    /// The result of the backend after the last step.
    var result: BackendResult { BackendResult(conditions: trajectory, records: records) }

    /// Advances by one step, given the number of requests from simulated devices that arrive at each endpoint.
    mutating func advance(
      _ step: Int, arrivals: UnsafePointer<Int64>, conditions: UnsafeMutableBufferPointer<Conditions>
    ) {
      for endpoint in conditions.indices {
        conditions[endpoint] = states[endpoint].advance(arrivals: scales[endpoint].scaled(arrivals[endpoint]))
        guard grid.beginning(of: step) >= .start, let record = states[endpoint].record else { continue }
        records[endpoint].append(record)
      }
      trajectory.append(UnsafeBufferPointer(conditions))
    }
  }

  init(_ engine: Engine, _ order: ReplicationOrder, threads: Int, control: RunControl) {
    collective = control.collective
    journal = collective.rank == 0 ? engine.journal(of: control) : nil
    known = order.arrivals
    endpoints = engine.scenario.endpoints.count
    self.threads = threads
    groups = engine.groupCount
    width = (endpoints * groups + 7) / 8 * 8 + 8
    firstMeasured = engine.scenario.clock.grid.step(containing: .start)
    arrivals = .allocate(capacity: width)
    arrivals.initialize(repeating: 0, count: width)
    parts = .allocate(capacity: threads * width)
    parts.initialize(repeating: 0, count: threads * width)
    course = Course(engine, replication: order.replication)
    grid = engine.scenario.clock.grid
    conditions = .allocate(capacity: max(endpoints, 1))
    conditions.initialize(repeating: .fine, count: max(endpoints, 1))
    expected = .allocate(capacity: threads * grid.count * endpoints)
    expected.initialize(repeating: 0, count: threads * grid.count * endpoints)
  }

  /// Returns the view of the backend that devices on a thread use.
  func view(from thread: Int) -> PresentStep {
    PresentStep(
      grid: grid, conditions: UnsafePointer(conditions), expected: expected + thread * grid.count * endpoints,
      endpoints: endpoints)
  }

  /// Returns the backend's result, given the number of arrivals at each endpoint in each step.
  static func result(of arrivals: [Int64], replication: Int, in engine: Engine) -> BackendResult {
    var course = Course(engine, replication: replication)
    let endpoints = engine.scenario.endpoints.count
    var conditions = Array(repeating: Conditions.fine, count: endpoints)
    arrivals.withUnsafeBufferPointer { arrivals in
      conditions.withUnsafeMutableBufferPointer { conditions in
        guard endpoints > 0, let start = arrivals.baseAddress else { return }
        for step in 0..<arrivals.count / endpoints {
          course.advance(step, arrivals: start + step * endpoints, conditions: conditions)
        }
      }
    }
    return course.result
  }

  /// Returns the requests that a backend without feedback receives in the measured steps, by endpoint.
  ///
  /// - Returns: the result; `nil` if the servers receive exactly the requests that phones send.
  static func result(ofMeasured arrivals: [[UInt32]], replication: Int, in engine: Engine) -> BackendResult? {
    guard engine.scenario.endpoints.indices.contains(where: engine.scenario.hasServerLoad) else { return nil }
    let grid = engine.scenario.clock.grid
    let first = grid.step(containing: .start)
    var all = Array(repeating: Int64(0), count: grid.count * arrivals.count)
    for (endpoint, steps) in arrivals.enumerated() {
      for (step, count) in steps.enumerated() { all[(first + step) * arrivals.count + endpoint] = Int64(count) }
    }
    return result(of: all, replication: replication, in: engine)
  }

  deinit {
    conditions.deallocate()
    expected.deallocate()
    arrivals.deallocate()
    parts.deallocate()
  }

  /// Takes a thread's arrivals in the current step, given by group and endpoint, and clears the source.
  func hand(_ counts: UnsafeMutablePointer<Int64>, from thread: Int) {
    for index in 0..<groups * endpoints {
      parts[thread * width + index] = counts[index]
      counts[index] = 0
    }
  }

  /// Simulates the backend between two steps, or between the initial start of the devices and the first step.
  ///
  /// On each rank, a single thread does this on behalf of all threads, using the requests from all ranks.
  func take(after step: Int, stops: Bool) {
    if step != StepGrid.birth { count(step) }
    let next = step + 1
    for endpoint in 0..<endpoints { arrivals[endpoint] += next < grid.count ? expected(endpoint, in: next) : 0 }
    // Ranks do not wait for each other during known steps. A rank that must stop reports this in the first unknown
    // step.
    if !recall(next) { sumOverRanks(stops: stops, isLast: next == grid.count) }
    guard next < grid.count else { return }
    course.advance(
      next, arrivals: arrivals, conditions: UnsafeMutableBufferPointer(start: conditions, count: endpoints))
  }

  /// Counts the arrivals of a step. Afterwards, `arrivals` contains the requests at each endpoint that were sent in the
  /// same step after the backend's turn.
  ///
  /// The latter requests count as arrivals of the next step.
  private func count(_ step: Int) {
    // A thread that did not take part in the step has no counts to add.
    for index in 0..<groups * endpoints {
      arrivals[index] = 0
      for place in stride(from: index, to: threads * width, by: width) {
        arrivals[index] += parts[place]
        parts[place] = 0
      }
    }
    if step >= firstMeasured { course.count(arrivals, groups, step: step - firstMeasured) }
    for group in stride(from: endpoints, to: groups * endpoints, by: max(endpoints, 1)) {
      for endpoint in 0..<endpoints { arrivals[endpoint] += arrivals[group + endpoint] }
    }
    for endpoint in 0..<endpoints {
      arrivals[endpoint] -= expected(endpoint, in: step)
      precondition(arrivals[endpoint] >= 0, "requests on their way arrive")
    }
  }

  /// Returns the number of pending requests that this rank's devices had for a step, before the backend's turn that
  /// precedes the step.
  private func expected(_ endpoint: Int, in step: Int) -> Int64 {
    (0..<threads).reduce(0) { $0 + Int64(expected[($1 * grid.count + step) * endpoints + endpoint]) }
  }

  /// Sets the arrivals at each endpoint to the known arrivals of a step; returns `false` if the step is not known.
  private func recall(_ step: Int) -> Bool {
    guard (step + 1) * endpoints <= known.count else { return false }
    for endpoint in 0..<endpoints { arrivals[endpoint] = known[step * endpoints + endpoint] }
    return true
  }

  /// Sums the arrivals at each endpoint over all ranks. An additional number counts the ranks that must stop.
  private func sumOverRanks(stops: Bool, isLast: Bool) {
    arrivals[endpoints] = stops || journal?.failure != nil ? 1 : 0
    do {
      try collective.sum(UnsafeMutableBufferPointer(start: arrivals, count: endpoints + 1))
    } catch {
      parted = error
      arrivals[endpoints] = 1
    }
    isStopped = arrivals[endpoints] > 0
    if !isStopped, !isLast { journal?.keep(step: UnsafeBufferPointer(start: arrivals, count: endpoints)) }
  }

  /// The requests of this rank's devices by device group, available after the last step.
  var groupLoad: GroupLoad { course.groups }

  /// The result of the backend, available after the last step.
  var result: BackendResult { course.result }
}

extension Engine {
  /// Returns the requests that an endpoint's CDN forwards to the origin if none of them fail. Without a CDN, all
  /// requests are returned.
  ///
  /// - Parameter arrivals: the fleet's requests in each step of a day that repeats.
  package func edgeMisses(of arrivals: [Int64], endpoint: Int) -> [Double] {
    guard let plan = plan.endpoints[endpoint].cdn, let cdn = scenario.endpoints[endpoint].cdn else {
      return arrivals.map { Double($0) }
    }
    var keys = FreshKeys(plan, grid: scenario.clock.grid)
    let steps = cdn.ttl.seconds / scenario.clock.step.seconds
    // Responses fetched on the previous day remain cached for at most two TTLs.
    for count in arrivals.suffix(Int(min(2 * steps, Double(arrivals.count)))) {
      _ = keys.misses(of: count)
      keys.close(count, answered: .all)
    }
    return arrivals.map { count in
      defer { keys.close(count, answered: .all) }
      return keys.misses(of: count)
    }
  }
}
