import FlightPolicy
import Foundation
import Testing
import WidgetFleet
import WidgetFleetFiles

/// The policy by itself.
@Suite struct FlightPolicyTests {
  private let policy = FlightPolicy()

  @Test func refreshesAreCloseAroundTheDeparture() {
    #expect(policy.nextRefresh(sinceDeparture: -7_201) == 3_600)
    #expect(policy.nextRefresh(sinceDeparture: -7_200) == 300)
    #expect(policy.nextRefresh(sinceDeparture: 7_200) == 300)
  }

  /// 15, 30, 60, 120, 240 minutes, and no more.
  @Test func failuresDoubleTheWait() {
    let waits = (1...6).map { policy.nextRefresh(sinceDeparture: 0, failures: $0) }
    #expect(waits == [900, 1_800, 3_600, 7_200, 14_400, 14_400])
    #expect(policy.nextRefresh(sinceDeparture: 10_000, failures: 1) == 3_600)
  }
}

/// The policy in simulated phones, with the same decision as the widget's provider.
struct SimulatedFlightProvider: SimulatedTimelineProvider {
  struct Memory: SimulatedMemory { var failures = 0 }

  var policy = FlightPolicy()
  /// The departure at 18:00 in Berlin, which is 17:00 UTC in winter.
  var departure = Instant.start + .hours(17)

  func timeline(in context: TimelineContext, memory: inout Memory) -> SimulatedTimeline {
    memory.failures = context.answer.hasFailed ? memory.failures + 1 : 0
    let elapsed = Int((context.date - departure).milliseconds / 1_000)
    let wait = policy.nextRefresh(sinceDeparture: elapsed, failures: memory.failures)
    return SimulatedTimeline(policy: .after(context.date + .seconds(Int64(wait))))
  }
}

/// The policy on a fleet of phones.
@Suite struct FlightFleetTests {
  private func scenario(_ policy: FlightPolicy) throws -> Scenario {
    let path = try #require(Bundle.module.url(forResource: "flight", withExtension: "yaml")).path
    var scenario = try Scenario(contentsOf: path)
    scenario.use(SimulatedFlightProvider(policy: policy), for: "flight")
    return scenario
  }

  @Test func gateIsFreshAroundTheDeparture() throws {
    let day = try Simulation(try scenario(FlightPolicy())).run(seed: 1)
    #expect(day[.staleViews(kind: "flight", during: "departure")].worst < 0.5, "\(day.verdict)")
    #expect(day.verdict.word == .holds, "\(day.verdict)")
    #expect(day.device(7).reloads.allSatisfy { $0.start >= $0.due })
  }

  /// Without the closer refreshes, more views around the departure are stale.
  @Test func closerRefreshesAreWorthIt() throws {
    var plain = FlightPolicy()
    plain.close = plain.usual
    let key = FigureKey.staleViews(kind: "flight", during: "departure")
    let before = try Simulation(try scenario(plain)).run(seed: 1, variesAssumptions: false)
    let after = try Simulation(try scenario(FlightPolicy())).run(seed: 1, variesAssumptions: false)
    #expect(after[key].value < before[key].value / 2)
    #expect(after[.refreshes()].value > before[.refreshes()].value)
  }
}
