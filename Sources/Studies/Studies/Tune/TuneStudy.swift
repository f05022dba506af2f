/// Everything that tuning did, and what it found.
package struct TuneStudy: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    /// The best setting, by its check on fresh seeds; one of its goals may be inconclusive.
    case found(TuneTrial)
    /// No setting meets the goals; that which comes nearest, by its check on fresh seeds.
    case infeasible(TuneTrial)
    /// Why nothing can be tuned, as a sentence.
    case unmeasured(String)
  }

  package var problem: TuneProblem
  package var trials: [TuneTrial]
  package var outcome: Outcome

  /// The setting that was found, or came nearest.
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

  /// Simulations in all: replications of searches and checks, and the ends of their brackets.
  package var runs: Int { trials.reduce(0) { $0 + $1.runs } }

  /// Trial of the final setting in the search.
  package var searched: TuneTrial? {
    final.flatMap { final in trials.first { $0.stage == .search && $0.levels == final.levels } }
  }

  /// Settings that the search tried.
  package var settingCount: Int { trials.count { $0.stage == .search } }
}
