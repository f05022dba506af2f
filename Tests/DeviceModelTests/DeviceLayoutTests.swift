import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// The space for pending events in a device's block of memory.
@Suite struct DeviceLayoutTests {
  private static func world(refreshes: Int) -> World {
    var world = World()
    world.duration = .hours(2)
    world.add(.after(minutes: 10))
    for number in 0..<refreshes { world.addRefresh(everyMinutes: 7 + Int64(number), kinds: [0]) }
    return world
  }

  private static func capacity(_ world: World) -> Int {
    DeviceLayout(plan: world.plan(), cohort: 0).queueCapacity
  }

  /// Each background refresh always has one event pending.
  @Test(arguments: [1, 2, 5]) func roomForBackgroundRefreshes(count: Int) {
    #expect(Self.capacity(Self.world(refreshes: count)) == Self.capacity(Self.world(refreshes: 0)) + count)
  }

  /// A phone's pending events fit into its block, as planned.
  @Test(arguments: [0, 2, 5]) func eventQueueFitsThePlannedBlock(refreshes: Int) {
    let world = Self.world(refreshes: refreshes)
    defer { withExtendedLifetime(world.storage) {} }
    var simulator = DeviceSimulator(plan: world.plan(), shape: world.shape)
    simulator.begin(device: 0, cohort: 0, replication: 0)
    while simulator.step() != nil {
      guard !simulator.device.widgets.phone.queue.hasGrown else { break }
    }
    #expect(!simulator.device.widgets.phone.queue.hasGrown)
    simulator.finish()
  }
}
