import Scenario
import SimulationKernel
import Testing

@testable import Studies
@testable import SyntheticResults

/// Jitter that only lengthens the interval (MODEL.md 5.5).
struct IdleJitterTests {
  private func jitter(_ policy: ReloadPolicy, upTo: TimeAmount?, events: [Event] = []) -> IdleJitter? {
    var scenario = SyntheticRun().scenario
    scenario.events = events
    scenario.kinds[0].phases[0].reload = policy
    scenario.kinds[0].jitter = upTo.map { Jitter(upTo: $0, scope: .run) }
    return IdleJitter(scenario.kinds[0], in: scenario)
  }

  /// 75 min plus U(0, 30 min) is 90 min on average.
  @Test func jitterAfterARunDelaysTheMeanDate() throws {
    let found = try #require(jitter(.after(.constant(.minutes(75))), upTo: .minutes(30)))
    #expect(found.meanInterval == .minutes(90))
  }

  @Test func sharedDatesAreSpread() {
    #expect(jitter(.afterMultiple(of: .hour, zone: .local), upTo: .minutes(30)) == nil)
    #expect(jitter(.after(.constant(.hour)), upTo: nil) == nil)
  }

  /// Reloads synchronized by an outage or push return together unless a jitter separates them.
  @Test func eventsForAllPhonesSynchronizeDates() {
    let update = Event(
      name: "e", timing: .once(.start), action: .appUpdate(Audience(share: .all, group: nil), over: .zero))
    #expect(jitter(.after(.constant(.hour)), upTo: .minutes(30), events: [update]) == nil)
  }
}
