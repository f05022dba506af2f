import FleetEngine
import Scenario

/// Returns the fleet's totals in the measured period: requests, failures and bytes (MODEL.md 8).
func trafficRows(of result: RunResult) -> [SummaryRow] {
  let totals = TrafficTotals(result)
  return totals.rows(.requests) { $0.requests } + totals.requestShares()
    + totals.rows(.failures) { $0.failures.reduce(0, +) } + totals.failuresByReason() + totals.failedShares()
    + totals.rows(.bytesDown) { $0.bytesDown } + totals.rows(.bytesUp) { $0.bytesUp }
}

/// The traffic of every scope, endpoint and cause; the values are scaled to the fleet when they are read.
private struct TrafficTotals {
  var result: RunResult
  var causes: [Cause]
  var scopes: [Scope]

  init(_ result: RunResult) {
    self.result = result
    causes = result.causesSeen
    scopes = Scope.all(of: result.scenario)
  }

  /// Returns the overall total, then the total of each endpoint; each total is followed by its parts by cause.
  func rows(_ metric: Metric, _ count: (Traffic) -> Int64) -> [SummaryRow] {
    scopes.flatMap { scope in
      endpointChoices.flatMap { endpoint in
        ([nil] + causes.map { Optional($0) }).map { cause in
          let labels = labels(scope, endpoint).with(\.cause, cause?.name ?? "")
          return row(metric, labels, scope, endpoint, cause, count)
        }
      }
    }
  }

  /// Returns each cohort's and each kind's share of the fleet's requests, and each cause's share of the requests in a
  /// scope. The shares are unknown if there are no requests.
  func requestShares() -> [SummaryRow] {
    scopes.flatMap { scope in
      (scope == .fleet ? [] : [requestShare(scope, cause: nil, of: .fleet)])
        + causes.map { requestShare(scope, cause: $0, of: scope) }
    }
  }

  private func requestShare(_ scope: Scope, cause: Cause?, of whole: Scope) -> SummaryRow {
    let labels = labels(scope, nil).with(\.cause, cause?.name ?? "")
    return share(.requests, labels, of: whole, endpoint: nil) {
      $0.traffic(in: scope, endpoint: nil, cause: cause) { $0.requests }
    }
  }

  /// Returns failures by endpoint and reason, limited to reasons that occurred.
  func failuresByReason() -> [SummaryRow] {
    FailureReason.allCases.filter(wasSeen).flatMap { reason in
      scopes.flatMap { scope in
        endpointChoices.map { endpoint in
          row(.failures, labels(scope, endpoint).with(\.reason, reason.name), scope, endpoint, nil) {
            $0.failures[Int(reason.rawValue)]
          }
        }
      }
    }
  }

  /// Returns failure rates by endpoint and, for the fleet, by cause; requests that offline phones never sent are
  /// excluded.
  func failedShares() -> [SummaryRow] {
    scopes.flatMap { scope in
      endpointChoices.flatMap { endpoint in
        ([nil] + (scope == .fleet ? causes : []).map { Optional($0) }).map { cause in
          let labels = labels(scope, endpoint).with(\.cause, cause?.name ?? "")
          return share(.failures, labels, of: scope, endpoint: endpoint, cause: cause) { replication in
            replication.traffic(in: scope, endpoint: endpoint, cause: cause, \.failedRequests)
          }
        }
      }
    }
  }

  private var endpointChoices: [Int?] { result.scenario.endpointChoices }

  private func labels(_ scope: Scope, _ endpoint: Int?) -> Labels {
    scope.labels(in: result.scenario).with(\.endpoint, result.scenario.endpointName(endpoint))
  }

  /// Returns a count as a share of a scope's requests at an endpoint, for all causes or for one cause.
  private func share(
    _ metric: Metric, _ labels: Labels, of whole: Scope, endpoint: Int?, cause: Cause? = nil,
    _ count: (ReplicationResult) -> Int128
  ) -> SummaryRow {
    let shares = result.replications.map { replication in
      Quantity(
        count(replication), over: replication.traffic(in: whole, endpoint: endpoint, cause: cause, \.requests))
    }
    return SummaryRow(metric, labels, .share, replications: shares)
  }

  private func row(
    _ metric: Metric, _ labels: Labels, _ scope: Scope, _ endpoint: Int?, _ cause: Cause?,
    _ count: (Traffic) -> Int64
  ) -> SummaryRow {
    let scale = Scale(of: result)
    let totals = result.replications.map { replication in
      scale.fleetCount(replication.traffic(in: scope, endpoint: endpoint, cause: cause, count))
    }
    return SummaryRow(metric, labels, .total, replications: totals)
  }

  private func wasSeen(_ reason: FailureReason) -> Bool {
    result.replications.contains {
      $0.traffic(in: .fleet, endpoint: nil, cause: nil) { $0.failures[Int(reason.rawValue)] } > 0
    }
  }
}

extension ReplicationResult {
  /// Returns the sum of one counter over the groups of a scope, unscaled.
  fileprivate func traffic(in scope: Scope, endpoint: Int?, cause: Cause?, _ count: (Traffic) -> Int64) -> Int128 {
    var sum: Int128 = 0
    for group in groups where scope.contains(group) {
      for (index, causes) in group.traffic.enumerated() where endpoint == nil || endpoint == index {
        if let cause {
          sum += Int128(count(causes[Int(cause.rawValue)]))
        } else {
          sum += causes.reduce(Int128(0)) { $0 + Int128(count($1)) }
        }
      }
    }
    return sum
  }
}

/// Returns the number of answers from caches and the number of requests that these answers saved, scaled to the fleet.
///
/// Each saved request of a run counts once, because cached requests never fail and so are not retried.
func cacheRows(of result: RunResult) -> [SummaryRow] {
  let hits = ScopeResult.all(of: result).map { scope in
    scope.row(.cacheHitsPerDay) { scope.perInstanceDay($0.cacheHits, $0) }
  }
  return hits + ScopeResult.all(of: result) { $0.cache != nil }.flatMap { savedRows($0, result) }
}

/// Returns the saved requests for all endpoints, then by endpoint.
private func savedRows(_ scope: ScopeResult, _ result: RunResult) -> [SummaryRow] {
  let scale = Scale(of: result)
  let endpoints = result.scenario.endpoints
  let all = scope.row(.requestsSaved) { group in
    scale.fleetCount(group.saved.reduce(into: Int128(0)) { $0 += Int128($1.requests) })
  }
  let share = scope.row(.requestsSaved, nil, .share) { group in
    let saved = group.saved.reduce(into: Int128(0)) { $0 += Int128($1.requests) }
    let sent = group.traffic.joined().reduce(into: Int128(0)) { $0 += Int128($1.requests) }
    return Quantity(saved, over: saved + sent)
  }
  return [all, share]
    + endpoints.indices.map { endpoint in
      scope.row(.requestsSaved, scope.labels.with(\.endpoint, endpoints[endpoint].name)) { group in
        scale.fleetCount(Int128(group.saved[endpoint].requests))
      }
    }
}
