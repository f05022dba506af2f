import Scenario
import SimulationKernel

extension Scenario {
  var resolvedEndpoints: PlainValue {
    .mapping(endpoints.map { PlainValue.Pair(key: $0.name, value: $0.resolved) })
  }
}

extension Endpoint {
  fileprivate var resolved: PlainValue {
    let path = "backend.endpoints.*"
    let hours = baseLoad.map { ["hours": PlainValue.list($0.hours.weights.map { .number($0) })] }
    let popularity = cdn.map { ["popularity": $0.popularity.resolved] }
    return .mapping(
      self, at: path,
      [
        "latency": .mapping(latency, at: path + ".latency"),
        "base_load": .mapping(baseLoad, at: path + ".base_load", hours ?? [:]),
        "rate_limit": .mapping(rateLimit, at: path + ".rate_limit"),
        "autoscale": .mapping(autoscale, at: path + ".autoscale"),
        "cdn": .mapping(cdn, at: path + ".cdn", popularity ?? [:]),
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
