package import SimulationKernel

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
