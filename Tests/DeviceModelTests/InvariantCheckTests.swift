import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

/// The checks that debug builds make after every event, in states with a single error.
@Suite struct InvariantCheckTests {
  /// Returns a widget that requests a run after 30 min, simulated up to a given time.
  private static func phone(
    upTo end: TimeAmount, _ configure: (inout KindSketch) -> Void = { _ in }
  ) throws -> Box {
    var world = World()
    var kind = KindSketch.after(minutes: 30)
    configure(&kind)
    world.add(kind)
    let box = Box(world)
    box.simulator.observed = []
    box.simulator.begin(device: 0, cohort: 0, replication: 0)
    try box.simulator.device.live(upTo: .start + end)
    return box
  }

  private final class Box {
    let world: World
    var simulator: DeviceSimulator

    init(_ world: World) {
      self.world = world
      simulator = DeviceSimulator(plan: world.plan(), shape: world.shape)
    }

    /// Returns the invariant that the widget's ticket breaks at an instant, with a given number of pending checks.
    func broken(looks: Int, at now: TimeAmount) -> String? {
      simulator.device.widgets.scheduler.brokenInvariant(
        of: 0, after: simulator.device.widgets.provider.lastRun(of: 0),
        isRunning: simulator.device.widgets.provider.isRunning(0), looks: looks, at: .start + now,
        simulator.device.widgets.phone)
    }

    func setTicket(due: TimeAmount, planned: TimeAmount) {
      simulator.device.widgets.scheduler.setPlannedTicket(
        0, Ticket(due: .start + due, cause: .policy, planned: .start + planned))
    }
  }

  /// During a run there is neither a planned start nor a pending check for one.
  @Test func noTicketDuringARun() throws {
    let phone = try Self.phone(upTo: .seconds(30)) { $0.cpu = .minute }
    #expect(phone.broken(looks: 0, at: .seconds(30)) == nil)
    #expect(phone.broken(looks: 1, at: .seconds(30)) == "a ticket during a run")
    phone.setTicket(due: .minutes(30), planned: .minutes(30))
    #expect(phone.broken(looks: 0, at: .seconds(30)) == "a ticket during a run")
  }

  /// No start is planned before e.
  @Test func plannedStartIsNotBeforeEligibility() throws {
    let phone = try Self.phone(upTo: .minute)
    #expect(phone.broken(looks: 1, at: .minute) == nil)
    phone.setTicket(due: .minutes(30), planned: .minutes(30) - .milliseconds(1))
    #expect(phone.broken(looks: 1, at: .minute) == "due, e and planned are out of order")
    phone.setTicket(due: .minutes(30), planned: .minutes(31))
    #expect(phone.broken(looks: 1, at: .minute) == nil)
  }

  /// A ticket that has waited 30 min for an unlock has at most one more check pending, and none before it waits.
  @Test func waitingTicketHasAtMostOnePendingCheck() throws {
    let phone = try Self.phone(upTo: .minutes(31)) { $0.isProtected = true }
    for looks in 0...1 { #expect(phone.broken(looks: looks, at: .minutes(31)) == nil) }
    #expect(phone.broken(looks: 2, at: .minutes(31)) == "a wait at another time")
    #expect(phone.broken(looks: 0, at: .minutes(29)) == "a wait at another time")
    phone.setTicket(due: .minutes(30), planned: .minutes(32))
    #expect(phone.broken(looks: 0, at: .minutes(33)) == "a wait at another time")
  }

  /// An account that balances but contains a negative charge.
  @Test func negativeChargesAreDetected() {
    let storage = SamplerStorage()
    defer { withExtendedLifetime(storage) {} }
    let plans = storage.keep([RadioPlan(EnergyPhone.plain)])
    func broken(_ charge: (inout EnergyLedger) -> Void) -> String? {
      var ledger = EnergyLedger()
      ledger.reset(instances: 1)
      charge(&ledger)
      return ledger.brokenInvariant(on: plans.element(at: 0))
    }
    let (joule, loss) = (Energy(nanojoules: 1_000_000_000), Energy(nanojoules: -1))
    let bad = "a negative entry for the user or the floor"
    #expect(
      broken {
        $0.chargeSession(joule)
        $0.chargeFloor(joule)
        $0.charge(joule, .tail, to: 0)
        $0.charge(joule, .cpu, to: 1)
      } == nil)
    #expect(broken { $0.chargeSession(loss) } == bad)
    #expect(broken { $0.chargeFloor(loss) } == bad)
    #expect(broken { $0.charge(loss, .tail, to: 0) } == bad)
    #expect(broken { $0.charge(loss, .cpu, to: 1) } == "a negative entry for instance 0")
  }
}
