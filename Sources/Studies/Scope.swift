package import FleetEngine
package import Scenario
import SimulationKernel

/// Whose instances a figure covers.
package enum Scope: Hashable, Sendable {
  case fleet
  case cohort(Int)
  case kind(Int)

  /// The fleet, then every cohort, then every kind of a scenario.
  package static func all(of scenario: Scenario) -> [Scope] {
    [.fleet] + scenario.fleet.cohorts.indices.map { .cohort($0) } + scenario.kinds.indices.map { .kind($0) }
  }

  /// The labels that name it.
  package func labels(in scenario: Scenario) -> Labels {
    switch self {
    case .fleet: Labels()
    case .cohort(let index): Labels().with(\.cohort, scenario.fleet.cohorts[index].name)
    case .kind(let index): Labels().with(\.kind, scenario.kinds[index].name)
    }
  }

  package func contains(_ group: GroupResult) -> Bool {
    switch self {
    case .fleet: true
    case .cohort(let index): group.cohort == index
    case .kind(let index): group.kind == index
    }
  }

  /// What all its groups did together in one replication; nil when it has no instances.
  package func sum(in replication: ReplicationResult) -> GroupResult? {
    let groups = replication.groups.filter(contains)
    return groups.dropFirst().reduce(groups.first) { sum, group in sum.map { $0.adding(group) } }
  }
}

extension GroupResult {
  /// Both groups' tallies together, under the labels of this one.
  func adding(_ other: GroupResult) -> GroupResult {
    var sum = self
    sum.instances += other.instances
    accumulate(other.runs, into: &sum.runs)
    sum.runsPerDay += other.runsPerDay
    for index in other.runsPerDayByCause.indices { sum.runsPerDayByCause[index] += other.runsPerDayByCause[index] }
    sum.chargedRunsPerDay += other.chargedRunsPerDay
    sum.freeRunsPerDay += other.freeRunsPerDay
    sum.lateness += other.lateness
    for index in other.waits.indices { sum.waits[index].add(other.waits[index]) }
    sum.budgetExhausted += other.budgetExhausted
    sum.cacheHits += other.cacheHits
    for endpoint in other.traffic.indices {
      for cause in other.traffic[endpoint].indices { sum.traffic[endpoint][cause].add(other.traffic[endpoint][cause]) }
    }
    return sum
  }
}

extension WaitTally {
  mutating func add(_ other: WaitTally) {
    count += other.count
    totalMilliseconds += other.totalMilliseconds
  }
}

extension Traffic {
  /// Counts the other traffic in.
  package mutating func add(_ other: Traffic) {
    requests += other.requests
    accumulate(other.failures, into: &failures)
    bytesUp += other.bytesUp
    bytesDown += other.bytesDown
  }
}

/// Adds tallies element by element.
private func accumulate(_ counts: [Int64], into sums: inout [Int64]) {
  for index in counts.indices { sums[index] += counts[index] }
}
