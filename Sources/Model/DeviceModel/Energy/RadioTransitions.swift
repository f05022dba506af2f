import Scenario
package import SimulationKernel

/// The radio's transitions (MODEL.md 7.1): IDLE -> PROMOTION -> ACTIVE -> TAIL 1..k -> IDLE, and sessions, which keep
/// it active.
extension EnergyAccount {
  // MARK: Requests

  /// Marks the most recently sent request as a request without a known end.
  @inline(__always)
  mutating func leaveOpen(_ slot: Int) { if isKept { flows[slot].addOpen() } }

  /// Sets the end of a request that had no known end; `end` must not be in the past. The flow ends when the last of its
  /// requests ends.
  package mutating func answer(_ slot: Int, at end: Instant) {
    guard isKept else { return }
    flows[slot].removeOpen()
    // A request cannot be answered before it goes on the air.
    let isEarly = radio.phase == .promotion && radio.payers & bit(slot) != 0
    extendFlow(slot, to: isEarly ? max(end, radio.phaseEnd) : end)
  }

  /// Makes a run wait for the answers to a leader's requests while these requests are in the air.
  ///
  /// This method is called when the run joins the leader's flight, and again whenever the leader has sent a request or
  /// received an answer.
  mutating func follow(_ slot: Int, _ leader: Int, at now: Instant) {
    guard isKept else { return }
    advance(to: now)
    guard radio.waiting & bit(leader) != 0 else { return }
    let bit = bit(slot)
    if radio.waiting & bit == 0 {
      settle(at: now)
      radio.detached |= bit
    }
    flows[slot].follow(flows[leader])
    radio.expectChange(at: flows[slot].knownEnd)
  }

  /// Extends an instance's flow so that it ends at `end` or later.
  @inline(__always)
  mutating func extendFlow(_ slot: Int, to end: Instant) {
    guard isKept else { return }
    assert(end >= radio.since, "a request ends after it was sent")
    flows[slot].extend(to: end)
    radio.expectChange(at: flows[slot].knownEnd)
  }

  /// Adds an instance that uses the radio or waits for it. The caller then sets the end of the instance's flow.
  ///
  /// - Returns: the delay until the instance is on the air.
  @inline(__always)
  mutating func beginFlow(_ slot: Int, at now: Instant) -> TimeAmount {
    guard isKept else { return .zero }
    advance(to: now)
    if radio.isAsleep, radio.detached == 0 { return wake(for: bit(slot), at: now) }
    return joinFlows(bit(slot), at: now)
  }

  /// Handles the common case, in which the radio is unused and no instances are waiting.
  @inline(__always)
  private mutating func wake(for bit: UInt64, at now: Instant) -> TimeAmount {
    let isDozing = radio.phase == .dozing && now == radio.since
    let delay: TimeAmount = isDozing ? .zero : plan.promotion.length
    let onAir = now + delay
    radio.since = now
    radio.payers = bit
    if delay > .zero {
      radio.phase = .promotion
      radio.phaseEnd = onAir
      radio.nextChange = onAir
    } else {
      radio.phase = .active
      radio.nextChange = .never
    }
    return delay
  }

  /// Whether a request sent now would have the radio to itself, because the radio is unused and has not just been
  /// released.
  @inline(__always)
  mutating func isFree(at now: Instant) -> Bool {
    // A radio that is asleep has no pending changes.
    if now > radio.since, radio.isAsleep, radio.detached == 0 { return true }
    return becomesFree(at: now)
  }

  /// Brings the radio up to date. Returns whether a request sent now would have the radio to itself.
  @inline(never)
  private mutating func becomesFree(at now: Instant) -> Bool {
    guard isKept else { return true }
    advance(to: now)
    guard radio.isAsleep, radio.detached == 0 else { return false }
    return radio.phase == .idle || now > radio.since
  }

  /// Handles a complete flow that overlaps no other flow, from its request at `now` to its answer at `end`.
  ///
  /// - Parameter next: the next event on the phone.
  @inline(__always)
  mutating func passFlow(
    _ slot: Int, _ run: Prepared<UnperturbedPlan>, from now: Instant, to end: Instant,
    unperturbedUntil next: Instant
  ) {
    guard isKept else { return }
    let onAir = now + run.promotion
    let air = end - onAir
    let asleep = end + run.tailLength
    guard asleep <= next else { return beginFlow(slot, run, air: air, from: now, to: end) }
    assert(radio.payers == 0 && radio.nextChange == .never, "a sleeping radio has neither payers nor scheduled changes")
    assert(widgets & bit(slot) != 0, "an unperturbed run belongs to a widget")
    radio.undrawn += run.fixedEnergy + run.lonePower * air
    ledger.chargeUnperturbed(slot, air: air, of: run)
    radio.since = asleep
    radio.phase = .dozing
  }

