package import Scenario
import SimulationKernel

/// What `capacity` asks of a scenario: which goals have to hold, and what is varied.
package struct CapacityProblem: Sendable {
  package let scenario: Scenario
  package let goals: [Goal]
  /// Endpoints with a capacity that does not follow the load, as indices into the scenario's.
  package let endpoints: [Int]

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
    goals =
      own
      + endpoints.flatMap { index in
        Self.implied(scenario.endpoints[index].name, besides: own)
          .filter { $0.figure.metric != .failures || !failing.contains(index) }
      }
  }

  /// At most a minute of overload and a failure in a hundred, unless a goal limits that figure of the endpoint or of all
  /// together: beyond them both are findings of a report, too. A goal on the peak at the servers is one on overload: by it
  /// `run` says whether the capacity holds.
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
      let metrics: [Metric] =
        goal.figure.metric == .overloadSeconds ? [.overloadSeconds, .serverPeakRPS] : [goal.figure.metric]
      return !own.contains { own in
        metrics.contains(own.figure.metric) && [Labels(), labels].contains(own.figure.labels.with(\.window, ""))
      }
    }
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
      }
    }
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
  package func misses(_ goals: [Int], in summary: Summary) -> [[Double]] {
    goals.map { GoalMargin.misses(of: self.goals[$0], in: summary) }
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
