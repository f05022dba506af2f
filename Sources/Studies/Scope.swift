package import FleetEngine
package import Scenario
import SimulationKernel

extension Scenario {
  /// All endpoints together, then each.
  package var endpointChoices: [Int?] { [nil] + endpoints.indices.map { Optional($0) } }

  /// As labels have it: empty for all together.
  package func endpointName(_ endpoint: Int?) -> String { endpoint.map { endpoints[$0].name } ?? "" }

  /// The labels of figures of an endpoint, or with nil of all together.
  func labels(endpoint: Int?) -> Labels { Labels().with(\.endpoint, endpointName(endpoint)) }
}

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
    sum(in: replication) { _ in true }
  }

  /// What those of its groups that satisfy a condition did together in one replication; nil where there are none.
  package func sum(in replication: ReplicationResult, where isWanted: (GroupResult) -> Bool) -> GroupResult? {
    var sum: GroupResult?
    for group in replication.groups where contains(group) && isWanted(group) {
      if sum == nil { sum = group } else { sum? += group }
    }
    return sum
  }
}
