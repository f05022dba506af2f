import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import Studies
@testable import SyntheticResults

/// What becomes of requested refreshes, the hours of a day, and the time from push to screen, compared with figures
/// computed by hand.
struct FollowedRowTests {
  private static let hour: Int64 = 3_600_000

  /// Two widget-days with 60 completed refreshes, which the policy requested after 30 minutes each.
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
    // The policy makes requests during 40 hours, two an hour, over two days.
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

  /// Two kinds whose widgets exist equally long: the value for all widgets is the mean of both.
  @Test func requestedRefreshesAreAFigure() {
    var run = SyntheticRun()
    var groups = [0, 1].map { SyntheticRun.group(cohort: 0, kind: $0, instances: 1) }
    groups[0].followed = Self.followed
    groups[1].followed = Self.followed
    groups[1].followed.otherRuns = 8
    run.replications = [SyntheticRun.replication(arrivals: [[], []], groups: groups)]
    let summary = Summary(of: run.result)
    let weather = Labels().with(\.kind, "weather")
    #expect(summary.value(.askedPerDay, .mean, weather) == 40)
    #expect(summary.value(.askedPerDay, .mean, weather.with(\.reason, "idle")) == 7)
    #expect(summary.value(.askedPerDay, .mean, Labels().with(\.reason, "other")) == 3)
  }

  /// No requested refresh has run, so losses cannot be counted in refreshes.
  @Test func noRequestedRefreshGivesNoLosses() {
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

  /// One balance of 0 and three of 1, in bins of width 0.01 and 0.02.
  @Test func balances() {
    var result = HourResult()
    let bins = [RunMillionths.zero, .one, .one, .one].map(BalanceBins.bin)
    result.balances = CountHistogram(counts: Array(repeating: 0, count: (bins.max() ?? 0) + 1))
    for bin in bins { result.balances.counts[bin] += 1 }
    // A rank of 0.4 within the single balance in the bin from 0; a rank of 2 - 1 within three.
    #expect(result.balance(below: 0.1) == 0.004)
    let edges = BalanceBins.edges(ofBin: BalanceBins.bin(of: .one))
    #expect(result.balance(below: 0.5) == significant(edges.from + edges.width / 3))
    #expect(HourResult().balance(below: 0.5) == nil)
  }

  @Test(arguments: [-1_000_000, -990_000, 0, 270_000, 280_000, 1_000_000, 40_000_000, 160_000_000] as [Int64])
  func everyBalanceIsInItsBin(millionths: Int64) {
    let edges = BalanceBins.edges(ofBin: BalanceBins.bin(of: RunMillionths(count: millionths)))
    let balance = Double(millionths) / 1_000_000
    #expect(edges.from <= balance + 1e-9 && balance < edges.from + edges.width)
    #expect(edges.width <= max(0.010_000_001, (balance + 1) / 64))
  }

  /// Waits of 1, 2, 3 and 4 s and one without an end: unlabelled, by kind, and nothing without pushes.
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
    // Bins are at most 1/512 wide; the median of five is the third.
    let median = summary.value(.pushToView, .p50) ?? 0
    #expect(abs(median - 3) < 3.0 / 512)
    // Rank 3.8 of 0..4 is beyond the waits that ended.
    #expect(summary.row(.pushToView, .p95) != nil)
    #expect(summary.value(.pushToView, .p95) == nil)
    #expect(summary.value(.pushToView, .share) == 0.8)
    #expect(summary.value(.pushToView, .share, Labels().with(\.period, "5min")) == 0.8)
    #expect(summary.value(.pushToView, .share, Labels().with(\.kind, result.scenario.kinds[0].name)) == 0.8)
  }

  /// 3 and 4 pushes to the simulated phones, scaled to the fleet, in total and by event.
  @Test func sentPushesAreScaledToTheFleet() {
    var run = SyntheticRun()
    var replication = SyntheticRun.replication(
      arrivals: [[], []], groups: [SyntheticRun.group(cohort: 0, kind: 0, instances: 2)])
    replication.pushes = [3, 4]
    run.replications = [replication]
    var result = run.result
    let push = { (name: String) in Event(name: name, timing: .once(.start), action: .push(Push())) }
    result.scenario.events = [push("a"), push("b")]
    let scale = Double(result.scenario.fleet.devices) / Double(result.devicesSimulated)
    let summary = Summary(of: result)
    #expect(summary.value(.pushes, .total) == 7 * scale)
    #expect(summary.value(.pushes, .total, Labels().with(\.event, "b")) == 4 * scale)
  }

  /// Waits from the starts of two events: 1 and 2 s, and 3 and 4 s with one of the second without an end; a third event
  /// gives each phone its own time.
  @Test func pushWaitsAreCountedFromTheStart() {
    func pushes(_ seconds: [Int64], unshown: Int64) -> PushResult {
      var result = PushResult()
      var counts = Array(repeating: Int64(0), count: SpanHistogram.binCount)
      for second in seconds { counts[SpanHistogram.bin(of: .seconds(second))] += 1 }
      result.shown = CountHistogram(counts: counts)
      (result.unshown, result.pushes) = (unshown, Int64(seconds.count) + unshown)
      return result
    }
    var run = SyntheticRun()
    var group = SyntheticRun.group(cohort: 0, kind: 0, instances: 2)
    group.followed.eventPushes = [
      EventPushResult(event: 0, pushes: pushes([1, 2], unshown: 0)),
      EventPushResult(event: 1, pushes: pushes([3, 4], unshown: 1)),
    ]
    run.replications = [SyntheticRun.replication(arrivals: [[], []], groups: [group])]
    var result = run.result
    result.scenario.events = [
      Event(name: "a", timing: .once(.start), action: .push(Push())),
      Event(name: "b", timing: .once(.start), action: .push(Push())),
      Event(name: "c", timing: .perDevicePerDay(1), action: .push(Push())),
    ]
    let summary = Summary(of: result)
    func value(_ statistic: Statistic, _ event: String) -> Double? {
      summary.value(.eventToView, statistic, Labels().with(\.event, event))
    }
    #expect(value(.share, "a") == 1 && value(.share, "c") == nil)
    #expect(abs((value(.share, "b") ?? 0) - 2.0 / 3) < 1e-9)
    // Rank 0.9 of 0..1; rank 1.8 of 0..2 is beyond the waits that ended.
    #expect(abs((value(.p90, "a") ?? 0) - 1.9) < 2.0 / 512)
    #expect(summary.row(.eventToView, .p90, Labels().with(\.event, "b")) != nil && value(.p90, "b") == nil)
    // Both together: the third of five.
    #expect(abs((summary.value(.eventToView, .p50) ?? 0) - 3) < 3.0 / 512)
    #expect(summary.value(.eventToView, .share) == 0.8)
    result.scenario.events.removeFirst(2)
    #expect(Summary(of: result).rows.allSatisfy { $0.metric != .eventToView })
  }
}
