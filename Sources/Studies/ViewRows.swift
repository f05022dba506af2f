import FleetEngine
import Scenario
import SimulationKernel

/// What people looked at and how old it was (MODEL.md 8).
func viewRows(of result: RunResult) -> [SummaryRow] {
  let scopes = ScopeResult.all(of: result)
  let limited = ScopeResult.all(of: result) { $0.staleAfter != nil }
  return scopes.map { scope in scope.row(.viewsPerDay) { scope.perInstanceDay($0.views, $0) } }
    + limited.map { share(.staleViews, $0) { $0.staleViews } }
    + limited.map { share(.staleViewsAfter, $0) { $0.staleViewsAfter } }
    + scopes.map { share(.emptyViews, $0) { $0.views - $0.dataAge.total } }
    + scopes.flatMap { $0.rows(.dataAge) { $0.dataAge.figure($1) } }
}

/// A share of the views; unknown without views.
private func share(_ metric: Metric, _ scope: ScopeResult, _ count: (GroupResult) -> Int64) -> SummaryRow {
  scope.row(metric) { Quantity(Int128(count($0)), over: Int128($0.views)) }
}
