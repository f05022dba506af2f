import FleetEngine
package import Scenario
import SimulationKernel

/// What the instances did: runs, lateness, waits, exhausted budgets (MODEL.md 8).
func runRows(of result: RunResult) -> [SummaryRow] {
  let scopes = ScopeResult.all(of: result)
  let causes = result.causesSeen.filter { $0 != .gallery }
  let scale = Scale(of: result)
  return scopes.map { scope in
    scope.row(.widgets, .total, scope.labels) { scale.fleetCount(Int128($0.instances)) }
  } + scopes.flatMap { runs(of: $0, causes, scale) } + scopes.flatMap { runsPerDay(of: $0, causes: causes) }
    + scopes.flatMap(lateness)
    + scopes.flatMap(waits) + scopes.flatMap(exhaustion)
    + scopes.map { scope in
      scope.row(.budgetExhaustedPerDay, .mean, scope.labels) { scope.perInstanceDay($0.budgetExhausted.total, $0) }
    } + scopes.map { scope in scope.row(.budgetExhaustedDrift, .mean, scope.labels, scope.drift) }
}

/// Runs of the fleet in the measured period, over all causes, then by cause.
private func runs(of scope: ScopeResult, _ causes: [Cause], _ scale: Scale) -> [SummaryRow] {
  let all = scope.row(.runs, .total, scope.labels) { scale.fleetCount(Int128($0.runs.reduce(0, +))) }
  return [all]
    + causes.map { cause in
      scope.row(.runs, .total, scope.labels.with(\.cause, cause.name)) {
        scale.fleetCount(Int128($0.runs[Int(cause.rawValue)]))
      }
    }
}

private func runsPerDay(of scope: ScopeResult, causes: [Cause]) -> [SummaryRow] {
  let all = histogramRows(scope, scope.labels) { $0.runsPerDay }
  let byCause = causes.flatMap { cause in
    histogramRows(scope, scope.labels.with(\.cause, cause.name)) { $0.runsPerDayByCause[Int(cause.rawValue)] }
  }
  let charged = histogramRows(scope, scope.labels.with(\.charged, "yes")) { $0.chargedRunsPerDay }
  let free = histogramRows(scope, scope.labels.with(\.charged, "no")) { $0.freeRunsPerDay }
  return all + byCause + charged + free
}

private func histogramRows(
  _ scope: ScopeResult, _ labels: Labels, _ histogram: (GroupResult) -> CountHistogram
) -> [SummaryRow] {
  [Statistic.mean, .p50, .p95, .p99, .max].map { statistic in
    scope.row(.runsPerDay, statistic, labels) { histogram($0).figure(statistic) }
  }
}

private func lateness(of scope: ScopeResult) -> [SummaryRow] {
  [Statistic.mean, .p50, .p95, .p99].map { statistic in
    scope.row(.lateness, statistic, scope.labels) { $0.lateness.figure(statistic) }
  }
}

private func waits(of scope: ScopeResult) -> [SummaryRow] {
  let reasons: [(String, ClosedRange<Int>)] =
    [("", 0...WaitReason.allCases.count - 1)]
    + WaitReason.allCases.map { ($0.name, Int($0.rawValue)...Int($0.rawValue)) }
  return reasons.flatMap { name, range in
    let labels = scope.labels.with(\.reason, name)
    return [
      scope.row(.waitsPerDay, .mean, labels) { group in
        scope.perInstanceDay(group.waits[range].reduce(0) { $0 + $1.count }, group)
      },
      scope.row(.waitLength, .mean, labels) { group in
        let length = group.waits[range].reduce(Int128(0)) { $0 + $1.totalMilliseconds }
        return Quantity(length, over: 1_000 * group.waits[range].reduce(Int128(0)) { $0 + Int128($1.count) })
      },
    ]
  }
}

private func exhaustion(of scope: ScopeResult) -> [SummaryRow] {
  [Statistic.mean, .p50, .p95].map { statistic in
    scope.row(.budgetExhaustedHour, statistic, scope.labels) { group in
      group.budgetExhausted.figure(statistic).map { .real($0.approximate / 60) }
    }
  }
}

extension CountHistogram {
  /// Mean, maximum or quantile; nil when nothing was recorded.
  package func figure(_ statistic: Statistic) -> Quantity? {
    switch statistic {
    case .mean: Quantity(sum, over: Int128(total))
    case .max: maximum.map { .whole(Int128($0)) }
    default: statistic.probability.flatMap(quantile).map { .real($0) }
    }
  }
}

extension SpanHistogram {
  /// Mean or quantile in seconds; nil when nothing was recorded.
  package func figure(_ statistic: Statistic) -> Quantity? {
    switch statistic {
    case .mean: Quantity(sumMilliseconds, over: 1_000 * Int128(total))
    default: statistic.probability.flatMap(quantileSeconds).map { .real($0) }
    }
  }
}
