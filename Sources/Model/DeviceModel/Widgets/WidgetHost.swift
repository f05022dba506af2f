import Scenario
import SimulationKernel

/// The widgets of the current phone, together with its scheduler, provider, network and battery (MODEL.md 4, 5).
///
/// The scheduler starts the runs of the widgets, and the provider performs them. Actions that span several components
/// are implemented here, but each component changes only the state that it owns.
struct WidgetHost<Rules: SchedulerRules>: ~Copyable {
  var phone: PhoneCore
  var connection: Connection
  var power: PowerSupply
  private(set) var views: Views
  var log: RunLog

  /// Creates a host before the first phone starts, in memory that is not used by any phone yet.
  init(plan: FleetPlan, shape: Tally.Shape, in memory: DeviceMemory) {
    phone = PhoneCore(plan: plan, shape: shape, in: memory)
    connection = Connection(plan: plan, in: memory)
    views = Views(in: memory)
    log = RunLog(phone, in: memory, Rules.self)
    memory.power.initialize(to: .none)
    power = PowerSupply(in: memory)
  }

  // These components are created on demand from the memory layout, because usually only a few of them are needed.
  @inline(__always)
  var scheduler: Scheduler<Rules> { Scheduler(phone.rows) }
  @inline(__always)
  var provider: Provider { Provider(phone.rows, in: phone.memory) }

  // MARK: The phone

  /// Starts a new phone, which has no widgets yet.
  mutating func begin(_ identity: PhoneIdentity, in memory: DeviceMemory) {
    phone.begin(identity, in: memory)
    connection.begin(&phone, in: memory)
    power = PowerSupply(beginning: &phone, in: memory)
    wakeWidgets(in: memory)
    provider.begin(&phone)
  }

  /// Resumes a parked phone as the current phone.
  @inline(__always)
  mutating func wake(in memory: DeviceMemory) {
    phone.wake(in: memory)
    wakeWidgets(in: memory)
    connection.wake(&phone, in: memory)
    power = PowerSupply(in: memory)
  }

  @inline(__always)
  private mutating func wakeWidgets(in memory: DeviceMemory) {
    views = Views(in: memory)
    log.wake(in: memory)
  }

  /// Draws which of the cohort's widgets this phone has, and when each of them is placed (MODEL.md 1.2).
  mutating func drawWidgets() {
    for place in 0..<phone.cohort.members.count {
      let member = phone.cohort.members.element(at: place)
      let isPresent =
        member.share.isCertain || member.share.happens(at: phone.draws(.placement, part: member.placement).first)
      if isPresent { add(Widget(kind: member.kind, member: MemberIndex(place), family: member.family)) }
    }
  }

  private mutating func add(_ widget: Widget) {
    let slot = phone.add(widget)
    scheduler.add(slot)
    log.add(slot, &phone)
    provider.add(slot, &phone)
    if phone.hasPeople { views.add(slot) }
    phone.countInstance(of: phone.group(of: slot))
    phone.schedule(.placement(slot), at: placement(of: widget))
    if phone.isFollowed { Following.placement(slot, &self) }
  }

  /// Returns the time at which a widget is placed. For a phone that is added later, it is the start of its lifetime.
  private mutating func placement(of widget: Widget) -> Instant {
    if phone.isNewcomer { return phone.life.from }
    let uniform = phone.draws(.instance, part: widget.member.place).first
    return phone.plan.beginning + SpanSampler.part(of: phone.plan.placementSpan, at: uniform)
  }

  /// Opens the energy account of a phone whose widgets are known.
  mutating func beginEnergy(in memory: DeviceMemory) {
    connection.beginEnergy(&phone, in: memory)
    phone.tally.recordBattery(isPresent: power.capacity > .zero, phone.cohortIndex, phone.life)
  }

  /// Counts the remaining days of the phone.
  mutating func finish() {
    log.closeDays(upTo: phone.life.end, &phone)
    Following.end(&self)
    connection.endLastDay(battery: power.capacity, &phone)
    guard power.capacity > .zero else { return }
    // The battery must also be brought up to date, so that the energy accounts balance (MODEL.md 7.3).
    power.advance(to: phone.life.end, &phone, &connection)
    phone.tally.energy.addUndrawn(connection.energy.carriedInTheAir)
  }

