package import Scenario
import SimulationKernel

/// The load of a run over time at one or all endpoints, as shown on pages.
package struct LoadCourse: Sendable {
  private let run: StoredRun
  private let endpoint: Int?
  private let place: LoadPoint
  package let window: LoadWindow

  /// - Parameter window: the window in which requests are counted.
  package init(_ run: StoredRun, endpoint: Int?, _ place: LoadPoint, window: LoadWindow) {
    (self.run, self.endpoint, self.place, self.window) = (run, endpoint, place, window)
  }

  /// The scale of the counts. Counts at servers already cover the whole fleet.
  package var scale: Scale { place == .servers ? ServerLoad.scale : Scale(of: run) }

  /// The load in each replication; empty if no window fits the time step.
  package var loads: [WindowedLoad] { run.replications.compactMap { load($0, place) } }

  private func load(_ replication: StoredReplication, _ place: LoadPoint) -> WindowedLoad? {
    let counts =
      place == .servers
      ? ServerLoad.stepCounts(of: replication, endpoint: endpoint, run) : replication.stepCounts(endpoint: endpoint)
    return counts.flatMap { WindowedLoad($0, window: window, clock: run.scenario.clock) }
  }

  /// The requests per second in every window of every replication, in ascending order, for the load duration curve.
  package var ascendingRates: [Double] {
    guard let factor = RateFactor(window, scale) else { return [] }
    return SortedCounts(loads.flatMap(\.counts)).ascending.map { factor.rate(of: Double($0)) }
  }

  /// Returns whether a rate is not exceeded in any window.
  package func isWithin(_ rate: Double) -> Bool {
    loads.allSatisfy { load in
      load.peak.flatMap { load.rate(of: Int128($0), scale: scale) }.map { $0.approximate <= rate } ?? true
    }
  }

  /// The maximum load that the servers can serve in each window, in requests per second; the minimum over all
  /// replications.
  ///
  /// If `endpoint` is `nil`, the scenario's only endpoint is used. The result is empty if the servers have no limits.
  package var room: [Double] {
    let scenario = run.scenario
    guard let endpoint = endpoint ?? (scenario.endpoints.count == 1 ? 0 : nil),
      Overload.endpoints(of: scenario).contains(endpoint)
    else { return [] }
    var minimum: [Double] = []
    for replication in run.replications {
      let queue = replication.load[endpoint].queue
      guard !queue.isEmpty else { return [] }
      let windows = byWindow(queue) { steps in (steps.map(\.room).min() ?? .infinity) / scenario.clock.step.seconds }
      minimum = minimum.isEmpty ? windows : zip(minimum, windows).map { min($0, $1) }
    }
    return minimum
  }

  /// The mean base load at the servers in each window over all replications, in requests per second; empty if there is
  /// none.
  package var base: [Double] {
    let scenario = run.scenario
    let endpoints = (endpoint.map { [$0] } ?? Array(scenario.endpoints.indices)).filter(scenario.hasServerLoad)
    guard endpoints.contains(where: { scenario.endpoints[$0].baseLoad != nil }) else { return [] }
    let seconds = window.length.seconds * Double(max(run.replications.count, 1))
    let parts = run.replications.flatMap { replication in
      endpoints.map { byWindow(replication.load[$0].queue) { steps in steps.reduce(0) { $0 + $1.base } / seconds } }
    }
    return (0..<(parts.map(\.count).max() ?? 0)).map { window in
      parts.reduce(0) { $0 + ($1.indices.contains(window) ? $1[window] : 0) }
    }
  }

  /// The mean load that phones send in each window over all replications, in requests per second.
  package var sent: [Double] {
    let loads = run.replications.compactMap { load($0, .phones) }
    guard let first = loads.first, let factor = RateFactor(window, Scale(of: run)) else { return [] }
    return first.counts.indices.map { window in
      factor.rate(of: Double(loads.reduce(0) { $0 + $1.counts[window] }) / Double(loads.count))
    }
  }

  private func byWindow<Value>(
    _ steps: [StoredQueueStep], _ value: (ArraySlice<StoredQueueStep>) -> Value
  ) -> [Value] {
    guard let length = window.steps(of: run.scenario.clock) else { return [] }
    return (0..<steps.count / length).map { value(steps[$0 * length..<($0 + 1) * length]) }
  }
}
