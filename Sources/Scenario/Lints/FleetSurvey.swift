import SimulationKernel

/// A scenario looked at kind by kind: what lints ask of it.
struct FleetSurvey {
  let scenario: Scenario
  /// Local time less UTC at `clock.start`, by zone.
  let offsets: [String: TimeAmount]
  /// Widget uses of each kind, by its index.
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

  /// Where a kind has a key.
  func path(_ index: Int, _ keys: String...) -> [String] { ["kinds", kind(index).name] + keys }

  /// Where the policy of a phase is written.
  func path(_ index: Int, phase: Int) -> [String] {
    kind(index).phases.count == 1 ? path(index, "reload") : path(index, "phases", "\(phase)", "reload")
  }

  /// The policies of phases, then those of windows, with the places of their `after` and the entries that go with them.
  func policies(_ index: Int) -> [(path: [String], policy: ReloadPolicy, entries: Entries)] {
    let kind = kind(index)
    let phases = kind.phases.enumerated().map { (path(index, phase: $0) + ["after"], $1.reload, $1.entries) }
    let entries = kind.phases.last?.entries ?? Entries()
    return phases
      + kind.windows.enumerated().map { (path(index, "when", "\($0)", "reload", "after"), $1.reload, entries) }
  }

  /// The policy that a widget comes to in the long run: the last phase repeats. nil where something takes kinds back
  /// to the first phase.
  func lastingPhase(_ index: Int) -> Int? {
    let last = kind(index).phases.count - 1
    return last <= 0 || !isRestarted(index) ? last : nil
  }

  private func isRestarted(_ index: Int) -> Bool {
    let calls = scenario.app.reloads.contains { $0.restarts && $0.kinds.contains(index) }
    return calls || pushes(reaching: index).contains(where: \.restarts)
  }

  /// Pushes that name a kind and can come to a phone that has it.
  func pushes(reaching kind: Int) -> [Push] {
    scenario.events.compactMap(\.push).filter { push in
      push.kinds.contains(kind)
        && scenario.fleet.cohorts.indices.contains { push.reaches(cohort: $0) && scenario.fleet.cohorts[$0].has(kind) }
    }
  }

  /// Whether requests of a kind can fail for want of a server.
  func mayBeRefused(_ index: Int) -> Bool {
    let endpoints = Set(kind(index).requests.map(\.endpoint))
    let hasOutage = scenario.events.contains {
      if case .outage(let outage) = $0.action { return endpoints.contains(outage.endpoint) }
      return false
    }
    return hasOutage
      || endpoints.contains { scenario.endpoints[$0].capacity != nil || scenario.endpoints[$0].rateLimit != nil }
  }

  /// The use that the budget grants least; nil without a budget.
  func tightest(_ index: Int) -> (use: WidgetUse, granted: Double)? {
    uses[index].compactMap { use in use.granted.map { (use, $0) } }.min { $0.1 < $1.1 }
  }
}

extension Cohort {
  /// Whether some of its phones have a widget of a kind.
  fileprivate func has(_ kind: Int) -> Bool {
    share > .none && widgets.contains { $0.share > .none && $0.members.contains { $0.kind == kind } }
  }
}
