import SimulationKernel

/// A number or rule for which a range of values is plausible, because Apple does not document it or a team must measure
/// it (MODEL.md 4.8).
package struct AssumedRange: Sendable {
  /// The evidence for the default value.
  package enum Evidence: String, Sendable {
    case inWords = "documented, but without a number"
    case measured = "measured by others"
    case assumed = "assumption"
  }

  /// A value at one end of the range, or an alternative to the default.
  package struct End: Sendable {
    /// The value, as shown to users.
    package let text: String
    fileprivate let change: Change

    init(_ text: String, system change: @escaping @Sendable (inout OperatingSystem) -> Void) {
      (self.text, self.change) = (text, .system(change))
    }

    init(_ text: String, cohort change: @escaping @Sendable (inout Cohort) -> Void) {
      (self.text, self.change) = (text, .cohort(change))
    }

    init(_ text: String, app change: @escaping @Sendable (inout App) -> Void) {
      (self.text, self.change) = (text, .app(change))
    }
  }

  fileprivate enum Change: Sendable {
    case system(@Sendable (inout OperatingSystem) -> Void)
    case cohort(@Sendable (inout Cohort) -> Void)
    case app(@Sendable (inout App) -> Void)
  }

  /// A cohort, with its operating system, that may be affected by a changed value.
  package struct Place {
    let scenario: Scenario
    let cohort: Cohort
    let os: OperatingSystem
  }

  /// The path of the key to which the range applies; paths below `fleet` omit the cohort.
  package let key: String
  /// The subject of a sentence about the range, such as `how late iOS starts a pushed refresh`.
  package let name: String
  package let evidence: Evidence
  /// The source of the default value.
  package let source: String
  /// The reason for choosing the ends of the range.
  package let reason: String
  package let ends: [End]
  /// Whether values in the range can affect a cohort.
  let isFelt: @Sendable (Place) -> Bool

  init(
    _ key: String, _ name: String, _ evidence: Evidence, from basis: (source: String, reason: String), _ ends: [End],
    felt isFelt: @escaping @Sendable (Place) -> Bool
  ) {
    (self.key, self.name, self.evidence) = (key, name, evidence)
    (source, reason, self.ends, self.isFelt) = (basis.source, basis.reason, ends, isFelt)
  }

  /// The system constant to which the range applies; `nil` for ranges that concern people, networks or batteries.
  package var constant: BracketConstant? { BracketConstant.assumed.first { "os." + $0.rawValue == key } }

  /// Whether the range concerns a team's users, whom the team can observe; such ranges do not affect verdicts.
  package var isOfUsers: Bool { !key.hasPrefix("os.") }

  /// Both ends of the range, or all alternatives, as text.
  package var span: String {
    guard ends.count > 1 else { return ends.first?.text ?? "" }
    return ends.map(\.text).joined(separator: isChoice ? " or " : " to ")
  }

  private var isChoice: Bool { ["os.budget.model", "os.budget.accrual"].contains(key) }

  /// Returns the range for a key; `nil` if there is no range for it.
  package static func named(_ key: String) -> AssumedRange? { all.first { $0.key == key } }
}

extension AssumedRange.Place {
  var hasWidgets: Bool { !cohort.widgets.isEmpty }
  /// Whether users in the cohort look at widgets.
  var isUsed: Bool { hasWidgets && cohort.person.unlocksPerDay != .constant(0) }
  var hasBudget: Bool { hasWidgets && os.budget.model != .off }

  func gets(_ kind: Push.Kind) -> Bool {
    guard hasWidgets, let index = scenario.fleet.cohorts.firstIndex(of: cohort) else { return false }
    return scenario.events.contains { event in
      event.push.map { $0.kind == kind && $0.reaches(cohort: index) } ?? false
    }
  }

  /// Whether the app requests reloads while it is in use.
  var hasForegroundCalls: Bool { isUsed && scenario.app.reloads.contains { !$0.isInBackground } }

  /// Whether the app, silent pushes or background sessions request reloads in the background.
  var hasBackgroundCalls: Bool {
    gets(.silent) || hasWidgets && scenario.app.reloads.contains(where: \.isInBackground)
      || kinds.contains(where: \.isBackgroundSession)
  }

  /// The kinds of the widgets on the cohort's phones.
  private var kinds: [Kind] {
    let used = Set(cohort.widgets.flatMap { $0.members.map(\.kind) })
    return used.filter(scenario.kinds.indices.contains).sorted().map { scenario.kinds[$0] }
  }

  /// Whether any widget requests its next timeline at a certain date.
  var hasDates: Bool {
    kinds.contains { kind in
      kind.phases.contains { $0.reload != .never } || !kind.windows.isEmpty || kind.crash > .none
        || !kind.requests.isEmpty
    }
  }

  /// Whether any timeline with only one entry is reloaded at its end.
  var hasSingleEntries: Bool {
    kinds.contains { kind in kind.phases.contains { $0.entries.count == 1 && $0.reload.mayBeAtEnd } }
  }

  var mayCrash: Bool { kinds.contains { $0.crash > .none } }
  var hasSeveralWidgets: Bool { cohort.widgets.reduce(0) { $0 + $1.members.count } > 1 }
  var isOnLockScreen: Bool { isUsed && cohort.widgets.contains { $0.place == .lockScreen } }
  var battery: BatteryHabits? { if case .battery(let habits) = cohort.power { habits } else { nil } }
  var roaming: Roaming? { if case .roaming(let roaming) = cohort.network { roaming } else { nil } }
}

extension AppReload {
  fileprivate var isInBackground: Bool { if case .backgroundRefresh = occasion { true } else { false } }
}

extension AssumedRange {
  /// Returns the ranges that can affect a scenario, except those whose values are set by a key or a profile.
  package static func varied(in scenario: Scenario) -> [AssumedRange] {
    let measured = scenario.profile?.constants.map(\.constant) ?? []
    return all.filter { range in
      if let constant = range.constant, scenario.givenConstants.contains(constant) || measured.contains(constant) {
        return false
      }
      return range.ends.indices.contains { range.applied(to: scenario, end: $0) != scenario }
    }
  }

  /// Returns the scenario in which one end of this range applies to every cohort that the range can affect.
  package func applied(to scenario: Scenario, end: Int) -> Scenario {
    var changed = scenario
    let cohorts = scenario.fleet.cohorts
    let feels = cohorts.map { isFelt(Place(scenario: scenario, cohort: $0, os: $0.os ?? scenario.os)) }
    switch ends[end].change {
    case .system(let change):
      if zip(cohorts, feels).contains(where: { $0.os == nil && $1 }) { change(&changed.os) }
      for index in cohorts.indices where feels[index] {
        guard var own = cohorts[index].os else { continue }
        change(&own)
        changed.fleet.cohorts[index].os = own
      }
    case .cohort(let change):
      for index in cohorts.indices where feels[index] { change(&changed.fleet.cohorts[index]) }
    case .app(let change):
      if feels.contains(true) { change(&changed.app) }
    }
    return changed
  }
}
