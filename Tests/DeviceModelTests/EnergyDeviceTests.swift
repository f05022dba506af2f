import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// The energy accounts of whole phones (MODEL.md 3.2, 7.3): what the owners are charged, and what the battery supplies.
@Suite struct EnergyDeviceTests {
  /// Returns a phone in use with two radios and offline spells, whose battery is never charged.
  private static func world(seed: Int64, joules: Int64 = 1_000_000) -> World {
    var world = World()
    world.network = NetworkPlan(
      radios: world.storage.keep([RadioPlan(.wifi), RadioPlan(.lte2012)]),
      roaming: RoamingPlan(
        gap: .uniform(from: .minutes(1), to: .minutes(90)),
        wifi: world.storage.keep(Array(repeating: Chance(Share(fraction: 0.5)), count: 24))),
      offline: OfflinePlan(
        share: Chance(Share(fraction: 0.1)), offline: .uniform(from: .minutes(1), to: .minutes(9)),
        online: .uniform(from: .minutes(5), to: .minutes(90))))
    world.person.unlocksPerDay = 40
    world.latency = .uniform(from: .milliseconds(10), to: .seconds(40))
    world.system.policyDelay = .uniform(from: .zero, to: .minutes(10))
    world.system.coalescingWindow = .minutes(seed % 7)
    world.power = .battery(
      BatteryPlan(
        overnight: Chance(.none), plug: .constant(.zero), unplug: .constant(.zero), topUp: Chance(.none),
        lowPowerMode: Chance(.none),
        capacities: world.storage.keep([Energy(nanojoules: joules * 1_000_000_000)])))
    return world
  }

  private static func kind(minutes: Int64, requests: Int) -> KindSketch {
    var kind = KindSketch(.after(.uniform(from: .minutes(1), to: .minutes(minutes))))
    kind.requests = requests
    kind.attempts = 3
    kind.cpu = .milliseconds(300)
    return kind
  }

  private static func shared(minutes: Int64) -> KindSketch {
    var kind = Self.kind(minutes: minutes, requests: 1)
    kind.cache = CachePlan(ttl: .minutes(3), scope: .kind, singleFlight: true)
    return kind
  }

  /// Returns a phone's accounts: the energy used, the battery's loss, and its debt for flows in the air.
  private static func books(_ world: World, seed: Int64) throws -> (used: Int64, lost: Int64, tally: PhoneEnergy) {
    let plan = world.plan(seed: UInt64(seed))
    var simulator = DeviceSimulator(plan: plan, shape: world.shape)
    try simulator.simulate(device: 0, cohort: 0, replication: 0)
    let inTheAir = simulator.device.widgets.connection.energy.carriedInTheAir.nanojoules
    let battery = simulator.battery
    return (
      Int64(simulator.tally.energy.integral), battery.capacity.nanojoules - battery.level.nanojoules + inTheAir,
      simulator.tally.energy
    )
  }

  @Test(arguments: 1...12 as ClosedRange<Int64>) func batterySuppliesTheEnergyUsed(seed: Int64) throws {
    var world = Self.world(seed: seed)
    world.add(Self.kind(minutes: 5 + seed * 3, requests: 2))
    world.add(Self.shared(minutes: 4 + seed))
    world.instances = [0, 0, 1, 1, 1]
    let books = try Self.books(world, seed: seed)
    #expect(books.used == books.lost, "seed \(seed)")
    // The floor of a day and 40 sessions of 10 min: 2.16 kJ and 36 kJ; the last session may still be in progress.
    #expect(books.tally.system == 2_160_000_000_000)
    #expect(books.tally.person >= 39 * 900_000_000_000)
  }

  /// Without widgets, only the user and the system use energy.
  @Test func noWidgets() throws {
    let world = Self.world(seed: 1)
    let books = try Self.books(world, seed: 1)
    #expect(books.used == books.lost)
    #expect(Int128(books.used) == books.tally.person + books.tally.system)
  }

  /// The floor alone drains a 100 J battery in an unused phone to 20 % after 3 200 s, and a widget makes it sooner.
  ///
  /// The next quarter-hour check turns Low Power Mode on.
  @Test(arguments: 0..<20) func reloadsBringTheThresholdNearer(device: Int) {
    var world = Self.world(seed: 1, joules: 100)
    world.person = PersonSketch()
    world.network = .always(roundTrip: .zero, world.storage)
    world.latency = .constant(.zero)
    world.power = .battery(
      BatteryPlan(
        overnight: Chance(.none), plug: .constant(.zero), unplug: .constant(.zero), topUp: Chance(.none),
        lowPowerMode: Chance(.all), capacities: world.storage.keep([Energy(nanojoules: 100_000_000_000)])))
    world.system.policyDelay = .constant(.zero)
    // 0.6 W for 10 s every 10 min: 6 J at 610 s, 1 220 s and so on, plus 1.5 J a minute for the floor.
    var kind = KindSketch.after(minutes: 10)
    kind.cpu = .seconds(10)
    world.add(kind)
    let trace = Trace(world, device: device)
    // The floor is 0.025 t, plus 6 for each finished run (10, 620, 1 230, 1 840 s): 80 J after 2 240 s.
    let waits = trace.waits.filter { $0.reason == .lowPower }
    let check = trace.times(of: .batteryCheck).first { $0 > 2_240 } ?? 0
    #expect(check <= 2_240 + 900)
    #expect(waits.allSatisfy { $0.from >= check } && waits.count > 10)
    #expect(trace.starts().filter { $0 > check + 1_500 }.allSatisfy { start in waits.contains { $0.to == start } })
  }
}