  /// Starts a flow that overlaps no other flow so far; another request may still use its tail.
  @inline(never)
  private mutating func beginFlow(
    _ slot: Int, _ run: Prepared<UnperturbedPlan>, air: TimeAmount, from now: Instant, to end: Instant
  ) {
    _ = wake(for: bit(slot), at: now)
    ledger.noteAlone(slot, air: air)
    transferInFlight(
      slot, down: run.down, up: run.up, over: run.radio, inSession: false)
    extendFlow(slot, to: end)
  }

  /// Adds a request while other requests are on the air or in their tail.
  @inline(never)
  private mutating func joinFlows(_ bit: UInt64, at now: Instant) -> TimeAmount {
    let delay = radio.delay(at: now, promotion: plan.promotion.length)
    if radio.flowing & bit != 0 { return delay }
    settle(at: now)
    // The instance now has a flow on the current interface, which ends with the last of its requests.
    radio.detached &= ~bit
    switch radio.phase {
    case .promotion, .active, .held: radio.payers |= bit
    case .idle, .dozing, .tail: wake(for: bit, after: delay, at: now)
    }
    return delay
  }

  private mutating func wake(for bit: UInt64, after delay: TimeAmount, at now: Instant) {
    radio.payers = bit
    if delay > .zero {
      radio.phase = .promotion
      radio.phaseEnd = now + delay
    } else {
      radio.phase = .active
    }
    // The caller sets the end of this flow next.
    radio.nextChange = radio.detached == 0 ? radio.spellEnd : soonestChange()
  }

  // MARK: The user and the network

  /// Starts keeping the radio active for a session; the timing of requests in the air does not change.
  package mutating func startSession(at now: Instant) {
    guard isKept else { return }
    advance(to: now)
    assert(radio.phase != .held, "sessions do not overlap")
    settle(at: now)
    if radio.phase == .promotion { payPromotion(upTo: now) }
    radio.payers = radio.flowing
    radio.phase = .held
    radio.nextChange = soonestChange()
  }

  /// Stops keeping the radio active for a session. If flows are in the air, they pay for the radio; otherwise, the
  /// user's tail starts.
  package mutating func endSession(at now: Instant) {
    guard isKept else { return }
    advance(to: now)
    assert(radio.phase == .held, "only a session that has started can end")
    settle(at: now)
    if radio.payers == 0 { beginTail(0, of: 0, at: now) } else { radio.phase = .active }
    radio.nextChange = soonestChange()
  }

  /// Switches to another interface, whose radio is asleep. The promotion, the flows and the tail on the old interface
  /// end, but runs keep waiting for their answers.
  package mutating func changeInterface(to interface: Int, at now: Instant) {
    guard interface != Int(radio.interface) else { return }
    if isKept { leaveInterface(at: now) }
    radio.interface = UInt8(truncatingIfNeeded: interface)
    plan = plans.element(at: interface)
    radio.nextChange = soonestChange()
  }

  private mutating func leaveInterface(at now: Instant) {
    advance(to: now)
    settle(at: now)
    price()
    if radio.phase == .promotion { payPromotion(upTo: now) }
    radio.detached |= radio.flowing
    radio.payers = 0
    if radio.phase != .held { radio.phase = .idle }
  }

  // MARK: Scheduled ends

  /// Handles a common case in one step: a single run woke the radio, and the radio is asleep again. Returns `false` in
  /// all other cases.
  @inline(__always)
  mutating func passLoneRun(by now: Instant) -> Bool {
    guard radio.phase == .promotion, radio.detached == 0, radio.payers & (radio.payers &- 1) == 0 else { return false }
    let slot = radio.payers.trailingZeroBitCount
    let end = flows[slot].knownEnd
    let onAir = radio.phaseEnd
    let asleep = end + plan.tailLength
    // Promotions that another request joined, or that were split by the end of a period, are excluded here.
    guard asleep <= now, radio.since + plan.promotion.length == onAir else { return false }
    let air = end - onAir
    let energy = plan.aroundLone + plan.lonePower * air
    ledger.chargeLone(slot, air: air, energy: energy)
    radio.undrawn += energy + flows[slot].unload()
    radio.since = asleep
    radio.payers = 0
    radio.phase = .dozing
    radio.nextChange = .never
    return true
  }

