import FleetEngine
import Scenario
import SimulationKernel

/// Returns the requests per second in every window, for all endpoints combined and for each endpoint (MODEL.md 8, 8.1).
func loadRows(of result: RunResult, _ choice: LoadChoice = .all) -> [SummaryRow] {
  let metrics = LoadMetrics(peak: .peakRPS, mean: .meanRPS, p99: .p99RPS, p999: .p999RPS, peakToMean: .peakToMean)
  return choice.rows(of: result.scenario, result.scenario.endpointChoices, metrics) { part in
    EndpointLoad.all(result, part, isAtOrigin: false) {
      $0.stepCounts(endpoint: part.endpoint)
    } dispersion: {
      $0.dispersion(endpoint: part.endpoint, $1)
    }
  }
}

/// Returns the rows of `other_day_peak_rps`, the peak expected on another day; empty if only a sample was simulated
/// (MODEL.md 8.1).
func otherDayRows(of result: RunResult) -> [SummaryRow] {
  let devices = Scale(of: result)
  guard !devices.isSample, devices.simulated > 0 else { return [] }
  return LoadWindow.all(of: result.scenario.clock).map { window in
    let peaks = result.replications.map { replication -> Estimate? in
      guard !replication.spreads.isEmpty,
        let load = WindowedLoad(replication.stepCounts(endpoint: nil), window: window, clock: result.scenario.clock)
      else { return nil }
      let dispersion = replication.dispersion(endpoint: nil, window)
      return LoadEstimate(load.counts.map { Double($0) }, window, dispersion, of: FleetSample(scale: 1, known: 0))?.peak
    }
    return SummaryRow(.otherDayPeakRPS, Labels().with(\.window, window.name), .p50, estimates: peaks)
  }
}

/// Returns the requests per second at the origins behind CDNs; unknown unless a backend was simulated.
func originRows(of result: RunResult, _ choice: LoadChoice = .all) -> [SummaryRow] {
  let metrics = LoadMetrics(
    peak: .originPeakRPS, mean: .originMeanRPS, p99: .originP99RPS, p999: .originP999RPS,
    peakToMean: .originPeakToMean)
  return choice.rows(of: result.scenario, OriginLoad.endpoints(of: result.scenario), metrics) { part in
    EndpointLoad.all(result, part) {
      OriginLoad.stepCounts(of: $0, endpoint: part.endpoint)
    } dispersion: {
      $0.dispersion(endpoint: part.endpoint, $1, share: OriginLoad.share(of: $0, endpoint: part.endpoint, result))
    }
  }
}

/// Returns the rows of `cdn_stale_answers`, one for each endpoint behind a CDN that may serve stale copies (MODEL.md
/// 6.6).
func staleAnswerRows(of result: RunResult) -> [SummaryRow] {
  let endpoints = result.scenario.endpoints
  return endpoints.indices.filter { (endpoints[$0].cdn?.staleIfError ?? .zero) > .zero }.map { endpoint in
    let sums = result.replications.map { replication in
      replication.backend.flatMap { backend in
        // The backend treats the whole fleet as a fluid, so counts are rounded to thousandths of a request.
        Quantity(
          backend.records[endpoint].reduce(Int128(0)) { $0 + Int128(($1.staleAnswers * 1_000).rounded()) }, over: 1_000)
      }
    }
    return SummaryRow(
      .cdnStaleAnswers, result.scenario.labels(endpoint: endpoint), .total, replications: sums)
  }
}

/// Returns the requests per second at the servers, including base load, for endpoints where they can differ from the
/// phones' requests.
func serverRows(of result: RunResult, _ choice: LoadChoice = .all) -> [SummaryRow] {
  let metrics = LoadMetrics(peak: .serverPeakRPS, mean: .serverMeanRPS, p99: .serverP99RPS, p999: .serverP999RPS)
  return choice.rows(of: result.scenario, ServerLoad.endpoints(of: result.scenario), metrics) { part in
    EndpointLoad.all(result, part) {
      ServerLoad.stepCounts(of: $0, endpoint: part.endpoint, result)
    } known: {
      ServerLoad.baseCounts(of: $0, endpoint: part.endpoint, result)
    } dispersion: {
      $0.queueDispersion(endpoint: part.endpoint, $1, result.scenario)
    }
  }
}

/// The loads to estimate and the time spans to cover. Choosing only what is needed saves time, because estimating a
/// load can take longer than simulating a few phones.
struct LoadChoice {
  /// The figures to estimate; `nil` for all.
  var names: Set<FigureName>?
  /// The named window for which the figures are computed.
  var during = ""
  /// The spans in which requests are counted; `nil` for the measured period.
  var spans: [Range<Instant>]?

