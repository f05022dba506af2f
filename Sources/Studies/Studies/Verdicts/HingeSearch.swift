package import Scenario

/// A search for the constants on which goals hinge, which reverse a verdict when changed alone.
package struct HingeSearch: Sendable {
  /// A constant that is set to a preset's value, without other changes.
  package struct Trial: Hashable, Sendable {
    package var preset: Preset
    package var constant: BracketConstant
  }

  private let scenario: Scenario
  private let summary: Summary
  private let bracket: Bracket

  package init(_ scenario: Scenario, _ summary: Summary, _ bracket: Bracket) {
    self.scenario = scenario
    self.summary = summary
    self.bracket = bracket
  }

  /// The trials to simulate; empty for a preset that changes only one constant.
  package var trials: [Trial] {
    let turning = Set(scenario.goals.flatMap { GoalResult($0, summary, bracket).turning })
    return Bracket.ends.filter(turning.contains).flatMap { preset -> [Trial] in
      let constants = scenario.constants(of: preset)
      return constants.count < 2 ? [] : constants.map { Trial(preset: preset, constant: $0) }
    }
  }

  /// Returns a result completed with its hinges.
  ///
  /// - Parameter found: the figures of each trial.
  package func completed(_ result: GoalResult, _ found: [Trial: Summary]) -> GoalResult {
    var result = result
    let own = result.goal.finding(in: summary)
    let presets = result.turning
    let alone = presets.flatMap { preset -> [BracketConstant] in
      let constants = scenario.constants(of: preset)
      guard constants.count > 1 else { return constants }
      return constants.filter { constant in
        guard let summary = found[Trial(preset: preset, constant: constant)] else { return false }
        let finding = result.goal.finding(in: summary)
        return finding == (own == .holds ? .misses : .holds)
      }
    }
    let constants = alone.isEmpty ? presets.flatMap { scenario.constants(of: $0) } : alone
    result.hinges = scenario.bracketConstants.filter(constants.contains)
    result.hingesTogether = alone.isEmpty && !presets.isEmpty
    return result
  }
}
