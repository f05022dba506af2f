import Scenario
import SimulationKernel

@testable import DeviceModel

/// Lives a device's life and looks at every scheduled run and every charge.
struct LifeAudit {
  /// What one instance has done since its placement.
  private struct Account {
    var placed = Instant.never
    /// At the placement.
    var balance = RunMillionths.zero
    /// The largest so far.
    var capacity = RunMillionths.zero
    var runs: UInt32 = 0
    var charged: Int64 = 0
  }

  /// One sentence for each law that was broken.
  private(set) var faults: [String] = []
  private var accounts: [Account] = []

  mutating func live(_ device: Int, cohort: Int, _ simulator: inout DeviceSimulator) {
    simulator.begin(device: device, cohort: cohort, replication: 0)
    let slots = 0..<simulator.device.instanceCount
    accounts = slots.map { _ in Account() }
    var tickets = slots.map { simulator.instances[$0].pendingTicket }
    while let (now, _) = simulator.step() {
      for slot in slots {
        look(at: simulator.instances[slot], slot, tickets[slot], at: now, "device \(device)")
        tickets[slot] = simulator.instances[slot].pendingTicket
      }
    }
    simulator.finish()
    let (budget, end) = (simulator.cohort.pointee.system.budget, simulator.plan.end)
    if case .bucket = budget.model { for slot in slots { checkLaw(slot, upTo: end, "device \(device)") } }
    simulator.queue.free()
  }

  private mutating func look(
    at instance: InstanceState, _ slot: Int, _ ticket: Ticket, at now: Instant, _ place: String
  ) {
    if instance.isPlaced, accounts[slot].placed == .never {
      accounts[slot].placed = now
      accounts[slot].balance = instance.account.balance
    }
    accounts[slot].capacity = max(accounts[slot].capacity, instance.account.capacity)
    guard instance.runs != accounts[slot].runs else { return }
    accounts[slot].runs = instance.runs
    guard instance.run.flight.cause.isCharged else { return }
    accounts[slot].charged += 1
    if !ticket.exists || ticket.due > now {
      faults.append("\(place), slot \(slot), \(now): a scheduled run before it was due, \(ticket)")
    }
  }

  /// Charged runs are at most the first balance, C a day, and 2 (MODEL.md 9); and what falls due an hour sooner
  /// where daylight saving leaves one out: 4 of the 64 quarters.
  private mutating func checkLaw(_ slot: Int, upTo end: Instant, _ place: String) {
    let account = accounts[slot]
    guard account.placed < end else { return }
    let day = TimeAmount.day.milliseconds
    let days = ((end - account.placed).milliseconds + day - 1) / day
    let most = account.balance.count + account.capacity.count * days + account.capacity.count / 16 + 2_000_000
    if account.charged * 1_000_000 > most {
      faults.append("\(place), slot \(slot): \(account.charged) charged runs in \(days) days, at most \(most)")
    }
  }
}