  static let all = LoadChoice()

  /// The chosen windows of an endpoint, or of all endpoints if the endpoint is `nil`.
  fileprivate struct Part {
    var endpoint: Int?
    var windows: [LoadWindow]
    var spans: [Range<Instant>]?
  }

  var hasOtherDays: Bool { names?.contains { $0.metric == .otherDayPeakRPS } ?? true }

  private func contains(_ metric: Metric, _ labels: Labels) -> Bool {
    names?.contains(FigureName(metric, metric.statistics[0], labels.with(\.during, during))) ?? true
  }

  /// Returns the chosen rows, sorted by metric, then by endpoint and window.
  fileprivate func rows(
    of scenario: Scenario, _ endpoints: [Int?], _ metrics: LoadMetrics,
    _ loads: (Part) -> [EndpointLoad]
  ) -> [SummaryRow] {
    // If there is only one endpoint, the total is the same as that endpoint's load.
    let isSingle = scenario.endpoints.count == 1 && endpoints.count == 2
    let rows = endpoints.prefix(isSingle ? 1 : endpoints.count).flatMap { endpoint -> [[SummaryRow]] in
      let places = isSingle ? endpoints : [endpoint]
      let labels = { (place: Int?, window: LoadWindow) in
        scenario.labels(endpoint: place).with(\.window, window.name)
      }
      let windows = LoadWindow.all(of: scenario.clock).filter { window in
        metrics.all.contains { metric in places.contains { contains(metric, labels($0, window)) } }
      }
      let loads = windows.isEmpty ? [] : loads(Part(endpoint: endpoint, windows: windows, spans: spans))
      let rows = metrics.all.map { metric in
        zip(windows, loads).compactMap { window, load in
          places.contains { contains(metric, labels($0, window)) } ? (window, load.row(metric, metrics)) : nil
        }
      }
      return places.map { place in
        rows.flatMap { rows in
          rows.map { window, row in
            var row = row
            row.labels = labels(place, window)
            return row
          }
        }
      }
    }
    return metrics.all.flatMap { metric in
      rows.flatMap { rows in rows.filter { $0.metric == metric && contains(metric, $0.labels) } }
    }
  }
}

/// The metrics that describe a load.
private struct LoadMetrics {
  var peak: Metric
  var mean: Metric
  var p99: Metric
  var p999: Metric
  var peakToMean: Metric?

  var all: [Metric] { [peak, mean, p99, p999] + [peakToMean].compactMap { $0 } }
}

/// The load of one endpoint in one window, over all replications; a value is `nil` if the load is unknown.
private struct EndpointLoad {
  var labels: Labels
  var loads: [WindowedLoad?]
  var scale: Scale
  /// The estimated load of the fleet in each replication or, if all devices were simulated, the load of similar fleets.
  var laws: [LoadEstimate?]
  /// Whether the figures are estimated from `laws` instead of counted, because not all devices were simulated.
  var isSample: Bool
  var peaks: [Estimate?]?

  static func all(
    _ result: RunResult, _ part: LoadChoice.Part, isAtOrigin: Bool = true,
    _ counts: (ReplicationResult) -> [Int64]?, known: (ReplicationResult) -> [Int64]? = { _ in nil },
    dispersion: (ReplicationResult, LoadWindow) -> Dispersion
  ) -> [EndpointLoad] {
    let endpoint = part.endpoint
    let scale = isAtOrigin ? OriginLoad.scale : Scale(of: result)
    let steps = result.replications.map(counts)
    let knownSteps = result.replications.map(known)
    return part.windows.map { window in
      let windowed = { (steps: [Int64]?) in
        let load = steps.flatMap { WindowedLoad($0, window: window, clock: result.scenario.clock) }
        return part.spans.map { spans in load.map { $0.during(spans) } } ?? load
      }
      let (loads, bases) = (steps.map(windowed), knownSteps.map(windowed))
      let maximum = isAtOrigin ? result.scenario.maxFetches(endpoint, in: window) : .infinity
      let laws = result.replications.indices.map { index in
        loads[index].flatMap {
          result.estimate(
            of: $0, known: bases[index], maximum: maximum, scale,
            dispersion(result.replications[index], window).during($0.numbers))
        }
      }
      let isSample = Scale(of: result).isSample
      return EndpointLoad(
        labels: result.scenario.labels(endpoint: endpoint).with(\.window, window.name), loads: loads, scale: scale,
        laws: laws, isSample: isSample, peaks: isSample ? laws.map { $0?.peak } : nil)
    }
  }

