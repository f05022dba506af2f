package import SimulationKernel

/// The other traffic of a shared API (MODEL.md 6.2).
package struct BaseLoad: Hashable, Sendable {
  /// Mean over the day, requests per second.
  package var rate: Double
  package var hours: HourWeights
  /// An IANA name: whose hours.
  package var zone: String

  package init(rate: Double, hours: HourWeights, zone: String) {
    self.rate = rate
    self.hours = hours
    self.zone = zone
  }
}

/// What passes in a step; the excess gets 429 (MODEL.md 6.4).
package struct RateLimit: Hashable, Sendable {
  /// Requests per second.
  package var rate: Double
  /// The Retry-After of a 429.
  package var retryAfter: TimeAmount

  package init(rate: Double, retryAfter: TimeAmount) {
    self.rate = rate
    self.retryAfter = retryAfter
  }
}

/// A capacity that follows the load (MODEL.md 6.5).
package struct Autoscale: Hashable, Sendable {
  /// Load over capacity to aim at.
  package var target: Share
  /// Between changes.
  package var delay: TimeAmount
  /// Size of a change, of the capacity.
  package var step: Share
  /// Least and most capacity, requests per second.
  package var least: Double
  package var most: Double

  package init(target: Share, delay: TimeAmount, step: Share, least: Double, most: Double) {
    self.target = target
    self.delay = delay
    self.step = step
    self.least = least
    self.most = most
  }
}

/// A cache in front of an endpoint (MODEL.md 6.6).
package struct CDN: Hashable, Sendable {
  /// Number of different answers.
  package var keys: Int
  /// How long an answer stays fresh.
  package var ttl: TimeAmount
  /// One origin request for many misses of a key.
  package var collapsing: Bool

  package init(keys: Int, ttl: TimeAmount, collapsing: Bool) {
    self.keys = keys
    self.ttl = ttl
    self.collapsing = collapsing
  }
}
