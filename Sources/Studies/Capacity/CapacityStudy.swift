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
  /// nil with one replication, and where one of them has its limit beyond what was simulated.
  package var interval: Interval?
  /// The goal that is missed first; index into the goals of the study.
  package var goal: Int?
  /// Whether the sample resolves that goal's figure in every setting that was simulated.
  package var isResolved = true
  /// What was simulated, in order of the devices or requests per second.
  package var points: [LimitSearch.Point]

  /// - Parameter lever: loads of a search are devices, or one over a capacity.
  /// - Parameter goals: what the rows of its misses are, as indices into the goals of the study.
  package init(_ search: LimitSearch, of lever: CapacityLever, goals: [Int]) {
    let own = { (load: Double) in lever == .devices ? load : 1 / load }
    points = search.points.map { LimitSearch.Point(load: own($0.load), misses: $0.misses) }
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
      interval = isWhole ? Interval.student95(of: known).map(Self.exponential) : nil
    }
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
    /// Requests per second that serve the busiest step within the timeout: requests of one step do not wait for each
    /// other (MODEL.md 6.2), so that less may do in the simulation and not at servers. nil for devices.
    package var busiestStep: Double?

    package init(lever: CapacityLever, own: CapacityLimit, ends: [Preset: CapacityLimit], busiestStep: Double?) {
      self.lever = lever
      self.own = own
      self.ends = ends
      self.busiestStep = busiestStep
    }
  }

  package var scenario: Scenario
  package var goals: [Goal]
  package var answers: [Answer]
  /// With every capacity that was found, at the upper end of its interval: by how much each goal is missed in the mean
  /// over replications, below 0 where it is met; nil where no capacity was found.
  package var together: [Double]?
  /// The capacities of `together`, by endpoint, in requests per second.
  package var proposed: [Int: Double]

  package init(
    scenario: Scenario, goals: [Goal], answers: [Answer], together: [Double]?, proposed: [Int: Double]
  ) {
    self.scenario = scenario
    self.goals = goals
    self.answers = answers
    self.together = together
    self.proposed = proposed
  }

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

  /// Whether every question has an answer other than that nothing helps.
  package var isFeasible: Bool {
    answers.allSatisfy { $0.own.outcome != .missedThroughout } && together?.contains { $0 > 0 } != true
  }
}
