/// A constant of the scheduler that Apple does not document and that results hinge on (MODEL.md 4.8).
///
/// The presets `prompt` and `lazy` are its extremes. Raw values are keys below `os`.
package enum UndocumentedConstant: String, CaseIterable, Sendable {
  case policyDelay = "start_delay.policy"
  case inUseDelay = "start_delay.in_use"
  case budgetCap = "budget.cap"
  case rareStaleViews = "stale_view_reload.rare"
  case frequentStaleViews = "stale_view_reload.frequent"

  /// Takes its value from one system to another.
  package func copy(from source: OperatingSystem, to target: inout OperatingSystem) {
    switch self {
    case .policyDelay: target.startDelay.policy = source.startDelay.policy
    case .inUseDelay: target.startDelay.inUse = source.startDelay.inUse
    case .budgetCap: target.budget.cap = source.budget.cap
    case .rareStaleViews: target.staleViewReloadRare = source.staleViewReloadRare
    case .frequentStaleViews: target.staleViewReloadFrequent = source.staleViewReloadFrequent
    }
  }

  /// Whether anything on a cohort's devices can depend on it: nobody who never looks has sessions, views or a cap.
  fileprivate func matters(_ system: OperatingSystem, _ cohort: Cohort) -> Bool {
    let isUsed = cohort.person.unlocksPerDay != .constant(0)
    switch self {
    case .policyDelay: return !cohort.widgets.isEmpty
    case .inUseDelay, .rareStaleViews, .frequentStaleViews: return isUsed && !cohort.widgets.isEmpty
    case .budgetCap:
      return isUsed && !cohort.widgets.isEmpty && system.budget.model != .off && system.budget.capacity == .views
    }
  }
}

extension Scenario {
  /// The scenario with undocumented constants as a preset has them; those given under `os` and those that nothing
  /// depends on stay as they are.
  package func under(
    _ preset: Preset, changing constants: [UndocumentedConstant] = UndocumentedConstant.allCases
  ) -> Scenario {
    let source = OperatingSystem(preset: preset)
    var scenario = self
    for constant in constants where !givenConstants.contains(constant) {
      if fleet.cohorts.contains(where: { $0.os == nil && constant.matters(os, $0) }) {
        constant.copy(from: source, to: &scenario.os)
      }
      for index in fleet.cohorts.indices {
        guard var own = scenario.fleet.cohorts[index].os, constant.matters(own, fleet.cohorts[index]) else { continue }
        constant.copy(from: source, to: &own)
        scenario.fleet.cohorts[index].os = own
      }
    }
    return scenario
  }

  /// The constants by which a preset makes a difference.
  package func constants(of preset: Preset) -> [UndocumentedConstant] {
    UndocumentedConstant.allCases.filter { under(preset, changing: [$0]) != self }
  }
}
