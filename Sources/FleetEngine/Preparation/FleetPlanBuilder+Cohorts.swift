import DeviceModel
import Numerics
import Scenario
import SimulationKernel

extension FleetPlanBuilder {
  mutating func cohorts(sizes: [Int]) throws(NumericsError) -> [CohortPlan] {
    var plans: [CohortPlan] = []
    var firstDevice = 0
    for (cohort, devices) in zip(scenario.fleet.cohorts, sizes) {
      let growth = CohortSizes.growth(of: devices, scenario)
      var plan = try plan(of: cohort, firstDevice: firstDevice, devices: growth?.all ?? devices)
      plan.growth = growth
      plans.append(plan)
      firstDevice += plan.devices
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
      members: storage.keep(members), system: try plan(of: system, hasPeople: try hasPeople(cohort.person)),
      network: try plan(of: cohort.network), power: try plan(of: cohort.power, phones: cohort.phones),
      person: try plan(of: cohort.person, cohort: cohort), hasPeople: try hasPeople(cohort.person))
  }

  private mutating func plans(
    of placement: Placement, number: Int, cohort: Cohort, budget: Budget
  ) throws(NumericsError) -> [MemberPlan] {
    var plans: [MemberPlan] = []
    let stack = stack(of: placement)
    for (index, member) in placement.members.enumerated() {
      let views = ViewsLaw.views(
        placement, weight: member.weight, person: cohort.person, unlocks: try cohort.person.unlocksPerDay.mean())
      plans.append(
        MemberPlan(
          kind: KindIndex(member.kind), family: placement.place == .lockScreen ? .small : member.family,
          placement: number,
          share: Chance(placement.share), capacity: try capacity(budget, views: views), page: placement.place.page,
          stack: stack, stackIndex: index, estimatedWeek: Int(min(views * 7, 1e6).rounded(.down)),
          bursts: try bursts(of: scenario.kinds[member.kind], person: cohort.person)))
    }
    return plans
  }

  private mutating func capacity(_ budget: Budget, views: Double) throws(NumericsError) -> CapacityPlan {
    switch budget.capacity {
    case .perDay(let runs): return .fixed(runs)
    case .range(let low, let high): return .range(low, high)
    case .drawn(let runs): return .drawn(try numberSampler(runs.converted(\.runs)))
    case .views:
      let byWeek = capacitiesByWeek[budget.cap] ?? storage.keep(Self.capacityByWeek(cap: budget.cap))
      capacitiesByWeek[budget.cap] = byWeek
      return .views(ViewsLaw.roundedCapacity(views: views, cap: budget.cap), byWeek)
    }
  }

  private mutating func plan(of system: OperatingSystem, hasPeople: Bool) throws(NumericsError) -> SystemPlan {
    SystemPlan(
      minSpacing: system.minSpacing, policyDelay: try sampler(system.startDelay.policy),
      inUseDelay: try sampler(system.startDelay.inUse),
      delayDependsOnSession: hasPeople && system.startDelay.policy != system.startDelay.inUse,
      backgroundDelay: try sampler(system.startDelay.background),
      widgetPushDelay: try widgetPushDelay(system), takesWidgetPushes: system.preset != .ios17,
      silentPushDelivered: Chance(system.silentPushDelivered), silentPushesPerHour: system.silentPushesPerHour,
      coalescingWindow: system.coalescingWindow,
      atEndGap: system.atEndGap, idle: system.idle,
      budget: BudgetPlan(
        model: system.budget.model, accrual: system.budget.accrual,
        carryOverMillionths: Int64((system.budget.carryOver * 1_000_000).rounded())),
      staleViewRare: Chance(system.staleViewReloadRare), staleViewFrequent: Chance(system.staleViewReloadFrequent),
      staleViewGrace: system.staleViewGrace, foregroundLatency: try sampler(system.foregroundLatency),
      foregroundGap: system.foregroundGap)
  }

  /// No table for pushes that never come: every run of a small scenario would wait for it.
  private mutating func widgetPushDelay(_ system: OperatingSystem) throws(NumericsError) -> SpanSampler {
    let comes = scenario.events.contains { $0.push?.kind == .widget }
    return comes ? try sampler(system.startDelay.widgetPush) : .constant(.zero)
  }

  private mutating func plan(
    of power: PowerHabits, phones: [Weighted<String>]
  ) throws(NumericsError) -> PowerPlan {
    switch power {
    case .mains: return .mains
    case .battery(let battery):
      return .battery(
        BatteryPlan(
          overnight: Chance(battery.overnight),
          plug: try sampler(.normal(mean: ModelConstants.plug.mean, deviation: ModelConstants.plug.deviation)),
          unplug: try sampler(
            .normal(mean: ModelConstants.unplug.mean, deviation: ModelConstants.unplug.deviation)),
          topUp: Chance(Share(fraction: Double(ModelConstants.topUpChance) / 100)),
          lowPowerMode: Chance(battery.lowPowerMode),
          capacities: storage.keep(phones.map { capacity(of: $0.value, health: battery.health) })))
    }
  }

  /// Energy of a phone's full battery at its health; 1 cWh is 36 J.
  private func capacity(of name: String, health: Share) -> Energy {
    let new = Int64(scenario.phone(named: name)?.centiwattHours ?? 0) * 36_000_000_000
    return Energy(nanojoules: Int64((Double(new) * health.fraction).rounded()))
  }
}

extension Placement.Place {
  /// The page of the home screen, counted from 1; 0 on the lock screen.
  fileprivate var page: Int {
    switch self {
    case .homePage(let page): page
    case .lockScreen: 0
    }
  }
}
