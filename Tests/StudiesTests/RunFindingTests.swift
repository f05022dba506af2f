import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import Studies
@testable import SyntheticResults

/// A report's findings about a run, and their advice (MODEL.md 8).
struct RunFindingTests {
  /// Unresolved findings come after all resolved ones, however severe they might be.
  @Test(arguments: [
    (Estimate(value: 100, low: 90, high: 110), [RunFinding.Topic.overload, .stale]),
    (Estimate(value: 100, low: 10, high: 190), [.stale, .overload]),
  ])
  func unresolvedFindingsComeLast(overload: Estimate, topics: [RunFinding.Topic]) {
    var run = SyntheticRun()
    run.replications = [SyntheticRun.replication(arrivals: [[1], [1]])]
    var stored = StoredRun(of: run.result)
    stored.scenario.endpoints[0].capacity = 100
    let summary = Summary(rows: [
      SummaryRow(.overloadSeconds, Labels().with(\.endpoint, "api"), .total, estimates: [overload]),
      SummaryRow(.staleViews, Labels().with(\.kind, "weather"), .share, replications: [.real(0.5)]),
    ])
    #expect(RunFinding.all(stored, summary).map(\.topic) == topics)
  }

  /// Two widgets of one kind share a cache, which may be cold for both; a kind without requests has nothing to cache
  /// (MODEL.md 5.2).
  @Test(arguments: [(Double?.some(10), true), (0, false), (nil, false)])
  func onlyRequestedDataCanBeCold(requests: Double?, isFound: Bool) {
    var run = SyntheticRun()
    run.cache = [Cache()]
    run.replications = [SyntheticRun.replication(arrivals: [[1], [1]])]
    var stored = StoredRun(of: run.result)
    let member = Placement.Member(kind: 0, family: .small, weight: 1)
    stored.scenario.fleet.cohorts[0].widgets = (1...2).map {
      Placement(members: [member], isStack: false, otherWeight: 0, place: .homePage($0), share: .all)
    }
    let summary = Summary(rows: [
      SummaryRow(.requests, Labels().with(\.kind, "weather"), .total, replications: [requests.map { .real($0) }])
    ])
    let findings = RunFinding.all(stored, summary)
    #expect(findings.map(\.topic) == (isFound ? [.coldCaches] : []))
    #expect(findings.map(\.remedy) == (isFound ? [.singleFlight(kind: 0)] : []))
  }

  /// Returns four hours with some requests per second and, in minute 30, 1 000 more per second from the app in the
  /// background; silent pushes at the given minutes, each for its own kind.
  private func stored(pushes minutes: [Int64], usual: Int = 1) -> StoredRun {
    let load = (0..<240).map { UInt32(60 * usual + ($0 == 30 ? 60_000 : 0)) }
    var run = SyntheticRun()
    (run.step, run.duration) = (.minute, .hours(4))
    run.replications = [
      SyntheticRun.replication(arrivals: [
        load, Array(repeating: 0, count: 240),
      ])
    ]
    var stored = StoredRun(of: run.result)
    stored.replications[0].minutes = (0..<240).map { minute in
      StoredMinute(
        minute: minute, endpoint: 0, cohort: 0, cause: minute == 30 ? .background : .policy,
        requests: Int64(load[minute]), failed: 0, retries: 0)
    }
    stored.scenario.events = minutes.indices.map { number in
      var push = Push()
      push.kinds = [number]
      return Event(
        name: "push\(number)", timing: .once(.start + .minutes(minutes[number])), action: .push(push))
    }
    stored.eventSpans = minutes.enumerated().map { number, minute in
      EventSpan(event: number, from: .start + .minutes(minute), to: .start + .minutes(minute))
    }
    return stored
  }

  private func herd(pushes minutes: [Int64]) -> RunFinding? {
    RunFinding.all(stored(pushes: minutes), Summary(rows: [])).first { $0.topic == .herd }
  }

