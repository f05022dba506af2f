import Scenario
import SimulationKernel

/// Tickets: how scheduled reloads come, merge, wait and start (MODEL.md 4.3-4.6).
extension DeviceSimulator {
  /// A scheduled request: a new ticket, or merged with what is there.
  mutating func requestScheduled(_ slot: Int, due: Instant, cause: Cause, at now: Instant) {
    if instances[slot].isRunning {
      instances[slot].ticket.keep(due: due, cause: cause)
      return
    }
    guard instances[slot].ticket.exists else {
      setTicket(slot, due: due, cause: cause, at: now)
      return
    }
    guard due < instances[slot].ticket.due else { return }
    cancelTicket(slot)
    setTicket(slot, due: due, cause: cause, at: now)
  }

  /// The draws that belong to the ticket after an instance's last run, the same through merges (MODEL.md 4.3).
  @inline(__always)
  func scheduleDraws(_ slot: Int) -> UniformPair {
    stream.block(.schedule, part: Int(instances[slot].member), index: Int(instances[slot].runs)).uniforms
  }

  /// Writes the ticket of an instance and puts its next look into the queue.
  ///
  /// - Parameter uniform: U, from which the start delay follows; nil: it is not drawn yet.
  mutating func setTicket(_ slot: Int, due: Instant, cause: Cause, uniform: UInt64? = nil, at now: Instant) {
    let instance = instances + slot
    instance.pointee.ticket = Ticket(due: due, cause: cause, planned: .never)
    let eligible = eligible(slot)
    if cohort.pointee.system.delayDependsOnSession, eligible > now, cause.isDelayedBySession {
      schedule(.eligible(UInt8(slot)), at: eligible)
    } else {
      plan(slot, cause, eligible: eligible, uniform: uniform)
    }
  }

  /// e of an instance's ticket (MODEL.md 4.4).
  @inline(__always)
  func eligible(_ slot: Int) -> Instant {
    let instance = instances + slot
    return instance.pointee.ticket.eligible(after: instance.pointee.lastEnd, cohort.pointee.system.minSpacing)
  }

  /// Fixes the start delay of a ticket, by the session at its eligible instant (MODEL.md 4.5).
  mutating func becomeEligible(_ slot: Int) {
    guard let cause = instances[slot].ticket.cause else { return }
    plan(slot, cause, eligible: eligible(slot), uniform: nil)
  }

  @inline(__always)
  private mutating func plan(_ slot: Int, _ cause: Cause, eligible: Instant, uniform: UInt64?) {
    let delay = delay(of: cause)
    let delayed =
      delay.isConstant ? delay.span(at: 0) : delay.span(at: uniform ?? scheduleDraws(slot).first)
    let planned = eligible + delayed
    instances[slot].ticket.planned = planned
    let event = DeviceEvent.start(UInt8(truncatingIfNeeded: slot))
    queue.scheduleInPlace(event, at: planned, rank: event.rank)
  }

  /// Takes a ticket's next look out of the queue.
  mutating func cancelTicket(_ slot: Int) {
    let number = UInt8(truncatingIfNeeded: slot)
    if instances[slot].ticket.planned == .never {
      queue.cancelSoonest { if case .eligible(number) = $0 { true } else { false } }
    } else {
      queue.cancelSoonest { if case .start(number) = $0 { true } else { false } }
    }
  }

  /// D, by the class of the cause (MODEL.md 4.5).
  @inline(__always)
  private func delay(of cause: Cause) -> SpanSampler {
    switch cause {
    case .background: cohort.pointee.system.backgroundDelay
    case .widgetPush: cohort.pointee.system.widgetPushDelay
    default: device.presence.isInSession ? cohort.pointee.system.inUseDelay : cohort.pointee.system.policyDelay
    }
  }

  /// The planned start of a ticket, or the end of its wait: starts the run or waits (on).
  ///
  /// Where nothing disturbs the run, and another ticket is the next thing to come up on the phone, that one follows here:
  /// runs of most phones stand in a row.
  ///
  /// - Returns: when the last of these tickets came up.
  @inline(never)
  mutating func ticketsComeUp(_ slot: Int, at now: Instant) -> Instant {
    var (slot, now) = (slot, now)
    while let cause = instances[slot].ticket.cause {
      let plans = unperturbed[slot].plans
      guard startsFreely(slot, plans, at: now) || startsByRules(slot, at: now) else { break }
      guard let plans, now >= .start, plans.pointee.after != nil else {
        startOther(slot, plans, cause: cause, at: now)
        break
      }
      guard let planned = liveUnperturbed(slot, plans, cause: cause, at: now) else {
        startDisturbed(slot, cause: cause, at: now)
        break
      }
      guard let next = exchangeStart(slot, planned: planned) else { break }
      (slot, now) = next
      tally.eventCount &+= 1
    }
    return now
  }

