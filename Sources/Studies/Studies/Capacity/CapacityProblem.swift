package import Scenario
import SimulationKernel

/// The goals to meet and the values to vary when `capacity` runs on a scenario.
package struct CapacityProblem: Sendable {
  package let scenario: Scenario
  /// The scenario's goals of severity `error`, followed by the goals that its capacities imply (`CapacityGoal`).
  package let goals: [Goal]
  /// The endpoints with a fixed capacity, as indices into `Scenario.endpoints`.
  package let endpoints: [Int]
  /// The endpoint of each goal whose limit is a capacity, keyed by the goal's index.
  package let capacityGoals: [Int: Int]
  /// The number of goals that come from the scenario file, rather than from capacities.
  package let ownGoals: Int

  /// The capacity that represents "no limit": the maximum fleet size, in requests per second.
  package static let unlimited = Fleet.maxDevices

  /// - Parameter window: the window over which peaks without a goal are measured; `nil` if the clock has no window.
  package init(_ scenario: Scenario, _ window: LoadWindow?) {
    let own = scenario.goals.filter { $0.severity == .error }
    let asked = CapacityGoal.all(of: scenario, window)
    var capacityGoals: [Int: Int] = [:]
    for (index, goal) in own.enumerated() { capacityGoals[index] = scenario.endpointWhoseCapacity(isLimitOf: goal) }
    for (index, asked) in asked.enumerated() where asked.goal.figure.metric == .serverPeakRPS {
      capacityGoals[own.count + index] = asked.endpoint
    }
    endpoints = scenario.endpoints.indices.filter { index in
      scenario.endpoints[index].capacity != nil && scenario.endpoints[index].autoscale == nil
    }
    goals = own + asked.map(\.goal)
    (self.scenario, self.capacityGoals, ownGoals) = (scenario, capacityGoals, own.count)
  }
}

extension Scenario {
  /// Returns the endpoint whose capacity determines the goal's limit.
  ///
  /// The limit is either a share of the capacity or, for a goal on the peak at the servers, the capacity in the file.
  fileprivate func endpointWhoseCapacity(isLimitOf goal: Goal) -> Int? {
    if case .share = goal.limit { return goal.figure.endpoint(in: self) }
    guard goal.figure.metric == .serverPeakRPS, [.atMost, .less].contains(goal.comparison) else { return nil }
    return endpoints.indices.first { index in
      let labels = Labels().with(\.endpoint, endpoints[index].name)
      return goal.figure.labels.with(\.window, "") == labels
        && endpoints[index].capacity.map { goal.limit == .value($0) }
          == true
    }
  }
}

/// The numbers of phones and replications to simulate for each value that a search tries.
package struct CapacityEffort: Hashable, Sendable {
  package var devices: Int
  package var replications: Int

  /// The total number of phones simulated for one setting, across all replications.
  package var lives: Int { devices * replications }
}

extension CapacityProblem {
  /// The default number of replications for counted figures, which is sufficient to compute a confidence interval.
  private static let replications = 5

  /// Returns the numbers of phones and replications for a search that determines a limit to within 1 %.
  ///
  /// - Parameters:
  ///   - replications: `nil` if neither the file nor an option sets the number.
  ///   - oneIsEnough: whether a single replication is enough to determine the limit's precision
  ///     (`LimitSearch.needsNoReplications`).
  package static func effort(_ scenario: Scenario, replications: Int?, oneIsEnough: Bool) -> CapacityEffort {
    let count = replications ?? (oneIsEnough ? 1 : Self.replications)
    return CapacityEffort(devices: scenario.devicesOfSearch(replications: count), replications: count)
  }

  /// Returns whether a goal's limit is written as a share of a capacity, so that the limit changes with the capacity.
  package func isShare(_ goal: Int) -> Bool {
    if case .share = goals[goal].limit { true } else { false }
  }

  /// Returns a goal's fixed load limit as a percentage of the endpoint's capacity in the file; `nil` for other goals.
  package func percentage(_ goal: Int, of endpoint: Int) -> Double? {
    let asked = goals[goal]
    guard goal < ownGoals, capacityGoals[goal] == nil, asked.figure.unit == .requestsPerSecond,
      asked.figure.endpoint(in: scenario) == endpoint, case .value(let value) = asked.limit,
      let capacity = scenario.endpoints[endpoint].capacity, capacity > 0
    else { return nil }
    return 100 * value / capacity
  }

  package var roughEffort: CapacityEffort { Self.roughEffort(scenario) }

  /// Returns the numbers of phones and replications for a search that determines a limit to within 10 %.
  package static func roughEffort(_ scenario: Scenario) -> CapacityEffort {
    CapacityEffort(devices: scenario.devicesOfRoughSearch, replications: 1)
  }

