import Scenario
import SimulationKernel

extension Scenario {
  var resolvedEndpoints: PlainValue {
    .mapping(endpoints.map { PlainValue.Pair(key: $0.name, value: $0.resolved) })
  }
}

extension Endpoint {
  fileprivate var resolved: PlainValue {
    let latency: PlainValue? = latency.map { .mapping(["p50": .duration($0.median), "p99": .duration($0.p99)]) }
    let parts: [(key: String, value: PlainValue?)] = [
      ("capacity", capacity.map { .rate($0) }), ("queue", queue.map { .count($0) }), ("latency", latency),
      ("timeout", .duration(timeout)), ("base_load", baseLoad?.resolved), ("rate_limit", rateLimit?.resolved),
      ("autoscale", autoscale?.resolved), ("cdn", cdn?.resolved),
    ]
    return .mapping(parts.map { PlainValue.Pair(key: $0.key, value: $0.value ?? .text("none")) })
  }
}

extension BaseLoad {
  fileprivate var resolved: PlainValue {
    .mapping(["rate": .rate(rate), "hours": .list(hours.weights.map { .number($0) }), "zone": .text(zone)])
  }
}

extension RateLimit {
  fileprivate var resolved: PlainValue { .mapping(["rate": .rate(rate), "retry_after": .duration(retryAfter)]) }
}

extension Autoscale {
  fileprivate var resolved: PlainValue {
    .mapping([
      "target": .share(target), "delay": .duration(delay), "step": .share(step), "min": .rate(least),
      "max": .rate(most),
    ])
  }
}

extension CDN {
  fileprivate var resolved: PlainValue {
    .mapping([
      "keys": .count(keys), "ttl": .duration(ttl), "collapsing": .flag(collapsing),
      "stale_if_error": .duration(staleIfError), "error_ttl": .duration(errorTTL), "popularity": popularity.resolved,
    ])
  }
}

extension Popularity {
  fileprivate var resolved: PlainValue {
    switch self {
    case .uniform: .text("uniform")
    case .zipf(let exponent): .text("zipf " + QuantityText.number(exponent))
    }
  }
}
