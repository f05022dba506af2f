package import Scenario

/// The verdict on a goal, in display order. The raw values are written to goals.csv.
package enum Verdict: String, CaseIterable, Sendable {
  case fail, warn, inconclusive, pass
}

/// A goal with its verdict and the figures on which the verdict is based.
package struct GoalResult: Hashable, Sendable {
  package var goal: Goal
  package var verdict: Verdict
  /// The mean over replications; `nil` if unknown.
  package var value: Quantity?
  package var interval: Interval?
  /// The mean over replications of the figure that serves as the limit, or a constant limit; `nil` if unknown.
  package var limit: Double?
  /// The values for the presets `prompt` and `lazy`; `nil` if not computed.
  package var prompt: Quantity?
  package var lazy: Quantity?
  /// The 95 % intervals of `prompt` and `lazy`, if these are estimated from a sample.
  package var promptInterval: Interval?
  package var lazyInterval: Interval?
  /// The ends of the bracket that reverse the scenario's verdict.
  package var turning: [Preset] = []
  /// The ends of the bracket at which the goal is undecided, although it passes with the scenario's own figures.
  package var unknownUnder: [Preset] = []
  /// The values with each assumption at the ends of its range; empty if not computed.
  package var effects: [AssumedEffect] = []
  /// The assumptions that reverse the verdict at an end of their range. Assumptions about the system come first,
  /// followed by the others; each group is sorted by effect, largest first.
  package var flips: [AssumedEffect] = []
  /// The reason why the goal is inconclusive; empty if the goal is conclusive.
  package var reason = ""
  /// The system keys on which the verdict depends. The verdict is reversed by changing any one of them or, if
  /// `dependsTogether` is set, by changing all of them.
  package var dependsOn: [String] = []
  package var dependsTogether = false
}

extension GoalResult {
  /// Evaluates a goal with the scenario's own figures and the bounds of its bracket, which have equal weight
  /// (Docs/GOALS.md).
  ///
  /// - Parameter bracket: the figures under presets; `nil` if they were not computed.
  package init(_ goal: Goal, _ summary: Summary, _ bracket: Bracket?) {
    self.init(goal, in: summary) { name, end in
      bracket?.row(name, under: end, own: summary.figure(name))
    }
  }

  /// Evaluates a goal with a summary whose rows include the bounds of their brackets.
  init(_ goal: Goal, bracketed summary: Summary) {
    self.init(goal, in: summary) { summary.figure($0)?.under($1) }
  }

  /// - Parameter row: returns the row of a figure at a bound; `nil` if it was not computed.
  private init(_ goal: Goal, in summary: Summary, _ row: (FigureName, Preset) -> SummaryRow?) {
    self.goal = goal
    let own = summary.figure(goal.figure)
    (value, interval) = (own?.value, own?.interval)
    limit = goal.limit(in: summary)
    let finding = goal.finding(in: summary)
    switch finding {
    case .holds: verdict = .pass
    case .misses: verdict = goal.severity == .error ? .fail : .warn
    case .open(let sentence): (verdict, reason) = (.inconclusive, sentence)
    }
    let (prompt, lazy) = (row(goal.figure, .prompt), row(goal.figure, .lazy))
    (self.prompt, promptInterval) = (prompt?.value, prompt?.estimatedInterval)
    (self.lazy, lazyInterval) = (lazy?.value, lazy?.estimatedInterval)
    for (end, figure) in zip([Preset.prompt, .lazy], [prompt, lazy]) {
      guard let figure else { continue }
      judge(end, goal.finding(of: figure, goal.reference.flatMap { row($0, end) ?? summary.figure($0) }), own: finding)
    }
    if let own { screen(own, goal.reference.flatMap { summary.figure($0) }, finding) }
  }

