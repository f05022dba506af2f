import Scenario
import SimulationKernel

/// `os`: the constants of the scheduler.
struct SystemBuilder {
  let os: Section

  /// A preset with the keys given under `os` on top.
  func operatingSystem(preset: Preset) -> OperatingSystem {
    var system = OperatingSystem(preset: preset)
    apply(to: &system)
    applyDelays(os.section("start_delay"), to: &system)
    applyBudget(os.section("budget"), to: &system)
    return system
  }

  /// The undocumented constants that are written.
  var givenConstants: Set<UndocumentedConstant> {
    let given = UndocumentedConstant.allCases.filter { constant in
      let keys = constant.rawValue.split(separator: ".").map(String.init)
      let sections = keys.dropLast().reduce(os) { $0.section($1) }
      return keys.last.map { sections.written($0) != nil } ?? false
    }
    return Set(given)
  }

  private func apply(to system: inout OperatingSystem) {
    replace(&system.minSpacing, os, "min_spacing") { $0.duration($1) }
    replace(&system.coalescingWindow, os, "coalescing_window") { $0.duration($1) }
    replace(&system.atEndGap, os, "at_end_gap") { $0.duration($1) }
    replace(&system.staleViewGrace, os, "stale_view_grace") { $0.duration($1) }
    replace(&system.foregroundLatency, os, "foreground_latency") { $0.distribution($1) }
    replace(&system.foregroundGap, os, "foreground_gap") { $0.duration($1) }
    let view = os.section("stale_view_reload")
    replace(&system.staleViewReloadRare, view, "rare") { $0.share($1) }
    replace(&system.staleViewReloadFrequent, view, "frequent") { $0.share($1) }
    let push = os.section("silent_push")
    replace(&system.silentPushDelivered, push, "delivered") { $0.share($1) }
    replace(&system.silentPushesPerHour, push, "per_hour") { $0.smallInteger($1) }
    guard let idle = os.node?["idle"] else { return }
    system.idle = idle.text == "none" ? nil : self.idle(os.section("idle"))
  }

  private func idle(_ section: Section) -> Idle? {
    guard let after = section.duration("after"), let giveUp = section.duration("give_up") else { return nil }
    return Idle(after: after, giveUp: giveUp)
  }

  private func applyDelays(_ delays: Section, to system: inout OperatingSystem) {
    replace(&system.startDelay.policy, delays, "policy") { $0.distribution($1) }
    replace(&system.startDelay.inUse, delays, "in_use") { $0.distribution($1) }
    replace(&system.startDelay.background, delays, "background") { $0.distribution($1) }
    replace(&system.startDelay.widgetPush, delays, "widget_push") { $0.distribution($1) }
  }

  private func applyBudget(_ budget: Section, to system: inout OperatingSystem) {
    replace(&system.budget.model, budget, "model") { $0.word($1) }
    replace(&system.budget.capacity, budget, "capacity") { $0.capacity($1) }
    replace(&system.budget.cap, budget, "cap") { $0.number($1) }
    replace(&system.budget.carryOver, budget, "carry_over") { $0.number($1) }
    replace(&system.budget.accrual, budget, "accrual") { $0.word($1) }
  }

  /// Replaces a constant of the preset when the key is written.
  private func replace<Value>(
    _ value: inout Value, _ section: Section, _ key: String, _ read: (Section, String) -> Value?
  ) {
    guard section.written(key) != nil, let written = read(section, key) else { return }
    value = written
  }
}

extension Section {
  fileprivate func capacity(_ key: String) -> Budget.Capacity? {
    guard let text = text(key) else { return nil }
    if text == "views" { return .views }
    do {
      guard text.contains("..") else { return .perDay(try Quantities.rate(text)) }
      let (from, to) = try Quantities.ends(text)
      return .range(try Quantities.rate(from), try Quantities.rate(to))
    } catch { return nil }
  }
}
