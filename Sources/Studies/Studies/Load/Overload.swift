package import FleetEngine
package import Scenario
package import SimulationKernel

/// The time that endpoints spent above capacity in one replication, and the requests during that time (MODEL.md 8).
package struct Overload: Hashable, Sendable {
  /// The total duration of the steps in which more requests reach the queue than the capacity can serve.
  package var time: TimeAmount
  /// The number of the fleet's requests in these steps, at all endpoints above capacity.
  package var requests: Int64

  /// Creates the overload of one endpoint. If `endpoint` is `nil`, covers all endpoints and counts the steps in which
  /// at least one of them is above capacity.
  ///
  /// - Returns: `nil` if there is no backend, or if none of the endpoints ever has a capacity.
  package init?(_ replication: ReplicationResult, endpoint: Int?, _ scenario: Scenario) {
    let endpoints = Overload.endpoints(of: scenario).filter { endpoint == nil || $0 == endpoint }
    guard let records = replication.backend?.records, !endpoints.isEmpty else { return nil }
    var steps: Int64 = 0
    requests = 0
    for step in 0..<(endpoints.map { records[$0].count }.max() ?? 0) {
      let over = endpoints.filter { step < records[$0].count && records[$0][step].isOverloaded }
      if !over.isEmpty { steps += 1 }
      for endpoint in over { requests += records[endpoint][step].arrivals }
    }
    time = scenario.clock.step * steps
  }

  /// Returns the endpoints that have a capacity, even if only during an outage.
  package static func endpoints(of scenario: Scenario) -> [Int] {
    let inOutages = Set(scenario.events.compactMap(\.limitedEndpoint))
    return scenario.endpoints.indices.filter { scenario.endpoints[$0].capacity != nil || inOutages.contains($0) }
  }
}

/// Returns the overload_requests and queue_length rows for all endpoints with a capacity combined, then for each of
/// them.
///
/// Both metrics are unknown for a sample, because its random variation fills queues that the fleet's load would leave
/// empty.
func queueRows(of result: RunResult) -> [SummaryRow] {
  let endpoints = Overload.endpoints(of: result.scenario)
  guard !endpoints.isEmpty else { return [] }
  let isSample = Scale(of: result).isSample
  let rows = { (metric: Metric, count: (ReplicationResult, Int?) -> Quantity?) in
    ([nil] + endpoints.map { Optional($0) }).map { endpoint in
      SummaryRow(
        metric, result.scenario.labels(endpoint: endpoint), metric.statistics[0],
        replications: result.replications.map { isSample ? nil : count($0, endpoint) })
    }
  }
  return rows(.overloadRequests) { replication, endpoint in
    Overload(replication, endpoint: endpoint, result.scenario).map { .whole(Int128($0.requests)) }
  }
    + rows(.queueLength) { replication, endpoint in
      let records = replication.backend?.records ?? []
      let backlogs = (endpoint.map { [$0] } ?? endpoints).filter(records.indices.contains).flatMap { index in
        records[index].map(\.backlog)
      }
      return backlogs.max().map { .real(significant($0)) }
    }
}

/// Returns the overload_seconds rows, first for all endpoints combined and then for each endpoint with a capacity.
func overloadRows(of result: RunResult) -> [SummaryRow] {
  let endpoints = Overload.endpoints(of: result.scenario)
  guard !endpoints.isEmpty else { return [] }
  let chances =
    Scale(of: result).isSample
    ? result.replications.map { replication in
      endpoints.map { OverloadChance(replication, endpoint: $0, result) }
    } : nil
  return ([nil] + endpoints.indices.map { Optional($0) }).map { index in
    let endpoint = index.map { endpoints[$0] }
    let labels = result.scenario.labels(endpoint: endpoint)
    if let chances {
      let estimates = chances.map { chances in
        OverloadChance.seconds(index.map { [chances[$0]] } ?? chances, step: result.scenario.clock.step)
      }
      return SummaryRow(.overloadSeconds, labels, .total, estimates: estimates).possible(in: result.scenario.clock)
    }
    let times = result.replications.map { replication in
      Overload(replication, endpoint: endpoint, result.scenario).flatMap {
        Quantity(Int128($0.time.milliseconds), over: 1_000)
      }
    }
    return SummaryRow(.overloadSeconds, labels, .total, replications: times).possible(in: result.scenario.clock)
  }
}

extension SummaryRow {
  /// Returns the row with its interval clamped to at most the measured period, because no overload lasts longer.
  func possible(in clock: Clock) -> SummaryRow {
    guard metric == .overloadSeconds, let interval else { return self }
    var row = self
    let possible = Interval(low: interval.low, high: min(interval.high, clock.duration.seconds))
    row.interval = possible
    if isEstimate, let value = value?.approximate {
      row.isResolved = (possible.high - possible.low) / 2 <= Self.resolution * value
    }
    return row
  }
}
