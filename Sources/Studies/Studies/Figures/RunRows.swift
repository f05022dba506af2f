import FleetEngine
package import Scenario
import SimulationKernel

/// Returns the rows for runs, lateness, waits and budget exhaustions of widget instances (MODEL.md 8).
func runRows(of result: RunResult) -> [SummaryRow] {
  let scopes = ScopeResult.all(of: result)
  let causes = result.causesSeen.filter(\.isOfRuns)
  let scale = Scale(of: result)
  let parts: [[SummaryRow]] = [
    scopes.map { scope in scope.row(.widgets) { scope.widgets($0, scale) } },
    scopes.dropFirst().map { $0.shareOfFleet(.widgets, of: scopes[0]) { Int128($0.milliseconds) } },
    scopes.flatMap { runs(of: $0, causes, scale) },
    scopes.flatMap { runsPerDay(of: $0, causes) },
    phoneRows(of: result),
    scopes.flatMap { $0.rows(.lateness) { $0.lateness.figure($1) } },
    scopes.flatMap { $0.rows(.callToRun) { $0.callToRun.figure($1) } },
    scopes.flatMap(waits),
    scopes.flatMap { scope in
      scope.rows(.budgetExhaustedHour) { $0.budgetExhausted.figure($1).map { .real($0.approximate / 60) } }
    },
    scopes.map { scope in
      scope.row(.budgetExhaustedPerDay) { scope.perInstanceDay($0.budgetExhausted.total, $0) }
    },
    scopes.map { scope in scope.row(.budgetExhaustedDrift) { scope.drift($0) } },
  ]
  return Array(parts.joined())
}

/// Returns the fleet's runs in the measured period: the total, then the runs by cause with each cause's share.
private func runs(of scope: ScopeResult, _ causes: [Cause], _ scale: Scale) -> [SummaryRow] {
  [scope.row(.runs) { scale.fleetCount(Int128($0.runs.reduce(0, +))) }]
    + causes.flatMap { cause in
      let labels = scope.labels.with(\.cause, cause.name)
      return [
        scope.row(.runs, labels) { scale.fleetCount(Int128($0.runs[Int(cause.rawValue)])) },
        scope.row(.runs, labels, .share) {
          Quantity(Int128($0.runs[Int(cause.rawValue)]), over: Int128($0.runs.reduce(0, +)))
        },
      ]
    }
}

private func runsPerDay(of scope: ScopeResult, _ causes: [Cause]) -> [SummaryRow] {
  if scope.duration < .day { return runsPerPeriod(of: scope, causes) }
  let byCause = causes.flatMap { cause in
    scope.rows(.runsPerDay, scope.labels.with(\.cause, cause.name)) {
      $0.runsPerDayByCause[Int(cause.rawValue)].figure($1)
    }
  }
  return scope.rows(.runsPerDay) { $0.runsPerDay.figure($1) } + byCause
    + scope.rows(.runsPerDay, scope.labels.with(\.charged, "yes")) { $0.chargedRunsPerDay.figure($1) }
    + scope.rows(.runsPerDay, scope.labels.with(\.charged, "no")) { $0.freeRunsPerDay.figure($1) }
}

/// Returns the mean number of runs per instance over a window, or over a measured period shorter than a day. There are
/// rows for the total, for each cause, and for charged and uncharged runs.
func runsPerPeriod(of scope: ScopeResult, _ causes: [Cause]) -> [SummaryRow] {
  func row(_ labels: Labels, _ causes: [Cause]) -> SummaryRow {
    scope.row(.runsPerDay, labels) { group in
      scope.perInstanceDay(causes.reduce(0) { $0 + group.runs[Int($1.rawValue)] }, group)
    }
  }
  return [row(scope.labels, Cause.allCases)] + causes.map { row(scope.labels.with(\.cause, $0.name), [$0]) } + [
    row(scope.labels.with(\.charged, "yes"), Cause.allCases.filter(\.isCharged)),
    row(scope.labels.with(\.charged, "no"), Cause.allCases.filter { !$0.isCharged }),
  ]
}