  func row(_ metric: Metric, _ metrics: LoadMetrics) -> SummaryRow {
    switch metric {
    case metrics.peak: peak(metric)
    case metrics.mean: mean(metric)
    case metrics.p99: quantile(metric, .p99)
    case metrics.p999: quantile(metric, .p999)
    default: peakToMean(metric)
    }
  }

  private func peak(_ metric: Metric) -> SummaryRow {
    let counted = loads.map { load in
      load.flatMap { load in load.peak.flatMap { load.rate(of: Int128($0), scale: scale) } }
    }
    var row =
      peaks.map { SummaryRow(metric, labels, .max, estimates: $0) }
      ?? SummaryRow(metric, labels, .max, replications: counted)
    row.busiest = busiest
    return row
  }

  /// The spans in which any replication's intensity may peak.
  private var busiest: [Range<Instant>] {
    let spans = zip(loads, laws).flatMap { load, law -> [Range<Instant>] in
      guard let load, let law else { return [] }
      return law.busiest.map { load.start(ofWindow: $0.lowerBound)..<load.start(ofWindow: $0.upperBound) }
    }
    guard let first = spans.first else { return [] }
    var merged: [Range<Instant>] = []
    for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, span.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
      } else {
        merged.append(span)
      }
    }
    let chief = merged.firstIndex { $0.overlaps(first) } ?? 0
    return [merged.remove(at: chief)] + merged
  }

  private func mean(_ metric: Metric) -> SummaryRow {
    SummaryRow(metric, labels, .mean, replications: loads.map { $0?.meanRate(scale: scale) })
  }

  private func quantile(_ metric: Metric, _ statistic: Statistic) -> SummaryRow {
    if isSample, let probability = statistic.probability {
      return SummaryRow(metric, labels, statistic, estimates: laws.map { $0?.quantile(probability) })
    }
    let quantiles = loads.map { load -> Quantity? in
      guard let load, let probability = statistic.probability else { return nil }
      return SortedCounts(load.counts).quantile(probability).flatMap { load.rate(ofFraction: $0, scale: scale) }
    }
    return SummaryRow(metric, labels, statistic, replications: quantiles)
  }

  private func peakToMean(_ metric: Metric) -> SummaryRow {
    guard let peaks else {
      return SummaryRow(metric, labels, .max, replications: loads.map { $0?.peakToMean })
    }
    let ratios = zip(peaks, loads).map { peak, load -> Estimate? in
      guard let peak, let mean = load?.meanRate(scale: scale)?.approximate, mean > 0 else { return nil }
      return peak.scaled(1 / mean)
    }
    return SummaryRow(metric, labels, .max, estimates: ratios)
  }
}

extension RunResult {
  /// Returns the estimated load of the whole fleet.
  ///
  /// Counts at origins already cover the whole fleet, and therefore have a `scale` that differs from that of the
  /// devices.
  ///
  /// - Parameter known: the deterministic component of the load.
  /// - Parameter maximum: the maximum of the remaining load in any window.
  fileprivate func estimate(
    of load: WindowedLoad, known: WindowedLoad?, maximum: Double, _ scale: Scale, _ dispersion: Dispersion
  ) -> LoadEstimate? {
    let devices = Scale(of: self)
    guard devices.simulated > 0 else { return nil }
    let factor = Double(devices.fleet) / Double(devices.simulated)
    let toFleet = Double(scale.fleet) / Double(scale.simulated)
    let counts = load.counts.indices.map { Double(max(0, load.counts[$0] - (known?.counts[$0] ?? 0))) }
    return LoadEstimate(
      counts.map { $0 * toFleet / factor }, load.window, dispersion, of: FleetSample(scale: factor, known: knownShare),
      base: KnownLoad(known?.counts.map { Double($0) * toFleet }), maximum: maximum)
  }
}

extension Scenario {
  /// Returns the maximum number of CDN fetches in a window. With collapsing, this is one fetch per key per step.
  fileprivate func maxFetches(_ endpoint: Int?, in window: LoadWindow) -> Double {
    // With a single endpoint, the total is the load of that endpoint.
    let chosen = endpoint ?? (endpoints.count == 1 ? 0 : nil)
    guard let cdn = chosen.flatMap({ endpoints[$0].cdn }), cdn.collapsing, let steps = window.steps(of: clock) else {
      return .infinity
    }
    return Double(cdn.keys) * Double(steps)
  }
}
