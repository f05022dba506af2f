import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// When the start of a ticket becomes known (MODEL.md 4.5): at the request, unless D depends on a session at e.
@Suite struct StartDelayTests {
  private static func planned(_ kind: KindSketch, dependsOnSession: Bool, push: Bool = false) throws -> Instant {
    var world = World()
    world.system.policyDelay = .constant(.minute)
    world.system.inUseDelay = .constant(dependsOnSession ? .zero : .minute)
    world.system.backgroundDelay = .constant(.seconds(20))
    world.system.delayDependsOnSession = dependsOnSession
    world.add(kind)
    world.addSilentPush()
    defer { withExtendedLifetime(world.storage) {} }
    var simulator = DeviceSimulator(plan: world.plan(), shape: world.shape)
    simulator.observed = []
    simulator.begin(device: 0, cohort: 0, replication: 0)
    if push { simulator.device.widgets.phone.schedule(.push(event: 0), at: .start + .minute) }
    try simulator.device.live(upTo: .start + .minutes(2))
    #expect(simulator.widgets[0].ticket.exists)
    return simulator.widgets[0].ticket.planned
  }

  @Test func policyDelayIsPlannedFromTheDueDate() throws {
    let after = KindSketch.after(minutes: 30)
    #expect(try Self.planned(after, dependsOnSession: false) == .start + .minutes(31))
    #expect(try Self.planned(after, dependsOnSession: true) == .never)
  }

  /// The first run ends at 0: e is 5 min later, and D is that of the background, in use or not.
  @Test(arguments: [false, true]) func pushDelayIsPlannedFromEligibility(dependsOnSession: Bool) throws {
    let planned = try Self.planned(KindSketch(.never), dependsOnSession: dependsOnSession, push: true)
    #expect(planned == .start + .seconds(320))
  }
}
