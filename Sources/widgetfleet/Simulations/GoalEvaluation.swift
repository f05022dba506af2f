import FleetEngine
import Scenario
import Studies

/// The metrics of a scenario, including those under its bracket presets, and the results of its goals.
struct GoalEvaluation {
  var summary: Summary
  var goals: [GoalResult]

  /// Evaluates the goals of a scenario without its bracket.
  init(_ scenario: Scenario, _ summary: Summary) {
    self.summary = summary
    goals = scenario.goals.map { GoalResult($0, summary, nil).doubted(scenario, summary) }
  }

  /// Evaluates the goals of a scenario, including its bracket and a screening of its assumptions.
  ///
  /// - Parameter screen: the screening; `nil` to vary only the bracket constants.
  /// - Returns: the evaluation; `nil` if it was cancelled.
  init?(
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

  /// Returns whether the command must exit with status 1 because of the verdicts.
  func fails(isStrict: Bool) -> Bool {
    goals.contains { $0.verdict == .fail || isStrict && $0.verdict == .inconclusive && $0.goal.severity == .error }
  }

  /// The warnings about inconclusive goals.
  var warnings: String {
    goals.filter { $0.verdict == .inconclusive }
      .map { "warning: goal '\($0.goal.id.printable)' is inconclusive: \($0.explanation.printable)\n" }.joined()
  }
}