  /// Puts a planned start into the queue and takes the next one out, if that is what comes next before the clock ends.
  ///
  /// Which of two starts comes first cannot be foreseen: there is no branch on it.
  @inline(__always)
  private mutating func exchangeStart(_ slot: Int, planned: Instant) -> (slot: Int, at: Instant)? {
    let rank = DeviceEvent.start(0).rank
    guard let (soonest, event) = queue.next, case .start(let other) = event, min(planned, soonest) < plan.end else {
      queue.scheduleInPlace(.start(UInt8(truncatingIfNeeded: slot)), at: planned, rank: rank)
      return nil
    }
    let isFirst = planned < soonest
    let (first, second) = isFirst ? (slot, Int(other)) : (Int(other), slot)
    queue.replaceSoonest(
      by: .start(UInt8(truncatingIfNeeded: second)), at: max(planned, soonest), rank: rank, isOld: isFirst)
    return (first, min(planned, soonest))
  }

  /// Starts the run of a ticket in the warm-up, or of a kind whose policy is not after(...) or that is never unperturbed.
  @inline(never)
  private mutating func startOther(
    _ slot: Int, _ plans: UnsafePointer<UnperturbedPlan>?, cause: Cause, at now: Instant
  ) {
    if let plans, liveOtherUnperturbed(slot, plans, cause: cause, at: now) { return }
    startDisturbed(slot, cause: cause, at: now)
  }

  /// Starts the run of a ticket the long way.
  private mutating func startDisturbed(_ slot: Int, cause: Cause, at now: Instant) {
    startScheduled(slot, cause: cause, due: instances[slot].ticket.due, at: now)
    if cohort.pointee.system.coalescingWindow > .zero { coalesce(with: slot, at: now) }
  }

  /// Whether the rules let the run of a ticket start; otherwise it waits (on).
  @inline(never)
  private mutating func startsByRules(_ slot: Int, at now: Instant) -> Bool {
    guard case .wait(let until, let reason) = decide(slot, at: now) else { return true }
    withhold(slot, because: reason, at: now)
    if until < .never { schedule(.start(UInt8(slot)), at: until) }
    return false
  }

  /// Has a ticket that waits looked at as the last thing of this instant.
  mutating func lookAgain(at slot: Int, _ now: Instant) {
    queue.cancel(.start(UInt8(slot)))
    schedule(.start(UInt8(slot)), at: now)
  }

  /// Whether a ticket starts now because most rules have nothing to say to it; false: they are to be asked.
  @inline(__always)
  private mutating func startsFreely(
    _ slot: Int, _ plans: UnsafePointer<UnperturbedPlan>?, at now: Instant
  ) -> Bool {
    guard let plans, plans.pointee.startsFreely, !device.battery.isSaving else { return false }
    let account = instances[slot].account
    return account.isUpToDate(at: now) && account.balance >= BudgetAccount.threshold(isCharging: false)
  }

  /// Asks the rules whether a ticket may start now.
  @inline(__always)
  private mutating func decide(_ slot: Int, at now: Instant) -> StartDecision {
    let (lowPowerEnd, sufficesAt) = (lowPowerEnd(slot), budgetSuffices(slot, at: now))
    return StartRule.decide(
      instances[slot].ticket, eligible: eligible(slot), at: now, isLocked: isLocked(slot),
      idle: cohort.pointee.system.idle, lastSessionEnd: device.presence.lastSessionEnd, lowPowerEnd: lowPowerEnd,
      budgetSufficesAt: sufficesAt)
  }

  /// Whether data protection withholds an instance's scheduled runs (MODEL.md 3.3, 4.5).
  @inline(__always)
  private func isLocked(_ slot: Int) -> Bool {
    plan.kinds.pointer(at: Int(instances[slot].kind)).pointee.isProtected && !device.presence.isInSession
  }

