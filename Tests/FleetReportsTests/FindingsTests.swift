import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import FleetReports
@testable import Studies
@testable import SyntheticResults

/// The page's findings, contributors and sample size, from numbers worked out on paper.
struct FindingsTests {
  private func plain(_ text: String) -> String { text.replacing("\u{A0}", with: " ").replacing("\u{202F}", with: "") }

  /// Returns two hours in which every device sends in minute 7 of every quarter hour, because of the policy.
  private static func quarters(requests: Int = 3_000) -> SyntheticRun {
    var run = SyntheticRun()
    run.duration = .hours(2)
    run.endpoints = ["api"]
    let arrivals = (0..<7_200).map { UInt32($0 % 900 == 420 ? requests : 0) }
    var replication = SyntheticRun.replication(arrivals: [arrivals])
    replication.causeMinutes = (0..<8).map { quarter in
      var traffic = Traffic()
      traffic.requests = Int64(requests)
      return CauseMinute(minute: quarter * 15 + 7, endpoint: 0, cohort: 0, cause: .policy, traffic: traffic)
    }
    run.replications = [replication]
    return run
  }

  private func content(_ run: SyntheticRun, _ change: (inout Scenario) -> Void = { _ in }) -> ReportContent {
    var result = run.result
    change(&result.scenario)
    return Report(
      result: result, summary: Summary(of: result), provenance: Provenance(version: "1", resolvedScenario: "x")
    ).content
  }

  private func topics(_ report: ReportContent) -> [String] { FindingText.all(report).map(\.topic) }

  // MARK: Herds

