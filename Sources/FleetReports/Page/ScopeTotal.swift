import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// What the instances of a scope did over all replications, for figures that need more than the summary's rows.
struct ScopeTotal {
  var labels: Labels
  var group: GroupResult
  /// Instances times days of the measured period, over all replications.
  var instanceDays: Double

  /// nil when the scope has no instances.
  init?(_ scope: Scope, _ result: RunResult, where isWanted: (GroupResult) -> Bool = { _ in true }) {
    var total: GroupResult?
    for replication in result.replications {
      guard let sum = scope.sum(in: replication, where: isWanted) else { continue }
      if total == nil { total = sum } else { total? += sum }
    }
    guard let total else { return nil }
    group = total
    labels = scope.labels(in: result.scenario)
    instanceDays = Double(total.instances) * result.scenario.clock.duration.seconds / TimeAmount.day.seconds
  }

  /// A count of the measured period per instance and 24 hours.
  func perDay(_ count: Int64) -> Double { instanceDays > 0 ? Double(count) / instanceDays : 0 }

  func runsPerDay(_ cause: Cause) -> Double { perDay(group.runs[Int(cause.rawValue)]) }

  var runs: Int64 { group.runs.reduce(0, +) }

  /// The share of the runs that a cause started; 0 without runs.
  func share(_ cause: Cause) -> Double {
    runs > 0 ? Double(group.runs[Int(cause.rawValue)]) / Double(runs) : 0
  }

  /// The causes that started a run, the commonest first.
  var causes: [Cause] {
    Cause.allCases.filter { group.runs[Int($0.rawValue)] > 0 }.sorted {
      (group.runs[Int($1.rawValue)], $0.rawValue) < (group.runs[Int($0.rawValue)], $1.rawValue)
    }
  }

  /// Every scope with instances, and those of kinds alone.
  static func all(of result: RunResult) -> [ScopeTotal] {
    Scope.all(of: result.scenario).compactMap { ScopeTotal($0, result) }
  }

  static func kinds(of result: RunResult) -> [ScopeTotal] {
    result.scenario.kinds.indices.compactMap { ScopeTotal(.kind($0), result) }
  }
}