  // MARK: Placement

  /// Places a widget, which creates its allowance and starts a free run (MODEL.md 1.2).
  ///
  /// - Parameter unlocksPerDay: the number of unlocks per day by the phone's user; it is 0 if the phone has no user.
  mutating func place(_ slot: Slot, unlocksPerDay: Double, at now: Instant) {
    let demand = phone.hasPeople && !phone.isNewcomer ? phone.member(of: slot).demand : nil
    let perDay = demand.map { unlocksPerDay * $0.demand(ofUnlocksPerDay: unlocksPerDay).views }
    if phone.hasPeople { views.begin(slot, perDay: perDay, at: now, &phone) }
    let week = phone.hasPeople ? views.week(of: slot) : nil
    let widget = NewWidget(slot: slot, week: week, viewsPerDay: perDay, unlocksPerDay: unlocksPerDay)
    scheduler.open(widget, at: now, &phone)
    startRun(slot, cause: .placement, at: now)
    phone.schedule(.coalescing(starter: slot), at: now)
  }

  // MARK: Free reloads

  /// Requests a free run of every placed widget of a kind.
  mutating func requestFree(_ kind: KindIndex, cause: Cause, at now: Instant) {
    for slot in phone.slots where phone.kindIndex(of: slot) == kind && provider.isPlaced(slot) {
      requestFree(slot, cause: cause, at: now)
    }
  }

  /// Requests a free run, which starts immediately or after the current run (MODEL.md 4.2-4.4).
  ///
  /// A free run has no ticket or minimum spacing and is never withheld.
  mutating func requestFree(_ slot: Slot, cause: Cause, at now: Instant) {
    guard !provider.isRunning(slot) else { return provider.askForNextFree(slot, cause: cause) }
    if runUnperturbedHit(slot, cause: cause, at: now) { return }
    // The ticket exists until the run replaces it, but it can no longer start.
    if scheduler.ticket(of: slot).exists { scheduler.cancel(slot, &phone) }
    startRun(slot, cause: cause, at: now)
    phone.schedule(.coalescing(starter: slot), at: now)
  }

  // MARK: Runs

  /// Starts a run. If a ticket caused the run, the queue must no longer contain the ticket's check.
  mutating func startRun(_ slot: Slot, cause: Cause, at now: Instant) {
    if phone.isFollowed { Following.start(slot, cause: cause, at: now, &self) }
    let number = beginRun(slot, at: now)
    scheduler.removeTicket(slot)
    log.count(slot, cause: cause, at: now, &phone)
    provider.flights.beginRun(slot, cause: cause, at: now)
    guard !provider.crashes(slot, number, &phone) else {
      let retry = ReloadRequest(due: now + Rules.crashRetry(phone.cohort), cause: .retry)
      scheduler.setTicket(slot, retry, after: provider.lastRun(of: slot), at: now, &phone)
      return judgeViews(slot, at: now)
    }
    provider.run(slot, number, at: now, &phone, &connection, &log)
  }

  /// Starts a run, on any path. This ends the widget's wait and clears a recorded location change.
  ///
  /// - Returns: the run's number, used as the key of its draws.
  @inline(__always) @discardableResult
  mutating func beginRun(_ slot: Slot, at now: Instant) -> UInt32 {
    scheduler.beginRun(slot, at: now, &phone)
    return provider.beginRun(slot)
  }

  /// Ends a run. Its timeline replaces the ticket, and requests made meanwhile are merged with it (MODEL.md 4.3).
  mutating func endRun(_ slot: Slot, at now: Instant) {
    let kept = scheduler.takePending(slot)
    let outcome = provider.endRun(slot, at: now)
    payForRun(slot, at: now)
    followTimeline(slot, after: outcome, at: now)
    if let kept { requestScheduled(slot, kept, at: now) }
    if let cause = provider.takeNextFree(slot) { requestFree(slot, cause: cause, at: now) }
  }

