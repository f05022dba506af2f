import FleetEngine
import Scenario
import Studies

/// A scenario's figures, including those of its bracket, and the results of its goals.
struct Judgement {
  var summary: Summary
  var goals: [GoalResult]

  /// Judges the scenario without a bracket.
  init(_ scenario: Scenario, _ summary: Summary) {
    self.summary = summary
    goals = scenario.goals.map { GoalResult($0, summary, nil).doubted(scenario, summary) }
  }

  /// Judges with a bracket and, if a goal hinges on undocumented constants, with runs that identify these.
  ///
  /// - Parameter expect: receives the number of these runs, which is not known in advance.
  /// - Returns: `nil` if cancelled.
  init?(
    _ scenario: Scenario, _ summary: Summary, _ runs: BracketRuns, expect: (Int) -> Void
  ) throws(StudyError) {
    guard let bracket = try runs.bracket() else { return nil }
    self.summary = summary.bracketed(bracket)
    let search = HingeSearch(scenario, summary, bracket)
    expect(search.trials.count)
    var found: [HingeSearch.Trial: Summary] = [:]
    for trial in search.trials {
      guard let summary = try runs.summary(under: trial.preset, changing: trial.constant) else { return nil }
      found[trial] = summary
    }
    goals = scenario.goals.map {
      search.completed(GoalResult($0, summary, bracket), found).doubted(scenario, summary)
    }
  }

  /// Returns whether the command should exit with status 1.
  func fails(isStrict: Bool) -> Bool {
    goals.contains { $0.verdict == .fail || isStrict && $0.verdict == .inconclusive && $0.goal.severity == .error }
  }

  /// Warnings about inconclusive goals.
  var warnings: String {
    goals.filter { $0.verdict == .inconclusive }
      .map { "warning: goal '\($0.goal.id.printable)' is inconclusive: \($0.explanation.printable)\n" }.joined()
  }
}
