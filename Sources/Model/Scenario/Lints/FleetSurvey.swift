import SimulationKernel

/// The contents of a scenario, grouped by kind, for use by lints.
struct FleetSurvey {
  let scenario: Scenario
  /// The offset of local time from UTC at `clock.start`, by zone.
  let offsets: [String: TimeAmount]
  /// The widgets of each kind, with one element per placement and cohort; the outer array is indexed by kind.
  let uses: [[WidgetUse]]

  init(of scenario: Scenario, offsets: [String: TimeAmount]) {
    self.scenario = scenario
    self.offsets = offsets
    var uses = Array(repeating: [WidgetUse](), count: scenario.kinds.count)
    for cohort in scenario.fleet.cohorts {
      for placement in cohort.widgets where cohort.share > .none && placement.share > .none {
        for member in placement.members where uses.indices.contains(member.kind) {
          uses[member.kind].append(WidgetUse(placement, weight: member.weight, of: cohort, in: scenario))
        }
      }
    }
    self.uses = uses
  }

  func kind(_ index: Int) -> Kind { scenario.kinds[index] }

  /// Returns the path of a key that belongs to a kind.
  func path(_ index: Int, _ keys: String...) -> [String] { ["kinds", kind(index).name] + keys }

  /// Returns the path of the policy of one phase.
  func path(_ index: Int, phase: Int) -> [String] {
    kind(index).phases.count == 1 ? path(index, "reload") : path(index, "phases", "\(phase)", "reload")
  }

  /// Returns the policies of all phases, followed by those of all windows. Each policy has the path of its `after` key
  /// and its entries.
  func policies(_ index: Int) -> [(path: [String], policy: ReloadPolicy, entries: Entries)] {
    let kind = kind(index)
    let phases = kind.phases.enumerated().map { (path(index, phase: $0) + ["after"], $1.reload, $1.entries) }
    let entries = kind.phases.last?.entries ?? Entries()
    return phases
      + kind.windows.enumerated().map { (path(index, "when", "\($0)", "reload", "after"), $1.reload, entries) }
  }

  /// Returns the last phase, which repeats indefinitely; `nil` if the phases can be restarted.
  func lastingPhase(_ index: Int) -> Int? {
    let last = kind(index).phases.count - 1
    return last <= 0 || !isRestarted(index) ? last : nil
  }

  private func isRestarted(_ index: Int) -> Bool {
    let calls = scenario.app.reloads.contains { $0.restarts && $0.kinds.contains(index) }
    return calls || pushes(reaching: index).contains(where: \.restarts)
  }

  /// Returns the pushes that reload a kind and can reach a phone that has a widget of this kind.
  func pushes(reaching kind: Int) -> [Push] {
    scenario.events.compactMap(\.push).filter { push in
      push.kinds.contains(kind)
        && scenario.fleet.cohorts.indices.contains { push.reaches(cohort: $0) && scenario.fleet.cohorts[$0].has(kind) }
    }
  }

  /// Whether the kind's requests can be refused because the servers lack capacity.
  func mayBeRefused(_ index: Int) -> Bool {
    let endpoints = Set(kind(index).requests.map(\.endpoint))
    let hasOutage = scenario.events.contains {
      if case .outage(let outage) = $0.action { return endpoints.contains(outage.endpoint) }
      return false
    }
    return hasOutage
      || endpoints.contains { scenario.endpoints[$0].capacity != nil || scenario.endpoints[$0].rateLimit != nil }
  }

  /// Returns the widget of the kind to which the budget grants the fewest runs; `nil` if there is no budget.
  func tightest(_ index: Int) -> (use: WidgetUse, granted: Double)? {
    uses[index].compactMap { use in use.granted.map { (use, $0) } }.min { $0.1 < $1.1 }
  }
}

extension Cohort {
  /// Whether some of the cohort's phones have a widget of this kind.
  fileprivate func has(_ kind: Int) -> Bool {
    share > .none && widgets.contains { $0.share > .none && $0.members.contains { $0.kind == kind } }
  }

  /// Whether Low Power Mode, which delays starts, can be turned on at all (MODEL.md 4.5).
  fileprivate var mayBeLowPower: Bool {
    if case .battery(let battery) = power { return battery.lowPowerMode > .none }
    return false
  }
}

/// A widget of a kind on the screens of a cohort, with the number of runs that its budget grants.
struct WidgetUse {
  let cohort: Cohort
  let system: OperatingSystem
  let placement: Placement
  /// The number of instances of the widget in the fleet.
  let instances: Double
  /// The expected number of views per day, based on the users' habits (MODEL.md 4.7).
  let views: Double
  /// The mean number of charged runs per day that the budget grants in the long run (the mean of C); `nil` if there is
  /// no budget.
  let granted: Double?

  init(_ placement: Placement, weight: Double, of cohort: Cohort, in scenario: Scenario) {
    self.cohort = cohort
    self.placement = placement
    system = cohort.os ?? scenario.os
    instances = Double(scenario.fleet.devices) * cohort.share.fraction * placement.share.fraction
    views = ViewsLaw.views(
      placement, weight: weight, person: cohort.person, unlocks: cohort.person.unlocksPerDay.expectation)
    granted = BudgetEstimate.capacity(system.budget, views: views)
  }

