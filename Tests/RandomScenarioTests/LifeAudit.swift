import Scenario
import SimulationKernel

@testable import DeviceModel

/// An audit of every scheduled run and every charge over a device's life.
struct LifeAudit {
  /// The activity of one instance since its placement.
  private struct Account {
    var placed = Instant.never
    /// The balance at placement.
    var balance = RunMillionths.zero
    /// The highest capacity so far.
    var capacity = RunMillionths.zero
    var runs: UInt32 = 0
    var charged: Int64 = 0
  }

  /// The laws that were broken, one sentence each.
  private(set) var faults: [String] = []
  private var accounts: [Account] = []

  mutating func live(_ device: Int, cohort: Int, _ simulator: inout DeviceSimulator) {
    simulator.begin(device: device, cohort: cohort, replication: 0)
    var before = simulator.widgets
    accounts = before.map { _ in Account() }
    while let (now, _) = simulator.step() {
      let widgets = simulator.widgets
      for slot in widgets.indices {
        look(at: widgets[slot], slot, before[slot].ticket, at: now, "device \(device)")
      }
      before = widgets
    }
    let model = simulator.device.widgets.phone.cohort.system.budget.model
    let end = simulator.device.widgets.phone.plan.end
    simulator.finish()
    if case .bucket = model {
      for slot in accounts.indices { checkLaw(slot, upTo: end, "device \(device)") }
    }
  }

  private mutating func look(
    at instance: WidgetSnapshot, _ slot: Int, _ ticket: Ticket, at now: Instant, _ place: String
  ) {
    if instance.isPlaced, accounts[slot].placed == .never {
      accounts[slot].placed = now
      accounts[slot].balance = instance.account.balance
    }
    accounts[slot].capacity = max(accounts[slot].capacity, instance.account.capacity)
    guard instance.runs != accounts[slot].runs else { return }
    accounts[slot].runs = instance.runs
    guard instance.flight.cause.isCharged else { return }
    accounts[slot].charged += 1
    if !ticket.exists || ticket.due > now {
      faults.append("\(place), slot \(slot), \(now): a scheduled run before it was due, \(ticket)")
    }
  }

  /// Checks that charged runs are at most the initial balance, C a day, and 2 (MODEL.md 9).
  ///
  /// The hour skipped by daylight saving adds the runs that become due an hour earlier: 4 of the 64 quarter hours.
  private mutating func checkLaw(_ slot: Int, upTo end: Instant, _ place: String) {
    let account = accounts[slot]
    guard account.placed < end else { return }
    let day = TimeAmount.day.milliseconds
    let days = ((end - account.placed).milliseconds + day - 1) / day
    let maximum = account.balance.count + account.capacity.count * days + account.capacity.count / 16 + 2_000_000
    if account.charged * 1_000_000 > maximum {
      faults.append("\(place), slot \(slot): \(account.charged) charged runs in \(days) days, at most \(maximum)")
    }
  }
}