  /// Charges a run's processor time, and reschedules the battery check if reloads have drawn more than the reserve.
  @inline(__always)
  private mutating func payForRun(_ slot: Slot, at now: Instant) {
    connection.energy.spendProcessor(
      slot.place, phone.kind(of: slot).cpu, inSession: phone.presence.isInSession)
    if connection.energy.radio.undrawn > power.reserve { power.rescheduleCheck(at: now, &phone, &connection) }
  }

  /// Stores the data of a run, and sets the ticket that the timeline or the failure requires.
  @inline(__always)
  mutating func followTimeline(_ slot: Slot, after run: Provider.Outcome, at now: Instant) {
    let kind = phone.kind(of: slot)
    // If another rule needs the ticket's draw U, it generates that draw again with the same key.
    let draws = kind.drawsJitter ? phone.scheduleDraws(slot, run: provider.runs(of: slot)) : nil
    let date =
      kind.provider == nil
      ? provider.nextDate(slot, after: run, at: now, &phone, Rules.self)
      : ProviderCalls.date(slot, after: run, at: now, &self)
    if !run.hasFailed { provider.takeData(slot, of: run.dataTime, at: now, kind) }
    // A date of `.never` is not in the listed calendar and is thus after the end of the clock.
    if let date, date < .never {
      let jitter = provider.jitter(slot, uniform: draws?.second ?? 0, after: now, &phone)
      let earliest = Rules.eligible(due: now, after: now, phone.cohort)
      let due = TimelineRule.jittered(date, by: jitter, at: now, earliest: earliest)
      scheduler.setTicket(
        slot, ReloadRequest(due: due, cause: run.hasFailed ? .retry : .policy), after: provider.lastRun(of: slot),
        uniform: draws?.first, at: now, &phone)
    } else {
      scheduler.removeTicket(slot)
    }
    judgeViews(slot, at: now)
  }

  /// Evaluates the views that were waiting for the data of a run.
  @inline(__always)
  mutating func judgeViews(_ slot: Slot, at now: Instant) {
    if phone.hasPeople { views.judge(slot, dataOf: provider.dataTime(of: slot), at: now, &phone) }
  }

  /// Handles the arrival of all answers after a cache miss.
  mutating func answersArrive(_ slot: Slot, at now: Instant) { provider.answersArrive(slot, at: now, &phone) }

  /// Handles the arrival of requests at the backend in the current step.
  @inline(__always)
  mutating func arrive(_ requests: RequestOnWay, at now: Instant) {
    provider.arrive(requests, at: now, &phone, &connection, &log)
  }

  /// Sends the next attempt of a request.
  mutating func resend(_ flight: FlightNumber, _ request: UInt16, attempt: UInt8, at now: Instant) {
    let way = RequestOnWay(flight, request: Int(request), attempt: Int(attempt), on: &phone)
    provider.resend(way, at: now, &phone, &connection, &log)
  }

  /// Ends a background session's download. Charged runs requested in the background use its data (MODEL.md 5.6).
  mutating func endDownload(of kind: KindIndex, at now: Instant) {
    if provider.endDownload(of: kind, at: now, &phone) { requestInBackground(kind, at: now) }
  }

  // MARK: The system

  /// Requests a free reload of every widget in response to a system change.
  mutating func reloadForSystem(at now: Instant) {
    for slot in phone.slots where provider.isPlaced(slot) { requestFree(slot, cause: .system, at: now) }
  }

  /// Shows each widget kind of the app once in the gallery.
  mutating func showGallery(_ network: Chance, at now: Instant) {
    provider.showGallery(network, at: now, &phone, &connection)
  }

  /// Returns a description of the first broken invariant of the phone or a widget; `nil` if all invariants hold.
  func brokenInvariant(at now: Instant, _ pending: PendingCounts) -> String? {
    for slot in phone.slots {
      let (isRunning, hasTicket) = (provider.isRunning(slot), scheduler.ticket(of: slot).exists)
      let (last, looks, ends) = (provider.lastRun(of: slot), pending.looks(at: slot), pending.ends(of: slot))
      let broken =
        provider.brokenInvariant(of: slot, hasTicket: hasTicket, ends: ends)
        ?? scheduler.brokenInvariant(of: slot, after: last, isRunning: isRunning, looks: looks, at: now, phone)
        ?? (phone.hasPeople ? views.brokenInvariant(of: slot, provider, at: now, phone) : nil)
      if let broken { return "instance \(slot.place): \(broken)" }
    }
    return phone.brokenInvariant(at: now, pending) ?? power.brokenInvariant ?? connection.energy.brokenInvariant
      ?? phone.tally.brokenInvariant
  }
}

