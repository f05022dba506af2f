import FleetEngine
package import Scenario

/// What makes a figure of a run, and what changes it on the same draws.
package struct FigureExplanation: Sendable {
  package let subject: FigureSubject
  /// Settings that lower the figure, those that lower it most first; at most `most`.
  package private(set) var levers: [TrialOutcome]
  /// How many settings were tried.
  package private(set) var tried: Int
  /// What becomes of the figure without one of the rules that nobody can change.
  package private(set) var rules: [(name: String, outcome: TrialOutcome)]

  package static let most = 3
  /// A figure that falls by less is not lowered.
  package static let leastRelief = 0.02

  package init(_ subject: FigureSubject, tried: [TrialOutcome], rules: [(name: String, outcome: TrialOutcome)]) {
    self.subject = subject
    self.tried = tried.count
    self.rules = rules
    let helping = tried.filter { ($0.relief ?? 0) >= Self.leastRelief }
    levers = Array(
      helping.enumerated().sorted {
        ($1.element.relief ?? 0, $0.offset) < ($0.element.relief ?? 0, $1.offset)
      }.map(\.element).prefix(Self.most))
  }
}

extension FigureSubject {
  /// What a changed scenario brings, in its first replication.
  ///
  /// - Parameter settings: what was changed, as `--set` takes it.
  /// - Returns: nil when cancelled.
  package func outcome(
    of changed: Scenario, settings: [String], _ variants: VariantRuns
  ) throws(StudyError) -> TrialOutcome? {
    guard let result = try variants.result(of: changed) else { return nil }
    let (before, after) = (
      RunFigures(run: run, summary: summary), RunFigures(run: StoredRun(of: result), summary: Summary(of: result))
    )
    return TrialOutcome(
      topic: finding.topic, settings: settings.joined(separator: " "),
      changes: RunFigures.changes(from: before, to: after, of: finding))
  }
}
