package import FleetEngine
package import Scenario
import SimulationKernel

extension Scenario {
  /// The possible endpoints of a figure: `nil` for all endpoints together, followed by each endpoint.
  package var endpointChoices: [Int?] { [nil] + endpoints.indices.map { Optional($0) } }

  /// Returns the endpoint's name as it appears in labels; empty for all endpoints together.
  package func endpointName(_ endpoint: Int?) -> String { endpoint.map { endpoints[$0].name } ?? "" }

  /// Returns the labels for the figures of an endpoint; `nil` means all endpoints.
  func labels(endpoint: Int?) -> Labels { Labels().with(\.endpoint, endpointName(endpoint)) }
}

/// The set of instances that a figure covers.
package enum Scope: Hashable, Sendable {
  case fleet
  case cohort(Int)
  case kind(Int)

  /// Returns the fleet, then every cohort, then every kind of a scenario.
  package static func all(of scenario: Scenario) -> [Scope] {
    [.fleet] + scenario.fleet.cohorts.indices.map { .cohort($0) } + scenario.kinds.indices.map { .kind($0) }
  }

  /// Returns the labels that identify the scope.
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

  /// Returns the sum over the scope's groups that satisfy a condition, in one replication; `nil` if no group does.
  package func sum(in replication: ReplicationResult, where isWanted: (GroupResult) -> Bool) -> GroupResult? {
    var sum: GroupResult?
    for group in replication.groups where contains(group) && isWanted(group) {
      if sum == nil { sum = group } else { sum? += group }
    }
    return sum
  }
}

/// The groups of a scope, summed for each replication.
struct ScopeResult {
  var labels: Labels
  /// The sum in each replication; `nil` if the scope has no instances.
  var sums: [GroupResult?]
  /// The length of the measured period.
  var duration: TimeAmount

  /// - Parameter kinds: the kinds to include, by index.
  init(_ scope: Scope, _ result: RunResult, kinds: Set<Int>) {
    labels = scope.labels(in: result.scenario)
    sums = result.replications.map { scope.sum(in: $0) { kinds.contains($0.kind) } }
    duration = result.scenario.clock.duration
  }

  /// Returns all scopes of a result, limited to the kinds that satisfy a condition; scopes without such kinds are
  /// omitted.
  static func all(of result: RunResult, where isWanted: (Kind) -> Bool = { _ in true }) -> [ScopeResult] {
    let kinds = Set(result.scenario.kinds.indices.filter { isWanted(result.scenario.kinds[$0]) })
    guard !kinds.isEmpty else { return [] }
    return Scope.all(of: result.scenario).compactMap { scope in
      if case .kind(let kind) = scope, !kinds.contains(kind) { return nil }
      return ScopeResult(scope, result, kinds: kinds)
    }
  }

  /// Returns the row for one statistic of a metric.
  ///
  /// - Parameters:
  ///   - labels: `nil` for the scope's own labels.
  ///   - statistic: `nil` for the metric's first statistic.
  func row(
    _ metric: Metric, _ labels: Labels? = nil, _ statistic: Statistic? = nil, _ figure: (GroupResult) -> Quantity?
  ) -> SummaryRow {
    SummaryRow(
      metric, labels ?? self.labels, statistic ?? metric.statistics[0], replications: sums.map { $0.flatMap(figure) })
  }

  /// Returns this scope's share of a fleet-wide count.
  func shareOfFleet(_ metric: Metric, of fleet: ScopeResult, _ count: (GroupResult) -> Int128) -> SummaryRow {
    let shares = zip(sums, fleet.sums).map { own, all in
      all.flatMap { all in Quantity(own.map(count) ?? 0, over: count(all)) }
    }
    return SummaryRow(metric, labels, .share, replications: shares)
  }

  /// Returns a row for each of a metric's statistics.
  func rows(
    _ metric: Metric, _ labels: Labels? = nil, _ figure: (GroupResult, Statistic) -> Quantity?
  ) -> [SummaryRow] {
    metric.statistics.map { statistic in
      let figures = sums.map { $0.flatMap { figure($0, statistic) } }
      return SummaryRow(metric, labels ?? self.labels, statistic, replications: figures)
    }
  }

  /// Returns a count per instance per 24 hours, or per instance over the measured period if that is shorter.
  func perInstanceDay(_ count: Int64, _ group: GroupResult) -> Quantity? {
    Quantity(Int128(count) * Int128(span.milliseconds), over: Int128(group.milliseconds))
  }

  /// The span to which figures per day refer: the measured period if it is shorter than a day (MODEL.md 8).
  var span: TimeAmount { min(duration, .day) }

  /// Returns the increase in budget exhaustions from the first to the second half of the measured whole days, per
  /// instance per day; `nil` if there are fewer than two days.
  func drift(_ group: GroupResult) -> Quantity? {
    let (counts, times) = (group.budgetExhaustedByHalf, group.millisecondsByHalf)
    let day = Int128(TimeAmount.day.milliseconds)
    guard times[0] > 0, times[1] > 0 else { return nil }
    if times[0] == times[1] { return Quantity(Int128(counts[1] - counts[0]), over: Int128(times[0]) / day) }
    func perDay(_ half: Int) -> Double { Double(counts[half]) * Double(day) / Double(times[half]) }
    return .real(significant(perDay(1) - perDay(0)))
  }

  /// Returns the mean number of instances over the measured period, scaled to the fleet.
  func widgets(_ group: GroupResult, _ scale: Scale) -> Quantity? {
    let duration = duration.milliseconds
    let isConstant = group.milliseconds == group.instances * duration
    return isConstant
      ? scale.fleetCount(Int128(group.instances))
      : scale.fleetCount(Int128(group.milliseconds), per: Int128(duration))
  }
}
