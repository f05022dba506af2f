import Scenario
import SimulationKernel

/// What must hold after every event; only debug builds ask.
extension DeviceSimulator {
  /// What does not hold, in words; nil when all is well.
  func brokenInvariant(at now: Instant) -> String? {
    for slot in 0..<device.instanceCount {
      if let broken = brokenRun(of: slot) ?? brokenTicket(of: slot, at: now) ?? brokenBalance(of: slot) {
        return "device \(device.number), instance \(slot), \(now.millisecondsSinceStart) ms: \(broken)"
      }
    }
    return brokenCount.map { "device \(device.number), \(now.millisecondsSinceStart) ms: \($0)" }
  }

  private func brokenRun(of slot: Int) -> String? {
    let instance = instances[slot]
    let ends = queue.count(of: .answers(UInt8(slot))) + queue.count(of: .runEnd(UInt8(slot)))
    let tickets = queue.count(of: .start(UInt8(slot)))
    if instance.isRunning != (ends == 1) { return "\(ends) ends are pending, running is \(instance.isRunning)" }
    if instance.isRunning, instance.ticket.exists || tickets > 0 { return "a ticket during a run" }
    if !instance.isRunning, instance.kept.cause != nil { return "a request kept without a run" }
    if !instance.isPlaced, instance.isRunning || instance.ticket.exists || instance.runs > 0 { return "lives unplaced" }
    return nil
  }

  private func brokenTicket(of slot: Int, at now: Instant) -> String? {
    let (ticket, wait, lastEnd) = (instances[slot].ticket, instances[slot].wait, instances[slot].lastEnd)
    let pending = queue.count(of: .start(UInt8(slot)))
    guard ticket.exists else {
      return pending > 0 || wait.reason != nil ? "a start or a wait without a ticket" : nil
    }
    if ticket.due > ticket.eligible || ticket.eligible > ticket.planned { return "due, e, planned out of order" }
    if ticket.eligible < lastEnd + cohort.pointee.system.minSpacing { return "e within the spacing" }
    if wait.reason == nil, pending != 1 || ticket.planned < now { return "a ticket that nothing will look at" }
    if wait.reason != nil, pending > 1 || wait.since < ticket.planned || wait.since > now {
      return "a wait out of time"
    }
    return nil
  }

  private func brokenBalance(of slot: Int) -> String? {
    let (account, budget) = (instances[slot].account, cohort.pointee.system.budget)
    let most = budget.model == .bucket ? account.ceiling(budget) : account.capacity
    guard budget.model != .off, account.balance.count < -1_000_000 || account.balance > most else { return nil }
    return "the balance is \(account.balance.count) millionths"
  }

  private var brokenCount: String? {
    for kind in 0..<tally.shape.kinds {
      let row = tally.rows[kind]
      let charged = Cause.allCases.filter(\.isCharged).reduce(Int64(0)) { $0 + row.runs[Int($1.rawValue)] }
      if charged != row.charged { return "kind \(kind): \(row.charged) charged runs, by cause \(charged)" }
      if row.failures > row.requests { return "kind \(kind): more failures than requests" }
    }
    return nil
  }
}
