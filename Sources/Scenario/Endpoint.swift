package import SimulationKernel

/// One backend URL class (`backend.endpoints` of the file, MODEL.md 6).
package struct Endpoint: Hashable, Keyed, Sendable {
  package var name = ""
  package var latency: LatencyQuantiles?
  package var timeout = TimeAmount.seconds(30)
  /// Requests per second that it serves; nil: nothing queues or fails.
  package var capacity: Double?
  /// Requests that may wait; nil: unlimited.
  package var queue: Int?
  package var baseLoad: BaseLoad?
  package var rateLimit: RateLimit?
  package var autoscale: Autoscale?
  package var cdn: CDN?

  package init() {}

  /// Whether what one device sends may change what others get (MODEL.md 6.7).
  package var hasFeedback: Bool { capacity != nil || rateLimit != nil || cdn != nil }

  /// Whether something on the way to its queue lets only some requests through.
  package var thinsRequests: Bool { rateLimit != nil || cdn != nil }
}

extension Scenario {
  /// Whether the servers of an endpoint have a load of their own: what CDN, outages and limits let through, and the base
  /// load.
  package func hasServerLoad(_ endpoint: Int) -> Bool {
    let target = endpoints[endpoint]
    return target.thinsRequests || target.baseLoad != nil || events.contains { $0.failingEndpoint == endpoint }
  }
}

/// A lognormal server latency given by two of its quantiles (MODEL.md 6.2).
package struct LatencyQuantiles: Hashable, Keyed, Sendable {
  package var median = TimeAmount.zero
  package var p99 = TimeAmount.zero

  package init() {}
}