  /// The levers that affect at least one goal.
  package var levers: [CapacityLever] {
    ([.devices] + endpoints.map { .capacity(endpoint: $0) }).filter { !goals(of: $0).isEmpty }
  }

  /// Returns the goals affected by a lever. A capacity affects the goals of its endpoint and those of the whole fleet.
  package func goals(of lever: CapacityLever) -> [Int] {
    switch lever {
    case .devices: Array(goals.indices)
    case .capacity(let endpoint):
      goals.indices.filter { ["", scenario.endpoints[endpoint].name].contains(goals[$0].figure.labels.endpoint) }
    }
  }

  /// Returns the scenario with one lever set to a value, in devices or requests per second.
  package func scenario(_ lever: CapacityLever, at value: Double, _ effort: CapacityEffort) -> Scenario {
    var scenario = scenario
    switch lever {
    case .devices: scenario.fleet.devices = max(1, Int(value.rounded()))
    case .capacity(let endpoint):
      // The other endpoints get unlimited capacity, so that they do not affect the limit found for this endpoint.
      for index in endpoints { scenario.setCapacity(index == endpoint ? value : Self.unlimited, of: index) }
    }
    return scenario.simulating(effort)
  }

  package func scenario(with plans: [CapacityLever: Double], _ effort: CapacityEffort) -> Scenario {
    var scenario = scenario
    for (lever, value) in plans {
      switch lever {
      case .devices: scenario.fleet.devices = max(1, Int(value))
      case .capacity(let endpoint): scenario.setCapacity(value, of: endpoint)
      }
    }
    return scenario.simulating(effort)
  }

  /// Returns the queue length that an endpoint needs at a given capacity, if the queue in the file is too short for it
  /// (WF314).
  package func queueNeeded(_ endpoint: Int, with capacity: Double) -> Int? {
    var changed = scenario
    changed.setCapacity(capacity, of: endpoint)
    let queue = changed.endpoints[endpoint].queue
    return queue == scenario.endpoints[endpoint].queue ? nil : queue
  }

  /// Returns a goal with the limit that applies in a simulated scenario. A limit that is a capacity varies between
  /// scenarios.
  private func goal(_ index: Int, of scenario: Scenario) -> Goal {
    var goal = goals[index].limited(by: scenario)
    if case .share = goal.limit { return goal }
    if let endpoint = capacityGoals[index] {
      goal.limit = .value(scenario.endpoints[endpoint].capacity ?? Self.unlimited)
    }
    return goal
  }

  /// Returns a search point with the relative amount by which each of the given goals is missed at a load.
  ///
  /// - Parameter scenario: the simulated scenario, including its capacities.
  package func point(_ load: Double, _ goals: [Int], in summary: Summary, of scenario: Scenario) -> LimitSearch.Point {
    let goals = goals.map { goal($0, of: scenario) }
    return LimitSearch.Point(
      load: load, misses: goals.map { GoalMargin.misses(of: $0, in: summary) },
      halves: goals.map { GoalMargin.half(of: $0, in: summary) })
  }

  /// Returns the given goals whose figures are not resolved by the sample (MODEL.md 8.1).
  package func unresolved(_ goals: [Int], in summary: Summary) -> [Int] {
    goals.filter { summary.figure(self.goals[$0].figure)?.isResolved == false }
  }

  /// The range of device counts within which the limit is searched.
  package var devicesRange: LimitSearch.Range {
    LimitSearch.Range(
      start: Double(scenario.fleet.devices), minimum: max(1, Double(scenario.fleet.devices) / 1_000),
      maximum: Fleet.maxDevices / max(1, scenario.fleet.growth(over: scenario.clock.duration)), stride: 4)
  }

  /// Returns the range of reciprocal capacities to search. The search starts at the reciprocal of the peak.
  ///
  /// - Parameter peak: the requests per second in the busiest step, simulated without capacity limits.
  package func capacityRange(peak: Double) -> LimitSearch.Range {
    LimitSearch.Range(start: 1 / peak, minimum: 0.001 / peak, maximum: 1_000 / peak, stride: 4)
  }
}

extension Scenario {
  /// Sets an endpoint's capacity, and lengthens its queue to hold the requests served in one step, as files require.
  fileprivate mutating func setCapacity(_ capacity: Double, of endpoint: Int) {
    endpoints[endpoint].capacity = capacity
    guard let queue = endpoints[endpoint].queue else { return }
    // The factor only absorbs floating-point rounding errors.
    let served = capacity * clock.step.seconds * (1 - 1e-12)
    endpoints[endpoint].queue = max(queue, numericCast(Int64(served.rounded(.up))))
  }

  fileprivate func simulating(_ effort: CapacityEffort) -> Scenario {
    var scenario = self
    scenario.run.simulate = effort.devices < fleet.devices ? .count(effort.devices) : .all
    scenario.run.replications = effort.replications
    return scenario
  }
}
