import Scenario
import Studies
import Testing

/// The benefit of pairing runs that have the same draws.
@Suite struct PairingStudyTests {
  /// Returns the widgets of people who are offline for hours at a time, with data that becomes stale after two hours.
  private static func scenario(network: String, devices: Int) -> String {
    """
    schema: widgetfleet/v1
    name: pairing
    clock: {start: 2027-01-18T00:00:00Z, settle: 0s, step: 1h}
    kinds: {weather: {reload: {after: 1h}, stale_after: 2h, requests: [{endpoint: api}]}}
    fleet:
      devices: \(devices)
      cohorts: [{name: all, zones: {Europe/Berlin: 100%}, network: \(network), widgets: [{kind: weather}]}]
    """
  }

  private static let tunnels = "{wifi: 63%, offline: {share: 3%, mean: 2h}}"
  private static let size = StudySample.isLong ? (devices: 100, replications: 40) : (devices: 20, replications: 10)

  /// Returns, by interval, every replication's proportion of stale views and number of views.
  private func figures(_ intervals: [String], network: String) throws -> [(stale: [Double], views: [Double])] {
    try intervals.map { interval in
      let sample = try StudySample(
        Self.scenario(network: network, devices: Self.size.devices), "kinds.weather.reload.after=\(interval)")
      let summary = try sample.summary(seed: 3, replications: Self.size.replications)
      func values(_ metric: Metric, _ statistic: Statistic) throws -> [Double] {
        try #require(summary.row(metric, statistic)).replications.map { $0?.approximate ?? 0 }
      }
      return (try values(.staleViews, .share), try values(.viewsPerDay, .mean))
    }
  }

  /// Returns how many times as many replications unpaired runs need for an interval of the same width.
  private func gain(_ one: [Double], _ other: [Double]) -> Double {
    (variance(one) + variance(other)) / variance(zip(one, other).map { $0 - $1 })
  }

  /// People and networks are the same with both intervals; if they are what makes views stale, pairs need at least 5
  /// times fewer replications.
  @Test func pairingNeedsAFifthOfTheReplications() throws {
    let both = try figures(["1h", "75min"], network: Self.tunnels)
    // The same people view widgets at the same times.
    #expect(both[0].views == both[1].views)
    let gain = gain(both[0].stale, both[1].stale)
    #expect(gain >= 5, "\(gain) with seed 3")
    if StudySample.isLong { print("pairing, 1h and 75min, offline for 2h: \(gain)") }
  }

  /// If the last date before a view decides rather than the person, nothing is shared: 2 hours compared with 1 hour.
  @Test(.enabled(if: StudySample.isLong)) func pairingDoesNotHelpWithPhases() throws {
    let both = try figures(["1h", "2h"], network: "wifi")
    let gain = gain(both[0].stale, both[1].stale)
    #expect((0.5...2).contains(gain), "\(gain) with seed 3")
    print("pairing, 1h and 2h, always online: \(gain)")
  }
}
