import Scenario
import SimulationKernel

/// What must hold after every event; only debug builds ask.
extension DeviceSimulator {
  /// What does not hold after an event, in words; nil when all is well.
  ///
  /// The beginning of an unperturbed session is all of it.
  func brokenInvariant(after event: Instant) -> String? {
    let presence = device.presence
    return brokenInvariant(at: presence.isInSession ? event : max(event, presence.lastSessionEnd))
  }

  private func brokenInvariant(at now: Instant) -> String? {
    for slot in 0..<device.instanceCount {
      let broken = brokenRun(of: slot) ?? brokenTicket(of: slot, at: now) ?? brokenBalance(of: slot)
      if let broken = broken ?? brokenViews(of: slot, at: now) {
        return "device \(number), instance \(slot), \(now.millisecondsSinceStart) ms: \(broken)"
      }
    }
    let broken = brokenSession(at: now) ?? brokenApp(at: now) ?? brokenPower ?? brokenCount
    return broken.map { "device \(number), \(now.millisecondsSinceStart) ms: \($0)" }
  }

  private func brokenRun(of slot: Int) -> String? {
    let instance = instances[slot]
    let ends = queue.count(of: .answers(UInt8(slot))) + queue.count(of: .runEnd(UInt8(slot)))
    let tickets = looks(at: slot)
    let waits = instance.isRunning && (instance.activity == .joining || instance.run.flight.pending > 0)
    if instance.isRunning != (ends == 1 || waits) || waits && ends > 0 {
      return "\(ends) ends are pending, running is \(instance.isRunning), waiting for answers \(waits)"
    }
    if instance.isRunning, instance.ticket.planned != .never || tickets > 0 { return "a ticket during a run" }
    if !instance.isRunning, instance.nextFree != nil { return "a request kept without a run" }
    if !instance.isPlaced, instance.isRunning || instance.ticket.exists { return "lives unplaced" }
    return nil
  }

  /// Pending looks at the ticket of an instance.
  private func looks(at slot: Int) -> Int {
    queue.count(of: .start(UInt8(slot))) + queue.count(of: .eligible(UInt8(slot)))
  }

  private func brokenTicket(of slot: Int, at now: Instant) -> String? {
    let (ticket, wait, eligible) = (instances[slot].pendingTicket, instances[slot].wait, eligible(slot))
    let pending = looks(at: slot)
    guard ticket.exists else {
      return pending > 0 || wait.reason != nil ? "a start or a wait without a ticket" : nil
    }
    if ticket.due > eligible || eligible > ticket.planned { return "due, e, planned out of order" }
    if eligible < instances[slot].lastEnd + cohort.pointee.system.minSpacing { return "e within the spacing" }
    if wait.reason == nil, pending != 1 || ticket.planned < now { return "a ticket that nothing will look at" }
    if wait.reason != nil, pending > 1 || wait.since < ticket.planned || wait.since > now {
      return "a wait out of time"
    }
    return nil
  }

  private func brokenBalance(of slot: Int) -> String? {
    let (account, budget) = (instances[slot].account, cohort.pointee.system.budget)
    if plan.countsDemand { return nil }
    // A fixed budget may have been more when it was last renewed, if its capacity follows the views.
    let most: RunMillionths? =
      switch (budget.model, cohort.pointee.members[Int(instances[slot].member)].capacity) {
      case (.bucket, _): account.ceiling(budget)
      case (.fixed, .fixed), (.fixed, .range): account.capacity
      case (.fixed, .views), (.off, _): nil
      }
    guard budget.model != .off, account.balance.count < -1_000_000 || account.balance > most ?? account.balance else {
      return nil
    }
    return "the balance is \(account.balance.count) millionths"
  }

  private func brokenViews(of slot: Int, at now: Instant) -> String? {
    guard cohort.pointee.hasPeople else { return nil }
    let (views, instance) = (views[slot], instances[slot])
    // A widget of long standing was seen before it was placed.
    let isNew = cohort.pointee.members[Int(instance.member)].demand == nil
    if views.last > now || isNew && views.today > views.total { return "views out of count" }
    if views.total > 0, !instance.isPlaced { return "looked at before it was placed" }
    if views.awaitingRun > 0, !instance.isRunning { return "views wait for a run that is not there" }
    if views.awaitingNext > 0, instance.nextFree == nil { return "views wait for a run that will not come" }
    return nil
  }

  private func brokenSession(at now: Instant) -> String? {
    let presence = device.presence
    guard presence.isInSession == (presence.lastSessionEnd == .never) else { return "in a session and out of it" }
    if presence.isInSession, person.session.start > now || person.session.end < now { return "a session out of time" }
    if !presence.isInSession, presence.lastSessionEnd > now { return "a session ended in the future" }
    if presence.isInSession != (queue.count(of: .sessionEnd) == 1) { return "a session without an end" }
    return nil
  }

  private func brokenApp(at now: Instant) -> String? {
    let presence = device.presence
    if presence.isForeground, !presence.isInSession, presence.lastSessionEnd != now {
      return "an app on a locked screen"
    }
    if presence.isForeground != (queue.count(of: .appClose) == 1) { return "a foreground spell without an end" }
    if presence.isPlayingAudio != (queue.count(of: .audioEnd) == 1) { return "an audio spell without an end" }
    for kind in 0..<(plan.hasCalls ? plan.kinds.count : 0) {
      if calls[kind].awaitsForegroundEnd, !presence.isForeground { return "kind \(kind): a call that nobody ends" }
      if calls[kind].awaitsAudioEnd, !presence.isPlayingAudio { return "kind \(kind): an audio call that nobody ends" }
      if calls[kind].lastCall > now { return "kind \(kind): a call in the future" }
    }
    return nil
  }

  private var brokenPower: String? {
    let battery = device.battery
    if battery.level < .zero || battery.level > battery.capacity { return "the battery is at \(battery.level)" }
    return energy.brokenInvariant
  }

  private var brokenCount: String? {
    for kind in 0..<tally.shape.kinds {
      let row = tally.rows[kind]
      let charged = Cause.allCases.filter(\.isCharged).reduce(UInt32(0)) { $0 + row.runs[Int($1.rawValue)] }
      if charged != row.charged { return "kind \(kind): \(row.charged) charged runs, by cause \(charged)" }
      if row.staleViews > row.views { return "kind \(kind): more stale views than views" }
    }
    return nil
  }
}
