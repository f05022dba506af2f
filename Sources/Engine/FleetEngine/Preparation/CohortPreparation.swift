import DeviceModel
import Numerics
package import Scenario
import SimulationKernel

extension FleetPlanBuilder {
  mutating func cohorts(sizes: [Int]) throws(NumericsError) -> [CohortPlan] {
    var plans: [CohortPlan] = []
    var firstDevice = 0
    for (number, (cohort, devices)) in zip(scenario.fleet.cohorts, sizes).enumerated() {
      place = ["fleet", "cohorts", "\(number)"]
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
    let own = place
    for (number, placement) in cohort.widgets.enumerated() {
      members += try plans(of: placement, number: number, cohort: cohort, budget: system.budget)
    }
    place = own
    return CohortPlan(
      firstDevice: firstDevice, devices: devices,
      zone: storage.choice(of: cohort.zones.enumerated().map { ($0.offset, $0.element.weight) }),
      zoneNumbers: storage.keep(zoneNumbers),
      phone: storage.choice(of: cohort.phones.enumerated().map { ($0.offset, $0.element.weight) }),
      members: storage.keep(members), system: try plan(of: system, cohort.person),
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

  private mutating func plan(of system: OperatingSystem, _ person: Person) throws(NumericsError) -> SystemPlan {
    var plan = SystemPlan(
      minSpacing: system.minSpacing, policyDelay: try sampler(system.startDelay.policy),
      inUseDelay: try sampler(system.startDelay.inUse),
      delayDependsOnSession: try hasPeople(person) && system.startDelay.policy != system.startDelay.inUse,
      backgroundDelay: try sampler(system.startDelay.background),
      widgetPushDelay: try widgetPushDelay(system), takesWidgetPushes: system.preset != .ios17,
      silentPushDelivered: Chance(system.silentPushDelivered), silentPushesPerHour: system.silentPushesPerHour,
      coalescingWindow: system.coalescingWindow, atEndGap: system.atEndGap, idle: system.idle,
      budget: BudgetPlan(
        model: system.budget.model, accrual: system.budget.accrual,
        carryOverMillionths: Int64((system.budget.carryOver * 1_000_000).rounded()), nightHour: person.hours.nightHour),
      staleViewRare: Chance(system.staleViewReloadRare), staleViewFrequent: Chance(system.staleViewReloadFrequent),
      staleViewGrace: system.staleViewGrace, foregroundLatency: try sampler(system.foregroundLatency),
      foregroundGap: system.foregroundGap)
    (plan.lowPowerWait, plan.crashRetry) = (system.lowPowerWait, system.crashRetry)
    return plan
  }

  /// Returns a sampler for the delivery delay of widget pushes.
  ///
  /// Without pushes, no table is built, because building it would slow down every small run.
  private mutating func widgetPushDelay(_ system: OperatingSystem) throws(NumericsError) -> SpanSampler {
    let comes = scenario.events.contains { $0.push?.kind == .widget }
    return comes ? try sampler(system.startDelay.widgetPush) : .constant(.zero)
  }

  private mutating func plan(of power: PowerHabits, phones: [Weighted<String>]) throws(NumericsError) -> PowerPlan {
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

  /// Returns the energy of a phone's fully charged battery, adjusted for its health; 1 cWh is 36 J.
  private func capacity(of name: String, health: Share) -> Energy {
    let new = Int64(scenario.phone(named: name)?.centiwattHours ?? 0) * 36_000_000_000
    return Energy(nanojoules: Int64((Double(new) * health.fraction).rounded()))
  }

  /// Returns the plan for the usage habits of a cohort's users.
  mutating func plan(of person: Person, cohort: Cohort) throws(NumericsError) -> PersonPlan {
    var plan = try hasPeople(person) ? usedPhone(person, cohort) : unusedPhone(person)
    (plan.refreshOff, plan.forceQuit) = (Chance(person.refreshOff), Chance(person.forceQuit))
    return plan
  }

  private mutating func usedPhone(_ person: Person, _ cohort: Cohort) throws(NumericsError) -> PersonPlan {
    let unlocks = try person.unlocksPerDay.mean()
    let hasLockScreen = cohort.widgets.contains { $0.place == .lockScreen }
    let audio = scenario.app.audioSession
    var plan = PersonPlan(
      unlocksPerDay: try numberSampler(person.unlocksPerDay),
      dayFactor: try person.dayVariation.map { shape throws(NumericsError) in
        try samplers.number(.gamma(shape: shape, mean: 1))
      } ?? .constant(1),
      unitGap: try samplers.number(.exponential(mean: 1)), hours: hours(of: person),
      session: try sampler(person.session), glancesPerUnlock: hasLockScreen ? person.glancesPerUnlock : 0,
      furtherVisits: try samplers.count(poisson: person.homeVisits), depth: depth(person, pages: cohort.lastPage),
      appOpens: Chance(Share(fraction: unlocks > 0 ? min(1, scenario.app.opensPerDay / unlocks) : 0)),
      foreground: try sampler(scenario.app.foreground), audioPerDay: audio?.perDay ?? 0,
      audioLength: try sampler(audio?.length ?? .constant(.zero)))
    plan.fleetDayFactor = try fleetDayFactor()
    return plan
  }

  /// Returns a sampler for the fleet's day factor, which is lognormal with mean 1 (MODEL.md 2.2).
  mutating func fleetDayFactor() throws(NumericsError) -> NumberSampler {
    guard let sigma = scenario.fleet.dayFactorSigma, sigma > 0 else { return .constant(1) }
    return try numberSampler(.lognormal(median: SteadyMath.exp(-sigma * sigma / 2), sigma: sigma))
  }

  /// Returns the plan for phones that are never used, which needs no sampling tables.
  private func unusedPhone(_ person: Person) -> PersonPlan {
    let one = storage.choice(of: [(value: 1, weight: 1)])
    return PersonPlan(
      unlocksPerDay: .constant(0), dayFactor: .constant(1), unitGap: .constant(1), hours: hours(of: person),
      session: .constant(.zero), glancesPerUnlock: 0, furtherVisits: one, depth: one,
      appOpens: Chance(Share(fraction: 0)), foreground: .constant(.zero), audioPerDay: 0, audioLength: .constant(.zero))
  }

  /// Whether users of the cohort ever use their phones or play audio from the app.
  func hasPeople(_ person: Person) throws(NumericsError) -> Bool {
    let moves = scenario.kinds.contains { $0.locationChangesPerDay > 0 }
    return try person.unlocksPerDay.mean() > 0 || (scenario.app.audioSession?.perDay ?? 0) > 0 || moves
  }

  private func hours(of person: Person) -> PreparedList<HourProfile> {
    storage.keep(
      walls.map { wall in
        HourProfileBuilder(wall: wall, weights: person.hours, storage: storage)
          .profile(days: Calendar(wall: wall, clock: scenario.clock).days)
      })
  }

  /// Returns the distribution of the last home screen page reached on a visit, limited to pages with widgets.
  private func depth(_ person: Person, pages: Int) -> ChoiceTable<Int> {
    var reached = 1.0
    var options: [(value: Int, weight: Double)] = []
    for page in 1..<max(pages, 1) {
      let further = page == 1 ? person.nextPageFromFirst.fraction : person.nextPageFromLater.fraction
      options.append((page, reached * (1 - further)))
      reached *= further
    }
    options.append((max(pages, 1), reached))
    return storage.choice(of: options)
  }

  /// Returns the distribution of the number of tap bursts per session on an instance (MODEL.md 2.6); `nil` if there are
  /// no taps.
  mutating func bursts(of kind: Kind, person: Person) throws(NumericsError) -> ChoiceTable<Int>? {
    let unlocks = try person.unlocksPerDay.mean()
    guard let taps = kind.taps, taps.perDay > 0, unlocks > 0 else { return nil }
    place = ["kinds", kind.name, "taps", "per_day"]
    return try samplers.count(poisson: taps.perDay / Double(taps.burst) / unlocks)
  }

  /// Returns the distribution of the visible stack member's index, where -1 is another app's widget.
  func stack(of placement: Placement) -> ChoiceTable<Int>? {
    guard placement.isStack else { return nil }
    let members = placement.members.enumerated().map { (value: $0.offset, weight: $0.element.weight) }
    return storage.choice(of: members + [(value: -1, weight: placement.otherWeight)])
  }

  /// Returns the capacity C for each number of views in seven days, up to the point where the curve becomes flat
  /// (MODEL.md 4.7).
  static func capacityByWeek(cap: Double) -> [RunMillionths] {
    // At 1 500 views per day, the capacity is within one millionth of a run of its limit.
    (0...7 * 1_500).map { ViewsLaw.roundedCapacity(views: Double($0) / 7, cap: cap) }
  }

  /// Returns a sampler for a distribution of plain numbers.
  mutating func numberSampler(_ distribution: Distribution<Double>) throws(NumericsError) -> NumberSampler {
    switch distribution {
    case .constant(let number): return .constant(number)
    case .uniform(let from, let to): return to > from ? .uniform(from: from, width: to - from) : .constant(from)
    case .exponential(let mean): return mean > 0 ? try samplers.number(.exponential(mean: mean)) : .constant(0)
    case .normal(let mean, let deviation):
      return deviation > 0 ? try samplers.number(.normal(mean: mean, deviation: deviation)) : .constant(max(mean, 0))
    case .lognormal(let median, let sigma):
      return sigma > 0 && median > 0
        ? try samplers.number(.lognormal(median: median, sigma: sigma)) : .constant(median)
    case .choice(let options): return try samplers.number(choice: options.map { ($0.value, $0.weight) })
    }
  }

  /// Returns the plan for the network of a cohort's devices (MODEL.md 3.1).
  mutating func plan(of habits: NetworkHabits) throws(NumericsError) -> NetworkPlan {
    switch habits {
    case .fixed(let profile): return NetworkPlan(radios: storage.keep([RadioPlan(profile)]), roaming: nil, offline: nil)
    case .roaming(let roaming):
      return NetworkPlan(
        radios: storage.keep([RadioPlan(.wifi), RadioPlan(roaming.cellular)]),
        roaming: RoamingPlan(
          gap: try sampler(.exponential(mean: roaming.dwell)), wifi: storage.keep(roaming.wifiShare.map { Chance($0) })),
        offline: try offline(roaming))
    }
  }

  /// Returns the plan for offline spells, and for the online spells implied by the offline share; `nil` if devices are
  /// never offline.
  private mutating func offline(_ roaming: Roaming) throws(NumericsError) -> OfflinePlan? {
    let share = roaming.offlineShare.fraction
    guard share > 0 else { return nil }
    let mean = Double(roaming.offlineMean.milliseconds)
    return OfflinePlan(
      share: Chance(roaming.offlineShare), offline: try samplers.span(.exponential(mean: mean)),
      online: try samplers.span(.exponential(mean: mean * (1 - share) / share)))
  }
}

extension Placement.Place {
  /// The home screen page, numbered from 1, or 0 for the lock screen.
  fileprivate var page: Int {
    switch self {
    case .homePage(let page): page
    case .lockScreen: 0
    }
  }
}

extension Cohort {
  /// The last home screen page that contains a widget, numbered from 1.
  fileprivate var lastPage: Int {
    widgets.reduce(1) { last, placement in
      if case .homePage(let page) = placement.place { max(last, page) } else { last }
    }
  }
}

/// A calculation of the exact number of devices in each cohort by the largest remainder method (MODEL.md 1).
enum CohortSizes {
  /// Returns the number of devices in each cohort that exist when the simulation starts.
  static func atStart(_ scenario: Scenario) -> [Int] {
    sizes(of: scenario.fleet.cohorts.map(\.share), devices: scenario.devicesSimulated)
  }

  /// Returns the number of devices in each cohort, including devices added later.
  static func all(_ scenario: Scenario) -> [Int] {
    atStart(scenario).map { growth(of: $0, scenario)?.all ?? $0 }
  }

  /// Returns the index of the cohort that contains a device, given the cohort sizes.
  static func cohort(of device: Int, in sizes: [Int]) -> Int {
    var last = 0
    for (index, size) in sizes.enumerated() {
      last += size
      if device < last { return index }
    }
    return sizes.count - 1
  }

  /// Returns the growth plan of a cohort; `nil` if its number of devices is constant.
  static func growth(of size: Int, _ scenario: Scenario) -> GrowthPlan? {
    GrowthPlan(atStart: size, logarithm: scenario.fleet.growthLogarithm, duration: scenario.clock.duration)
  }

  /// Divides devices among cohorts according to their shares.
  ///
  /// - Parameter shares: shares from 0 to 1 that add up to 1.
  /// - Returns: sizes that add up to `devices`; if two remainders are equal, the earlier cohort is rounded up.
  static func sizes(of shares: [Share], devices: Int) -> [Int] {
    let quotas = shares.map { $0.fraction * Double(devices) }
    // Shares are decimal fractions, so a quota slightly below an integer is treated as that integer.
    var sizes = quotas.map { Int(($0 + 1e-6).rounded(.down)) }
    let left = devices - sizes.reduce(0, +)
    // Remainders are compared in whole millionths, because rounding errors may make equal remainders differ slightly.
    let remainders = sizes.indices.map { index in
      (index: index, remainder: Int(((quotas[index] - Double(sizes[index])) * 1e6).rounded()))
    }
    let ranked = remainders.sorted { ($1.remainder, $0.index) < ($0.remainder, $1.index) }
    for place in ranked.prefix(max(left, 0)) { sizes[place.index] += 1 }
    return sizes
  }
}

extension Scenario {
  /// The number of devices per replication, including devices added later.
  package var devicesTotal: Int { CohortSizes.all(self).reduce(0, +) }
}

extension ViewsLaw {
  /// Returns the result of `capacity` in millionths of a run, rounded down.
  static func roundedCapacity(views: Double, cap: Double) -> RunMillionths {
    RunMillionths(count: Int64((capacity(views: views, cap: cap) * 1_000_000).rounded(.down)))
  }
}

extension Distribution<Double> {
  /// Returns the mean of the distribution; for normal distributions, negative draws count as 0.
  func mean() throws(NumericsError) -> Double {
    guard case .normal(let mean, let deviation) = self else { return expectation }
    return try RectifiedNormal.mean(mean: mean, deviation: deviation)
  }
}
