import SimulationKernel

/// One widget of a kind on the screens of a cohort, with what the system grants it.
struct WidgetUse {
  let cohort: Cohort
  let system: OperatingSystem
  let placement: Placement
  /// Instances in the fleet.
  let instances: Double
  /// Views per day that habits make likely (MODEL.md 4.7).
  let views: Double
  /// Charged runs per day that the budget grants in the long run: the mean of C; nil: no budget.
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

  /// Whether a run can find no network.
  var mayBeOffline: Bool {
    if case .roaming(let roaming) = cohort.network { return roaming.offlineShare > .none }
    return false
  }

  /// Where it is, for messages: `cohort 'fans', page 4`.
  var place: String {
    let screen =
      switch placement.place {
      case .homePage(let page): "page \(page)"
      case .lockScreen: "lock screen"
      }
    return "cohort \(cohort.name.inQuotes), \(screen)"
  }

  /// Seconds from eligible to start, in the mean; a phone that nobody uses holds back until it gives up (4.5).
  var meanDelay: Double {
    let idle = isNeverUnlocked ? system.idle?.giveUp.seconds ?? 0 : 0
    return system.startDelay.policy.meanSeconds + idle
  }

  /// The longest that the system holds a start back, in seconds, when the budget suffices and the network is there.
  var longestDelay: Double {
    let delay = max(system.startDelay.policy.latestSeconds, system.startDelay.inUse.latestSeconds)
    let idle = system.idle.map { $0.giveUp.seconds + delay } ?? 0
    return max(delay + idle, cohort.mayBeLowPower ? ModelConstants.lowPowerWait.seconds : 0)
  }
}

extension Cohort {
  /// Whether Low Power Mode comes on at all: starts then wait for the end of their 15 min (MODEL.md 4.5).
  fileprivate var mayBeLowPower: Bool {
    if case .battery(let battery) = power { return battery.lowPowerMode > .none }
    return false
  }
}

/// The budget's capacity from habits (MODEL.md 4.7), in the mean.
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
