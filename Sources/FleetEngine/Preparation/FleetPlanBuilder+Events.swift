import DeviceModel
import Numerics
import Scenario
import SimulationKernel

extension FleetPlanBuilder {
  /// What comes over devices; outages are the backend's.
  mutating func events() throws(NumericsError) -> [EventPlan] {
    var plans: [EventPlan] = []
    for (number, event) in scenario.events.enumerated() {
      guard let reach = reach(of: event.action), let timing = try plan(of: event.timing) else { continue }
      var plan = EventPlan(
        timing: timing, action: reach.action, audience: Chance(reach.audience.share),
        group: reach.audience.group.map(groupNumber), over: reach.over, number: number)
      if case .push(let push) = event.action, let cohorts = push.cohorts {
        plan.cohorts = storage.keep(cohorts.map { CohortIndex($0) })
      }
      plans.append(plan)
    }
    return plans
  }

  /// nil for what never happens.
  private mutating func plan(of timing: EventTiming) throws(NumericsError) -> EventPlan.Timing? {
    switch timing {
    case .once(let instant): return .once(instant)
    case .daily(let time, let zone):
      return .daily(calendar(zone) { $0.instants(at: time, on: Set(Weekday.allCases)) })
    case .perDevicePerDay(let perDay):
      guard perDay > 0 else { return nil }
      return .perDevice(gap: try samplers.span(.exponential(mean: Double(TimeAmount.day.milliseconds) / perDay)))
    }
  }

  /// What an event does to whom, and within what time; nil for an outage.
  private func reach(of action: EventAction) -> (action: EventPlan.Action, audience: Audience, over: TimeAmount)? {
    switch action {
    case .outage: nil
    case .appUpdate(let audience, let over): (.systemChange, audience, over)
    case .systemChange(let audience): (.systemChange, audience, .zero)
    case .gallery(let audience, let over, let network): (.gallery(network: Chance(network)), audience, over)
    case .push(let push):
      switch push.kind {
      case .widget: (.widgetPush(restarts: push.restarts), push.audience, push.over)
      case .silent:
        (
          .silentPush(
            ReloadEffect(
              kinds: storage.keep(push.kinds.map { KindIndex($0) }), clearsCache: push.clearsCache,
              fillsCache: push.fillsCache,
              restarts: push.restarts)), push.audience, push.over
        )
      }
    }
  }

  /// Groups are numbered in the order of their first events.
  private func groupNumber(_ name: String) -> Int {
    var names: [String] = []
    for event in scenario.events {
      guard let group = event.action.audience?.group, !names.contains(group) else { continue }
      names.append(group)
    }
    return names.firstIndex(of: name) ?? names.count
  }
}

extension EventAction {
  /// nil for what reaches no devices.
  fileprivate var audience: Audience? {
    switch self {
    case .outage: nil
    case .push(let push): push.audience
    case .appUpdate(let audience, _), .systemChange(let audience), .gallery(let audience, _, _): audience
    }
  }
}