  /// When the budget lets a charged run start: now, or later.
  @inline(__always)
  private mutating func budgetSuffices(_ slot: Int, at now: Instant) -> Instant {
    let instance = instances + slot
    if !instance.pointee.account.isUpToDate(at: now) {
      instance.pointee.account.update(at: now, plan: cohort.pointee.system.budget, clock: accrualClock)
    }
    if instance.pointee.account.suffices(plan: cohort.pointee.system.budget, isCharging: false) { return now }
    return chargingSuffices(slot, at: now)
  }

  /// When a balance below 1 suffices: on the charger 0 is enough.
  private mutating func chargingSuffices(_ slot: Int, at now: Instant) -> Instant {
    let budget = cohort.pointee.system.budget
    let account = instances[slot].account
    if account.suffices(plan: budget, isCharging: isCharging) { return now }
    let threshold = BudgetAccount.threshold(isCharging: isCharging)
    return account.instant(reaching: threshold, plan: budget, clock: accrualClock)
  }

  /// Whether the phone is on a charger or on mains.
  @inline(__always)
  var isCharging: Bool {
    if case .mains = cohort.pointee.power { return true }
    return device.battery.isCharging
  }

  /// Begins a wait, or goes on with one for the same reason.
  private mutating func withhold(_ slot: Int, because reason: WaitReason, at now: Instant) {
    guard instances[slot].wait.reason != reason else { return }
    endWait(slot, at: now)
    instances[slot].wait = Wait(reason: reason, since: now)
    guard reason == .budget else { return }
    let local = wall.reading(at: now)
    let day = Int32(truncatingIfNeeded: local.day.number)
    guard day != instances[slot].exhaustedDay else { return }
    instances[slot].exhaustedDay = day
    guard plan.isMeasured(now) else { return }
    tally.recordExhaustion(at: local, now, cohort: device.cohort, kind: Int(instances[slot].kind))
  }

  /// Ends a wait if there is one; it counts when it ends in the measured period.
  @inline(__always)
  mutating func endWait(_ slot: Int, at now: Instant) {
    if let reason = instances[slot].wait.reason { endWait(slot, for: reason, at: now) }
  }

  @inline(never)
  private mutating func endWait(_ slot: Int, for reason: WaitReason, at now: Instant) {
    if plan.isMeasured(now) {
      let length = now - instances[slot].wait.since
      tally.recordWait(reason, length: length, cohort: device.cohort, kind: Int(instances[slot].kind))
    }
    instances[slot].wait = .none
  }

  private mutating func startScheduled(_ slot: Int, cause: Cause, due: Instant, at now: Instant) {
    if plan.isMeasured(now) {
      tally.recordLateness(now - due, cohort: device.cohort, kind: Int(instances[slot].kind))
    }
    if cause.isCharged { instances[slot].account.charge(BudgetAccount.price(plan: cohort.pointee.system.budget)) }
    startRun(slot, cause: cause, at: now)
  }

  /// Starts the tickets that may start now and are planned within the window (MODEL.md 4.6).
  mutating func coalesce(with starter: Int, at now: Instant) {
    let window = cohort.pointee.system.coalescingWindow
    guard window > .zero, device.instanceCount > 1 else { return }
    for slot in 0..<device.instanceCount where slot != starter {
      let ticket = instances[slot].ticket
      guard let cause = ticket.cause, !instances[slot].isRunning else { continue }
      guard now >= eligible(slot), now < ticket.planned, ticket.planned <= now + window else { continue }
      guard decide(slot, at: now) == .start else { continue }
      cancelTicket(slot)
      startScheduled(slot, cause: cause, due: ticket.due, at: now)
    }
  }
}

/// Free runs: no ticket, no spacing, nothing withholds them (MODEL.md 4.2-4.4).
extension DeviceSimulator {
  /// Asks for a free run of every placed instance of a kind.
  mutating func requestFree(kind: Int, cause: Cause, at now: Instant) {
    for slot in 0..<device.instanceCount where instances[slot].kind == kind && instances[slot].isPlaced {
      requestFree(slot, cause: cause, at: now)
    }
  }

  /// A free run at once, or after the one in progress: at most one, with the last cause.
  mutating func requestFree(_ slot: Int, cause: Cause, at now: Instant) {
    guard !instances[slot].isRunning else {
      instances[slot].nextFree = cause
      return
    }
    if liveUnperturbedHit(slot, cause: cause, at: now) { return }
    // The ticket stands until the run replaces it, but it cannot start before.
    if instances[slot].ticket.exists { cancelTicket(slot) }
    startRun(slot, cause: cause, at: now)
    schedule(.coalescing(starter: UInt8(slot)), at: now)
  }
}