  @Test func herdIsReportedAsAMultipleOfTheMean() throws {
    let report = content(Self.quarters())
    let finding = try #require(FindingText.all(report).first)
    // All requests are in one minute out of 15.
    #expect(
      plain(finding.sentence)
        == "Devices fire together: api gets 50 requests/s in the minute from 00:07 UTC. That is 15 times the mean, "
        + "mostly from the widgets' own reload policy. The load repeats every 15 min.")
    #expect(
      plain(findingSection(of: report).answer) == "One finding: herd (15 times the mean).")
  }

  /// A herd a twentieth of that size: a load without consequences for servers.
  @Test func harmlessHerdIsNotAFinding() {
    #expect(topics(content(Self.quarters(requests: 150))).isEmpty)
  }

  /// 50 requests/s are half of a capacity of 100, but 90 % of one of 56.
  @Test(arguments: [(100.0, false), (56, true)]) func herdBelowCapacityIsNotAFinding(
    _ capacity: Double, _ isOne: Bool
  ) {
    let report = content(Self.quarters()) { $0.endpoints[0].capacity = capacity }
    #expect(topics(report) == (isOne ? ["Herd"] : []))
  }

  @Test func evenLoadHasNoHerdFinding() {
    var run = SyntheticRun()
    run.endpoints = ["api"]
    run.replications = [SyntheticRun.replication(arrivals: [Array(repeating: UInt32(100), count: 86_400)])]
    #expect(topics(content(run)).isEmpty)
    // Nor does a plateau of three hours, five times the mean, that takes two hours to rise.
    let arrivals = (0..<86_400).map { second -> UInt32 in
      let minute = second / 60
      return UInt32(max(min(min(minute - 480, 780 - minute), 120), 0))
    }
    run.replications = [SyntheticRun.replication(arrivals: [arrivals])]
    #expect(topics(content(run)).isEmpty)
  }

  /// A million phones at 09:30 once, then the load that they cause for the rest of the clock.
  @Test func suddenRiseIsAHerd() throws {
    var run = SyntheticRun()
    run.duration = .hours(3)
    run.endpoints = ["api"]
    let arrivals = (0..<10_800).map { UInt32($0 < 1_800 ? 0 : ($0 < 2_700 ? 1_111 : 700)) }
    run.replications = [SyntheticRun.replication(arrivals: [arrivals])]
    let section = try #require(herdSection(of: content(run)))
    #expect(section.answer.hasPrefix("Yes, but only at certain times"))
  }

  /// 40 of 2 000 requests are 2 %; minus three standard errors, 1.05 %. 26 are 1.3 %; minus three, 0.5 %.
  @Test(arguments: [(40, "2 %", true), (26, "1.3 %", false), (19, "", false)]) func frequentFailuresAreReported(
    _ failed: Int64, _ share: String, _ isResolved: Bool
  ) throws {
    var run = SyntheticRun()
    run.endpoints = ["api"]
    // A sample: if all of the fleet's devices are simulated, nothing is left to chance.
    run.fleetDevices = 1_000
    var group = SyntheticRun.group(cohort: 0, kind: 0, instances: 10)
    group.traffic[0][0].requests = 2_000
    group.traffic[0][0].failures[Int(FailureReason.timeout.rawValue)] = failed
    // An offline phone sends nothing.
    group.traffic[0][0].failures[Int(FailureReason.offline.rawValue)] = 1_000
    run.replications = [SyntheticRun.replication(arrivals: [[1], [1]], groups: [group])]
    let findings = FindingText.all(content(run))
    guard !share.isEmpty else {
      #expect(findings.isEmpty)
      return
    }
    let sentence = plain(try #require(findings.first).sentence)
    #expect(sentence.hasPrefix("\(share) of the requests to api fail, mostly for reason timeout"))
    #expect(sentence.contains("chance") != isResolved)
    run.fleetDevices = 100
    #expect(try #require(RunFinding.all(content(run).run, content(run).summary).first).isResolved)
  }

  /// A capacity of 100/s serves 500 within half of 10 s; with a shorter limit, the queue is not the problem.
  @Test(arguments: [(nil, true), (501, true), (500, false)] as [(Int?, Bool)])
  func shorterQueueIsTriedWhenMaxTimeOut(_ queue: Int?, _ isTried: Bool) throws {
    var run = SyntheticRun()
    run.endpoints = ["api"]
    var group = SyntheticRun.group(cohort: 0, kind: 0, instances: 10)
    group.traffic[0][0].requests = 2_000
    group.traffic[0][0].failures[Int(FailureReason.timeout.rawValue)] = 400
    run.replications = [SyntheticRun.replication(arrivals: [[1], [1]], groups: [group])]
    let report = content(run) {
      $0.endpoints[0].capacity = 100
      $0.endpoints[0].timeout = .seconds(10)
      $0.endpoints[0].queue = queue
    }
    let sentence = plain(try #require(FindingText.all(report).first { $0.topic == "Failed requests" }).sentence)
    #expect(sentence.hasSuffix("Not tried: a queue of 500 requests for api.") == isTried, "\(sentence)")
  }

  /// Two pushes at once, one of them over an hour: spreading only one would leave the other's crest.
  @Test func pushesAreSpreadTogether() throws {
    var run = Self.quarters()
    run.replications[0].causeMinutes = run.replications[0].causeMinutes.map { row in
      var row = row
      row.cause = .widgetPush
      return row
    }
    let push = Push.with {
      $0.kind = .widget
      $0.audience = Audience(share: .all, group: nil)
      $0.over = .zero
      $0.kinds = [0]
    }
    var result = run.result
    let size = BytesByFamily(small: .zero, medium: .zero, large: .zero, extraLarge: .zero)
    result.scenario.kinds[0].requests = [
      Request.with {
        $0.endpoint = 0
        $0.count = 1
        $0.up = size
        $0.down = size
      }
    ]
    result.scenario.events = ["first", "second"].enumerated().map { index, name in
      Event(name: name, timing: .once(.start + .minutes(Int64(7 + 60 * index))), action: .push(push))
    }
    result.eventSpans = (0..<2).map { index in
      let at = Instant.start + .minutes(Int64(7 + 60 * index))
      return EventSpan(event: index, from: at, to: at)
    }
    let summary = Summary(of: result)
    let report = Report(
      result: result, summary: summary, provenance: Provenance(version: "1", resolvedScenario: "x")
    ).content
    let finding = try #require(RunFinding.all(report.run, summary).first { $0.topic == .herd })
    guard case .over(let events, _)? = finding.remedy else { return #expect(Bool(false), "\(finding)") }
    #expect(events == [0, 1])
  }

  // MARK: What widgets and people experience

  /// Returns 48 policy runs a day, where 96 are requested.
  private static func group(waits: Int64, minutes: Int64) -> SyntheticRun {
    var run = SyntheticRun()
    var group = SyntheticRun.group(cohort: 0, kind: 0, instances: 10)
    group.runsPerDayByCause[Int(Cause.policy.rawValue)] = CountHistogram(counts: Array(repeating: 0, count: 48) + [10])
    group.runs[Int(Cause.policy.rawValue)] = 480
    group.waits[Int(WaitReason.budget.rawValue)].count = waits
    group.waits[Int(WaitReason.budget.rawValue)].totalMilliseconds = Int128(waits * minutes * 60_000)
    run.replications = [SyntheticRun.replication(arrivals: [[1], [1]], groups: [group])]
    return run
  }

  @Test func withheldRefreshesAreReported() throws {
    // 24 waits of half an hour a day: half of the time.
    let finding = try #require(FindingText.all(content(Self.group(waits: 240, minutes: 30))).first)
    for claim in ["kind weather", "50 % of the time", "budget, 24 times a day, 30 min each", "Not tried:"] {
      #expect(plain(finding.sentence).contains(claim))
    }
    #expect(plain(finding.number) == "50 % of the time")
  }

  /// Half of the requested refreshes never become due, because taps restart the timeline: nothing is withheld.
  @Test func supersededRefreshesAreNotWithheld() {
    #expect(topics(content(Self.group(waits: 0, minutes: 0))).isEmpty)
  }

  @Test(arguments: [(1, []), (100, ["Exhausted budgets"])] as [(Int, [String])])
  func rarelyExhaustedBudgetIsNotAFinding(_ times: Int, _ topics: [String]) {
    var run = SyntheticRun()
    var group = SyntheticRun.group(cohort: 0, kind: 0, instances: 700)
    group.budgetExhausted = CountHistogram(counts: Array(repeating: 0, count: 600) + [Int64(times)])
    run.replications = [SyntheticRun.replication(arrivals: [[1], [1]], groups: [group])]
    #expect(self.topics(content(run)) == topics)
  }

  @Test(arguments: [(1, []), (30, ["Stale data"])] as [(Int64, [String])])
  func rareStaleViewsAreNotAFinding(_ stale: Int64, _ topics: [String]) {
    var run = SyntheticRun()
    run.staleAfter = [.hour]
    var group = SyntheticRun.group(cohort: 0, kind: 0, instances: 10)
    (group.views, group.staleViews) = (1_000, stale)
    run.replications = [SyntheticRun.replication(arrivals: [[1], [1]], groups: [group])]
    #expect(self.topics(content(run)) == topics)
  }

  @Test func findingsWithoutEffectAreNotRanked() {
    let answer = findingSection(of: content(SyntheticRun())).answer
    #expect(answer.hasPrefix("Nothing stands out"))
    let findings = FindingText.all(ExampleReport().report.content)
    #expect(findings.count <= 5)
  }

  // MARK: Trials

  private func sentence(_ before: Double, _ after: Double, _ ages: (Double, Double)?) throws -> String {
    var report = content(Self.group(waits: 240, minutes: 30))
    let finding = try #require(RunFinding.all(report.run, report.summary).first)
    var changes = [TrialOutcome.Change(figure: .withheld, before: before, after: after)]
    if let ages { changes.append(TrialOutcome.Change(figure: .dataAge, before: ages.0, after: ages.1)) }
    let settings = try #require(finding.remedy).text(in: report.run.scenario)
    report.trials.outcomes = [TrialOutcome(topic: .withheld, settings: settings, changes: changes)]
    return plain(try #require(FindingText.all(report).first).sentence)
  }

  @Test func adviceNamesTheTriedOutcome() throws {
    let helps = try sentence(0.5, 0.1, (600, 600))
    #expect(helps.contains("it helps: reloading weather every 30 min"))
    #expect(helps.contains("from 50 % to 10 %. Other effects: the mean data age of weather stays at 10 min."))
    let price = try sentence(0.5, 0.1, (600, 900))
    #expect(price.hasSuffix("to 10 %. Worse: the mean data age of weather rises from 10 min to 15 min."))
    let vain = try sentence(0.5, 0.3, (600, 600))
    #expect(vain.contains("it does not help: reloading weather every 30 min") && vain.contains("from 50 % to 30 %"))
    let worse = try sentence(0.5, 0.9, (600, 600))
    #expect(worse.contains("it is harmful: reloading weather every 30 min") && worse.contains("from 50 % to 90 %"))
    #expect(!price.contains("helps") && !vain.contains("helps"))
  }

  /// If the text is the same, a value 3 % higher is not reported as harm.
  @Test func equalTextIsNotReportedAsHarm() {
    let outcome = TrialOutcome(
      topic: .herd, settings: "", changes: [TrialOutcome.Change(figure: .stale, before: 0.0101, after: 0.0104)])
    let names = TrialNames(finding: RunFinding(.herd, endpoint: 0, value: 3), scenario: SyntheticRun().scenario)
    #expect(TrialText.sideEffects(outcome, names, isWorse: true).isEmpty)
    let other = TrialText.sideEffects(outcome, names, isWorse: false).map(plain)
    #expect(other == ["the share of stale views of all kinds stays at 1 %"])
  }

  @Test func contributorsAddUp() throws {
    var run = SyntheticRun()
    var west = SyntheticRun.group(cohort: 0, kind: 0, instances: 30)
    var east = SyntheticRun.group(cohort: 1, kind: 1, instances: 10)
    west.traffic[0][0].requests = 90
    east.traffic[0][0].requests = 210
    run.replications = [SyntheticRun.replication(arrivals: [[300], [0]], groups: [west, east])]
    let section = try #require(contributorsSection(of: content(run)))
    #expect(plain(section.answer) == "Cohort east: requests 70 %, widgets 25 %. ")
  }

  /// One day of a small fleet has no information about other days, so whether it is enough is not answered with "Yes".
  @Test func countedPeakIsNotCalledSufficient() {
    var run = Self.quarters()
    run.replications[0].spreads = [
      LoadSpread(windows: [WindowSpread(.second, [[50, 0], [50, 0]])])
    ]
    let section = sizeSection(of: content(run))
    #expect(plain(section.answer).hasPrefix("Every device was simulated. "))
    #expect(!section.answer.contains("Yes"))
  }

  /// Figures that a sample does not resolve are not called sufficient, and its scaled max is not on the page.
  @Test func aSampledPeakIsEstimated() {
    var run = Self.quarters(requests: 100)
    run.fleetDevices = 10 * run.simulated
    let section = sizeSection(of: content(run))
    #expect(plain(section.answer).contains("is uncertain"))
  }
}
