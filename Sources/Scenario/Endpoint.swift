package import SimulationKernel

/// One backend URL class (`backend.endpoints` of the file); capacity, limits and CDN join it with MODEL.md 6.
package struct Endpoint: Hashable, Sendable {
  package var name: String
  package var latency: LatencyQuantiles?
  package var timeout: TimeAmount

  package init(name: String, latency: LatencyQuantiles?, timeout: TimeAmount) {
    self.name = name
    self.latency = latency
    self.timeout = timeout
  }
}

/// A lognormal server latency given by two of its quantiles (MODEL.md 6.2).
package struct LatencyQuantiles: Hashable, Sendable {
  package var median: TimeAmount
  package var p99: TimeAmount

  package init(median: TimeAmount, p99: TimeAmount) {
    self.median = median
    self.p99 = p99
  }
}