/// Scheduled reloads: how they are requested and started (MODEL.md 4.3-4.6).
extension WidgetHost {
  /// Requests a scheduled reload; the request becomes a new ticket or is merged with the current one.
  mutating func requestScheduled(_ slot: Slot, _ request: ReloadRequest, at now: Instant) {
    if provider.isRunning(slot) {
      scheduler.keep(request, of: slot)
    } else {
      scheduler.request(request, of: slot, after: provider.lastRun(of: slot), at: now, &phone)
    }
  }

  /// Requests a scheduled run, which is due immediately, of every placed widget of a kind.
  mutating func requestInBackground(_ kind: KindIndex, at now: Instant) {
    for slot in phone.slots where phone.kindIndex(of: slot) == kind && provider.isPlaced(slot) {
      requestScheduled(slot, ReloadRequest(due: now, cause: .background), at: now)
    }
  }

  mutating func becomeEligible(_ slot: Slot) {
    scheduler.becomeEligible(slot, after: provider.lastRun(of: slot), &phone)
  }

  /// Handles the planned start of a ticket or the end of its wait: either the run starts or the ticket waits.
  ///
  /// If the run is unperturbed and the next event is the start of another ticket, the call handles that ticket as well.
  ///
  /// - Returns: the instant of the last ticket that was handled.
  @inline(never)
  mutating func startDueTickets(_ slot: Slot, at now: Instant) -> Instant {
    var (slot, now) = (slot, now)
    while let cause = scheduler.ticket(of: slot).cause {
      let plans = log.plans(of: slot)
      guard startsFreely(slot, plans, at: now) || startsByRules(slot, at: now) else { break }
      guard let plans, now >= .start, plans.onAny.after != nil else {
        return ProviderCalls.startOther(slot, plans, cause: cause, at: now, &self)
      }
      guard let planned = runUnperturbed(slot, plans, cause: cause, at: now) else {
        startDisturbed(slot, cause: cause, at: now)
        break
      }
      guard let next = exchangeStart(slot, planned: planned) else { break }
      (slot, now) = next
      phone.tally.eventCount &+= 1
    }
    return now
  }

