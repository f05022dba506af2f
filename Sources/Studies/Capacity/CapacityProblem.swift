package import Scenario
import SimulationKernel

/// What `capacity` asks of a scenario: which goals have to hold, and what is varied.
package struct CapacityProblem: Sendable {
  package let scenario: Scenario
  package let goals: [Goal]
  /// Endpoints with a capacity that does not follow the load, as indices into the scenario's.
  package let endpoints: [Int]
  /// By goals whose limit is a capacity: of which endpoint.
  private let capacityGoals: [Int: Int]

  /// What stands for no limit, in requests per second: as many as a fleet has phones at most.
  package static let unlimited = Fleet.mostDevices

  /// - Parameter scenario: goals of severity warning do not count.
  package init(_ scenario: Scenario) {
    self.scenario = scenario
    let own = scenario.goals.filter { $0.severity == .error }
    endpoints = scenario.endpoints.indices.filter { index in
      scenario.endpoints[index].capacity != nil && scenario.endpoints[index].autoscale == nil
    }
    // No capacity prevents what an outage fails.
    let failing = scenario.events.compactMap { event in
      if case .outage(let outage) = event.action { outage.endpoint } else { nil }
    }
    var capacityGoals: [Int: Int] = [:]
    var goals = own
    for index in endpoints {
      let endpoint = scenario.endpoints[index]
      if let goal = Self.capacityGoal(of: endpoint, besides: own) {
        capacityGoals[goals.count] = index
        goals.append(goal)
      }
      goals += Self.implied(endpoint.name, besides: own + goals)
        .filter { $0.figure.metric != .failures || !failing.contains(index) }
    }
    (self.goals, self.capacityGoals) = (goals, capacityGoals)
  }

  /// Where a goal limits the peak at the servers and none their overload: that the peak, in its window, is not above the
  /// capacity, as `run` has it.
  private static func capacityGoal(of endpoint: Endpoint, besides own: [Goal]) -> Goal? {
    guard !own.contains(where: { $0.limits(.overloadSeconds, of: endpoint.name) }),
      let peak = own.first(where: { $0.limits(.serverPeakRPS, of: endpoint.name) })
    else { return nil }
    let figure = FigureName(.serverPeakRPS, .max, peak.figure.labels.with(\.endpoint, endpoint.name))
    return Goal(
      id: "capacity-" + endpoint.name, text: figure.text + " <= capacity", figure: figure, comparison: .atMost,
      limit: .value(endpoint.capacity ?? unlimited), severity: .error)
  }

  /// At most a minute of overload and a failure in a hundred, unless a goal limits that figure of the endpoint or of all
  /// together, or the peak at the servers: beyond them both are findings of a report, too.
  private static func implied(_ endpoint: String, besides own: [Goal]) -> [Goal] {
    let labels = Labels().with(\.endpoint, endpoint)
    let overload = FigureName(.overloadSeconds, .total, labels)
    let failures = FigureName(.failures, .share, labels)
    let goals = [
      Goal(
        id: "overload-" + endpoint, text: overload.text + " <= 1min", figure: overload, comparison: .atMost,
        limit: .value(RunFinding.leastOverload), severity: .error),
      Goal(
        id: "failures-" + endpoint, text: failures.text + " <= 1%", figure: failures, comparison: .atMost,
        limit: .value(RunFinding.leastFailures), severity: .error),
    ]
    return goals.filter { goal in
      let isOverload = goal.figure.metric == .overloadSeconds
      return !own.contains {
        $0.limits(goal.figure.metric, of: endpoint) || isOverload && $0.limits(.serverPeakRPS, of: endpoint)
      }
    }
  }
}

extension Goal {
  /// Whether it limits a figure of an endpoint, or of all together.
  fileprivate func limits(_ metric: Metric, of endpoint: String) -> Bool {
    figure.metric == metric
      && [Labels(), Labels().with(\.endpoint, endpoint)].contains(figure.labels.with(\.window, ""))
  }
}

extension CapacityProblem {
  /// The goals that hold or not by one lever: of a capacity those of its endpoint and of the whole fleet.
  package func goals(of lever: CapacityLever) -> [Int] {
    switch lever {
    case .devices: return Array(goals.indices)
    case .capacity(let endpoint):
      return goals.indices.filter {
        ["", scenario.endpoints[endpoint].name].contains(goals[$0].figure.labels.endpoint)
          && !(capacityGoals[$0] == nil && repeatsCapacity(goals[$0], endpoint))
      }
    }
  }

  /// Whether the limit of a goal is the endpoint's capacity again, which moves with it: its peak at the servers is not to
  /// be above what the file has for the capacity.
  private func repeatsCapacity(_ goal: Goal, _ index: Int) -> Bool {
    let endpoint = scenario.endpoints[index]
    guard let capacity = endpoint.capacity, goal.figure.labels.endpoint == endpoint.name else { return false }
    return goal.limits(.serverPeakRPS, of: endpoint.name) && goal.limit == .value(capacity)
      && [.atMost, .less].contains(goal.comparison)
  }

  /// The scenario with a lever at a value: devices, or requests per second.
  package func scenario(_ lever: CapacityLever, at value: Double) -> Scenario {
    var scenario = scenario
    switch lever {
    case .devices:
      let devices = max(1, Int(value.rounded()))
      let simulated = scenario.devicesSimulated
      scenario.fleet.devices = devices
      scenario.run.simulate = simulated < devices ? .count(simulated) : .all
    case .capacity(let endpoint):
      // The others must not stand in the way of this one.
      for index in endpoints { scenario.endpoints[index].capacity = index == endpoint ? value : Self.unlimited }
    }
    return scenario
  }

  /// The scenario with several capacities at once.
  package func scenario(with capacities: [Int: Double]) -> Scenario {
    var scenario = scenario
    for (endpoint, capacity) in capacities { scenario.endpoints[endpoint].capacity = capacity }
    return scenario
  }

  /// By how much goals are missed in each replication, as shares of their limits.
  ///
  /// - Parameter scenario: that was simulated, with its capacities.
  package func misses(_ goals: [Int], in summary: Summary, of scenario: Scenario) -> [[Double]] {
    goals.map { index in
      var goal = self.goals[index]
      if let endpoint = capacityGoals[index] {
        goal.limit = .value(scenario.endpoints[endpoint].capacity ?? Self.unlimited)
      }
      return GoalMargin.misses(of: goal, in: summary)
    }
  }

  /// Those of some goals whose figures the sample does not resolve.
  package func unresolved(_ goals: [Int], in summary: Summary) -> [Int] {
    goals.filter { summary.figure(self.goals[$0].figure)?.isResolved == false }
  }

  /// Where devices are searched.
  package var devicesRange: LimitSearch.Range {
    LimitSearch.Range(
      start: Double(scenario.fleet.devices), least: max(1, Double(scenario.fleet.devices) / 1_000),
      most: Fleet.mostDevices / max(1, scenario.fleet.growth(over: scenario.clock.duration)), stride: 4)
  }

  /// Where a capacity is searched, as one over it: from the busiest step on.
  ///
  /// - Parameter peak: requests per second in the busiest step when nothing limits them.
  package func capacityRange(peak: Double) -> LimitSearch.Range {
    LimitSearch.Range(start: 1 / peak, least: 0.001 / peak, most: 1_000 / peak, stride: 4)
  }
}
