import FleetEngine
import Scenario

/// Requests per second over all endpoints and by endpoint, in every window (MODEL.md 8).
func loadRows(of result: RunResult) -> [SummaryRow] {
  let endpoints: [Int?] = [nil] + result.scenario.endpoints.indices.map { Optional($0) }
  let loads = endpoints.flatMap { endpoint in EndpointLoad.all(endpoint: endpoint, result) }
  let scale = Scale(of: result)
  return loads.map { $0.peak(scale) } + loads.map { $0.mean(scale) } + loads.map { $0.quantile(.p99RPS, .p99, scale) }
    + loads.map { $0.quantile(.p999RPS, .p999, scale) } + loads.map { $0.peakToMean(scale) }
}

/// One endpoint in one window, over all replications.
private struct EndpointLoad {
  var labels: Labels
  var loads: [WindowedLoad]
  var sorted: [SortedCounts]

  static func all(endpoint: Int?, _ result: RunResult) -> [EndpointLoad] {
    let steps = result.replications.map { $0.stepCounts(endpoint: endpoint) }
    let name = endpoint.map { result.scenario.endpoints[$0].name } ?? ""
    return LoadWindow.all(of: result.scenario.clock).map { window in
      let loads = steps.compactMap { WindowedLoad($0, window: window, clock: result.scenario.clock) }
      return EndpointLoad(
        labels: Labels().with(\.endpoint, name).with(\.window, window.name), loads: loads,
        sorted: loads.map { SortedCounts($0.counts) })
    }
  }

  func peak(_ scale: Scale) -> SummaryRow {
    let peaks = loads.map { load in load.peak.flatMap { load.rate(of: Int128($0), scale: scale) } }
    return SummaryRow(.peakRPS, labels, .max, replications: peaks, isResolved: isResolved(scale))
  }

  func mean(_ scale: Scale) -> SummaryRow {
    SummaryRow(.meanRPS, labels, .mean, replications: loads.map { $0.meanRate(scale: scale) })
  }

  func quantile(_ metric: Metric, _ statistic: Statistic, _ scale: Scale) -> SummaryRow {
    let quantiles = zip(loads, sorted).map { load, sorted -> Quantity? in
      statistic.probability.flatMap(sorted.quantile).flatMap { load.rate(ofFraction: $0, scale: scale) }
    }
    return SummaryRow(metric, labels, statistic, replications: quantiles)
  }

  func peakToMean(_ scale: Scale) -> SummaryRow {
    SummaryRow(.peakToMean, labels, .max, replications: loads.map(\.peakToMean), isResolved: isResolved(scale))
  }

  /// Whether every replication's peak counts at least 100 simulated requests, or the whole fleet was simulated.
  private func isResolved(_ scale: Scale) -> Bool { !scale.isSample || loads.allSatisfy { ($0.peak ?? 0) >= 100 } }
}
