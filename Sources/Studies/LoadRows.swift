import FleetEngine
import Scenario

/// Requests per second over all endpoints and by endpoint, in every window (MODEL.md 8).
func loadRows(of result: RunResult) -> [SummaryRow] {
  let endpoints: [Int?] = [nil] + result.scenario.endpoints.indices.map { Optional($0) }
  let scale = Scale(of: result)
  return rows(
    endpoints.flatMap { endpoint in
      EndpointLoad.all(result, endpoint: endpoint, scale, least: scale.isSample ? 100 : 0) {
        $0.stepCounts(endpoint: endpoint)
      }
    }, LoadMetrics(.peakRPS, .meanRPS, .p99RPS, .p999RPS, .peakToMean))
}

/// The same at the origins behind CDNs; unknown where no backend was simulated.
func originRows(of result: RunResult) -> [SummaryRow] {
  let devices = Scale(of: result)
  let least = devices.isSample ? 100_000 * devices.fleet / max(devices.simulated, 1) : 0
  return rows(
    OriginLoad.endpoints(of: result.scenario).flatMap { endpoint in
      EndpointLoad.all(result, endpoint: endpoint, OriginLoad.scale, least: least) {
        OriginLoad.stepCounts(of: $0, endpoint: endpoint)
      }
    }, LoadMetrics(.originPeakRPS, .originMeanRPS, .originP99RPS, .originP999RPS, .originPeakToMean))
}

/// cdn_stale_answers: of each endpoint behind a CDN that may answer with copies (MODEL.md 6.6).
func staleAnswerRows(of result: RunResult) -> [SummaryRow] {
  let endpoints = result.scenario.endpoints
  return endpoints.indices.filter { (endpoints[$0].cdn?.staleIfError ?? .zero) > .zero }.map { endpoint in
    let sums = result.replications.map { replication in
      replication.backend.flatMap { backend in
        // A fluid of the whole fleet, in thousandths of a request.
        Quantity(
          backend.records[endpoint].reduce(Int128(0)) { $0 + Int128(($1.staleAnswers * 1_000).rounded()) }, over: 1_000)
      }
    }
    return SummaryRow(
      .cdnStaleAnswers, Labels().with(\.endpoint, endpoints[endpoint].name), .total, replications: sums)
  }
}

/// The same at the servers, base load included, where that can differ from what the phones send.
func serverRows(of result: RunResult) -> [SummaryRow] {
  let devices = Scale(of: result)
  let least = devices.isSample ? 100_000 * devices.fleet / max(devices.simulated, 1) : 0
  return rows(
    ServerLoad.endpoints(of: result.scenario).flatMap { endpoint in
      EndpointLoad.all(result, endpoint: endpoint, ServerLoad.scale, least: least) {
        ServerLoad.stepCounts(of: $0, endpoint: endpoint, result)
      }
    }, LoadMetrics(.serverPeakRPS, .serverMeanRPS, .serverP99RPS, .serverP999RPS, nil))
}

private func rows(_ loads: [EndpointLoad], _ metrics: LoadMetrics) -> [SummaryRow] {
  loads.map { $0.peak(metrics.peak) } + loads.map { $0.mean(metrics.mean) }
    + loads.map { $0.quantile(metrics.p99, .p99) } + loads.map { $0.quantile(metrics.p999, .p999) }
    + (metrics.peakToMean.map { metric in loads.map { $0.peakToMean(metric) } } ?? [])
}

/// What the figures of a load are called.
private struct LoadMetrics {
  var peak: Metric
  var mean: Metric
  var p99: Metric
  var p999: Metric
  var peakToMean: Metric?

  init(_ peak: Metric, _ mean: Metric, _ p99: Metric, _ p999: Metric, _ peakToMean: Metric?) {
    self.peak = peak
    self.mean = mean
    self.p99 = p99
    self.p999 = p999
    self.peakToMean = peakToMean
  }
}

/// One endpoint in one window, over all replications; nil where its load is unknown.
private struct EndpointLoad {
  var labels: Labels
  var loads: [WindowedLoad?]
  var sorted: [SortedCounts?]
  var scale: Scale
  /// What a peak must count to be resolved.
  var least: Int128

  static func all(
    _ result: RunResult, endpoint: Int?, _ scale: Scale, least: Int128, _ counts: (ReplicationResult) -> [Int64]?
  ) -> [EndpointLoad] {
    let steps = result.replications.map(counts)
    let name = endpoint.map { result.scenario.endpoints[$0].name } ?? ""
    return LoadWindow.all(of: result.scenario.clock).map { window in
      let loads = steps.map { steps in
        steps.flatMap { WindowedLoad($0, window: window, clock: result.scenario.clock) }
      }
      return EndpointLoad(
        labels: Labels().with(\.endpoint, name).with(\.window, window.name), loads: loads,
        sorted: loads.map { $0.map { SortedCounts($0.counts) } }, scale: scale, least: least)
    }
  }

  func peak(_ metric: Metric) -> SummaryRow {
    let peaks = loads.map { load in
      load.flatMap { load in load.peak.flatMap { load.rate(of: Int128($0), scale: scale) } }
    }
    return SummaryRow(metric, labels, .max, replications: peaks, isResolved: isResolved)
  }

  func mean(_ metric: Metric) -> SummaryRow {
    SummaryRow(metric, labels, .mean, replications: loads.map { $0?.meanRate(scale: scale) })
  }

  func quantile(_ metric: Metric, _ statistic: Statistic) -> SummaryRow {
    let quantiles = zip(loads, sorted).map { load, sorted -> Quantity? in
      statistic.probability.flatMap { sorted?.quantile($0) }.flatMap { load?.rate(ofFraction: $0, scale: scale) }
    }
    return SummaryRow(metric, labels, statistic, replications: quantiles)
  }

  func peakToMean(_ metric: Metric) -> SummaryRow {
    SummaryRow(metric, labels, .max, replications: loads.map { $0?.peakToMean }, isResolved: isResolved)
  }

  /// Whether every replication's peak counts at least 100 simulated requests, or the whole fleet was simulated.
  private var isResolved: Bool { loads.allSatisfy { Int128($0?.peak ?? 0) >= least } }
}
