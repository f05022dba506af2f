import Scenario
import Testing

@testable import FleetEngine
@testable import Studies
@testable import SyntheticResults

/// Totals of the fleet compared with figures computed by hand, with their scaling and intervals.
struct TrafficRowTests {
  private func group(cohort: Int, kind: Int, requests: Int64) -> GroupResult {
    var group = SyntheticRun.group(cohort: cohort, kind: kind, instances: 10)
    group.traffic[0][0].requests = requests
    group.traffic[0][0].failures[3] = 2
    group.traffic[0][0].bytesDown = requests * 1_000
    group.traffic[1][2].requests = 5
    group.traffic[1][2].bytesUp = 7
    return group
  }

  private func summary(_ requests: [Int64], devices: Int = 100) -> Summary {
    var run = SyntheticRun()
    run.fleetDevices = devices
    run.replications = requests.map { count in
      let groups = [group(cohort: 0, kind: 0, requests: count), group(cohort: 1, kind: 0, requests: 1)]
      return SyntheticRun.replication(arrivals: [[], []], groups: groups)
    }
    return Summary(of: run.result)
  }

  @Test func totalsByEveryLabel() {
    let summary = summary([20])
    let labels = Labels()
    #expect(summary.row(.requests, .total)?.value == .whole(31))
    #expect(summary.row(.requests, .total, labels.with(\.endpoint, "api"))?.value == .whole(21))
    #expect(summary.row(.requests, .total, labels.with(\.cause, "background"))?.value == .whole(10))
    #expect(summary.row(.requests, .total, labels.with(\.cohort, "east"))?.value == .whole(6))
    #expect(summary.row(.requests, .total, labels.with(\.kind, "news"))?.value == .whole(0))
    let one = labels.with(\.cohort, "west").with(\.endpoint, "images").with(\.cause, "background")
    #expect(summary.row(.requests, .total, one)?.value == .whole(5))
    #expect(summary.row(.failures, .total)?.value == .whole(4))
    #expect(summary.row(.failures, .total, labels.with(\.reason, "timeout"))?.value == .whole(4))
    #expect(summary.row(.failures, .total, labels.with(\.reason, "outage")) == nil)
    #expect(summary.row(.bytesDown, .total)?.value == .whole(21_000))
    #expect(summary.row(.bytesUp, .total)?.value == .whole(14))
  }

  /// 4 of 21 requests at one endpoint time out; a request that an offline phone never sent does not count as failed.
  @Test func theShareThatFails() throws {
    var run = SyntheticRun()
    run.fleetDevices = 100
    var first = group(cohort: 0, kind: 0, requests: 20)
    first.traffic[0][0].failures[Int(FailureReason.offline.rawValue)] = 9
    run.replications = [
      SyntheticRun.replication(
        arrivals: [[], []], groups: [first, group(cohort: 1, kind: 0, requests: 1)])
    ]
    let summary = Summary(of: run.result)
    #expect(abs(try #require(summary.value(.failures, .share)) - 4.0 / 31) < 1e-12)
    let api = Labels().with(\.endpoint, "api")
    #expect(abs(try #require(summary.value(.failures, .share, api)) - 4.0 / 21) < 1e-12)
    // All of them have the first cause; of the third cause's 10 requests, none fails.
    let policy = summary.value(.failures, .share, api.with(\.cause, Cause.policy.name))
    #expect(abs(try #require(policy) - 4.0 / 21) < 1e-12)
    #expect(summary.value(.failures, .share, Labels().with(\.cause, "background")) == 0)
    #expect(summary.value(.failures, .total, api) == 13)
    // The kind sent no requests.
    #expect(summary.value(.failures, .share, Labels().with(\.kind, "news")) == nil)
  }

  @Test func requestsAreSuccessesAndFailuresOfTheirCauses() {
    let summary = summary([20, 30])
    let byCause = summary.rows.filter {
      $0.metric == .requests && $0.statistic == .total && !$0.labels.cause.isEmpty
        && $0.labels.with(\.cause, "") == Labels()
    }
    let sum = byCause.reduce(0) { $0 + ($1.value?.approximate ?? 0) }
    #expect(sum == summary.value(.requests, .total))
  }

  @Test func scalingIsExact() {
    #expect(summary([20], devices: 1_000).row(.requests, .total)?.value == .whole(310))
    #expect(summary([20], devices: 250).row(.requests, .total)?.value == .real(77.5))
  }

  @Test func intervalsOverReplications() {
    let row = summary([20, 22, 24]).row(.requests, .total)
    #expect(row?.value == .whole(33))
    #expect(row?.replications == [.whole(31), .whole(33), .whole(35)])
    // Student's t with 2 degrees of freedom: 4.302653 x 2 / sqrt(3).
    let half = 4.302_652_729_749_464 * 2 / 3.0.squareRoot()
    #expect(abs((row?.interval?.low ?? 0) - (33 - half)) < 1e-7)
    #expect(abs((row?.interval?.high ?? 0) - (33 + half)) < 1e-7)
    #expect(summary([20]).row(.requests, .total)?.interval == nil)
    #expect(summary([20, 20]).row(.requests, .total)?.interval == Interval(low: 31, high: 31))
  }

  @Test(
    arguments: [(Double, Double)]([
      (0.1 + 0.2, 0.3), (1 / 3.0, 0.333_333_333_3), (-12_345.678_901_234, -12_345.678_9), (0, 0),
      (98_765_432_101_234, 98_765_432_100_000), (1e-7 / 3, 3.333_333_333e-8), (31, 31),
    ]))
  func tenSignificantDigits(_ value: Double, _ expected: Double) { #expect(significant(value) == expected) }

  @Test func bracketUsesPresetValues() {
    let bracket = Bracket(summaries: [.prompt: summary([21]), .lazy: summary([22])])
    let row = summary([20]).bracketed(bracket).row(.requests, .total)
    #expect(row?.prompt == .whole(32))
    #expect(row?.lazy == .whole(33))
  }

  /// A preset that makes no difference gives the scenario's own figures.
  @Test func bracketWithoutADifference() {
    let row = summary([20]).bracketed(Bracket(summaries: [.lazy: summary([22])])).row(.requests, .total)
    #expect(row?.prompt == row?.value)
    #expect(row?.lazy == .whole(33))
  }
}
