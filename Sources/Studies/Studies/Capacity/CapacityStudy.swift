package import Scenario
import SimulationKernel

/// A scenario value that the command `capacity` varies until a goal is missed.
package enum CapacityLever: Hashable, Sendable {
  /// The number of phones, `fleet.devices`.
  case devices
  /// The capacity of the endpoint with this index, `backend.endpoints.*.capacity`.
  case capacity(endpoint: Int)
}

/// The value of one lever that separates values that meet the goals from values that miss a goal.
package struct CapacityLimit: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    case found
    /// The goals are met at every simulated value of the lever.
    case holdsThroughout
    /// At least one goal is missed at every simulated value of the lever.
    case missedThroughout
  }

  package var outcome: Outcome
  /// The limit in devices or requests per second, as the mean over replications; `nil` unless found.
  package var value: Double?
  /// The simulated value closest to the limit at which the goals were met; `nil` unless found.
  package var held: Double?
  /// The confidence interval of the limit, computed from replications and sampling. It is `nil` if neither provides
  /// one, or if a bound lies outside the simulated values.
  package var interval: Interval?
  /// The index, among the study's goals, of the goal that is missed first.
  package var goal: Int?
  /// Whether the figure of the first missed goal is resolved by the sample in every simulated setting (MODEL.md 8.1).
  package var isResolved = true
  /// The number of phones and replications simulated for each setting.
  package var effort: CapacityEffort
  /// The simulated points, ordered by devices or requests per second.
  package var points: [LimitSearch.Point]

  /// - Parameter lever: the varied value; the loads of the search are device counts or reciprocals of a capacity.
  /// - Parameter goals: the index, among the study's goals, of the goal that each row of misses describes.
  package init(_ search: LimitSearch, of lever: CapacityLever, goals: [Int], _ effort: CapacityEffort) {
    let own = { (load: Double) in lever == .devices ? load : 1 / load }
    self.effort = effort
    points = search.points.map { LimitSearch.Point(load: own($0.load), misses: $0.misses, halves: $0.halves) }
      .sorted { $0.load < $1.load }
    goal = search.bracket.misses?.worstGoal.map { goals[$0] }
    switch search.bracket {
    case (_, nil): outcome = .holdsThroughout
    case (nil, _): outcome = .missedThroughout
    case (let holds?, let misses?):
      outcome = .found
      let logarithms = search.limits.map { $0.map { SteadyMath.log(own($0)) } }
      let known = logarithms.compactMap { $0 }
      let middle = SteadyMath.log(own((holds.load * misses.load).squareRoot()))
      // If some replications' limits lie outside the simulated values, their mean is unknown, so the limit of the mean
      // over replications is used instead.
      let isWhole = !known.isEmpty && known.count == logarithms.count
      let mean = isWhole ? known.reduce(0, +) / Double(known.count) : middle
      value = significant(SteadyMath.exp(mean))
      held = significant(own(holds.load))
      interval = isWhole ? Self.interval(search, mean, Interval.student95(of: known), own) : nil
    }
  }

  /// Returns the confidence interval of the limit, converted from logarithms and at least as wide as its sampling
  /// interval.
  private static func interval(
    _ search: LimitSearch, _ mean: Double, _ student: Interval?, _ own: (Double) -> Double
  ) -> Interval? {
    guard search.isEstimated else { return student.map(exponential) }
    guard let estimate = search.limitsOfEstimate.map({ [own($0.low), own($0.high)].map(SteadyMath.log) }) else {
      return nil
    }
    let ends = estimate + (student.map { [$0.low, $0.high] } ?? []) + [mean]
    return exponential(Interval(low: ends.min() ?? mean, high: ends.max() ?? mean))
  }

  private static func exponential(_ interval: Interval) -> Interval {
    Interval(low: significant(SteadyMath.exp(interval.low)), high: significant(SteadyMath.exp(interval.high)))
  }
}

