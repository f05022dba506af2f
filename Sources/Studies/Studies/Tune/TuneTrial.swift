package import Scenario

/// A setting that was simulated for tuning, with its results.
package struct TuneTrial: Hashable, Sendable {
  package enum Stage: String, Sendable {
    /// A trial with the draws shared by all settings.
    case search
    /// A repetition with new draws, which did not influence the selection of the setting.
    case check
  }

  package var stage: Stage
  /// The levels of the axes.
  package var levels: [Int]
  package var seed: UInt64
  package var replications: Int
  /// The rows in the order of `TuneProblem.figures`; `nil` for a figure that is missing from the results.
  package var rows: [SummaryRow?]
  /// The row of the minimized figure; `nil` if it is unknown, or if a key is minimized.
  package var objective: SummaryRow?
  package var goals: [GoalResult]
  package var margins: [GoalMargin]
  /// The minimized value: the value of the figure, or the position of the key in its range from 0 to 1; `nil` if
  /// unknown.
  package var measure: Double?
  /// The bounds of the bracket that were simulated, each with the same figures as `rows`.
  package var ends: [End]
  /// The amount by which the relative miss of each goal is larger for the bracket than for the scenario itself; 0 if
  /// the bracket was not simulated.
  var added: [Double]

  package struct End: Hashable, Sendable {
    package var preset: Preset
    package var rows: [SummaryRow?]
  }

  init(_ request: TuneRequest, _ summary: Summary, _ bracket: Bracket?, _ problem: TuneProblem) {
    stage = request.stage
    levels = request.levels
    seed = request.seed
    replications = request.replications
    rows = problem.figures.map { summary.figure($0) }
    switch problem.objective {
    case .figure(let name):
      objective = summary.figure(name)
      measure = objective?.value?.approximate
    case .key(let axis): measure = problem.axes[axis].place(of: request.levels[axis])
    }
    goals = problem.goals.map { GoalResult($0, summary, bracket) }
    let margins = problem.goals.map { GoalMargin(of: $0, in: summary, bracket) }
    self.margins = margins
    added = zip(problem.goals, margins).map { goal, margin in
      max(0, (margin.miss ?? 0) - (GoalMargin(of: goal, in: summary, nil).miss ?? 0))
    }
    ends = Bracket.ends.compactMap { preset in
      bracket?.summaries[preset].map { summary in
        End(preset: preset, rows: problem.figures.map { summary.figure($0) })
      }
    }
  }

  /// Whether every goal passes.
  package var passes: Bool { goals.allSatisfy { $0.verdict == .pass } }

  /// Whether the scenario's own figures meet every goal.
  package var passesAlone: Bool { zip(margins, added).allSatisfy { ($0.miss ?? 1) - $1 <= 0 } }

  /// The largest relative amount by which any goal is missed; `nil` if an amount is unknown or there are no goals.
  package var worstMiss: Double? {
    let misses = margins.map(\.miss)
    return misses.contains { $0 == nil } ? nil : misses.compactMap { $0 }.max()
  }

  /// Whether no goal is definitely missed.
  package var mayPass: Bool { goals.allSatisfy { $0.verdict == .pass || $0.verdict == .inconclusive } }

  /// The number of simulations: the replications, plus one for each bound of the bracket that was simulated.
  package var runs: Int { replications + ends.count }

  /// The preset with the smallest margin of any goal; `nil` for the scenario itself.
  package var worstPreset: Preset? { margins.max { ($0.miss ?? .infinity) < ($1.miss ?? .infinity) }?.preset }

  /// - Parameter extra: the relative miss to add to each goal.
  func point(adding extra: [Double]) -> TunePoint {
    TunePoint(
      levels: levels, objective: measure ?? .infinity,
      misses: zip(margins, extra).map { margin, extra in margin.miss.map { $0 + extra } ?? TunePoint.unknown })
  }
}

extension [TuneTrial] {
  /// The indices of the passing trials that are better than all earlier passing trials.
  package var improvements: [Int] {
    var best = Double.infinity
    return indices.filter { index in
      guard self[index].passes, let measure = self[index].measure, measure < best else { return false }
      best = measure
      return true
    }
  }
}

/// The next setting to simulate.
package struct TuneRequest: Hashable, Sendable {
  package var stage: TuneTrial.Stage
  package var levels: [Int]
  package var seed: UInt64
  package var replications: Int
}
