import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import Studies
@testable import SyntheticResults

/// What becomes of asked refreshes, the hours of a day, and from push to screen, against figures computed by hand.
struct FollowedRowTests {
  private static let hour: Int64 = 3_600_000

  /// Two widget days, in which 60 refreshes ran that the policy asked for each 30 minutes.
  private static var followed: FollowedResult {
    var followed = FollowedResult()
    followed.milliseconds = 48 * hour
    followed.policyRuns = 60
    followed.otherRuns = 4
    followed.parts[Int(AskedPart.asked.rawValue)] = 30 * hour
    followed.parts[Int(AskedPart.without.rawValue)] = 8 * hour
    followed.parts[Int(AskedPart.idle.rawValue)] = 7 * hour
    followed.parts[Int(AskedPart.startDelay.rawValue)] = 5 * hour
    followed.parts[Int(AskedPart.caughtUp.rawValue)] = 2 * hour
    return followed
  }

  @Test func asked() {
    let asked = StoredAsked(kind: 0, Self.followed)
    #expect(Self.followed.sumOfParts == Int128(48 * Self.hour))
    // 40 hours in which the policy asks at all, at two an hour, over two days.
    #expect(asked[.asks] == 40)
    #expect(asked[.part(.idle)] == 7)
    #expect(asked[.part(.startDelay)] == 5)
    #expect(asked[.part(.caughtUp)] == -2)
    #expect(asked[.part(.budget)] == 0)
    #expect(asked[.policy] == 30)
    #expect(asked[.other] == 2)
    #expect(asked.seconds == 172_800)
    #expect(asked[.policy].map { $0 + AskedRow.losses.reduce(0) { $0 + (asked[$1] ?? .nan) } } == 40)
  }

  /// Nothing that was asked for has run: what was lost cannot be told in refreshes.
  @Test func nothingAsked() {
    var followed = Self.followed
    followed.policyRuns = 0
    followed.parts[Int(AskedPart.asked.rawValue)] = 0
    let asked = StoredAsked(kind: 0, followed)
    #expect(asked[.asks] == nil && asked[.part(.idle)] == nil)
    #expect(asked[.policy] == 0 && asked[.other] == 2)
  }

  @Test func everyRowHasItsPlace() {
    #expect(AskedRow.allCases.enumerated().allSatisfy { $0.offset == $0.element.place })
    #expect(Set(AskedRow.allCases.map(\.name)).count == AskedRow.allCases.count)
  }

  /// One balance of 0, three of 1, in bins of a hundredth and of two.
  @Test func balances() {
    var result = HourResult()
    let bins = [RunMillionths.zero, .one, .one, .one].map(BalanceBins.bin)
    result.balances = CountHistogram(counts: Array(repeating: 0, count: (bins.max() ?? 0) + 1))
    for bin in bins { result.balances.counts[bin] += 1 }
    // A rank of 0.4 of the one in the bin from 0 on; of 2 less 1 of three.
    #expect(result.balance(below: 0.1) == 0.004)
    let edges = BalanceBins.edges(ofBin: BalanceBins.bin(of: .one))
    #expect(result.balance(below: 0.5) == significant(edges.from + edges.width / 3))
    #expect(HourResult().balance(below: 0.5) == nil)
  }

  @Test(arguments: [-1_000_000, -990_000, 0, 270_000, 280_000, 1_000_000, 40_000_000, 160_000_000] as [Int64])
  func everyBalanceLiesInItsBin(millionths: Int64) {
    let edges = BalanceBins.edges(ofBin: BalanceBins.bin(of: RunMillionths(count: millionths)))
    let balance = Double(millionths) / 1_000_000
    #expect(edges.from <= balance + 1e-9 && balance < edges.from + edges.width)
    #expect(edges.width <= max(0.010_000_001, (balance + 1) / 64))
  }

  /// Waits of 1, 2, 3 and 4 s and one without an end; unlabelled, by kind, and nothing where nothing is pushed.
  @Test func pushes() {
    var run = SyntheticRun()
    var group = SyntheticRun.group(cohort: 0, kind: 0, instances: 2)
    var counts = Array(repeating: Int64(0), count: SpanHistogram.binCount)
    for seconds in 1...4 { counts[SpanHistogram.bin(of: .seconds(Int64(seconds)))] += 1 }
    group.followed.pushes.shown = CountHistogram(counts: counts)
    group.followed.pushes.unshown = 1
    group.followed.pushes.pushes = 6
    run.replications = [SyntheticRun.replication(arrivals: [[], []], groups: [group])]
    #expect(Summary(of: run.result).rows.allSatisfy { $0.metric != .pushToView })
    var result = run.result
    result.scenario.events = [Event(name: "push", timing: .once(.start), action: .push(Push()))]
    let summary = Summary(of: result)
    // Bins are 1/512 wide at most; the middle one of five is the third.
    let median = summary.value(.pushToView, .p50) ?? 0
    #expect(abs(median - 3) < 3.0 / 512)
    // Rank 3.8 of 0..4 lies beyond what ended.
    #expect(summary.row(.pushToView, .p95) != nil)
    #expect(summary.value(.pushToView, .p95) == nil)
    #expect(summary.value(.pushToView, .share) == 0.8)
    #expect(summary.value(.pushToView, .share, Labels().with(\.period, "5min")) == 0.8)
    #expect(summary.value(.pushToView, .share, Labels().with(\.kind, result.scenario.kinds[0].name)) == 0.8)
  }
}
