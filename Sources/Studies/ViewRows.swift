import FleetEngine
import Scenario
import SimulationKernel

/// What people looked at and how old it was (MODEL.md 8).
func viewRows(of result: RunResult) -> [SummaryRow] {
  let scopes = ScopeResult.all(of: result)
  let limited = ScopeResult.all(of: result) { $0.staleAfter != nil }
  return scopes.map { scope in scope.row(.viewsPerDay, .mean, scope.labels) { scope.perInstanceDay($0.views, $0) } }
    + limited.map { share(.staleViews, $0) { $0.staleViews } }
    + limited.map { share(.staleViewsAfter, $0) { $0.staleViewsAfter } }
    + scopes.flatMap(dataAge)
}

/// A share of the views; unknown without views.
private func share(_ metric: Metric, _ scope: ScopeResult, _ count: (GroupResult) -> Int64) -> SummaryRow {
  scope.row(metric, .share, scope.labels) { Quantity(Int128(count($0)), over: Int128($0.views)) }
}

private func dataAge(of scope: ScopeResult) -> [SummaryRow] {
  [Statistic.mean, .p50, .p95, .p99].map { statistic in
    scope.row(.dataAge, statistic, scope.labels) { $0.dataAge.figure(statistic) }
  }
}
