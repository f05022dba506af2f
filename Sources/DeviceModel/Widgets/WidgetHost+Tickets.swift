import Scenario
import SimulationKernel

/// How scheduled reloads are asked for and start: the turns of a ticket (MODEL.md 4.3-4.6).
extension WidgetHost {
  /// Asks for a scheduled reload: a new ticket, or merged with what is there.
  mutating func requestScheduled(_ slot: Slot, _ request: ReloadRequest, at now: Instant) {
    if provider.isRunning(slot) {
      scheduler.keep(request, of: slot)
    } else {
      scheduler.request(request, of: slot, after: provider.lastRun(of: slot), at: now, &phone)
    }
  }

  /// Asks for a scheduled run of every placed widget of a kind, due at once.
  mutating func requestInBackground(_ kind: KindIndex, at now: Instant) {
    for slot in phone.slots where phone.kindIndex(of: slot) == kind && provider.isPlaced(slot) {
      requestScheduled(slot, ReloadRequest(due: now, cause: .background), at: now)
    }
  }

  mutating func becomeEligible(_ slot: Slot) {
    scheduler.becomeEligible(slot, after: provider.lastRun(of: slot), &phone)
  }

  /// The planned start of a ticket, or the end of its wait: starts the run or waits (on).
  ///
  /// Where nothing disturbs the run, and another ticket is the next thing to come up on the phone, that one follows here:
  /// runs of most phones stand in a row.
  ///
  /// - Returns: when the last of these tickets came up.
  @inline(never)
  mutating func ticketsComeUp(_ slot: Slot, at now: Instant) -> Instant {
    var (slot, now) = (slot, now)
    while let cause = scheduler.ticket(of: slot).cause {
      let plans = log.plans(of: slot)
      guard startsFreely(slot, plans, at: now) || startsByRules(slot, at: now) else { break }
      guard let plans, now >= .start, plans.onAny.after != nil else {
        startOther(slot, plans, cause: cause, at: now)
        break
      }
      guard let planned = liveUnperturbed(slot, plans, cause: cause, at: now) else {
        startDisturbed(slot, cause: cause, at: now)
        break
      }
      guard let next = exchangeStart(slot, planned: planned) else { break }
      (slot, now) = next
      phone.tally.eventCount &+= 1
    }
    return now
  }

  /// Puts a planned start into the queue and takes the next one out, if that is what comes next before the clock ends.
  ///
  /// Which of two starts comes first cannot be foreseen: there is no branch on it.
  @inline(__always)
  private mutating func exchangeStart(_ slot: Slot, planned: Instant) -> (slot: Slot, at: Instant)? {
    let rank = DeviceEvent.start(slot).rank
    guard let (soonest, event) = phone.queue.next, case .start(let other) = event,
      min(planned, soonest) < phone.life.end
    else {
      phone.queue.scheduleInPlace(.start(slot), at: planned, rank: rank)
      return nil
    }
    let isFirst = planned < soonest
    let (first, second) = isFirst ? (slot, other) : (other, slot)
    phone.queue.replaceSoonest(by: .start(second), at: max(planned, soonest), rank: rank, isOld: isFirst)
    return (first, min(planned, soonest))
  }

  /// Starts the run of a ticket in the warm-up, or of a kind whose policy is not after(...) or that is never unperturbed.
  @inline(never)
  private mutating func startOther(_ slot: Slot, _ plans: UnperturbedChoice?, cause: Cause, at now: Instant) {
    if let plans, liveOtherUnperturbed(slot, plans, cause: cause, at: now) { return }
    startDisturbed(slot, cause: cause, at: now)
  }

  /// Starts the run of a ticket the long way.
  @inline(never)
  private mutating func startDisturbed(_ slot: Slot, cause: Cause, at now: Instant) {
    startScheduled(slot, ReloadRequest(due: scheduler.ticket(of: slot).due, cause: cause), at: now)
    if Rules.coalescingWindow(phone.cohort) > .zero { coalesce(with: slot, at: now) }
  }

  /// Whether a ticket starts now because most rules have nothing to say to it; false: they are to be asked.
  @inline(__always)
  private mutating func startsFreely(_ slot: Slot, _ plans: UnperturbedChoice?, at now: Instant) -> Bool {
    guard let plans, plans.onAny.startsFreely else { return false }
    return scheduler.startsFreely(slot, at: now, power)
  }

  /// Whether the rules let the run of a ticket start; otherwise it waits (on).
  @inline(never)
  private mutating func startsByRules(_ slot: Slot, at now: Instant) -> Bool {
    let decision = scheduler.decide(slot, after: provider.lastRun(of: slot), at: now, &phone, power)
    guard case .wait(let until, let reason) = decision else { return true }
    scheduler.withhold(slot, because: reason, at: now, &phone)
    if until < .never { phone.schedule(.start(slot), at: until) }
    return false
  }

  @inline(__always)
  private mutating func startScheduled(_ slot: Slot, _ request: ReloadRequest, at now: Instant) {
    if phone.plan.isMeasured(now) { phone.tally.recordLateness(now - request.due, phone.group(of: slot)) }
    if request.cause.isCharged { scheduler.charge(slot, Rules.price(phone.cohort)) }
    startRun(slot, cause: request.cause, at: now)
  }

  /// Starts the tickets that may start now and are planned within the window (MODEL.md 4.6).
  mutating func coalesce(with starter: Slot, at now: Instant) {
    guard Rules.coalescingWindow(phone.cohort) > .zero, phone.widgetCount > 1 else { return }
    for slot in phone.slots where slot != starter && !provider.isRunning(slot) {
      guard let request = scheduler.ticket(of: slot).request else { continue }
      guard scheduler.coalesces(slot, after: provider.lastRun(of: slot), at: now, &phone, power) else { continue }
      scheduler.cancel(slot, &phone)
      startScheduled(slot, request, at: now)
    }
  }

  /// Something has happened that ends some waits.
  mutating func endWaits(with relief: Relief, at now: Instant) { scheduler.endWaits(with: relief, at: now, &phone) }
}
