import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import Studies
@testable import SyntheticResults

/// The echo of an outage, from minutes worked out on paper.
struct EchoComparisonTests {
  /// Returns two hours with 60 requests per minute and 600 at the full hours, with an outage from 00:30 to 00:40.
  private func tries(_ more: [Int: TryCounts] = [:]) -> EndpointTries {
    EndpointTries(
      endpoint: 0,
      minutes: (0..<120).map { minute in
        var counts = more[minute] ?? TryCounts()
        counts.first += minute % 60 == 0 ? 600 : 60
        return counts
      })
  }

  private func comparison(_ with: EndpointTries, _ without: EndpointTries) throws -> EchoComparison {
    try #require(
      EchoComparison(
        to: .start + .minutes(40), until: .start + .hours(2), with: with, without: without, perSecond: 1.0 / 6))
  }

  /// At the full hour there is ten times the load before the outage, both with and without the outage: no echo.
  @Test func hourlyPeakIsNotAnEcho() throws {
    for retries in [Int64(0), 1] {
      let found = try comparison(tries([60: TryCounts(retries: retries)]), tries())
      #expect(found.verdict == .noEcho)
      #expect(found.busiestWithout == 100)
    }
  }

  /// 300 reloads after errors at 00:45, of which 60 would have come then anyway: 240 more, all of them repeats.
  @Test func retriedRequestsAreAnEcho() throws {
    var with = tries([45: TryCounts(reloads: 300)])
    with.minutes[45].first = 0
    let found = try comparison(with, tries())
    #expect(found.verdict == .echo)
    #expect(found.minute == 45)
    #expect(found.with == 50 && found.without == 10 && found.added == 40 && found.share == 1)
    // 79 minutes with 60, one with 600.
    #expect((found.mean - (79.0 * 60 + 600) / 80 / 6).magnitude < 1e-9)
  }

  /// First attempts that only come later than otherwise are not an echo, however many there are.
  @Test func delayedFirstAttemptsAreNotAnEcho() throws {
    #expect(try comparison(tries([45: TryCounts(first: 300, reloads: 20)]), tries()).verdict == .noEcho)
  }

  /// Three requests, which are ten times the mean in a small sample.
  @Test func fewRequestsAreNotAnEcho() throws {
    var sparse = tries()
    for minute in sparse.minutes.indices { sparse.minutes[minute].first = minute % 3 == 0 ? 1 : 0 }
    var with = sparse
    with.minutes[46].reloads = 3
    #expect(try comparison(with, sparse).verdict == .unknown)
  }

  @Test func outageAtTheEndHasNoComparison() {
    let end = EchoComparison(
      to: .start + .hours(2), until: .start + .hours(2), with: tries(), without: tries(), perSecond: 1)
    #expect(end == nil)
  }

  /// Outages keep their positions, so that other events' draws stay the same.
  @Test func omittedOutagesKeepEventPositions() {
    var scenario = SyntheticRun().scenario
    scenario.events = [.outage("a", at: 60, lasting: 60), .outage("b", at: 600, lasting: 60, capacity: 3)]
    let quiet = scenario.withoutOutages
    #expect(quiet.events.map(\.name) == ["a", "b"])
    for event in quiet.events {
      guard case .outage(let outage) = event.action else { return #expect(Bool(false)) }
      #expect(outage.errors == .none && outage.capacity == nil)
    }
    let spans = [
      EventSpan(event: 0, from: .start - .minutes(2), to: .start),
      EventSpan(event: 1, from: .start + .minutes(10), to: .start + .minutes(11)),
    ]
    #expect(scenario.endpointsWithOutages([spans[0]]).isEmpty)
    #expect(scenario.endpointsWithOutages(spans) == [0])
  }
}
