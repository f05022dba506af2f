import SimulationKernel

/// A scheduler constant that the bracket varies.
///
/// Results depend on it. Either Apple does not document it (MODEL.md 4.8), or it was measured for a profile (MODEL.md
/// 4.9).
package struct BracketConstant: RawRepresentable, Hashable, Sendable {
  /// The path of the constant's key below `os`.
  package let rawValue: String

  /// Creates a constant; `nil` if there is no key with a single value at this path below `os`.
  package init?(rawValue: String) {
    guard KeyTable.standard["os." + rawValue]?.isAmount == true else { return nil }
    self.rawValue = rawValue
  }

  private init(_ rawValue: String) { self.rawValue = rawValue }

  /// The path of the key for the budget's capacity, which can have several forms.
  package static let capacityPath = "budget.capacity"

  package static let policyDelay = Self("start_delay.policy")
  package static let inUseDelay = Self("start_delay.in_use")
  package static let budgetCap = Self("budget.cap")
  package static let rareStaleViews = Self("stale_view_reload.rare")
  package static let frequentStaleViews = Self("stale_view_reload.frequent")

  /// The constants that Apple does not document and for which the presets `prompt` and `lazy` use the extremes
  /// (MODEL.md 4.8).
  package static let undocumented = [policyDelay, inUseDelay, budgetCap, rareStaleViews, frequentStaleViews]

  /// The constants with an assumed range, in the order of `AssumedRange.all`.
  package static let assumed = AssumedRange.all.filter { $0.key.hasPrefix("os.") }.map {
    Self(String($0.key.dropFirst(3)))
  }

  /// Returns the constants that are not set under `os`. A run varies them even if they cannot affect the scenario.
  package static func open(in scenario: Scenario) -> [BracketConstant] {
    let open = assumed.filter { !scenario.givenConstants.contains($0) }
    return open + scenario.bracketConstants.filter { !open.contains($0) }
  }

  /// Whether a larger value leads to more or earlier reloads; if `false`, a smaller value does (MODEL.md 4.9).
  var isPromptWhereHigh: Bool { Self.promptWhereHigh.contains(rawValue) }

  private static let promptWhereHigh: Set = [
    "budget.capacity", "budget.cap", "budget.carry_over", "stale_view_reload.rare", "stale_view_reload.frequent",
    "silent_push.delivered", "silent_push.per_hour", "idle.after",
  ]

  /// Copies the constant's value from one system to another. Constants of the idle rule are not copied to a system
  /// without an idle rule.
  package func copy(from source: OperatingSystem, to target: inout OperatingSystem) {
    if rawValue == Self.capacityPath {
      target.budget.capacity = source.budget.capacity
    } else if let value = source.value(of: self) {
      put(value, into: &target)
    }
  }

  /// Sets a value returned by `OperatingSystem.value(of:)`. Constants of the idle rule are not set on a system without
  /// an idle rule.
  private func put(_ value: any KeyValue, into target: inout OperatingSystem) {
    switch rawValue {
    case "idle.after": if let span = TimeAmount(read: value) { target.idle?.after = span }
    case "idle.give_up": if let span = TimeAmount(read: value) { target.idle?.giveUp = span }
    default:
      KeyTable.standard["os." + rawValue]?.field(of: OperatingSystem.self)?.fill(&target, Written(value).value)
    }
  }

  /// Whether the constant can affect a cohort's devices; without users, there are no sessions or views, and no cap.
  fileprivate func matters(_ system: OperatingSystem, _ cohort: Cohort) -> Bool {
    let isUsed = cohort.person.unlocksPerDay != .constant(0)
    switch self {
    case .inUseDelay, .rareStaleViews, .frequentStaleViews: return isUsed && !cohort.widgets.isEmpty
    case .budgetCap:
      return isUsed && !cohort.widgets.isEmpty && system.budget.model != .off && system.budget.capacity == .views
    default: return !cohort.widgets.isEmpty
    }
  }
}

extension OperatingSystem {
  /// Returns the value of a constant; `nil` if there is no value, or if it is a capacity, which can have several forms.
  package func value(of constant: BracketConstant) -> (any KeyValue)? {
    switch constant.rawValue {
    case "idle.after": idle?.after
    case "idle.give_up": idle?.giveUp
    default: KeyTable.standard["os." + constant.rawValue]?.field(of: OperatingSystem.self)?.value(self)
    }
  }
}

/// The value of a property, in the form that a file reader passes to a field.
private struct Written {
  let value: any KeyValue

  init(_ value: any KeyValue) {
    self.value = (value as? Int).flatMap { UInt64(exactly: $0) } ?? value
  }
}

extension KeyEntry {
  /// Whether the key is below `os` and has a single value, so that it can be measured.
  package var isAmount: Bool {
    path.hasPrefix("os.") && !path.hasPrefix("os.profile") && !hasParts
      && type.alternatives.contains { type in
        switch type {
        case .duration, .share, .number, .integer, .distribution: true
        default: false
        }
      }
  }

  private var hasParts: Bool { type.alternatives.contains(.mapping) }
}

extension Scenario {
  /// The constants that the bracket may vary, because no key under `os` sets them.
  package var bracketConstants: [BracketConstant] {
    let measured = profile?.constants.map(\.constant) ?? []
    let all = BracketConstant.undocumented + measured.filter { !BracketConstant.undocumented.contains($0) }
    return all.filter { !givenConstants.contains($0) }
  }

  /// Returns the scenario under a preset, in which measured constants are set to the ends of their intervals.
  ///
  /// Constants that are set under `os` or have no effect remain unchanged.
  ///
  /// - Parameter constants: the constants to change; `nil` for all constants that the bracket may vary.
  package func under(_ preset: Preset, changing constants: [BracketConstant]? = nil) -> Scenario {
    let standard = OperatingSystem(preset: preset)
    var scenario = self
    for constant in bracketConstants where constants?.contains(constant) != false {
      let isMeasured = profile?.constants.contains { $0.constant == constant } == true
      guard let source = isMeasured ? profile?.end(of: constant, under: preset) : standard else { continue }
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

  /// Returns the constants that a preset changes.
  package func constants(of preset: Preset) -> [BracketConstant] {
    bracketConstants.filter { under(preset, changing: [$0]) != self }
  }
}
