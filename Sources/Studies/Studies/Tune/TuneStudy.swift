/// The trials of tuning, and their outcome.
package struct TuneStudy: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    /// The best setting, by its check on fresh seeds; one of its goals may be inconclusive.
    case found(TuneTrial)
    /// No setting meets the goals: the nearest one, by its check on fresh seeds.
    case infeasible(TuneTrial)
    /// The reason why nothing can be tuned, as a sentence.
    case unmeasured(String)
  }

  package var problem: TuneProblem
  package var trials: [TuneTrial]
  package var outcome: Outcome

  /// The best setting, or the nearest one.
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

  /// The number of simulations: replications of searches and checks, and the ends of their brackets.
  package var runs: Int { trials.reduce(0) { $0 + $1.runs } }

  /// The trial of the final setting in the search.
  package var searched: TuneTrial? {
    final.flatMap { final in trials.first { $0.stage == .search && $0.levels == final.levels } }
  }

  /// The number of settings that the search tried.
  package var settingCount: Int { trials.count { $0.stage == .search } }
}
