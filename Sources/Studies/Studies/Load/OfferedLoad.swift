import FleetEngine
package import Scenario

/// Returns the offered_peak_rps rows for all endpoints together and for each endpoint, in every window (MODEL.md 8,
/// offered load).
///
/// The peak is unknown if requests fail or wait. There are no rows if the servers have no limits.
///
/// - Parameter loads: a summary with the server peaks.
func offeredRows(of result: RunResult, _ loads: Summary) -> [SummaryRow] {
  guard result.scenario.hasLimits else { return [] }
  let unknown = result.replications.map { _ in Quantity?.none }
  let isLimited = result.replications.contains { $0.isLimited(in: result.scenario) }
  return result.scenario.endpointChoices.flatMap { endpoint in
    LoadWindow.all(of: result.scenario.clock).compactMap { window in
      let labels = result.scenario.labels(endpoint: endpoint).with(\.window, window.name)
      return isLimited
        ? SummaryRow(.offeredPeakRPS, labels, .max, replications: unknown) : loads.offered(labels, of: unknown.count)
    }
  }
}

extension ReplicationResult {
  /// Returns whether a limit or an outage affects the number of requests that phones send.
  fileprivate func isLimited(in scenario: Scenario) -> Bool {
    let failures = FailureReason.allCases.map { reason in
      groups.contains { group in
        group.traffic.contains { $0.contains { $0.failures[Int(reason.rawValue)] > 0 } }
      }
    }
    let overload = Overload(self, endpoint: nil, scenario)?.time ?? .zero
    return overload.seconds >= RunFinding.minOverload
      || zip(FailureReason.allCases, failures).contains { reason, fails in
        switch reason {
        case .offline: false
        // Latency causes a few timeouts even if there is no overload.
        case .timeout: fails && overload > .zero
        case .outage, .refused, .limited, .cachedError: fails
        }
      }
  }
}

extension Summary {
  /// Returns the row of the server peak as a row of the offered load.
  ///
  /// - Parameter count: the number of replications; values missing from the row are unknown.
  fileprivate func offered(_ labels: Labels, of count: Int) -> SummaryRow? {
    guard var row = figure(FigureName(.serverPeakRPS, .max, labels)) else { return nil }
    row.metric = .offeredPeakRPS
    let missing = max(count - row.replications.count, 0)
    row.replications += Array(repeating: nil, count: missing)
    if !row.bounds.isEmpty { row.bounds += Array(repeating: nil, count: missing) }
    return row
  }

  /// Whether the offered load is unknown and can be determined only by another run.
  package var lacksOfferedLoad: Bool { rows.contains { $0.metric == .offeredPeakRPS && $0.value == nil } }

  /// Returns this summary with the offered load from a run in which all requests succeed.
  func offering(_ unlimited: Summary) -> Summary {
    Summary(
      rows: rows.map { row in
        guard row.metric == .offeredPeakRPS, row.value == nil else { return row }
        return unlimited.offered(row.labels, of: row.replications.count) ?? row
      })
  }
}

extension Goal {
  /// Whether the goal refers to the offered load, either as its figure or as its limit.
  package var asksOfferedLoad: Bool { [figure, reference].contains { $0?.metric == .offeredPeakRPS } }
}

extension VariantRuns {
  /// Returns a summary with the offered load. If requests fail, the first replication is simulated again without
  /// limits.
  ///
  /// - Parameter scenario: the scenario of the summary.
  /// - Returns: `nil` if cancelled.
  package func completed(_ summary: Summary, of scenario: Scenario) throws(StudyError) -> Summary? {
    guard summary.lacksOfferedLoad else { return summary }
    expect()
    let loads = summary.rows.filter { $0.metric == .offeredPeakRPS }.flatMap(\.name.withSources)
    return try result(of: scenario.withoutLimits).map { summary.offering(Summary(of: $0, loads: Set(loads))) }
  }
}
