import Scenario
import Testing

@testable import FleetEngine

/// The findings in the comments of scenarios with limits, from mathematics rather than an earlier run.
@Suite struct OverloadFindingTests {
  /// Three attempts by every phone every 5 min + U(0, 15 min) keep 500/s overloaded. It ends with a queue of 20 s
  /// instead of 40 s, or with a single attempt: the servers then serve more than the demand of 1 000 000 / 67.5 min.
  @Test(
    arguments: [
      ([], false), (["backend.endpoints.api.queue=10k"], true), (["kinds.feed.attempts.count=1"], true),
    ] as [([String], Bool)])
  func metastable(settings: [String], recovers: Bool) throws {
    let trial = try Trial("metastable", devices: 1_000, settings: settings + ["clock.duration=6h", "clock.step=10s"])
    let records = try #require(trial.result.replications[0].backend?.records[0])
    // The last hour, four hours after the stall.
    let last = records.suffix(360)
    let load = Double(last.reduce(0) { $0 + $1.arrivals }) / 3_600
    if recovers {
      // Cycles of 67.5 min: at most as many as have been asleep for an hour, and no long queue.
      #expect(load < 500, "\(load)")
      #expect(last.allSatisfy { $0.backlog < 10_000 })
    } else {
      #expect(load > 3_000 && load < 4_400, "\(load)")
      #expect(last.allSatisfy { $0.backlog == 20_000 })
    }
  }
}
