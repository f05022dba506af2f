import FleetEngine
package import Scenario

/// What makes a figure of a run, and what changes it on the same draws.
package struct FigureExplanation: Sendable {
  package let subject: FigureSubject
  /// Settings that lower the figure, those that lower it most first; at most `most`.
  package private(set) var levers: [FigureTrial]
  /// How many settings were tried.
  package private(set) var tried: Int
  /// What becomes of the figure without one of the rules that nobody can change.
  package private(set) var rules: [(name: String, outcome: TrialOutcome)]

  package static let most = 3
  /// A figure that falls by less is not lowered.
  package static let leastRelief = 0.02

  package init(_ subject: FigureSubject, tried: [FigureTrial], rules: [(name: String, outcome: TrialOutcome)]) {
    self.subject = subject
    self.tried = tried.count
    self.rules = rules
    let helping = tried.map { (trial: $0, relief: $0.outcome.relief ?? 0) }.filter { $0.relief >= Self.leastRelief }
    levers = Array(
      helping.enumerated().sorted {
        ($1.element.relief, $0.offset) < ($0.element.relief, $1.offset)
      }.map(\.element.trial).prefix(Self.most))
  }
}

/// A scenario with a setting that was tried, and the run of its first replication.
package struct FigureTrial: Sendable {
  package let scenario: Scenario
  package let run: StoredRun
  package let summary: Summary
  /// What the setting brings.
  package let outcome: TrialOutcome
}

extension FigureSubject {
  /// Tries a changed scenario.
  ///
  /// - Parameter settings: what was changed, as `--set` takes it.
  /// - Returns: nil when cancelled.
  package func trial(
    of changed: Scenario, settings: [String], _ variants: VariantRuns
  ) throws(StudyError) -> FigureTrial? {
    guard let result = try variants.result(of: changed) else { return nil }
    let (run, summary) = (StoredRun(of: result), Summary(of: result))
    let changes = RunFigures.changes(
      from: RunFigures(run: self.run, summary: self.summary), to: RunFigures(run: run, summary: summary), of: finding)
    return FigureTrial(
      scenario: changed, run: run, summary: summary,
      outcome: TrialOutcome(topic: finding.topic, settings: settings.joined(separator: " "), changes: changes))
  }
}