  /// Spreading only one of two pushes leaves the other's crest, so both are spread together first; a cache for a push's
  /// news would keep it from people.
  @Test func severalPushesAreSpreadTogether() throws {
    var run = stored(pushes: [30, 180])
    run.scenario.kinds[0].requests = [.with { $0.endpoint = 0 }]
    let subject = try #require(FigureSubject(.peak, of: run, Summary(rows: [])))
    let settings = FigureLevers(for: subject).settings
    let pushes = settings.filter { $0[0].hasPrefix("events.") }
    let both = ["15min", "1h", "4h"].map { ["events.push0.push.over=\($0)", "events.push1.push.over=\($0)"] }
    #expect(both.allSatisfy(pushes.contains) && pushes.contains { $0.count == 1 }, "\(settings)")
    #expect(settings.joined().allSatisfy { !$0.contains("cache") })
    (run.scenario.events, run.eventSpans) = ([], [])
    let alone = FigureLevers(for: try #require(FigureSubject(.peak, of: run, Summary(rows: [])))).settings
    #expect(alone.joined().contains { $0.contains("cache.ttl") })
  }

  /// An overload is judged by its length or, if requests fail in it, by the failures. A spread without refused requests
  /// helps even though it lasts longer, at that cost.
  @Test(arguments: [(0.009, 0.0, true), (0.009, 0.006, false), (0.004, 0, false), (nil, nil, false)])
  func anOverloadInWhichRequestsFail(before: Double?, after: Double?, helps: Bool) {
    let outcome = TrialOutcome(
      topic: .overload, settings: "",
      changes: [
        TrialOutcome.Change(figure: .overload, before: 144, after: 306),
        TrialOutcome.Change(figure: .failures, before: before, after: after),
      ])
    #expect(outcome.helps == helps)
    #expect(outcome.judged == (before.map { $0 >= 0.005 } == true ? .failures : .overload))
    #expect(outcome.hasPrice && outcome.harms == (outcome.judged == .overload))
  }

  /// A change that makes a missed limit worse, by 1 % of both the limit and the miss, is never advised, however much it
  /// helps otherwise.
  @Test(
    arguments: [
      (1.37, 1.9, true), (1.37, 1.38, false), (0.2, 0.209, false), (0.2, 0.211, true), (0.2, 0, false),
      (nil, nil, false),
    ] as [(Double?, Double?, Bool)])
  func worseMissedLimitIsNeverAdvised(before: Double?, after: Double?, isWorse: Bool) {
    let outcome = TrialOutcome(
      topic: .stale, settings: "",
      changes: [
        TrialOutcome.Change(figure: .stale, before: 0.06, after: 0.01),
        TrialOutcome.Change(figure: .missed, before: before, after: after),
      ])
    #expect(outcome.helps && outcome.worsensLimit == isWorse && outcome.isAdvice != isWorse)
  }

  /// 15 min is between 20 and 10 min, and is the middle one of three between 4 h and 1 h; between neighbours there is
  /// nothing.
  @Test(arguments: [(20, 10, 15), (10, 20, 15), (240, 60, 120), (20, 15, nil)] as [(Int64, Int64, Int64?)])
  func milderSpanIsTheMiddleOne(_ one: Int64, _ other: Int64, _ middle: Int64?) {
    #expect(UsualSpan.between(.minutes(one), .minutes(other)) == middle.map { .minutes($0) })
  }

  /// Spreading a herd without views costs the requests that are no longer answered; retries that end are not a cost.
  @Test(arguments: [(1_000.0, 890.0, true), (1_000, 910, false), (400, 800, false), (nil, nil, false)])
  func lostRequestsAreTheCostOfASpread(before: Double?, after: Double?, isPrice: Bool) {
    let outcome = TrialOutcome(
      topic: .herd, settings: "",
      changes: [
        TrialOutcome.Change(figure: .busiest, before: 100, after: 20),
        TrialOutcome.Change(figure: .requests, before: 2_000, after: 900),
        TrialOutcome.Change(figure: .answered, before: before, after: after),
      ])
    #expect(outcome.helps && outcome.hasPrice == isPrice)
  }

  /// The push that causes a crest should be sent over a longer span. A push that has not come yet does not contribute
  /// to it, nor does one that ended an hour ago.
  @Test(
    arguments: [
      ([Int64(30)], 0), ([20, 180], 0), ([180], nil), ([31], nil), ([2], nil), ([1, 29], 1),
    ] as [([Int64], Int?)])
  func crestBelongsToThePrecedingPush(minutes: [Int64], event: Int?) throws {
    let finding = try #require(herd(pushes: minutes))
    #expect(finding.crest?.minute == 30 && finding.crest?.cause == .background)
    guard let event else { return #expect(finding.remedy == nil) }
    guard case .over(let events, _)? = finding.remedy else { return #expect(Bool(false), "\(finding)") }
    #expect(events == [event])
  }

  /// The crest's 60 000 requests and a continuing load of 1, 100 or 150 per second fit into four fifths of 260 per
  /// second. The spans are 60 000 / 207, / 108 and / 58 s, rounded up; with 208 per second nothing fits, and no span
  /// helps.
  @Test(arguments: [(1, TimeAmount.minutes(5)), (100, .minutes(10)), (150, .minutes(20)), (208, nil)])
  func spreadLeavesCapacityForTheContinuingLoad(usual: Int, span: TimeAmount?) throws {
    var run = stored(pushes: [30], usual: usual)
    run.scenario.endpoints[0].capacity = 260
    let finding = try #require(RunFinding.all(run, Summary(rows: [])).first { $0.topic == .herd })
    let crest = try #require(finding.crest)
    #expect(crest.usual == Double(usual) && crest.requests == 60_000 && crest.window.minutes == 1)
    // 240 minutes of the usual load, with 60 000 more requests in one of them.
    let mean = Double(usual) + 60_000.0 / (240 * 60)
    #expect(abs(crest.timesMean - (Double(usual) + 1_000) / mean) < 1e-9)
    #expect(finding.remedy == span.map { .over(events: [0], $0) })
  }

  /// A finding may have been tried with several remedies, and a remedy with several findings: a finding's outcome is
  /// that of its own remedy.
  @Test func outcomeMatchesFindingAndRemedy() {
    let scenario = SyntheticRun().scenario
    var finding = RunFinding(.coldCaches, kind: 0, value: 10)
    let trials = { (remedies: [(RunFinding.Topic, Remedy)]) in
      StoredTrials(
        outcomes: remedies.map { TrialOutcome(topic: $0.0, settings: $0.1.text(in: scenario), changes: []) })
    }
    let (own, other) = (Remedy.singleFlight(kind: 0), Remedy.singleFlight(kind: 1))
    finding.remedy = own
    let all = trials([(.stale, own), (.coldCaches, other), (.coldCaches, own)])
    #expect(all.outcome(of: finding, in: scenario) == all.outcomes[2])
    #expect(trials([(.stale, own), (.coldCaches, other)]).outcome(of: finding, in: scenario) == nil)
    finding.remedy = nil
    #expect(all.outcome(of: finding, in: scenario) == nil)
  }
}
