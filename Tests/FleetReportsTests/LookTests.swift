import Scenario
import SimulationKernel
import Studies
import Testing

@testable import FleetEngine
@testable import FleetReports
@testable import SyntheticResults

/// What the page tells to look at, who contributes, and whether N is enough, from numbers that are known on paper.
struct LookTests {
  private func plain(_ text: String) -> String { text.replacing("\u{A0}", with: " ").replacing("\u{202F}", with: "") }

  /// Two hours in which every device of 100 asks in minute 7 of every quarter.
  private static func quarters(endpoints: [String] = ["api"]) -> SyntheticRun {
    var run = SyntheticRun()
    run.duration = .hours(2)
    run.endpoints = endpoints
    let arrivals = (0..<7_200).map { UInt32($0 % 900 == 420 ? 100 : 0) }
    run.replications = [SyntheticRun.replication(arrivals: endpoints.map { _ in arrivals })]
    return run
  }

  private func content(_ run: SyntheticRun) -> ReportContent {
    let result = run.result
    return Report(
      result: result, summary: Summary(of: result), provenance: Provenance(version: "1", resolvedScenario: "x")
    ).content
  }

  @Test func aHerdIsToldWithItsShareAndItsJitter() throws {
    let finding = try #require(LookFinding.herd(content(Self.quarters())))
    // All requests in one minute of 15; spread over the period they are even.
    #expect(
      plain(finding.sentence)
        == "100 % of the requests come in minute 7 of every 15 (UTC), 15 times an even share: a jitter of up to 15 min "
        + "would spread them evenly.")
  }

  @Test func aSingleBurstIsToldWithTheJitterThatTamesIt() throws {
    var run = SyntheticRun()
    run.endpoints = ["api"]
    var arrivals = Array(repeating: UInt32(0), count: 86_400)
    for minute in 0..<1_440 { arrivals[minute * 60] = 6 }
    arrivals[570 * 60] = 606
    run.replications = [SyntheticRun.replication(arrivals: [arrivals])]
    let finding = try #require(LookFinding.herd(content(run)))
    // 606 of 9 240 at 09:30; the mean is 6.4167 a minute: 599.6 above it over twice the mean are 46.7 minutes.
    #expect(plain(finding.sentence).hasPrefix("6.6 % of the requests come in the minute from "))
    #expect(plain(finding.sentence).contains("94.4 times an even share: a jitter of up to 47 min"))
  }

  @Test func anEvenLoadHasNoHerd() {
    var run = SyntheticRun()
    run.endpoints = ["api"]
    run.replications = [SyntheticRun.replication(arrivals: [Array(repeating: UInt32(1), count: 86_400)])]
    #expect(LookFinding.herd(content(run)) == nil)
  }

  @Test func aPolicyThatIsNotHonouredIsTold() throws {
    var run = SyntheticRun()
    var group = SyntheticRun.group(cohort: 0, kind: 0, instances: 10)
    group.runsPerDayByCause[Int(Cause.policy.rawValue)] = CountHistogram(counts: Array(repeating: 0, count: 48) + [10])
    group.runs[Int(Cause.policy.rawValue)] = 480
    run.replications = [SyntheticRun.replication(arrivals: [[1], [1]], groups: [group])]
    let finding = try #require(LookFinding.unkept(content(run)))
    #expect(
      finding.sentence
        == "The system cannot honour the reload policy of kind weather: it asks for 96 refreshes a day and gets 48.")
    #expect(finding.number == "48 of 96")
  }

  @Test func atMostFiveAndRanked() {
    let findings = LookFinding.all(ExampleReport().report.content)
    #expect((2...5).contains(findings.count))
    #expect(findings.map(\.weight) == findings.map(\.weight).sorted(by: >))
    let answer = lookSection(of: ExampleReport().report.content).answer
    #expect(answer.hasPrefix("\(findings.count) things, the gravest first: "))
    #expect(LookFinding.all(content(SyntheticRun())).isEmpty)
  }

  @Test func contributorsAddUp() {
    var run = SyntheticRun()
    var west = SyntheticRun.group(cohort: 0, kind: 0, instances: 30)
    var east = SyntheticRun.group(cohort: 1, kind: 1, instances: 10)
    west.traffic[0][0].requests = 90
    east.traffic[0][0].requests = 210
    run.replications = [SyntheticRun.replication(arrivals: [[300], [0]], groups: [west, east])]
    let section = contributorsSection(of: content(run))
    #expect(
      plain(section.answer)
        == "Cohort east sends 70 % of the requests with 25 % of the widgets; kind news sends 70 % of the requests with "
        + "25 % of the widgets.")
  }

  @Test func chanceFollowsTheSquareRoot() {
    // A peak of 100 simulated requests: a tenth.
    let section = sizeSection(of: content(Self.quarters()))
    #expect(
      plain(section.answer).hasPrefix("Yes for the peak in 1 s: chance moves it by about 10 %. With one replication"))
  }
}
