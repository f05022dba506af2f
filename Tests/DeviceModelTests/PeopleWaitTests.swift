import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// Waits that people and batteries start and end (MODEL.md 4.5), with a 10 min session at every full hour.
@Suite struct PeopleWaitTests {
  private static func world(_ kinds: KindSketch...) -> World {
    var world = World()
    world.duration = .hours(4)
    world.person.unlocksPerDay = 24
    for kind in kinds { world.add(kind) }
    return world
  }

  /// When a protected widget's next run starts, in seconds, by its interval in minutes.
  @Test(
    arguments: [
      (30, 3_600, 1_800), (60, 3_600, nil), (65, 3_900, nil), (70, 7_200, 4_200), (119, 7_200, 7_140),
    ] as [(Int64, Double, Double?)])
  func lockedUntilTheNextUnlock(minutes: Int64, start: Double, waitsFrom: Double?) {
    var kind = KindSketch.after(minutes: minutes)
    kind.isProtected = true
    let trace = Trace(Self.world(kind))
    #expect(trace.starts()[1] == start)
    #expect(trace.causes()[1] == .policy)
    #expect(trace.waits.first?.from == waitsFrom || trace.starts()[1] == minutes.seconds)
    if let waitsFrom { #expect(trace.waits[0] == Trace.Wait(slot: 0, reason: .locked, from: waitsFrom, to: start)) }
  }

  /// A protected widget has no scheduled runs while the phone is locked, only free ones.
  @Test func protectedWidgetsNeverStartLocked() {
    var kind = KindSketch.after(minutes: 7)
    kind.isProtected = true
    var world = Self.world(kind)
    world.duration = .days(2)
    world.add(.backgroundRefresh(gap: .constant(.minutes(50))), kinds: [0])
    let trace = Trace(world, script: [(2_000, .tap(0, left: 0))])
    #expect(trace.runs.count > 90)
    for run in trace.runs where run.cause.isCharged {
      // Unlock times are rounded down to the millisecond.
      #expect((run.at + 0.001).truncatingRemainder(dividingBy: 3_600) < 600.002, "\(run)")
    }
    #expect(trace.starts(for: .tap) == [2_000])
  }

  /// A run withheld on an idle phone until the session at 3600 s, or D after the phone gives up.
  @Test(
    arguments: [
      (240, 0, 3_600), (240, 3, 3_600), (20, 0, 3_000), (20, 3, 3_180), (29, 3, 3_600), (27, 3, 3_600), (26, 3, 3_540),
    ] as [(Int64, Int64, Double)])
  func idleUntilTheNextSession(giveUp: Int64, delay: Int64, start: Double) {
    var world = Self.world(.after(minutes: 30))
    world.system.policyDelay = .constant(.minutes(delay))
    world.system.idle = Idle(after: .minutes(30), giveUp: .minutes(giveUp))
    let trace = Trace(world)
    #expect(trace.starts()[1] == start)
    #expect(trace.waits[0] == Trace.Wait(slot: 0, reason: .idle, from: Double(1_800 + delay * 60), to: start))
  }

  /// A phone is idle once more than `idle.after` has passed since a 10 min session.
  @Test(arguments: [(100, 6_000), (101, 7_200)] as [(Int64, Double)])
  func idleAfterASession(minutes: Int64, start: Double) {
    var world = Self.world(.after(minutes: minutes))
    // The session ends at 4200 s; 30 min are added.
    world.system.idle = Idle(after: .minutes(30), giveUp: .hours(9))
    #expect(Trace(world).starts()[1] == start)
  }

  /// Views at the same instant come first: an overdue widget reloads for free, which ends the wait.
  @Test(arguments: [1, 2])
  func waitsEndAfterTheViewsOfTheInstant(page: Int) {
    var kind = KindSketch.after(minutes: 30)
    kind.isProtected = true
    var world = Self.world(kind)
    world.duration = .minutes(65)
    world.places = [0: PlaceSketch(page: page, estimatedViews: 5)]
    world.system.staleViewRare = Chance(.all)
    let trace = Trace(world)
    #expect(trace.causes() == [.placement, page == 1 ? .view : .policy])
    #expect(trace.starts() == [0, 3_600])
    #expect(trace.waits == [Trace.Wait(slot: 0, reason: .locked, from: 1_800, to: 3_600)])
    #expect(trace.row.charged == (page == 1 ? 0 : 1))
  }

  /// D is that of a session if the ticket becomes eligible during one, its last instant excluded.
  @Test(
    arguments: [
      (59, 15), (60, 1), (69, 1), (70, 15), (119, 15), (120, 1),
    ] as [(Int64, Int64)])
  func delayInASession(minutes: Int64, delay: Int64) {
    var world = Self.world(.after(minutes: minutes))
    world.system.policyDelay = .constant(.minutes(15))
    world.system.inUseDelay = .constant(.minutes(1))
    world.system.delayDependsOnSession = true
    #expect(Trace(world).starts()[1] == Double((minutes + delay) * 60))
  }

  /// D does not change if the phone is picked up between e and the planned start.
  @Test func delayIsFixedWhenEligible() {
    var world = Self.world(.after(minutes: 55))
    world.system.policyDelay = .constant(.minutes(12))
    world.system.inUseDelay = .constant(.zero)
    world.system.delayDependsOnSession = true
    #expect(Trace(world).starts()[1] == 67 * 60)
  }

  /// Refreshes have their own delay, even in a session.
  @Test func delayOfRefreshes() {
    var world = Self.world(KindSketch(.never))
    world.system.policyDelay = .constant(.minutes(15))
    world.system.inUseDelay = .constant(.minutes(1))
    world.system.backgroundDelay = .constant(.seconds(20))
    world.system.delayDependsOnSession = true
    world.add(.backgroundRefresh(gap: .constant(.minutes(62))), kinds: [0])
    #expect(Trace(world).starts().prefix(3) == [0, 3_740, 7_460])
  }

  // MARK: Low Power Mode

  /// Returns a 100 J battery without a user: below 20 % after 3200 s, below 15 % after 3400 s, empty after 4000 s.
  private static func smallBattery(topUp: Share, saving: Share = .all, _ storage: SamplerStorage) -> PowerPlan {
    .battery(
      BatteryPlan(
        overnight: Chance(.none), plug: .constant(.zero), unplug: .constant(.zero), topUp: Chance(topUp),
        lowPowerMode: Chance(saving), capacities: storage.keep([Energy(nanojoules: 100_000_000_000)])))
  }

  /// In Low Power Mode every ticket waits until e + 15 min x (0.9 + 0.1 U), with its own U.
  @Test(arguments: 0..<20)
  func lowPowerWaits(device: Int) {
    var world = Self.world(.after(minutes: 10))
    world.person = PersonSketch()
    world.power = Self.smallBattery(topUp: .none, world.storage)
    let trace = Trace(world, device: device)
    let waits = trace.waits.filter { $0.reason == .lowPower }
    // There may be a check near the threshold that has no effect.
    let check = trace.times(of: .batteryCheck).first { $0 > 3_200 } ?? 0
    #expect(check > 3_200 && check <= 3_200 + 900)
    #expect(waits.count >= 6 && waits.count == trace.waits.count)
    #expect(waits.allSatisfy { $0.from >= check && ($0.to - $0.from) >= 810 && ($0.to - $0.from) < 900 })
    #expect(Set(waits.map { ($0.to - $0.from) }).count > 1)
    #expect(trace.starts().filter { $0 > check + 1_500 }.allSatisfy { start in waits.contains { $0.to == start } })
  }

  /// The wait is that of the system: from 0.9 of it on; 0 s withholds nothing.
  @Test(arguments: [0, 5, 60]) func lowPowerWaitIsThatOfTheSystem(minutes: Int64) {
    var world = Self.world(.after(minutes: 10))
    world.person = PersonSketch()
    world.system.lowPowerWait = .minutes(minutes)
    world.power = Self.smallBattery(topUp: .none, world.storage)
    let lengths = Trace(world).waits.filter { $0.reason == .lowPower }.map { $0.to - $0.from }
    #expect(lengths.isEmpty == (minutes == 0))
    #expect(lengths.allSatisfy { $0 >= Double(minutes) * 54 && $0 < Double(minutes) * 60 }, "\(lengths)")
  }

  /// Charging to 80 % ends it; if the chance of saving is zero, it never starts.
  @Test(arguments: [(Share.all, Share.all), (.all, .none), (.none, .none)])
  func lowPowerModeEnds(topUp: Share, saving: Share) {
    var world = Self.world(.after(minutes: 10))
    world.person = PersonSketch()
    world.duration = .minutes(150)
    world.power = Self.smallBattery(topUp: topUp, saving: saving, world.storage)
    let trace = Trace(world)
    let checks = trace.times(of: .batteryCheck)
    #expect(!checks.isEmpty)
    #expect((trace.times(of: .topUpEnd).count > 0) == (topUp == .all))
    let end = trace.times(of: .topUpEnd).first ?? 0
    for wait in trace.waits { #expect(saving == .all && wait.from < end, "\(wait)") }
  }

  /// Sessions drain a battery that is never charged.
  @Test func lowPowerModeWithoutCharger() {
    var world = Self.world(.after(minutes: 30))
    world.duration = .days(4)
    world.power = .battery(
      BatteryPlan(
        overnight: Chance(.none), plug: .constant(.zero), unplug: .constant(.zero), topUp: Chance(.none),
        lowPowerMode: Chance(.all), capacities: world.storage.keep([Energy(nanojoules: 40_000_000_000_000)])))
    let trace = Trace(world)
    // 24 hours of 90 J and 23 sessions of 900 J: below 8000 J on the second day.
    let first = trace.waits.first { $0.reason == .lowPower }?.from ?? .infinity
    #expect(first > 86_400 && first < 2 * 86_400)
  }

  // MARK: Budget

  /// On the charger a balance of 0 is enough: plugging in ends the wait, and the balance may drop to -1.
  @Test(arguments: [false, true])
  func budgetOnTheCharger(plugs: Bool) {
    var world = Self.world(.after(minutes: 30))
    world.person = PersonSketch()
    world.system.budget = BudgetPlan(model: .bucket, accrual: .even, carryOverMillionths: 1_500_000)
    world.capacity = .fixed(RunMillionths(count: 960_000))
    world.power = .overnight(Chance(plugs ? .all : .none), plug: .constant(.hours(26)), unplug: .constant(.hours(3)))
    let trace = Trace(world)
    // The balance is below 0.96 at first and rises by 0.01 every quarter hour.
    #expect(trace.withheld.first == 1_800)
    #expect(trace.starts() == (plugs ? [0, 7_200] : [0]))
    #expect(trace.balances.allSatisfy { $0.count >= -1_000_000 })
    #expect((trace.balances.map(\.count).min() ?? 0) < 0 || !plugs)
  }

  /// Off the charger, a balance between 0 and 1 is not enough.
  @Test func budgetAfterTheCharger() {
    var world = Self.world(.after(minutes: 5))
    world.person = PersonSketch()
    world.system.budget = BudgetPlan(model: .bucket, accrual: .even, carryOverMillionths: 1_500_000)
    world.capacity = .fixed(RunMillionths(count: 24_000_000))
    world.power = .overnight(Chance(.all), plug: .constant(.hours(26)), unplug: .constant(.hours(3)))
    world.duration = .hours(12)
    let trace = Trace(world)
    for run in trace.runs.filter(\.cause.isCharged) {
      let isPlugged = run.at >= 7_200 && run.at < 10_800
      let after = trace.balances.last { $0.at == run.at }?.count ?? 0
      #expect(after >= (isPlugged ? -1_000_000 : 0), "\(run)")
    }
    #expect(trace.balances.contains { $0.count < 0 })
  }

  /// A capacity that rises with views ends a wait for a budget that would otherwise never have been enough.
  @Test func risingCapacityEndsABudgetWait() {
    var world = World()
    world.duration = .days(11)
    world.person.unlocksPerDay = 4
    world.system.budget = BudgetPlan(model: .bucket, accrual: .even, carryOverMillionths: 500_000)
    let low = RunMillionths(count: 1_000_000)
    let table = world.storage.keep([low, RunMillionths(count: 48_000_000)])
    world.places = [0: PlaceSketch(capacity: .views(low, table))]
    world.add(.after(minutes: 30))
    let trace = Trace(world)
    // Each of the three sessions a day is a view; the placement is at midnight, so the first seven days are whole.
    let policy = trace.starts(for: .policy)
    #expect((policy.first ?? 0) >= 7 * 86_400 && (policy.first ?? 0) < 7 * 86_400 + 3_600)
    #expect(policy.count > 150)
  }
}

extension Int64 {
  /// These minutes, in seconds.
  fileprivate var seconds: Double { Double(self) * 60 }
}