  /// Adds a start to the queue, and removes the next start if it is the next event before the end of the clock.
  ///
  /// The code does not branch on the order of the two starts, because that order is unpredictable.
  @inline(__always)
  mutating func exchangeStart(_ slot: Slot, planned: Instant) -> (slot: Slot, at: Instant)? {
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

  @inline(never)
  mutating func startDisturbed(_ slot: Slot, cause: Cause, at now: Instant) {
    startScheduled(slot, ReloadRequest(due: scheduler.ticket(of: slot).due, cause: cause), at: now)
    if Rules.coalescingWindow(phone.cohort) > .zero { coalesce(with: slot, at: now) }
  }

  /// Whether a ticket may start now without checking most of the rules; if `false`, the rules must decide.
  @inline(__always)
  mutating func startsFreely(_ slot: Slot, _ plans: UnperturbedChoice?, at now: Instant) -> Bool {
    guard let plans, plans.onAny.startsFreely else { return false }
    return scheduler.startsFreely(slot, at: now, power)
  }

  /// Whether the rules permit a ticket's run to start; if not, the ticket starts waiting or continues to wait.
  @inline(never)
  mutating func startsByRules(_ slot: Slot, at now: Instant) -> Bool {
    let decision = scheduler.decide(slot, after: provider.lastRun(of: slot), at: now, &phone, power)
    guard case .wait(let until, let reason) = decision else { return true }
    scheduler.withhold(slot, because: reason, at: now, &phone)
    if until < .never { phone.schedule(.start(slot), at: until) }
    return false
  }

  @inline(__always)
  private mutating func startScheduled(_ slot: Slot, _ request: ReloadRequest, at now: Instant) {
    if phone.plan.isMeasured(now) { phone.tally.recordStart(of: request, at: now, phone.group(of: slot)) }
    if request.cause.isCharged { scheduler.charge(slot, Rules.price(phone.cohort)) }
    startRun(slot, cause: request.cause, at: now)
  }

  /// Starts all other tickets that may start now and whose planned starts are within the window (MODEL.md 4.6).
  mutating func coalesce(with starter: Slot, at now: Instant) {
    guard Rules.coalescingWindow(phone.cohort) > .zero, phone.widgetCount > 1 else { return }
    for slot in phone.slots where slot != starter && !provider.isRunning(slot) {
      guard let request = scheduler.ticket(of: slot).request else { continue }
      guard scheduler.coalesces(slot, after: provider.lastRun(of: slot), at: now, &phone, power) else { continue }
      scheduler.cancel(slot, &phone)
      startScheduled(slot, request, at: now)
    }
  }

  /// Ends the waits that an event such as an unlock can end early.
  mutating func endWaits(with relief: Relief, at now: Instant) { scheduler.endWaits(with: relief, at: now, &phone) }
}

/// Reloads started by views, and the effect of each day's views on budgets (MODEL.md 2.4, 2.7, 4.2, 4.7).
extension WidgetHost {
  /// Performs a view of a widget, which may start a run (MODEL.md 2.4, 4.2).
  mutating func view(_ slot: Slot, at now: Instant) {
    guard provider.isPlaced(slot), let ordinal = views.note(slot, at: now) else { return }
    if phone.plan.hasPushes { Following.sees(slot, at: now, &self) }
    let isStale = views.record(slot, dataOf: provider.dataTime(of: slot), at: now, &phone)
    if scheduler.reloadsAtNextView(slot) {
      reloadAtView(slot, cause: .location, at: now)
    } else if reloadsAtView(slot, ordinal: ordinal, at: now) {
      reloadAtView(slot, cause: .view, at: now)
    } else if isStale {
      views.recordStaleAfter(slot, &phone)
    }
  }

  private mutating func reloadAtView(_ slot: Slot, cause: Cause, at now: Instant) {
    if phone.plan.isMeasured(now) { views.awaitRun(slot, isRunning: provider.isRunning(slot)) }
    requestFree(slot, cause: cause, at: now)
  }

  /// Whether a view of a widget whose ticket is overdue starts a free reload.
  private mutating func reloadsAtView(_ slot: Slot, ordinal: UInt32, at now: Instant) -> Bool {
    let ticket = scheduler.ticket(of: slot)
    guard ticket.exists, !provider.isRunning(slot) else { return false }
    guard Rules.mayReloadAtView(due: ticket.due, at: now, phone.cohort) else { return false }
    return Rules.reloadsAtView(OverdueView(slot: slot, ordinal: ordinal, week: views.week(of: slot)), &phone)
  }

  /// Records a location change of the phone, so that the widgets of a kind reload at their next view (MODEL.md 2.7).
  mutating func reloadAtNextView(_ kind: KindIndex) {
    for slot in phone.slots where phone.kindIndex(of: slot) == kind { scheduler.reloadAtNextView(slot) }
  }

  /// Whether a view during a session, up to `end`, may start a widget's run.
  @inline(__always)
  mutating func mayReloadAtView(_ slot: Slot, before end: Instant) -> Bool {
    if scheduler.reloadsAtNextView(slot) || scheduler.waitReason(slot) != nil { return true }
    let ticket = scheduler.ticket(of: slot)
    return ticket.exists && Rules.mayReloadAtView(due: ticket.due, at: end, phone.cohort)
  }

  /// Handles local midnight, when the last week's view counts and the allowances change (MODEL.md 4.7).
  mutating func passMidnight(at now: Instant) {
    for slot in phone.slots where provider.isPlaced(slot) {
      views.passMidnight(slot)
      scheduler.passMidnight(slot, week: views.week(of: slot), at: now, &phone)
    }
  }
}
