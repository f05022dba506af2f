import FleetEngine
package import Scenario

/// The contributions to a figure of a run, and the settings that change the figure with the same random draws.
package struct FigureExplanation: Sendable {
  package let subject: FigureSubject
  /// The settings that lower the figure, in descending order of effect; at most `maximum` of them.
  package private(set) var levers: [FigureTrial]
  /// The number of settings whose effect on the figure was simulated.
  package private(set) var tried: Int
  /// The simulated settings that are not in `levers`, as `--set` arguments.
  package private(set) var others: [String]
  /// The outcome of leaving out each rule that users cannot change, one at a time.
  package private(set) var rules: [(name: String, outcome: TrialOutcome)]

  package static let maximum = 3
  /// The smallest relative decrease in the figure for which a setting is listed as a lever.
  package static let minRelief = 0.02

  package init(_ subject: FigureSubject, tried: [FigureTrial], rules: [(name: String, outcome: TrialOutcome)]) {
    self.subject = subject
    self.tried = tried.count
    self.rules = rules
    let helping = tried.map { (trial: $0, relief: $0.outcome.relief ?? 0) }.filter { $0.relief >= Self.minRelief }
    let shown = Array(
      helping.enumerated().sorted {
        ($1.element.relief, $0.offset) < ($0.element.relief, $1.offset)
      }.map(\.element.trial).prefix(Self.maximum))
    levers = shown
    others = tried.map(\.outcome.settings).filter { setting in !shown.contains { $0.outcome.settings == setting } }
  }
}

/// A scenario with changed settings, and the run of its first replication.
package struct FigureTrial: Sendable {
  package let scenario: Scenario
  package let run: StoredRun
  package let summary: Summary
  /// The effect of the changed settings on the figure.
  package let outcome: TrialOutcome
}

extension FigureSubject {
  /// Simulates a changed scenario.
  ///
  /// - Parameter settings: the changes, as `--set` arguments.
  /// - Returns: `nil` if cancelled.
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
