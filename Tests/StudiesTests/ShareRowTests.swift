import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import Studies
@testable import SyntheticResults

/// Shares of the fleet and of causes, components and caches (MODEL.md 8), from handmade counts.
struct ShareRowTests {
  /// 30 widgets in west, 10 in east: 90 and 210 requests, west's runs 3 to 1 by policy and tap.
  private static let summary: Summary = {
    var west = SyntheticRun.group(cohort: 0, kind: 0, instances: 30)
    var east = SyntheticRun.group(cohort: 1, kind: 1, instances: 10)
    west.runs[Int(Cause.policy.rawValue)] = 60
    west.runs[Int(Cause.tap.rawValue)] = 20
    west.traffic[0][Int(Cause.policy.rawValue)].requests = 90
    east.traffic[0][Int(Cause.policy.rawValue)].requests = 210
    west.views = 40
    for minute in 1...30 { west.dataAge.record(.minutes(Int64(minute))) }
    var run = SyntheticRun()
    run.replications = [SyntheticRun.replication(arrivals: [[300], [0]], groups: [west, east])]
    return Summary(of: run.result)
  }()

  private func share(_ metric: Metric, _ labels: Labels = Labels()) -> Double? {
    Self.summary.value(metric, .share, labels)
  }

  @Test func cohortsAndKindsAreSharesOfTheFleet() {
    let (west, east) = (Labels().with(\.cohort, "west"), Labels().with(\.cohort, "east"))
    #expect(share(.widgets, west) == 0.75 && share(.widgets, east) == 0.25)
    #expect(share(.requests, west) == 0.3 && share(.requests, east) == 0.7)
  }

  @Test func causesAreSharesOfTheirScope() {
    let west = Labels().with(\.cohort, "west")
    #expect(share(.runs, west.with(\.cause, "policy")) == 0.75 && share(.runs, west.with(\.cause, "tap")) == 0.25)
    #expect(share(.runs, Labels().with(\.cohort, "east").with(\.cause, "tap")) == nil)
  }

  /// Of 40 views, 30 show data.
  @Test func viewsWithoutDataAreEmpty() { #expect(share(.emptyViews) == 0.25) }
}
