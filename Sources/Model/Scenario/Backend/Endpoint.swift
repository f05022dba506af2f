package import SimulationKernel

/// A group of backend URLs (`backend.endpoints` in the file, MODEL.md 6).
package struct Endpoint: Hashable, Keyed, Sendable {
  package var name = ""
  package var latency: LatencyQuantiles?
  /// The time for which the servers declare a response to be fresh (as in `max-age`), for use by reload policies.
  package var hint: Distribution<TimeAmount>?
  package var timeout = TimeAmount.seconds(30)
  /// The number of requests per second that the endpoint can serve; `nil` if it is unlimited, in which case there is no
  /// queue.
  package var capacity: Double?
  /// The maximum number of requests in the queue; `nil` if it is unlimited.
  package var queue: Int?
  package var baseLoad: BaseLoad?
  package var rateLimit: RateLimit?
  package var autoscale: Autoscale?
  package var cdn: CDN?

  package init() {}

  /// Whether the requests of one device may change the responses to other devices (MODEL.md 6.7).
  package var hasFeedback: Bool { capacity != nil || rateLimit != nil || cdn != nil }

  /// The capacity, or the maximum capacity that autoscaling can reach; `nil` if it is unlimited.
  package var largestCapacity: Double? { autoscale?.maximum ?? capacity }

  /// Whether some requests do not reach the endpoint's queue.
  package var thinsRequests: Bool { rateLimit != nil || cdn != nil }
}

extension Scenario {
  /// Whether the load on an endpoint's servers differs from the requests that phones send.
  ///
  /// The servers receive the base load and requests not answered by a CDN, failed by an outage or refused by a limit.
  package func hasServerLoad(_ endpoint: Int) -> Bool {
    let target = endpoints[endpoint]
    return target.thinsRequests || target.baseLoad != nil || events.contains { $0.failingEndpoint == endpoint }
  }
}

/// A lognormal server latency that is given by two of its quantiles (MODEL.md 6.2).
package struct LatencyQuantiles: Hashable, Keyed, Sendable {
  package var median = TimeAmount.zero
  package var p99 = TimeAmount.zero

  package init() {}
}

/// Traffic from other clients of a shared API (MODEL.md 6.2).
package struct BaseLoad: Hashable, Keyed, Sendable {
  /// The daily mean rate, in requests per second.
  package var rate = 0.0
  package var hours = HourWeights.default
  /// The IANA name of the time zone in which `hours` are interpreted.
  package var zone = "UTC"
  /// Whether the base load is multiplied by the day factor that all devices share (`Fleet.dayFactorSigma`).
  package var followsDays = true

  package init() {}
}

/// The maximum request rate; excess requests receive a 429 response (MODEL.md 6.4).
package struct RateLimit: Hashable, Keyed, Sendable {
  /// The rate in requests per second.
  package var rate = 0.0
  /// The Retry-After value of a 429 response.
  package var retryAfter = TimeAmount.minute

  package init() {}
}

/// A capacity that autoscaling adjusts to the load (MODEL.md 6.5).
package struct Autoscale: Hashable, Keyed, Sendable {
  /// The target ratio of load to capacity.
  package var target = Share.none
  /// The delay between two changes in capacity.
  package var delay = TimeAmount.zero
  /// The size of one change, as a fraction of the capacity.
  package var step = Share.none
  /// The minimum and maximum capacity, in requests per second.
  package var minimum = 0.0
  package var maximum = 0.0

  package init() {}
}

/// A cache in front of an endpoint (MODEL.md 6.6).
package struct CDN: Hashable, Keyed, Sendable {
  /// The number of distinct cacheable responses.
  package var keys = 1
  /// The time for which a cached response stays fresh.
  package var ttl = TimeAmount.zero
  /// Whether all misses for the same key in a step are collapsed into a single origin request.
  package var collapsing = true
  /// The time after expiry during which a stale response may replace a failed fetch; zero disables this feature.
  package var staleIfError = TimeAmount.zero
  /// The time for which a failed fetch is remembered; zero disables this feature.
  package var errorTTL = TimeAmount.zero
  package var popularity = Popularity.uniform

  package init() {}
}

/// The distribution of requests among a CDN's keys (MODEL.md 6.6).
package enum Popularity: Hashable, Sendable {
  /// An identical request rate for every key.
  case uniform
  /// A request rate proportional to r^-exponent for the key of rank r, where the exponent is not negative.
  case zipf(exponent: Double)
}

/// The result of a request at the CDN (MODEL.md 6.6).
public enum EdgeAnswer: UInt8, BitwiseCopyable, CaseIterable, Sendable {
  /// No result, because the endpoint has no CDN.
  case none
  /// A response from the cache.
  case hit
  /// A miss, for which the request is passed on to the origin.
  case miss
  /// A stale copy of the response, served because the origin failed.
  case copy
  /// A remembered error, served without another request to the origin.
  case cachedError
}