/// The results of `capacity`: how many phones the goals allow, and how much capacity they require.
package struct CapacityStudy: Sendable {
  /// The limit for one lever, in the scenario itself and at both bounds of its bracket.
  package struct Answer: Hashable, Sendable {
    package var lever: CapacityLever
    package var own: CapacityLimit
    package var ends: [Preset: CapacityLimit]
    /// The value to plan for, to three significant digits; `nil` if no limit was found. It is at the cautious end of
    /// the interval: the lower end for phones, the upper end for capacities. It is never beyond a value that met the
    /// goals.
    package var plan: Double?

    package init(lever: CapacityLever, own: CapacityLimit, ends: [Preset: CapacityLimit]) {
      self.lever = lever
      self.own = own
      self.ends = ends
      guard let held = deciding.held else { return }
      plan = plan(
        lever == .devices
          ? min(deciding.interval?.low ?? held, held) : max(deciding.interval?.high ?? held, held))
    }

    /// Returns the value rounded for printing, in the direction that is safer to plan for.
    private func plan(_ value: Double) -> Double {
      lever == .devices ? CapacityStudy.roundedDown(value) : CapacityStudy.roundedUp(value)
    }

    /// Makes the plan 1 % more cautious, with fewer phones or more capacity.
    package mutating func planMoreCarefully() { plan = plan.map { plan(lever == .devices ? $0 * 0.99 : $0 / 0.99) } }

    /// The presets that have results: `nil` for the scenario itself, followed by the simulated bounds of the bracket.
    package var presets: [Preset?] { [nil] + Bracket.ends.filter { ends[$0] != nil } }

    package subscript(preset: Preset?) -> CapacityLimit { preset.flatMap { ends[$0] } ?? own }

    /// The preset with the strictest limit, beyond which `run` reports DEPENDS or DOES NOT HOLD. If there is a tie, it
    /// is `nil`, meaning the scenario itself.
    package var decidingPreset: Preset? {
      let strictest = presets.map { strictness(self[$0]) }.max()
      return presets.first { strictness(self[$0]) == strictest } ?? nil
    }

    package var deciding: CapacityLimit { self[decidingPreset] }

    /// Returns how strict a limit is; higher is stricter.
    private func strictness(_ limit: CapacityLimit) -> Double {
      switch limit.outcome {
      case .holdsThroughout: -.infinity
      case .missedThroughout: .infinity
      case .found: (limit.value ?? 0) * (lever == .devices ? -1 : 1)
      }
    }
  }

  /// A verification run of the planned number of phones, or of all planned capacities together.
  package struct Trial: Hashable, Sendable {
    package var plans: [CapacityLever: Double]
    /// The relative amount by which each goal is missed, as the mean over replications, for the scenario or its worst
    /// bound. It is negative if the goal is met.
    package var misses: [Double]

    package init(plans: [CapacityLever: Double], misses: [Double]) {
      self.plans = plans
      self.misses = misses
    }
  }

  package var problem: CapacityProblem
  package var answers: [Answer]
  package var trials: [Trial]

  package init(problem: CapacityProblem, answers: [Answer], trials: [Trial]) {
    self.problem = problem
    self.answers = answers
    self.trials = trials
  }

  package var scenario: Scenario { problem.scenario }
  package var goals: [Goal] { problem.goals }

  /// Returns the value rounded up to three significant digits, as capacities are printed and tested.
  package static func roundedUp(_ value: Double) -> Double {
    rounded(value, .up)
  }

  /// Returns the value rounded down to three significant digits, as device counts are printed.
  package static func roundedDown(_ value: Double) -> Double { rounded(value, .down) }

  private static func rounded(_ value: Double, _ rule: FloatingPointRoundingRule) -> Double {
    var unit = 1.0
    while value / unit >= 1_000 { unit *= 10 }
    while value / unit < 100, unit > 1e-6 { unit /= 10 }
    // A value that differs from a three-digit number only by rounding errors is treated as equal to it.
    let digits = significant(value / unit).rounded(rule)
    return significant(digits * unit)
  }

  /// Whether every lever has a limit or does not need one, and the planned values meet the goals.
  package var isFeasible: Bool {
    answers.allSatisfy { $0.deciding.outcome != .missedThroughout }
      && trials.allSatisfy { $0.misses.allSatisfy { $0 <= 0 } }
  }
}
