/// The trials of a tuning run and their outcome.
package struct TuneStudy: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    /// The best setting, as confirmed by a check with new seeds. Some of its goals may be inconclusive.
    case found(TuneTrial)
    /// The setting that comes closest to meeting the goals, as checked with new seeds. No setting meets them.
    case infeasible(TuneTrial)
    /// The reason why tuning is not possible, as a sentence.
    case unmeasured(String)
  }

  package var problem: TuneProblem
  package var trials: [TuneTrial]
  package var outcome: Outcome

  /// The best setting or, if no setting meets the goals, the setting that comes closest.
  package var final: TuneTrial? {
    switch outcome {
    case .found(let trial), .infeasible(let trial): trial
    case .unmeasured: nil
    }
  }

  package var isFeasible: Bool {
    if case .found = outcome { return true }
    return false
  }

  /// The number of simulations, including all replications of searches and checks and the ends of brackets.
  package var runs: Int { trials.reduce(0) { $0 + $1.runs } }

  /// The search trial of the final setting.
  package var searched: TuneTrial? {
    final.flatMap { final in trials.first { $0.stage == .search && $0.levels == final.levels } }
  }

  /// The number of settings that the search tried.
  package var settingCount: Int { trials.count { $0.stage == .search } }
}
