package import FleetEngine
package import Scenario

/// The figures of a scenario, including those under the presets of its bracket, and the results of its goals.
package struct GoalEvaluation {
  package var summary: Summary
  package var goals: [GoalResult]

  /// Evaluates the goals of a scenario without its bracket.
  package init(_ scenario: Scenario, _ summary: Summary) {
    self.summary = summary
    goals = scenario.goals.map { GoalResult($0, summary, nil).doubted(scenario, summary) }
  }

  /// Evaluates the goals of a scenario with its bracket and with a screening of its assumptions.
  ///
  /// - Parameter screen: the screening; `nil` to vary only the constants of the bracket.
  /// - Returns: `nil` if the work was cancelled.
  package init?(
    _ scenario: Scenario, _ summary: Summary, _ bracket: Bracket, _ screen: Screen?
  ) throws(StudyError) {
    self.summary = summary.bracketed(bracket)
    if let screen {
      guard let effects = try screen.effects(on: screen.figures(summary), of: summary) else { return nil }
      self.summary = self.summary.assuming(effects)
    }
    let judged = self.summary
    goals = scenario.goals.map {
      GoalResult($0, judged, bracket).depending(in: scenario).doubted(scenario, summary)
    }
  }

  /// Evaluates the goals of a run after simulating what they need besides the scenario itself: the offered load, both
  /// bounds of the bracket, and the ranges of the assumptions.
  ///
  /// - Parameters:
  ///   - own: the figures of the run.
  ///   - bracket: the bracket, if it is known together with the offered load; `nil` to simulate both.
  ///   - variants: the simulator of variants of the engine's scenario.
  ///   - isBracketed: whether to vary the constants of the system.
  /// - Returns: `nil` if the work was cancelled.
  package init?(
    of engine: Engine, _ own: Summary, _ bracket: Bracket?, by variants: VariantRuns, isBracketed: Bool
  ) throws(StudyError) {
    let scenario = engine.scenario
    let offered = scenario.needsOfferedLoad
    let isOpen = bracket == nil && offered
    guard let summary = isOpen ? try variants.completed(own, of: scenario) : own else { return nil }
    guard isBracketed else {
      self.init(scenario, summary)
      return
    }
    let runs = BracketRuns(of: scenario, by: variants, offered: offered)
    guard let bracket = bracket == nil ? try runs.bracket() : bracket else { return nil }
    try self.init(
      scenario, summary, bracket, Screen(of: scenario, by: variants, devices: engine.devicesSimulated))
  }

  /// Returns whether the verdicts should cause the command to exit with status 1.
  package func fails(isStrict: Bool) -> Bool {
    goals.contains { $0.verdict == .fail || isStrict && $0.verdict == .inconclusive && $0.goal.severity == .error }
  }
}

extension Scenario {
  /// Whether a run repeats its first replication with every request answered, because requests can fail.
  package var needsOfferedLoad: Bool { hasLimits || goals.contains(where: \.asksOfferedLoad) }
}
