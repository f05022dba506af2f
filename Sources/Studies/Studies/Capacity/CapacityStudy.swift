package import Scenario
import SimulationKernel

/// What `capacity` varies until goals are missed.
package enum CapacityLever: Hashable, Sendable {
  /// `fleet.devices`.
  case devices
  /// `backend.endpoints.*.capacity` of the endpoint of this index.
  case capacity(endpoint: Int)
}

/// How far one lever can go while the goals hold.
package struct CapacityLimit: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    case found
    /// The goals hold as far as was looked.
    case holdsThroughout
    /// They are missed as far as was looked.
    case missedThroughout
  }

  package var outcome: Outcome
  /// Devices, or requests per second: the mean over replications; nil unless found.
  package var value: Double?
  /// The furthest that was simulated and held; nil unless found.
  package var held: Double?
  /// What replications and a sample know of the value; nil where there is neither, or an end is beyond what was simulated.
  package var interval: Interval?
  /// The goal that is missed first; index into the goals of the study.
  package var goal: Int?
  /// Whether the sample resolves that goal's figure in every setting that was simulated.
  package var isResolved = true
  /// What was simulated of each setting.
  package var effort: CapacityEffort
  /// What was simulated, in order of the devices or requests per second.
  package var points: [LimitSearch.Point]

  /// - Parameter lever: loads of a search are devices, or one over a capacity.
  /// - Parameter goals: what the rows of its misses are, as indices into the goals of the study.
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
      // Where replications lie beyond what was simulated, the middle of the mean's own limit stands in.
      let isWhole = !known.isEmpty && known.count == logarithms.count
      let mean = isWhole ? known.reduce(0, +) / Double(known.count) : middle
      value = significant(SteadyMath.exp(mean))
      held = significant(own(holds.load))
      interval = isWhole ? Self.interval(search, mean, Interval.student95(of: known), own) : nil
    }
  }

  /// Student's interval of logarithms, and at least as wide as what a sample knows of the limit.
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

/// The answers of `capacity`: how many phones the goals allow, and how much capacity they need.
package struct CapacityStudy: Sendable {
  /// One lever, under the scenario and under the ends of its bracket.
  package struct Answer: Hashable, Sendable {
    package var lever: CapacityLever
    package var own: CapacityLimit
    package var ends: [Preset: CapacityLimit]
    /// What to plan for, in three digits: phones at the lower end of the interval, a capacity at the upper, and never
    /// beyond what held; nil where nothing was found.
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

    /// As it is told: what is rounded still holds.
    private func plan(_ value: Double) -> Double {
      lever == .devices ? CapacityStudy.roundedDown(value) : CapacityStudy.roundedUp(value)
    }

    /// Fewer phones, or more capacity, by a hundredth.
    package mutating func planMoreCarefully() { plan = plan.map { plan(lever == .devices ? $0 * 0.99 : $0 / 0.99) } }

    /// The scenario, nil, and the ends that were simulated.
    package var presets: [Preset?] { [nil] + Bracket.ends.filter { ends[$0] != nil } }

    package subscript(preset: Preset?) -> CapacityLimit { preset.flatMap { ends[$0] } ?? own }

    /// Under what the lever can go least far: beyond it `run` says that the whole depends on it, or does not hold. Of
    /// equals the scenario itself, nil.
    package var decidingPreset: Preset? {
      let strictest = presets.map { strictness(self[$0]) }.max()
      return presets.first { strictness(self[$0]) == strictest } ?? nil
    }

    package var deciding: CapacityLimit { self[decidingPreset] }

    /// More of it allows less.
    private func strictness(_ limit: CapacityLimit) -> Double {
      switch limit.outcome {
      case .holdsThroughout: -.infinity
      case .missedThroughout: .infinity
      case .found: (limit.value ?? 0) * (lever == .devices ? -1 : 1)
      }
    }
  }

  /// What was planned for, once more: phones, or all capacities together.
  package struct Trial: Hashable, Sendable {
    package var plans: [CapacityLever: Double]
    /// By how much each goal is missed in the mean over replications, under the scenario or the end that is worst, below 0
    /// where it is met.
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

  /// The next number of at most three digits: what is told of a capacity, and tried.
  package static func roundedUp(_ value: Double) -> Double {
    rounded(value, .up)
  }

  /// A number of three digits below: what is told of devices.
  package static func roundedDown(_ value: Double) -> Double { rounded(value, .down) }

  private static func rounded(_ value: Double, _ rule: FloatingPointRoundingRule) -> Double {
    var unit = 1.0
    while value / unit >= 1_000 { unit *= 10 }
    while value / unit < 100, unit > 1e-6 { unit /= 10 }
    // Of what is a number of three digits but for the last bits, that number.
    let digits = significant(value / unit).rounded(rule)
    return significant(digits * unit)
  }

  /// Whether every question has an answer other than that nothing helps, and what was planned for meets the goals.
  package var isFeasible: Bool {
    answers.allSatisfy { $0.deciding.outcome != .missedThroughout }
      && trials.allSatisfy { $0.misses.allSatisfy { $0 <= 0 } }
  }
}
