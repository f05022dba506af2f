package import FleetEngine
package import Scenario
import SimulationKernel

extension Scenario {
  /// The scenario in which outages have no effect. The outages remain in the list of events, because an event's draws
  /// depend on its index.
  package var withoutOutages: Scenario {
    var scenario = self
    for index in scenario.events.indices {
      guard case .outage(var outage) = scenario.events[index].action else { continue }
      outage.errors = .none
      outage.capacity = nil
      scenario.events[index].action = .outage(outage)
    }
    return scenario
  }

  /// The scenario in which every request succeeds because servers have no limits and outages have no effect.
  package var withoutLimits: Scenario {
    var scenario = withoutOutages
    scenario.endpoints = endpoints.map(\.withoutLimits)
    return scenario
  }

  /// Whether any limit or outage can prevent servers from answering a request.
  package var hasLimits: Bool {
    endpoints.contains { $0.capacity != nil || $0.rateLimit != nil }
      || events.contains { $0.failingEndpoint != nil || $0.limitedEndpoint != nil }
  }

  /// Returns the endpoints that have an outage in the measured period, in ascending order.
  package func endpointsWithOutages(_ spans: [EventSpan]) -> [Int] {
    let endpoints = spans.compactMap { span -> Int? in
      guard case .outage(let outage) = events[span.event].action else { return nil }
      return span.to > .start && span.from < clock.end ? outage.endpoint : nil
    }
    return Set(endpoints).sorted()
  }
}

extension Endpoint {
  /// The endpoint without limits.
  fileprivate var withoutLimits: Endpoint {
    var endpoint = self
    (endpoint.capacity, endpoint.queue, endpoint.rateLimit, endpoint.autoscale) = (nil, nil, nil, nil)
    return endpoint
  }
}

/// The unscaled number of arrivals at an endpoint in one minute of one replication, by type of attempt.
package struct TryCounts: Hashable, Sendable {
  /// The number of first attempts of reloads that are not caused by an error.
  package var first: Int64 = 0
  /// The number of first attempts of reloads caused by an error.
  package var reloads: Int64 = 0
  /// The number of second and later attempts.
  package var retries: Int64 = 0

  package var arrivals: Int64 { first + reloads + retries }

  /// The number of requests caused by an earlier failure.
  package var repeats: Int64 { reloads + retries }

  package mutating func add(_ row: StoredMinute) {
    let tries = row.requests - row.retries
    if row.cause == .retry { reloads += tries } else { first += tries }
    retries += row.retries
  }
}

/// The arrivals at one endpoint in each minute of the measured period, in the first replication.
package struct EndpointTries: Hashable, Sendable {
  package var endpoint: Int
  package var minutes: [TryCounts]
}

extension EndpointTries {
  /// Creates the counts per minute from a run.
  package init(of endpoint: Int, in run: StoredRun) {
    var minutes = Array(repeating: TryCounts(), count: run.scenario.clock.minutes)
    for row in run.replications.first?.minutes ?? [] where row.endpoint == endpoint && row.minute < minutes.count {
      minutes[row.minute].add(row)
    }
    self.init(endpoint: endpoint, minutes: minutes)
  }
}

extension VariantRuns {
  /// Returns the counts of all endpoints with outages, simulated with the same draws but without the outages.
  ///
  /// - Returns: `nil` if cancelled.
  package func withoutOutages(_ scenario: Scenario, _ spans: [EventSpan]) throws(StudyError) -> [EndpointTries]? {
    try result(of: scenario.withoutOutages).map { result in
      let run = StoredRun(of: result)
      return scenario.endpointsWithOutages(spans).map { EndpointTries(of: $0, in: run) }
    }
  }
}

extension Clock {
  /// The number of minutes that overlap the measured period.
  package var minutes: Int { Int((duration.milliseconds + 59_999) / 60_000) }
}
