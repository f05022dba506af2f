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

/// The other traffic of a shared API (MODEL.md 6.2).
package struct BaseLoad: Hashable, Keyed, Sendable {
  /// Mean over the day, requests per second.
  package var rate = 0.0
  package var hours = HourWeights.default
  /// An IANA name: whose hours.
  package var zone = "UTC"
  /// Whether days are busier for it that are busier for everybody (`Fleet.dayFactorSigma`).
  package var followsDays = true

  package init() {}
}

/// What passes in a step; the excess gets 429 (MODEL.md 6.4).
package struct RateLimit: Hashable, Keyed, Sendable {
  /// Requests per second.
  package var rate = 0.0
  /// The Retry-After of a 429.
  package var retryAfter = TimeAmount.minute

  package init() {}
}

/// A capacity that follows the load (MODEL.md 6.5).
package struct Autoscale: Hashable, Keyed, Sendable {
  /// Load over capacity to aim at.
  package var target = Share.none
  /// Between changes.
  package var delay = TimeAmount.zero
  /// Size of a change, of the capacity.
  package var step = Share.none
  /// Least and most capacity, requests per second.
  package var least = 0.0
  package var most = 0.0

  package init() {}
}

/// A cache in front of an endpoint (MODEL.md 6.6).
package struct CDN: Hashable, Keyed, Sendable {
  /// Number of different answers.
  package var keys = 1
  /// How long an answer stays fresh.
  package var ttl = TimeAmount.zero
  /// One origin request for all misses of a key in a step.
  package var collapsing = true
  /// How long after its ttl an answer may still stand in for a fetch that fails; zero: never.
  package var staleIfError = TimeAmount.zero
  /// How long a fetch that failed is remembered; zero: not at all.
  package var errorTTL = TimeAmount.zero
  package var popularity = Popularity.uniform

  package init() {}
}

/// How often each of a CDN's keys is asked for (MODEL.md 6.6).
package enum Popularity: Hashable, Sendable {
  /// All alike.
  case uniform
  /// The key of rank r in proportion to r to the power of minus the exponent, which is not negative.
  case zipf(exponent: Double)
}

/// What the CDN in front of an endpoint did with a request (MODEL.md 6.6).
public enum EdgeAnswer: UInt8, BitwiseCopyable, CaseIterable, Sendable {
  /// There is no CDN.
  case none
  /// Answered with what it has.
  case hit
  /// Handed on to the origin.
  case miss
  /// Answered with what it last fetched, for the origin failed.
  case copy
  /// Answered with an error that it remembers.
  case cachedError
}
