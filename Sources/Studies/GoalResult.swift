package import Scenario

/// What becomes of a goal; raw values are the words of goals.csv. In the order in which goals are shown.
package enum Verdict: String, CaseIterable, Sendable {
  case fail, warn, inconclusive, pass
}

/// A goal with its verdict and the figures that it rests on.
package struct GoalResult: Hashable, Sendable {
  package var goal: Goal
  package var verdict: Verdict
  /// The mean over replications; nil: unknown.
  package var value: Quantity?
  package var interval: Interval?
  /// The mean over replications where it is another figure; nil: unknown.
  package var limit: Double?
  /// The figure under the presets prompt and lazy; nil where not computed.
  package var prompt: Quantity?
  package var lazy: Quantity?
  /// Why it is inconclusive; empty otherwise.
  package var reason = ""
  /// The constants on which it hinges: each of them alone turns the verdict; when `hingesTogether`, only all of them.
  package var hinges: [BracketConstant] = []
  package var hingesTogether = false
}

extension GoalResult {
  /// Judges a goal by the scenario's own figures and by the ends of its bracket.
  ///
  /// - Parameter bracket: nil when none was computed.
  package init(_ goal: Goal, _ summary: Summary, _ bracket: Bracket?) {
    self.goal = goal
    let row = summary.figure(goal.figure)
    (value, interval) = (row?.value, row?.interval)
    limit = goal.limit(in: summary)
    if let bracket {
      prompt = bracket.value(of: goal.figure, under: .prompt, own: row)
      lazy = bracket.value(of: goal.figure, under: .lazy, own: row)
    }
    let own = goal.finding(in: summary)
    switch own {
    case .holds: verdict = .pass
    case .misses: verdict = goal.severity == .error ? .fail : .warn
    case .open(let sentence): (verdict, reason) = (.inconclusive, sentence)
    }
    let turning = bracket.map { goal.turningPresets(own, $0) } ?? []
    guard !turning.isEmpty else { return }
    verdict = .inconclusive
    reason = GoalResult.reason(own, turning)
  }

  /// Judges it by a summary whose rows have the ends of their brackets.
  init(_ goal: Goal, bracketed summary: Summary) {
    self.init(goal, summary, nil)
    let row = summary.figure(goal.figure)
    (prompt, lazy) = (row?.prompt, row?.lazy)
    let own = goal.finding(in: summary)
    if case .open = own { return }
    let turning = goal.turningEnds(own, in: summary)
    guard !turning.isEmpty else { return }
    (verdict, reason) = (.inconclusive, GoalResult.reason(own, turning))
  }

  private static func reason(_ own: Finding, _ turning: [Preset]) -> String {
    let names = turning.map(\.rawValue).joined(separator: " and ")
    return own == .holds ? "it passes, but fails under \(names)" : "it fails, but passes under \(names)"
  }

  /// The constants it hinges on as its explanation names them: stored results have nothing else; nil without.
  package var hingeText: String? {
    explanation.firstRange(of: "it hinges on ").map { String(explanation[$0.upperBound...]) }
  }

  /// The reason with the constants it hinges on.
  package var explanation: String {
    guard !hinges.isEmpty else { return reason }
    let names = hinges.map { "os.\($0.rawValue)" }
    guard names.count > 1 else { return reason + "; it hinges on \(names[0])" }
    return reason + "; it hinges on " + (hingesTogether ? "" : "each of ") + names.joined(separator: ", ")
      + (hingesTogether ? " together" : "")
  }
}

extension Goal {
  /// Whether constants of the system can turn it: how many widgets there are and when they are looked at depends on none.
  var dependsOnSystem: Bool {
    let reference: FigureName? = if case .multiple(_, of: let other) = limit { other } else { nil }
    return [figure, reference].compactMap { $0?.metric }.contains { $0 != .widgets && $0 != .viewsPerDay }
  }

  /// The ends of a bracket that turn what the scenario's own figures say.
  package func turningPresets(_ own: Finding, _ bracket: Bracket) -> [Preset] {
    if case .open = own { return [] }
    return Bracket.ends.filter { preset in
      switch bracket.summaries[preset].map({ finding(in: $0) }) {
      case .holds: own == .misses
      case .misses: own == .holds
      case .open, nil: false
      }
    }
  }

  fileprivate func limit(in summary: Summary) -> Double? {
    switch limit {
    case .value(let value): value
    case .multiple(let factor, of: let reference): summary.figure(reference)?.value.map { factor * $0.approximate }
    }
  }
}

extension Bracket {
  /// Under a preset that makes no difference a figure is the scenario's own.
  func value(of figure: FigureName, under preset: Preset, own: SummaryRow?) -> Quantity? {
    guard let summary = summaries[preset] else { return own?.value }
    return summary.figure(figure)?.value
  }
}
