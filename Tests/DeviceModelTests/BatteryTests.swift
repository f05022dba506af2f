import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// The times of necessary battery checks, compared with how the battery behaves (MODEL.md 3.2).
@Suite struct BatteryTests {
  /// Returns a 100 J battery that has been drained for some time, partly in sessions.
  private static func drained(_ seed: Int) -> Battery {
    var battery = Battery(capacity: Energy(nanojoules: 100_000_000_000), at: .start)
    var now = Instant.start
    for step in 0..<seed % 7 {
      now = now + .milliseconds(Int64(seed * 7_919 % 40_000))
      battery.advance(to: now, isInSession: step % 3 == 0, reloads: Energy(nanojoules: Int64(seed) * 1_000_003))
    }
    return battery
  }

  /// Both rules agree before, at and after the point of concern.
  @Test(arguments: 0..<60, [false, true])
  func concernIsDetectedWithoutDivision(seed: Int, isInSession: Bool) {
    let battery = Self.drained(seed)
    let concern = battery.nextConcern(isInSession: isInSession)
    for milliseconds in [-1_000_000, -1, 0, 1, 1_000_000] {
      let instant = concern + .milliseconds(Int64(milliseconds))
      #expect(battery.hasConcern(before: instant, isInSession: isInSession) == (concern < instant))
    }
    #expect(battery.hasConcern(before: .never, isInSession: isInSession))
  }

  /// With constant sessions and 2 % for reloads, 22 % are left when the calm ends, and less one millisecond later.
  @Test(arguments: 0..<60)
  func calmLastsForAnyUsage(seed: Int) {
    var battery = Self.drained(seed)
    let calm = battery.noCheckUntil
    #expect(calm >= battery.since || battery.level < battery.percent(24))
    guard calm > battery.since else { return }
    let before = battery
    battery.advance(to: calm, isInSession: true, reloads: battery.percent(2))
    #expect(battery.level >= battery.percent(22))
    #expect(battery.check(topUp: true, saving: true) == Battery.Verdict(startsTopUp: false))
    #expect(!battery.isSaving)
    battery = before
    battery.advance(to: calm + .milliseconds(1), isInSession: true, reloads: battery.percent(2))
    #expect(battery.level < battery.percent(22))
  }

  /// A battery that is low or in Low Power Mode is never calm; one on the charger is.
  @Test func lowBatteriesAreNeverCalm() {
    var battery = Battery(capacity: Energy(nanojoules: 100_000_000_000), at: .start)
    battery.advance(to: .start, isInSession: false, reloads: battery.percent(81))
    _ = battery.check(topUp: false, saving: true)
    #expect(battery.isSaving && battery.noCheckUntil == .longAgo)
    var charging = Battery(capacity: Energy(nanojoules: 100_000_000_000), at: .start)
    charging.isPlugged = true
    #expect(charging.noCheckUntil == .never && charging.nextConcern(isInSession: true) == .never)
    #expect(!charging.hasConcern(before: .never, isInSession: true))
  }

  /// Between 15 and 20 %, the next check may have an effect, with or without Low Power Mode, even on the charger.
  @Test(arguments: [14, 15, 19], [false, true])
  func batteryBelowTwentyPercentIsNotCalm(percent: Int64, isPlugged: Bool) {
    var battery = Battery(capacity: Energy(nanojoules: 100_000_000_000), at: .start)
    battery.advance(to: .start, isInSession: false, reloads: battery.percent(100 - percent))
    battery.isPlugged = isPlugged
    _ = battery.check(topUp: false, saving: false)
    #expect(!battery.isSaving && battery.level == battery.percent(percent))
    #expect(battery.noCheckUntil < battery.since)
  }

  /// Charging from `level` % of 100 J to 80 % at 15 W takes a time rounded up to the millisecond; zero from 80 % on.
  @Test(arguments: [(10, 4_667), (50, 2_000), (79, 67), (80, 0), (95, 0)] as [(Int64, Int64)])
  func chargingTimeFollowsTheMissingEnergy(level: Int64, milliseconds: Int64) {
    var battery = Battery(capacity: Energy(nanojoules: 100_000_000_000), at: .start)
    battery.advance(to: .start, isInSession: false, reloads: battery.percent(100 - level))
    #expect(battery.topUpTime == .milliseconds(milliseconds))
  }

  /// If the clock starts at midnight, phones have been on the charger since 23:00.
  ///
  /// The charger supplies the part of the floor's 2 160 J a day that falls from 0 to 7 and from 23 to 24.
  @Test func chargingStartsBeforeTheClock() throws {
    var world = World()
    world.power = .overnight(Chance(.all), plug: .constant(.hours(23)), unplug: .constant(.hours(7)))
    defer { withExtendedLifetime(world.storage) {} }
    var simulator = DeviceSimulator(plan: world.plan(), shape: world.shape)
    simulator.begin(device: 0, cohort: 0, replication: 0)
    #expect(simulator.battery.isPlugged && simulator.battery.isCharging)
    try simulator.simulate(device: 0, cohort: 0, replication: 0)
    #expect(simulator.tally.energy.fromCharger == 720_000_000_000)
    #expect(simulator.tally.energy.fromBattery == 1_440_000_000_000)
  }
}
