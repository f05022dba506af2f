import Scenario
import SimulationKernel
package import Studies

/// The time series of a run for dashboards, which the `openmetrics` and `grafana` exports share.
package struct LoadMetrics: Sendable {
  /// A family of metrics that can be computed from a run's files.
  enum Family: String, CaseIterable {
    case requests = "widgetfleet_requests"
    case servers = "widgetfleet_server_requests"
    case failures = "widgetfleet_failures"
    case causes = "widgetfleet_cause_requests"
    case backlog = "widgetfleet_backlog_requests"
    case capacity = "widgetfleet_capacity_requests_per_second"

    var isCounter: Bool { ![.backlog, .capacity].contains(self) }

    /// The name of the samples in this family.
    var series: String { rawValue + (isCounter ? "_total" : "") }

    var help: String {
      switch self {
      case .requests: "Requests that phones sent to an endpoint, including retries."
      case .servers: "Requests that reached the servers of an endpoint, after CDN and limits, including base_load."
      case .failures: "Failed requests sent by phones."
      case .causes: "Requests that phones sent to an endpoint, by cause of the refresh."
      case .backlog: "Maximum number of requests waiting at an endpoint in a step."
      case .capacity: "Minimum capacity of an endpoint in a step, in requests per second."
      }
    }
  }

  /// The samples of one set of labels.
  struct Series {
    var labels: [(name: String, value: String)]
    var samples: [(at: Instant, value: Quantity)]
  }

  let slice: LoadSlice
  let scenario: Scenario
  let provenance: Provenance
  /// A note that the load was measured on only some of the phones; empty if all phones were simulated.
  let sampleNote: String
  /// The families with at least one series, in order.
  let families: [(family: Family, series: [Series])]

  /// Creates the series for the first replication of a run.
  package init(of report: ReportContent, _ slice: LoadSlice) {
    self.slice = slice
    scenario = report.run.scenario
    provenance = report.provenance
    sampleNote = LoadTest.sampleNote(report.run)
    let source = SeriesSource(run: report.run, slice: slice)
    families = Family.allCases.compactMap { family in
      let series = source.series(family)
      return series.isEmpty ? nil : (family, series)
    }
  }
}

/// A builder for the series of each metric family.
private struct SeriesSource {
  var run: StoredRun
  var slice: LoadSlice

  func series(_ family: LoadMetrics.Family) -> [LoadMetrics.Series] {
    guard let replication = run.replications.first else { return [] }
    if family == .causes { return causes(replication) }
    return run.scenario.endpoints.indices.compactMap { endpoint in
      let samples = samples(family, endpoint, replication)
      let labels = labels([("endpoint", run.scenario.endpoints[endpoint].name)])
      return samples.isEmpty ? nil : LoadMetrics.Series(labels: labels, samples: samples)
    }
  }

  private func labels(_ more: [(String, String)]) -> [(name: String, value: String)] {
    [("scenario", run.scenario.name)] + more
  }

  private typealias Samples = [(at: Instant, value: Quantity)]

  private func samples(_ family: LoadMetrics.Family, _ endpoint: Int, _ replication: StoredReplication) -> Samples {
    let load = replication.load[endpoint]
    switch family {
    case .requests: return counter(load.arrivals, Scale(of: run))
    case .failures: return counter(load.failures, Scale(of: run))
    case .servers:
      guard run.scenario.hasServerLoad(endpoint),
        let counts = ServerLoad.stepCounts(of: replication, endpoint: endpoint, run)
      else { return [] }
      return counter(counts, ServerLoad.scale)
    case .backlog: return gauge(load.queue) { $0.map(\.backlog).max() }
    case .capacity: return gauge(load.queue) { $0.map(\.capacity).min() }
    case .causes: return []
    }
  }

  /// Returns the cumulative counts since the start of the slice, sampled at the end of each step.
  private func counter(_ counts: [Int64], _ scale: Scale) -> Samples {
    var sum: Int128 = 0
    return [(slice.part.lowerBound, .whole(0))]
      + (0..<slice.count).map { step in
        sum += counts[slice.range(ofStep: step).clamped(to: 0..<counts.count)].reduce(0) { $0 + Int128($1) }
        return (slice.end(ofStep: step), scale.fleetCount(sum) ?? .whole(0))
      }
  }

  /// Returns one sample at the end of each step in which the figure is finite.
  private func gauge(_ queue: [StoredQueueStep], _ figure: (ArraySlice<StoredQueueStep>) -> Double?) -> Samples {
    guard !queue.isEmpty else { return [] }
    return (0..<slice.count).compactMap { step in
      let value = figure(queue[slice.range(ofStep: step).clamped(to: 0..<queue.count)])
      return value.flatMap { $0.isFinite ? (slice.end(ofStep: step), .real($0)) : nil }
    }
  }

  /// Returns the series by endpoint and cause, over all cohorts. Samples are taken at the end of each minute, or of
  /// each step if steps are longer.
  private func causes(_ replication: StoredReplication) -> [LoadMetrics.Series] {
    let minute = TimeAmount.minute.milliseconds
    let first = Int((slice.part.lowerBound.millisecondsSinceStart + minute - 1) / minute)
    let last = Int(slice.part.upperBound.millisecondsSinceStart / minute)
    let stride = max(Int(slice.step.milliseconds / minute), 1)
    guard first < last else { return [] }
    var counts: [[Int]: [Int64]] = [:]
    for row in replication.minutes where (first..<last).contains(row.minute) {
      let key = [row.endpoint, Int(row.cause.rawValue)]
      counts[key, default: Array(repeating: 0, count: last - first)][row.minute - first] += row.requests
    }
    return counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { key, requests in
      guard let cause = Cause(rawValue: UInt8(key[1])) else { return nil }
      var sum: Int128 = 0
      var samples: Samples = [(.start + .minutes(Int64(first)), .whole(0))]
      for (index, count) in requests.enumerated() {
        sum += Int128(count)
        guard (index + 1) % stride == 0 || index == requests.count - 1 else { continue }
        samples.append((.start + .minutes(Int64(first + index + 1)), Scale(of: run).fleetCount(sum) ?? .whole(0)))
      }
      return LoadMetrics.Series(
        labels: labels([("endpoint", run.scenario.endpoints[key[0]].name), ("cause", cause.name)]), samples: samples)
    }
  }
}
