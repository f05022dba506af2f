import Scenario

/// A setting that tuning simulated, with what came of it.
package struct TuneTrial: Hashable, Sendable {
  package enum Stage: String, Sendable {
    /// With the draws that all settings share.
    case search
    /// Once more, with draws that had no part in the choice.
    case check
  }

  package var stage: Stage
  /// One for each axis.
  package var levels: [Int]
  package var seed: UInt64
  package var replications: Int
  /// In the order of `TuneProblem.figures`; nil where the results have none.
  package var rows: [SummaryRow?]
  package var goals: [GoalResult]
  /// How far each goal is from its limit.
  package var margins: [TuneMargin]

  init(_ request: TuneRequest, _ summary: Summary, _ problem: TuneProblem) {
    stage = request.stage
    levels = request.levels
    seed = request.seed
    replications = request.replications
    rows = problem.figures.map { summary.figure($0) }
    goals = problem.goals.map { GoalResult($0, summary, nil) }
    margins = problem.goals.map { TuneMargin(of: $0, in: summary) }
  }

  /// Whether every goal passes.
  package var passes: Bool { goals.allSatisfy { $0.verdict == .pass } }

  /// Whether no goal is missed for certain.
  package var mayPass: Bool { goals.allSatisfy { $0.verdict == .pass || $0.verdict == .inconclusive } }

  /// The figure that is made small; nil when it is unknown.
  package var objective: SummaryRow? { rows.first.flatMap { $0 } }

  var point: TunePoint {
    TunePoint(
      levels: levels, objective: objective?.value?.approximate ?? .infinity,
      misses: margins.map { $0.miss ?? TunePoint.unknown })
  }
}

/// What is to be simulated next.
package struct TuneRequest: Hashable, Sendable {
  package var stage: TuneTrial.Stage
  package var levels: [Int]
  package var seed: UInt64
  package var replications: Int
}
