import FleetEngine
import Scenario
import SimulationKernel

/// Returns the energy cost of reloads: joules per instance per day by component, savings from coalescing, and battery
/// use (MODEL.md 7.4, 8).
func energyRows(of result: RunResult) -> [SummaryRow] {
  let scopes = ScopeResult.all(of: result)
  return scopes.flatMap(energyPerDay)
    + scopes.flatMap { scope in
      [
        scope.row(.energySavedPerDay) { scope.joulesPerInstanceDay($0.energy.saved, $0) },
        scope.row(.energySavedPerDay, nil, .share) { Quantity($0.energy.saved, over: $0.energy.alone) },
      ]
    }
    + scopes.flatMap(energyAlonePerDay)
    + scopes.map { $0.row(.energyInSessions) { Quantity($0.energy.inSessions, over: $0.energy.total) } }
    + batteryRows(of: result)
}

/// Returns the total energy, then the energy by component.
private func energyPerDay(of scope: ScopeResult) -> [SummaryRow] {
  let all = scope.row(.energyPerDay) { scope.joulesPerInstanceDay($0.energy.total, $0) }
  return [all]
    + EnergyComponent.allCases.flatMap { component in
      let labels = scope.labels.with(\.component, component.name)
      return [
        scope.row(.energyPerDay, labels) { scope.joulesPerInstanceDay($0.energy[component], $0) },
        scope.row(.energyPerDay, labels, .share) { Quantity($0.energy[component], over: $0.energy.total) },
      ]
    }
}

/// Returns the energy that the same runs would have used if no two of them had coincided. The components of the radio
/// are combined.
private func energyAlonePerDay(of scope: ScopeResult) -> [SummaryRow] {
  let all = scope.row(.energyAlonePerDay) { scope.joulesPerInstanceDay($0.energy.alone, $0) }
  return [all]
    + [EnergyComponent.transfer, .cpu, .wait].map { component in
      scope.row(.energyAlonePerDay, scope.labels.with(\.component, component.name)) { group in
        let isWait = component == .wait
        return scope.joulesPerInstanceDay(isWait ? group.energy.aloneWait : group.energy[component], group)
      }
    }
}

/// Returns the battery use per day for the fleet and for each cohort; unknown for phones without a modelled battery.
private func batteryRows(of result: RunResult) -> [SummaryRow] {
  let cohorts = result.scenario.fleet.cohorts.indices
  let scopes = [Scope.fleet] + cohorts.map { .cohort($0) }
  return scopes.flatMap { scope -> [SummaryRow] in
    let sums = result.replications.map { $0.battery(in: scope) }
    let span = min(result.scenario.clock.duration, .day)
    return Metric.batteryPercentPerDay.statistics.map { statistic in
      SummaryRow(
        .batteryPercentPerDay, scope.labels(in: result.scenario), statistic,
        replications: sums.map { $0.figure(statistic, per: span) })
    }
  }
}

extension ScopeResult {
  /// Returns joules per instance per 24 hours (or per measured period if shorter), rounded to the microjoule.
  fileprivate func joulesPerInstanceDay(_ nanojoules: Int128, _ group: GroupResult) -> Quantity? {
    let microjoules = Quantity(
      nanojoules * Int128(span.milliseconds),
      over: Int128(group.milliseconds) * 1_000)
    switch microjoules {
    case .whole(let count): return Quantity(count, over: 1_000_000)
    case .real(let value): return .real(value.rounded() / 1_000_000)
    case nil: return nil
    }
  }
}

extension ReplicationResult {
  /// Returns the combined battery result of a scope's phones.
  fileprivate func battery(in scope: Scope) -> BatteryResult {
    var sum = BatteryResult()
    for (cohort, battery) in batteries.enumerated() where scope == .fleet || scope == .cohort(cohort) { sum += battery }
    return sum
  }
}

extension BatteryResult {
  /// Returns battery use in percent per phone per span; quantiles are over whole days.
  fileprivate func figure(_ statistic: Statistic, per span: TimeAmount) -> Quantity? {
    guard let probability = statistic.probability else {
      return Quantity(
        billionths * 100 * Int128(span.milliseconds),
        over: milliseconds * 1_000_000_000)
    }
    return days.quantile(probability).map { .real(significant($0 * 100)) }
  }
}
