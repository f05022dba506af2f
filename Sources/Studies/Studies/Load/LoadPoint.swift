package import FleetEngine
package import Scenario

/// The point at which a load is counted, with its names in sentences, tables, charts and columns.
package enum LoadPoint: Hashable, Sendable {
  /// Servers that receive all of the phones' requests and no other requests.
  case only
  /// The servers' queue, after the CDN, outages and limits, and including base load (MODEL.md 6.2).
  case servers
  /// The point at which the phones' requests arrive: the CDN, or servers that also have other users.
  case phones

  package enum Figure: Sendable {
    case peak, mean, p99, p999, peakToMean
  }

  /// Returns the points at which the load of one or all endpoints is counted, servers first.
  package static func all(_ scenario: Scenario, endpoint: Int?) -> [LoadPoint] {
    let endpoints = endpoint.map { [$0] } ?? Array(scenario.endpoints.indices)
    return endpoints.contains { scenario.hasServerLoad($0) } ? [.servers, .phones] : [.only]
  }

  /// Returns the point shown by default, which is the servers.
  package static func first(_ scenario: Scenario, endpoint: Int?) -> LoadPoint { all(scenario, endpoint: endpoint)[0] }

  /// Creates the point at which a metric is counted; `nil` for metrics that are not loads.
  package init?(_ metric: Metric, _ scenario: Scenario, endpoint: Int?) {
    switch metric {
    case .serverPeakRPS, .serverMeanRPS, .serverP99RPS, .serverP999RPS: self = .servers
    case .offeredPeakRPS: self = .first(scenario, endpoint: endpoint)
    case .peakRPS, .meanRPS, .p99RPS, .p999RPS, .peakToMean:
      self = LoadPoint.all(scenario, endpoint: endpoint) == [.only] ? .only : .phones
    default: return nil
    }
  }

  /// Returns the name of a statistic of this load; `nil` if no metric reports it.
  package func name(_ figure: Figure, endpoint: String = "", window: String) -> FigureName? {
    let labels = Labels().with(\.endpoint, endpoint).with(\.window, window)
    guard let metric = metric(figure) else { return nil }
    return FigureName(metric, metric.statistics[0], labels)
  }

  private func metric(_ figure: Figure) -> Metric? {
    switch (figure, self) {
    case (.peak, .servers): .serverPeakRPS
    case (.mean, .servers): .serverMeanRPS
    case (.p99, .servers): .serverP99RPS
    case (.p999, .servers): .serverP999RPS
    case (.peakToMean, .servers): nil
    case (.peak, _): .peakRPS
    case (.mean, _): .meanRPS
    case (.p99, _): .p99RPS
    case (.p999, _): .p999RPS
    case (.peakToMean, _): .peakToMean
    }
  }

  /// Returns a phrase that names the point and follows a number, such as `at the servers, base load included`. The
  /// phrase is empty if there is only one load and no capacity.
  package func words(_ scenario: Scenario, endpoint: Int?) -> String {
    let endpoints = endpoint.map { [scenario.endpoints[$0]] } ?? scenario.endpoints
    switch self {
    case .only: return endpoints.contains { $0.capacity != nil } ? "at the servers" : ""
    case .servers: return "at the servers" + (endpoints.contains { $0.baseLoad != nil } ? ", base load included" : "")
    case .phones:
      if !endpoints.isEmpty, endpoints.allSatisfy({ $0.cdn != nil }) { return "at the CDN" }
      return "sent by the phones"
    }
  }

  /// Returns a noun followed by the name of the point, such as `load at the CDN`.
  package func title(_ noun: String, _ scenario: Scenario, endpoint: Int?) -> String {
    let words = words(scenario, endpoint: endpoint)
    return words.isEmpty ? noun : noun + " " + words
  }

  /// Returns a short form of `words` for narrow tables, such as `CDN`. The form is empty if there is only one load and
  /// no capacity.
  package func short(_ scenario: Scenario, endpoint: Int?) -> String {
    switch (self, words(scenario, endpoint: endpoint)) {
    case (_, ""): ""
    case (.phones, "at the CDN"): "CDN"
    case (.phones, _): "phones"
    case (.only, _), (.servers, _): "servers"
    }
  }

  /// Returns the capacity to show next to a load at the servers, as in `of 2 500`. Returns `nil` if the capacity
  /// differs between endpoints, or changes due to an outage or autoscaling.
  package func capacity(_ scenario: Scenario, endpoint: Int?) -> Double? {
    guard self != .phones, let endpoint = endpoint ?? (scenario.endpoints.count == 1 ? 0 : nil) else { return nil }
    return scenario.endpoints[endpoint].autoscale == nil ? scenario.endpoints[endpoint].capacity : nil
  }
}