/// Returns the runs of all widgets on a phone during whole days, for the fleet and for each cohort, with the mean
/// number of charged runs.
private func phoneRows(of result: RunResult) -> [SummaryRow] {
  let cohorts = result.scenario.fleet.cohorts.indices
  return ([.fleet] + cohorts.map { Scope.cohort($0) }).flatMap { scope in
    let days = result.replications.map { replication in
      replication.phoneDays.enumerated().reduce(into: CountHistogram()) { sum, next in
        if scope == .fleet || scope == .cohort(next.offset) { sum += next.element }
      }
    }
    let labels = scope.labels(in: result.scenario)
    let charged = zip(result.replications, days).map { replication, days in
      let runs = replication.groups.reduce(Int128(0)) { scope.contains($1) ? $0 + $1.chargedRunsPerDay.sum : $0 }
      return Quantity(runs, over: Int128(days.total))
    }
    return Metric.phoneRunsPerDay.statistics.map { statistic in
      SummaryRow(.phoneRunsPerDay, labels, statistic, replications: days.map { $0.figure(statistic) })
    } + [SummaryRow(.phoneRunsPerDay, labels.with(\.charged, "yes"), .mean, replications: charged)]
  }
}

private func waits(of scope: ScopeResult) -> [SummaryRow] {
  let reasons: [(String, ClosedRange<Int>)] =
    [("", 0...WaitReason.allCases.count - 1)]
    + WaitReason.allCases.map { ($0.name, Int($0.rawValue)...Int($0.rawValue)) }
  return reasons.flatMap { name, range in
    let labels = scope.labels.with(\.reason, name)
    return [
      scope.row(.waitsPerDay, labels) { group in
        scope.perInstanceDay(group.waits[range].reduce(0) { $0 + $1.count }, group)
      },
      scope.row(.waitLength, labels) { group in
        let length = group.waits[range].reduce(Int128(0)) { $0 + $1.totalMilliseconds }
        return Quantity(length, over: 1_000 * group.waits[range].reduce(Int128(0)) { $0 + Int128($1.count) })
      },
    ]
  }
}

extension CountHistogram {
  /// Returns the mean, maximum or quantile of the recorded values; `nil` if there are none.
  package func figure(_ statistic: Statistic) -> Quantity? {
    switch statistic {
    case .mean: Quantity(sum, over: Int128(total))
    case .max: maximum.map { .whole(Int128($0)) }
    default: statistic.probability.flatMap(quantile).map { .real($0) }
    }
  }
}

extension SpanHistogram {
  /// Returns the mean or quantile of the recorded spans in seconds; `nil` if there are none.
  package func figure(_ statistic: Statistic) -> Quantity? {
    switch statistic {
    case .mean: Quantity(sumMilliseconds, over: 1_000 * Int128(total))
    default: statistic.probability.flatMap(quantileSeconds).map { .real($0) }
    }
  }
}

/// Returns the rows for the number of views and for the age of the data shown (MODEL.md 8).
func viewRows(of result: RunResult) -> [SummaryRow] {
  let scopes = ScopeResult.all(of: result)
  let limited = ScopeResult.all(of: result) { $0.staleAfter != nil }
  return scopes.map { scope in scope.row(.viewsPerDay) { scope.perInstanceDay($0.views, $0) } }
    + limited.map { share(.staleViews, $0) { $0.staleViews } }
    + limited.map { share(.staleViewsAfter, $0) { $0.staleViewsAfter } }
    + scopes.map { share(.emptyViews, $0) { $0.views - $0.dataAge.total } }
    + scopes.flatMap { $0.rows(.dataAge) { $0.dataAge.figure($1) } }
}

/// Returns the share of all views that a metric counts; unknown if there are no views.
private func share(_ metric: Metric, _ scope: ScopeResult, _ count: (GroupResult) -> Int64) -> SummaryRow {
  scope.row(metric) { Quantity(Int128(count($0)), over: Int128($0.views)) }
}
