import FleetEngine
import Scenario

/// What caches answered, and what would have been sent without them, scaled to the fleet.
///
/// Requests saved count each request of a run once: none of them fails and is tried again.
func cacheRows(of result: RunResult) -> [SummaryRow] {
  let hits = ScopeResult.all(of: result).map { scope in
    scope.row(.cacheHitsPerDay) { scope.perInstanceDay($0.cacheHits, $0) }
  }
  return hits + ScopeResult.all(of: result) { $0.cache != nil }.flatMap { savedRows($0, result) }
}

/// Over all endpoints, then by endpoint.
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
