import FleetEngine
import Scenario
import SimulationKernel

/// How long phones took to show what was pushed (MODEL.md 8.4); nothing without pushes.
func pushRows(of result: RunResult) -> [SummaryRow] {
  let pushes = result.scenario.events.contains { if case .push = $0.action { true } else { false } }
  guard pushes else { return [] }
  return ScopeResult.all(of: result).flatMap(rows)
}

/// Quantiles, the share that is shown at all, and that within each period.
private func rows(of scope: ScopeResult) -> [SummaryRow] {
  let quantiles = Metric.pushToView.statistics.filter { $0.probability != nil }
  return quantiles.map { statistic in
    row(scope, statistic) { $0.quantile(statistic.probability ?? 0).map { .real($0) } }
  } + [row(scope, .share) { Quantity(Int128($0.ended), over: Int128($0.waits)) }]
    + Herd.periods.map { period in
      row(scope, .share, scope.labels.with(\.period, Herd.name(of: period))) { pushes in
        Quantity(Int128(pushes.ended(within: period)), over: Int128(pushes.waits))
      }
    }
}

private func row(
  _ scope: ScopeResult, _ statistic: Statistic, _ labels: Labels? = nil, _ figure: (PushResult) -> Quantity?
) -> SummaryRow {
  let figures = scope.sums.map { sum in sum.flatMap { figure($0.followed.pushes) } }
  return SummaryRow(.pushToView, labels ?? scope.labels, statistic, replications: figures)
}

extension PushResult {
  /// Waits that ended, and all of them.
  fileprivate var ended: Int64 { shown.total }
  fileprivate var waits: Int64 { ended + unshown }

  /// Waits that ended no later than a span after their push, to the width of a bin.
  fileprivate func ended(within span: TimeAmount) -> Int64 {
    shown.counts.prefix(SpanHistogram.bin(of: span)).reduce(0, +)
  }

  /// The quantile of all waits in seconds, those that did not end being longer than all; nil where it is one of these.
  fileprivate func quantile(_ probability: Double) -> Double? {
    let rank = probability * Double(waits - 1)
    guard waits > 0, ended > 0, rank <= Double(ended - 1) else { return nil }
    return spans.quantileSeconds(ended == 1 ? 0 : rank / Double(ended - 1))
  }
}