  var isNeverUnlocked: Bool { cohort.person.unlocksPerDay == .constant(0) }

  /// Whether the phone may have no network when a run starts.
  var mayBeOffline: Bool {
    if case .roaming(let roaming) = cohort.network { return roaming.offlineShare > .none }
    return false
  }

  /// The location shown in messages, such as `cohort 'fans', page 4`.
  var place: String {
    let screen =
      switch placement.place {
      case .homePage(let page): "page \(page)"
      case .lockScreen: "lock screen"
      }
    return "cohort \(cohort.name.inQuotes), \(screen)"
  }

  /// The mean delay from the eligible instant to the start, in seconds. On an idle phone, runs are delayed further,
  /// until the phone no longer withholds them (4.5).
  var meanDelay: Double {
    let idle = isNeverUnlocked ? system.idle?.giveUp.seconds ?? 0 : 0
    return system.startDelay.policy.meanSeconds + idle
  }

  /// The maximum delay, in seconds, until the system starts a run for which budget and network are available.
  var longestDelay: Double {
    let delay = max(system.startDelay.policy.latestSeconds, system.startDelay.inUse.latestSeconds)
    let idle = system.idle.map { $0.giveUp.seconds + delay } ?? 0
    return max(delay + idle, cohort.mayBeLowPower ? system.lowPowerWait.seconds : 0)
  }
}

/// An estimate of the budget's mean capacity, based on the users' habits (MODEL.md 4.7).
package enum BudgetEstimate {
  static func capacity(_ budget: Budget, views: Double) -> Double? {
    guard budget.model != .off else { return nil }
    switch budget.capacity {
    case .perDay(let runs): return Double(runs.count) / 1e6
    case .range(let low, let high): return Double(low.count + high.count) / 2e6
    case .drawn(let runs): return runs.converted(\.runs).expectation
    case .views: return ViewsLaw.capacity(views: views, cap: budget.cap)
    }
  }
}

/// An estimate of the number of simulated events per phone per day.
package enum PhoneEvents {
  /// Returns the expected number of events per phone per day, based on habits, policies and budgets.
  ///
  /// The events are a fixed number per day, looks at the screen and, for each run, its due date, start, end and
  /// requests.
  package static func perDay(of scenario: Scenario) -> Double {
    let survey = FleetSurvey(of: scenario, offsets: [:])
    let (fleet, kinds, app) = (scenario.fleet, scenario.kinds, scenario.app)
    let looks = fleet.cohorts.indices.reduce(0) { sum, cohort in
      sum + fleet.cohorts[cohort].share.fraction * PhoneHabits(cohort, of: scenario).looks.count
    }
    let ofRuns = kinds.indices.reduce(0) { sum, index in
      let calls = app.reloads.filter { $0.kinds.contains(index) }.reduce(0) { $0 + $1.callsPerDay(app) }
      let asked = calls + (kinds[index].taps?.perDay ?? 0) + kinds[index].locationChangesPerDay
      let runs = survey.uses[index].reduce(0.0) { sum, use in
        let maximum = 86_400 / max(use.system.minSpacing.seconds, 1)
        return sum + use.instances
          * (min(survey.demand(index, under: use) ?? maximum, use.granted ?? .infinity) + asked)
      }
      return sum + runs * (4 + Double(kinds[index].requests.reduce(0) { $0 + $1.count }))
    }
    return 100 + 2 * looks + ofRuns / Double(max(fleet.devices, 1))
  }
}

extension Distribution {
  /// Returns the mean of the distribution after converting its values to numbers. The mean of a normal distribution
  /// includes the negative part.
  private func mean(_ number: (Value) -> Double) -> Double {
    switch self {
    case .constant(let value): number(value)
    case .uniform(let from, let to): (number(from) + number(to)) / 2
    case .exponential(let mean): number(mean)
    case .normal(let mean, _): number(mean)
    case .lognormal(let median, let sigma): number(median) * SteadyMath.exp(sigma * sigma / 2)
    case .choice(let options): options.reduce(0) { $0 + number($1.value) * $1.weight }
    }
  }
}

extension Distribution<Double> {
  package var expectation: Double { mean { $0 } }
}

extension Distribution<TimeAmount> {
  var meanSeconds: Double { mean(\.seconds) }

  /// The maximum of the distribution in seconds, or a value that is exceeded by fewer than one in 10 000 draws.
  var latestSeconds: Double {
    switch self {
    case .constant(let span): span.seconds
    case .uniform(let from, let to): max(from.seconds, to.seconds)
    case .exponential(let mean): mean.seconds * 9.3
    case .normal(let mean, let deviation): mean.seconds + 3.8 * deviation.seconds
    case .lognormal(let median, let sigma): median.seconds * SteadyMath.exp(3.8 * sigma)
    case .choice(let options): options.map(\.value.seconds).max() ?? 0
    }
  }
}
