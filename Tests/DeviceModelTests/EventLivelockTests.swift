import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// The number of events at one instant from which a life counts as endless, with any observer.
@Suite struct EventLivelockTests {
  enum Way: CaseIterable, Sendable { case alone, observed, told }

  /// Returns a world where a phone is used for a millisecond at noon, with 60 000 taps in each burst.
  ///
  /// The widget's run lasts a minute.
  private static func world(bursts: Int) -> World {
    var world = World()
    world.person.unlocksPerDay = 2
    world.person.session = .constant(.milliseconds(1))
    var kind = KindSketch(.never)
    kind.cpu = .minute
    kind.taps = TapPlan(burst: 60_000, gap: .zero, reloads: .instance)
    world.add(kind)
    world.places[0] = PlaceSketch(bursts: world.storage.choice(of: [(bursts, 1)]))
    return world
  }

  private static func live(_ world: World, _ way: Way) throws(DeviceFailure) {
    var plan = world.plan()
    // Debug builds check only one in eight of such phones after each event, which already takes a long time.
    plan.countsDemand = true
    var simulator = DeviceSimulator(plan: plan, shape: world.shape)
    switch way {
    case .alone: try simulator.simulate(device: 1, cohort: 0, replication: 0)
    case .observed: try simulator.simulate(device: 1, cohort: 0, replication: 0) { _, _ in }
    case .told:
      _ = try DeviceDiary(
        plan: plan, shape: world.shape, (1, 0, 0), conditions: nil)
    }
  }

  @Test(arguments: Way.allCases) func fewerEventsThanTheLimitAreSimulated(way: Way) {
    #expect(60_000 < DeviceFailure.maxEvents)
    #expect(throws: Never.self) { try Self.live(Self.world(bursts: 1), way) }
  }

  @Test(arguments: Way.allCases) func moreEventsThanTheLimitAreAnError(way: Way) {
    #expect(120_000 > DeviceFailure.maxEvents)
    let error = #expect(throws: DeviceFailure.self) { try Self.live(Self.world(bursts: 2), way) }
    #expect(
      error == DeviceFailure(device: 1, cohort: 0, instant: .start + .hours(12), reason: .livelock(events: ["tap"])))
  }
}