  /// Searches for assumptions that change the finding, one at a time or, failing that, in combination.
  private mutating func screen(_ row: SummaryRow, _ reference: SummaryRow?, _ own: Finding) {
    effects = row.effects
    guard own == .holds || own == .misses else { return }
    let found = row.effects.filter { effect in
      let other = reference.map { reference in
        reference.effects.first { $0.key == effect.key && $0.end == effect.end }.map(reference.assuming) ?? reference
      }
      return goal.finding(of: row.assuming(effect), other) == (own == .holds ? .misses : .holds)
    }
    let value = row.value?.approximate ?? 0
    let distance = { (effect: AssumedEffect) in abs(effect.value.approximate - value) }
    let system = found.ofSystem
    flips = [system, found.filter { $0.range?.isOfUsers == true }].flatMap { part in
      part.enumerated().sorted { (distance($1.element), $0.offset) < (distance($0.element), $1.offset) }.map(\.element)
    }
    guard let first = flips.first, system.contains(first) else {
      if let corner = found.first(where: \.isSudden) { dependTogether(on: corner, value, own) }
      return
    }
    verdict = .inconclusive
    dependsOn = flips.filter(system.contains).map(\.key).uniqued
    guard turning.isEmpty else { return }
    reason = (own == .holds ? "it passes, but fails" : "it fails, but passes") + " with \(first.key) at \(first.text)"
  }

  /// The maximum number of assumptions to list if the verdict changes only when several of them are combined.
  private static let maxTogether = 3

  private mutating func dependTogether(on corner: AssumedEffect, _ value: Double, _ own: Finding) {
    let side: Double = corner.value.approximate < value ? -1 : 1
    let moves = effects.ofSystem.map { (key: $0.key, move: side * ($0.value.approximate - value)) }
    let largest = moves.enumerated().filter { $0.element.move > 0 }.sorted { left, right in
      (right.element.move, left.offset) < (left.element.move, right.offset)
    }
    verdict = .inconclusive
    dependsOn = Array(largest.map(\.element.key).uniqued.prefix(Self.maxTogether))
    dependsTogether = dependsOn.count > 1
    guard turning.isEmpty else { return }
    reason =
      (own == .holds ? "it passes, but fails" : "it fails, but passes") + " with several assumptions at their extremes"
  }

  /// Whether the verdict changes only if several assumptions are combined, and not with a single assumption or a
  /// preset.
  package var dependsOnSeveral: Bool { dependsTogether && turning.isEmpty }

  /// Returns this result with the keys on which the verdict depends, if only the presets of the bracket change it.
  package func depending(in scenario: Scenario) -> GoalResult {
    guard dependsOn.isEmpty, !turning.isEmpty else { return self }
    var result = self
    result.dependsOn = turning.flatMap { scenario.constants(of: $0) }.map { "os." + $0.rawValue }.uniqued
    result.dependsTogether = result.dependsOn.count > 1
    return result
  }

  /// Combines the scenario's own finding with the finding at a bound of the bracket.
  private mutating func judge(_ end: Preset, _ finding: Finding, own: Finding) {
    switch (own, finding) {
    case (.holds, .misses):
      turning.append(end)
      reason = "it passes, but fails under \(GoalResult.names(turning))"
    case (.misses, .holds):
      turning.append(end)
      reason = "it fails, but passes under \(GoalResult.names(turning))"
    case (.holds, .open(let sentence)):
      unknownUnder.append(end)
      if turning.isEmpty {
        reason = "it passes, but its outcome under \(GoalResult.names(unknownUnder)) is unknown: \(sentence)"
      }
    default: return
    }
    verdict = .inconclusive
  }

  private static func names(_ ends: [Preset]) -> String { ends.map(\.rawValue).joined(separator: " and ") }

  /// A phrase that lists the constants on which the verdict depends; `nil` if there are none.
  package var dependenceText: String? {
    guard !dependsOn.isEmpty else { return nil }
    let names = dependsOn.joined(separator: ", ")
    return dependsOn.count == 1 ? names : dependsTogether ? names + " together" : "each of " + names
  }

  /// The reason, followed by the constants on which the verdict depends.
  package var explanation: String { reason + (dependenceText.map { "; it depends on " + $0 } ?? "") }
}

extension Goal {
  /// Whether system constants can reverse the verdict. The number of widgets and the times of views, for example, do
  /// not depend on these constants.
  var dependsOnSystem: Bool {
    [figure, reference].compactMap { $0?.metric }.contains { $0 != .widgets && $0 != .viewsPerDay }
  }

  fileprivate func limit(in summary: Summary) -> Double? {
    switch limit {
    case .value, .share: limit.number
    case .multiple(let factor, of: let reference): summary.figure(reference)?.value.map { factor * $0.approximate }
    }
  }
}

extension Bracket {
  /// Returns the row of a figure under a preset, or the scenario's own row if the preset has no effect.
  func row(_ figure: FigureName, under preset: Preset, own: SummaryRow?) -> SummaryRow? {
    guard let summary = summaries[preset] else { return own }
    return summary.figure(figure)
  }
}