extension Scenario {
  /// The endpoints whose requests are recorded as they reach the queue.
  package var queueRecords: Set<Int> {
    Set(endpoints.indices.filter(hasServerLoad)).union(Overload.endpoints(of: self))
  }
}

/// The requests that reach the servers' queues after the CDN, outages and limits, including base load (MODEL.md 6.2,
/// 8).
package enum ServerLoad {
  /// The scale of counts in thousandths of a request. Fractions occur because the fleet's load is treated as a fluid.
  package static let scale = OriginLoad.scale

  /// Returns `nil` (for all endpoints together), followed by each endpoint; empty if all servers receive exactly the
  /// phones' requests.
  package static func endpoints(of scenario: Scenario) -> [Int?] {
    guard LoadPoint.first(scenario, endpoint: nil) == .servers else { return [] }
    return scenario.endpointChoices
  }

  /// Returns thousandths of a request per time step, for one or all endpoints; `nil` if no backend was simulated.
  package static func stepCounts(of replication: ReplicationResult, endpoint: Int?, _ result: RunResult) -> [Int64]? {
    guard let records = replication.backend?.records else { return nil }
    let thousandths = thousandths(Scale(of: result))
    return sum(result.scenario, endpoint) { index in
      result.scenario.hasServerLoad(index)
        ? records[index].map { Self.thousandths($0.reached + $0.base) }
        : replication.load[index].arrivals.map { thousandths(Int64($0)) }
    }
  }

  /// Returns the deterministic base load included in these counts.
  package static func baseCounts(of replication: ReplicationResult, endpoint: Int?, _ result: RunResult) -> [Int64]? {
    guard let records = replication.backend?.records else { return nil }
    return sum(result.scenario, endpoint) { index in
      records[index].map { result.scenario.hasServerLoad(index) ? thousandths($0.base) : 0 }
    }
  }

  /// Returns the load at the queues of a run that was read from a results directory.
  package static func stepCounts(of replication: StoredReplication, endpoint: Int?, _ run: StoredRun) -> [Int64]? {
    let thousandths = thousandths(Scale(of: run))
    let known = run.scenario.endpoints.indices.filter(run.scenario.hasServerLoad)
    guard known.allSatisfy({ !replication.load[$0].queue.isEmpty || replication.load[$0].arrivals.isEmpty }) else {
      return nil
    }
    return sum(run.scenario, endpoint) { index in
      let load = replication.load[index]
      return run.scenario.hasServerLoad(index)
        ? load.queue.map { Self.thousandths($0.reached + $0.base) } : load.arrivals.map(thousandths)
    }
  }

  private static func thousandths(_ requests: Double) -> Int64 { Int64((requests * 1_000).rounded()) }

  /// Returns a function that scales a count of simulated requests to the fleet.
  private static func thousandths(_ devices: Scale) -> (Int64) -> Int64 {
    // Conversions of 128-bit integers are slow.
    let (fleet, simulated) = (Double(devices.fleet), Double(max(devices.simulated, 1)))
    return { thousandths(Double($0) * fleet / simulated) }
  }

  private static func sum(_ scenario: Scenario, _ endpoint: Int?, _ steps: (Int) -> [Int64]) -> [Int64] {
    if let endpoint { return steps(endpoint) }
    return scenario.endpoints.indices.reduce(into: []) { sums, index in
      let counts = steps(index)
      if sums.isEmpty {
        sums = counts
        return
      }
      for step in sums.indices where step < counts.count { sums[step] += counts[step] }
    }
  }
}

extension Scenario {
  /// A rank that increases with the extent to which the servers' load can differ from the phones' load.
  package var loadDifference: Int {
    endpoints.reduce(0) { $0 + ($1.cdn == nil ? 0 : 4) + ($1.baseLoad == nil ? 0 : 2) + ($1.capacity == nil ? 0 : 1) }
  }
}
