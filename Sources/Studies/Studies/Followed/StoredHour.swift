package import FleetEngine
import Scenario
import SimulationKernel

/// The widgets of a kind during one hour of the local day, over all replications, as a row of hours.csv (MODEL.md 8.3).
package struct StoredHour: Hashable, Sendable {
  package var kind: Int
  /// The hour, 0..<24, on the phone's local clock.
  package var hour: Int
  /// The number of refreshes per widget during this hour of a day. Like all values below, it is `nil` if no widget
  /// exists in this hour.
  package var refreshes: Double?
  package var views: Double?
  /// The share of stale views; `nil` if there are no views or the kind has no limit.
  package var staleShare: Double?
  /// The mean data age in seconds, over the views that show data.
  package var dataAge: Double?
  /// The 10th percentile of the budget balance, in refreshes; the next property is the median.
  package var lowBalance: Double?
  package var balance: Double?

  package var dataAgeMinutes: Double? { dataAge.map { $0 / 60 } }

  package init(kind: Int, hour: Int) { (self.kind, self.hour) = (kind, hour) }

  fileprivate init(kind: Int, hour: Int, _ result: HourResult, hasLimit: Bool) {
    self.init(kind: kind, hour: hour)
    let widgetHours = Double(result.milliseconds) / Double(TimeAmount.hour.milliseconds)
    guard widgetHours > 0 else { return }
    refreshes = significant(Double(result.runs) / widgetHours)
    views = significant(Double(result.views) / widgetHours)
    if hasLimit, result.views > 0 { staleShare = significant(Double(result.staleViews) / Double(result.views)) }
    if result.agedViews > 0 { dataAge = significant(Double(result.ageMilliseconds) / 1_000 / Double(result.agedViews)) }
    lowBalance = result.balance(below: 0.1)
    balance = result.balance(below: 0.5)
  }
}

extension HourResult {
  /// Returns the balance quantile in refreshes, assuming a uniform distribution within each bin; `nil` if there are no
  /// balances.
  package func balance(below share: Double) -> Double? {
    var rank = share * Double(balances.total)
    for (bin, count) in balances.counts.enumerated() where count > 0 {
      let edges = BalanceBins.edges(ofBin: bin)
      if rank <= Double(count) { return significant(edges.from + edges.width * max(rank, 0) / Double(count)) }
      rank -= Double(count)
    }
    return nil
  }
}

extension StoredRun {
  /// Returns the hours for each kind that is on any followed phone, sorted by kind, then by hour.
  package static func hours(of result: RunResult) -> [StoredHour] {
    let kinds = result.scenario.kinds
    return kinds.indices.flatMap { kind -> [StoredHour] in
      let followed = result.followed(kind)
      guard followed.milliseconds > 0 else { return [] }
      return followed.hours.enumerated().map { hour, result in
        StoredHour(kind: kind, hour: hour, result, hasLimit: kinds[kind].staleAfter != nil)
      }
    }
  }
}

extension RunResult {
  /// Returns the combined result of a kind's followed widgets over all replications.
  package func followed(_ kind: Int) -> FollowedResult {
    replications.reduce(into: FollowedResult()) { $0 += $1.followed(kind) }
  }
}

extension ReplicationResult {
  /// Returns the combined result of a kind's followed widgets.
  func followed(_ kind: Int) -> FollowedResult {
    groups.reduce(into: FollowedResult()) { if $1.kind == kind { $0 += $1.followed } }
  }
}