  /// Handles another common case: a session ended, and the radio is asleep again after the user's tails. Returns
  /// `false` in all other cases.
  private mutating func passLoneTails(by now: Instant) -> Bool {
    guard radio.phase == .tail, radio.tail == 0, radio.payers | radio.detached == 0 else { return false }
    let asleep = radio.since + plan.tailLength
    // Tails that were split by the end of a period are excluded here.
    guard asleep <= now, radio.since + plan.tails[0].length == radio.phaseEnd else { return false }
    spend(plan.tailEnergy, .tail, by: 0)
    radio.since = asleep
    radio.phase = .dozing
    radio.nextChange = .never
    return true
  }

  @inline(never)
  mutating func passChanges(to now: Instant) {
    if passLoneTails(by: now) { return }
    while radio.nextChange <= now { passChange(at: radio.nextChange) }
  }

  /// Handles the next change of the radio, which happens at `now`.
  @inline(__always)
  private mutating func passChange(at now: Instant) {
    if radio.phase == .promotion, radio.phaseEnd <= now {
      settle(at: now)
      payPromotion(upTo: now)
      radio.phase = .active
    } else if radio.phase == .tail, radio.phaseEnd <= now {
      settle(at: now)
      beginTail(Int(radio.tail) + 1, of: radio.payers, at: now)
    }
    let waiting = radio.waiting
    if waiting & (waiting &- 1) == 0 {
      passFlow(waiting, at: now)
    } else {
      passFlows(waiting, at: now)
    }
  }

  /// Handles the case in which there is at most one flow.
  @inline(__always)
  private mutating func passFlow(_ flow: UInt64, at now: Instant) {
    var end = Instant.never
    if flow != 0 {
      end = flows[flow.trailingZeroBitCount].knownEnd
      if end <= now {
        end = .never
        endFlows(flow, at: now)
      }
    }
    radio.nextChange = min(end, radio.spellEnd)
  }

  @inline(never)
  private mutating func passFlows(_ waiting: UInt64, at now: Instant) {
    var ended: UInt64 = 0
    var left = waiting
    while left != 0 {
      if flows[left.trailingZeroBitCount].knownEnd <= now { ended |= left & (0 &- left) }
      left &= left &- 1
    }
    if ended != 0 { endFlows(ended, at: now) }
    radio.nextChange = soonestChange()
  }

  /// Removes the flows that have ended, and starts the tail if no flow is left on the air.
  @inline(__always)
  private mutating func endFlows(_ ended: UInt64, at now: Instant) {
    settle(at: now)
    var left = ended
    while left != 0 {
      radio.undrawn += flows[left.trailingZeroBitCount].unload()
      left &= left &- 1
    }
    radio.detached &= ~ended
    guard radio.phase == .active || radio.phase == .held else { return }
    let last = radio.payers & ended
    radio.payers &= ~ended
    if radio.phase == .active, radio.payers == 0 { beginTail(0, of: last, at: now) }
  }

  /// Starts the tail with a zero-based index, or puts the radio to sleep after the last tail.
  @inline(__always)
  private mutating func beginTail(_ index: Int, of payers: UInt64, at now: Instant) {
    guard index < plan.tailCount else {
      radio.phase = .dozing
      radio.payers = 0
      return
    }
    radio.phase = .tail
    radio.tail = UInt8(truncatingIfNeeded: index)
    radio.payers = payers
    radio.phaseEnd = now + plan.tails[index].length
  }

  /// Returns the next instant at which a phase or a flow ends.
  @inline(__always)
  private func soonestChange() -> Instant {
    var soonest = radio.spellEnd
    var left = radio.waiting
    while left != 0 {
      soonest = min(soonest, flows[left.trailingZeroBitCount].knownEnd)
      left &= left &- 1
    }
    return soonest
  }

  // MARK: Promotions

  /// Charges a promotion in equal parts to all instances that waited for it, regardless of when each of them started to
  /// wait.
  @inline(__always)
  mutating func payPromotion(upTo now: Instant) {
    spend(promotionEnergy(upTo: now), .promotion, by: radio.payers)
  }

  /// Returns the energy of the current promotion since the start of the promotion or of the period, whichever is later.
  @inline(__always)
  func promotionEnergy(upTo now: Instant) -> Energy {
    let promotion = plan.promotion
    return promotion.power * (now - max(radio.phaseEnd - promotion.length, periodStart))
  }
}
