import DeviceModel
import Numerics
import Scenario
import SimulationKernel

extension FleetPlanBuilder {
  mutating func cohorts(sizes: [Int]) throws(NumericsError) -> [CohortPlan] {
    var plans: [CohortPlan] = []
    var firstDevice = 0
    for (cohort, devices) in zip(scenario.fleet.cohorts, sizes) {
      plans.append(try plan(of: cohort, firstDevice: firstDevice, devices: devices))
      firstDevice += devices
    }
    return plans
  }

  private mutating func plan(
    of cohort: Cohort, firstDevice: Int, devices: Int
  ) throws(NumericsError) -> CohortPlan {
    let system = cohort.os ?? scenario.os
    let zoneNumbers = cohort.zones.map { zone in zoneNames.firstIndex(of: zone.value) ?? 0 }
    var members: [MemberPlan] = []
    for (number, placement) in cohort.widgets.enumerated() {
      members += try plans(of: placement, number: number, cohort: cohort, budget: system.budget)
    }
    return CohortPlan(
      firstDevice: firstDevice, devices: devices,
      zone: storage.choice(of: cohort.zones.enumerated().map { ($0.offset, $0.element.weight) }),
      zoneNumbers: storage.keep(zoneNumbers),
      phone: storage.choice(of: cohort.phones.enumerated().map { ($0.offset, $0.element.weight) }),
      members: storage.keep(members), system: try plan(of: system), roundTrip: roundTrip(of: cohort.network),
      power: try plan(of: cohort.power))
  }

  private func plans(
    of placement: Placement, number: Int, cohort: Cohort, budget: Budget
  ) throws(NumericsError) -> [MemberPlan] {
    var plans: [MemberPlan] = []
    for member in placement.members {
      let capacity: CapacityPlan
      switch budget.capacity {
      case .perDay(let runs): capacity = .fixed(runs)
      case .range(let low, let high): capacity = .range(low, high)
      case .views:
        let views = try ViewsCapacity.estimatedViews(placement, weight: member.weight, person: cohort.person)
        capacity = .fixed(ViewsCapacity.capacity(views: views, cap: budget.cap))
      }
      plans.append(
        MemberPlan(
          kind: member.kind, family: placement.place == .lockScreen ? .small : member.family, placement: number,
          share: Chance(placement.share), capacity: capacity))
    }
    return plans
  }

  private mutating func plan(of system: OperatingSystem) throws(NumericsError) -> SystemPlan {
    SystemPlan(
      minSpacing: system.minSpacing, policyDelay: try sampler(system.startDelay.policy),
      backgroundDelay: try sampler(system.startDelay.background), coalescingWindow: system.coalescingWindow,
      atEndGap: system.atEndGap, idle: system.idle,
      budget: BudgetPlan(
        model: system.budget.model, accrual: system.budget.accrual,
        carryOverMillionths: Int64((system.budget.carryOver * 1_000_000).rounded())))
  }

  /// The round trip of requests on a network that never changes.
  private func roundTrip(of network: NetworkHabits) -> TimeAmount {
    switch network {
    case .fixed(let profile): profile.roundTrip
    case .roaming(let roaming): roaming.cellular.roundTrip
    }
  }

  private mutating func plan(of power: PowerHabits) throws(NumericsError) -> PowerPlan {
    switch power {
    case .mains: return .mains
    case .battery(let overnight, _, _):
      return .overnight(
        Chance(overnight),
        plug: try sampler(.normal(mean: .hours(23), deviation: .minutes(75))),
        unplug: try sampler(.normal(mean: .hours(7), deviation: .minutes(60))))
    }
  }
}
