import Scenario
import SimulationKernel

/// A simulator of one phone at a time. Events are taken from the phone's queue and dispatched to the phone's
/// components.
///
/// The simulator uses the memory of one device. Once the queue has reached its full size, handling events allocates no
/// memory.
struct Device<Rules: SchedulerRules>: ~Copyable {
  var widgets: WidgetHost<Rules>
  var owner: Owner
  private let layouts: UnsafeMutablePointer<DeviceLayout>
  /// The block of a device that is simulated from start to end.
  private let block: UnsafeMutableRawPointer

  init(plan: FleetPlan, shape: Tally.Shape) {
    precondition(plan.cohorts.count > 0, "a fleet has at least one cohort")
    precondition(MemoryLayout<Scheduler<Rules>.State>.size <= AllowanceBuffer.size, "the rules do not fit their buffer")
    layouts = .allocate(capacity: plan.cohorts.count)
    var bytes = 0
    for index in plan.cohorts.indices {
      let layout = DeviceLayout(plan: plan, cohort: CohortIndex(index))
      (layouts + index).initialize(to: layout)
      bytes = max(bytes, layout.bytes)
    }
    block = .allocate(byteCount: bytes, alignment: 64)
    let memory = DeviceMemory(block, layouts)
    widgets = WidgetHost(plan: plan, shape: shape, in: memory)
    owner = Owner(in: memory)
  }

  deinit {
    block.deallocate()
    layouts.deallocate()
  }

  var app: ContainingApp { @inline(__always) get { ContainingApp(in: widgets.phone.memory) } }
  private var outside: OutsideEvents { @inline(__always) get { OutsideEvents(in: widgets.phone.memory) } }

  // MARK: Life cycle

  /// Starts a device in the given block, whose size matches its cohort's layout. If `block` is `nil`, the simulator's
  /// block is used.
  mutating func begin(_ identity: PhoneIdentity, in block: UnsafeMutableRawPointer? = nil) {
    let memory = DeviceMemory(block ?? self.block, layouts + identity.cohort.place)
    widgets.begin(identity, in: memory)
    widgets.drawWidgets()
    owner.begin(&widgets.phone)
    widgets.beginEnergy(in: memory)
    app.begin(&widgets.phone)
    outside.begin(&widgets.phone)
    if widgets.phone.hasPeople { owner.beginProcesses(&widgets.phone) }
    // The power supply must be started last, because the next battery check depends on the first session.
    widgets.power.begin(&widgets.phone)
  }

  /// Resumes a parked device as the current device.
  @inline(__always)
  mutating func wake(in block: UnsafeMutableRawPointer) {
    let cohort = DeviceMemory(block, layouts).phone.value.cohort
    let memory = DeviceMemory(block, layouts + cohort.place)
    widgets.wake(in: memory)
    owner.wake(&widgets.phone)
  }

  /// Parks the current device.
  @inline(__always)
  mutating func rest(in block: UnsafeMutableRawPointer) {
    let memory = DeviceMemory(block, layouts + widgets.phone.cohortIndex.place)
    if widgets.phone.queue.hasGrown {
      widgets.phone.queue.settle(in: memory.events, capacity: memory.queueCapacity)
    }
    widgets.connection.count(battery: widgets.power.capacity, &widgets.phone)
    memory.queue.value = widgets.phone.queue
    memory.radio.value = widgets.connection.energy.radio
  }

  /// Counts the remaining days of the current device, whose events have all been handled.
  mutating func finish() {
    widgets.finish()
    widgets.phone.queue.free()
    widgets.phone.queue = EventQueue(memory: block, capacity: 0)
  }

  // MARK: Events

  /// Handles the next event and returns it with its instant; returns `nil` at the end of the clock.
  ///
  /// Consecutive starts of unperturbed runs are handled together; in that case, the instant of the last start is
  /// returned.
  @inline(__always)
  mutating func step() -> (at: Instant, event: DeviceEvent)? {
    guard let (first, event) = widgets.phone.queue.next(before: widgets.phone.life.end) else { return nil }
    var now = first
    widgets.phone.tally.eventCount &+= 1
    switch event {
    case .windowChange: changeWindows(at: now)
    case .placement(let slot): widgets.place(slot, unlocksPerDay: owner.unlocksPerDay(&widgets.phone), at: now)
    case .eligible(let slot): widgets.becomeEligible(slot)
    case .start(let slot): now = widgets.startDueTickets(slot, at: now)
    case .answers(let slot): widgets.answersArrive(slot, at: now)
    case .runEnd(let slot): widgets.endRun(slot, at: now)
    case .actionEnd(let slot): endAction(slot, at: now)
    case .coalescing(let starter): widgets.coalesce(with: starter, at: now)
    case .arrival(let flight, let request, let attempt, let changes, let isInSession):
      widgets.arrive(
        RequestOnWay(flight: flight, request: request, attempt: attempt, changes: changes, isInSession: isInSession),
        at: now)
    case .resend(let flight, let request, let attempt): widgets.resend(flight, request, attempt: attempt, at: now)
    case .downloadEnd(let kind): widgets.endDownload(of: kind, at: now)
    case .backgroundRefresh(let index): app.refresh(index, at: now, &widgets)
    case .occasion(let event): handleOccasion(event, at: now)
    case .push(let event): receivePush(event, at: now)
    case .pushDelivery(let event): deliver(event, at: now)
    case .reboot: outside.reboot(at: now, &widgets.phone)
    case .systemRuns: widgets.reloadForSystem(at: now)
    case .gallery(let event): showGallery(event, at: now)
    case .midnight: passMidnight(at: now)
    case .energyDayEnd: widgets.connection.endDay(at: now, battery: widgets.power.capacity, &widgets.phone)
    case .plug: plugIn(at: now)
    case .unplug: widgets.power.unplug(at: now, &widgets.phone, &widgets.connection)
    case .batteryCheck: checkBattery(at: now)
    case .topUpEnd: widgets.power.endTopUp(at: now, &widgets.phone, &widgets.connection)
    case .sessionStart: startSession(at: now)
    case .sessionEnd: endSession(at: now)
    case .homeVisit(let depth, let isFirst): visitHomeScreen(depth: Int(depth), isFirst: isFirst, at: now)
    case .glance: glance(at: now)
    case .appOpen: app.open(at: now, &widgets.phone)
    case .appClose: app.close(at: now, &widgets)
    case .audioStart: startAudio(at: now)
    case .audioEnd: app.endAudio(at: now, &widgets.phone, Rules.self)
    case .appCall(let index): app.call(widgets.phone.plan.reload(index).effect, at: now, &widgets)
    case .audioCall(let index): app.callInAudio(index, until: owner.audioEnd, at: now, &widgets)
    case .foregroundRun(let kind): widgets.requestFree(kind, cause: .foreground, at: now)
    case .locationChange(let kind): changeLocation(of: kind, at: now)
    case .burst(let slot): beginBurst(on: slot, at: now)
    case .tap(let slot, let left): tap(slot, left: left, at: now)
    }
    assert(!isChecked || brokenInvariant(after: now) == nil, brokenInvariant(after: now) ?? "")
    return (now, event)
  }

  private mutating func handleOccasion(_ event: EventIndex, at now: Instant) {
    if outside.handleOccasion(event, at: now, &widgets.phone, &widgets.connection, Rules.self) {
      deliver(event, at: now)
    }
    outside.scheduleNext(event, after: now, &widgets.phone)
  }

  @inline(never)
  private mutating func receivePush(_ event: EventIndex, at now: Instant) {
    if outside.receivePush(event, at: now, &widgets.phone, &widgets.connection, Rules.self) { deliver(event, at: now) }
  }

  @inline(never)
  private mutating func showGallery(_ event: EventIndex, at now: Instant) {
    guard now >= widgets.phone.life.from else { return }
    if case .gallery(let network) = widgets.phone.plan.event(event).action { widgets.showGallery(network, at: now) }
  }

  private mutating func startAudio(at now: Instant) {
    if owner.startAudio(at: now, &widgets.phone) { app.beginAudio(at: now, &widgets.phone) }
  }

  private mutating func deliver(_ event: EventIndex, at now: Instant) {
    outside.deliver(event, to: app, at: now, &widgets)
  }

  /// Counts the energy spent in the current cell of the named windows, and switches to the next cell.
  private mutating func changeWindows(at now: Instant) {
    widgets.connection.countEnergy(upTo: now, battery: widgets.power.capacity, &widgets.phone)
    widgets.phone.changeWindows(at: now)
  }

  private mutating func passMidnight(at now: Instant) {
    widgets.passMidnight(at: now)
    owner.scheduleMidnight(after: now, &widgets.phone)
  }

  private mutating func changeLocation(of kind: KindIndex, at now: Instant) {
    widgets.reloadAtNextView(kind)
    owner.scheduleLocationChange(of: kind, &widgets.phone)
  }

  // MARK: The charger

  private mutating func plugIn(at now: Instant) {
    widgets.power.plugIn(at: now, &widgets.phone, &widgets.connection)
    widgets.endWaits(with: .charger, at: now)
  }

  private mutating func checkBattery(at now: Instant) {
    if widgets.power.check(at: now, &widgets.phone, &widgets.connection) { widgets.endWaits(with: .charger, at: now) }
    widgets.power.watch(at: now, &widgets.phone)
  }

  // MARK: Checks

  /// Whether debug builds check the current device after each event. While demand is measured before the simulation,
  /// only one phone in eight is checked.
  private var isChecked: Bool { !widgets.phone.plan.countsDemand || widgets.phone.number % 8 == 0 }

  /// Returns a description of the invariant that an event has broken, for debug builds; `nil` if none is broken.
  ///
  /// An unperturbed session is simulated to its end as soon as it starts.
  private func brokenInvariant(after event: Instant) -> String? {
    let presence = widgets.phone.presence
    let now = presence.isInSession ? event : max(event, presence.lastSessionEnd)
    let pending = PendingCounts(widgets.phone.queue)
    let broken = widgets.brokenInvariant(at: now, pending) ?? app.brokenInvariant(at: now, pending, widgets.phone)
    return broken.map { "device \(widgets.phone.number), \(now.millisecondsSinceStart) ms: \($0)" }
  }
}

/// The effects of sessions on the widgets, the network and the battery (MODEL.md 2.2-2.6, 3.2).
extension Device {
  mutating func startSession(at now: Instant) {
    owner.beginSession(at: now, &widgets.phone)
    if runUnperturbedSession(at: now) { return }
    widgets.power.advance(to: now, &widgets.phone, &widgets.connection)
    takePhone(at: now)
    widgets.power.watch(at: now, &widgets.phone)
    widgets.phone.schedule(.sessionEnd, at: widgets.phone.session.end)
    owner.scheduleVisits(&widgets.phone)
    if owner.opensApp(&widgets.phone) { app.scheduleOpen(&widgets.phone) }
    for slot in widgets.phone.slots { owner.scheduleBursts(on: slot, &widgets.phone) }
    // Tickets that wait for an unlock are checked after the views at this instant (MODEL.md 1.3).
    widgets.endWaits(with: .unlock, at: now)
  }

  mutating func endSession(at now: Instant) {
    widgets.power.advance(to: now, &widgets.phone, &widgets.connection)
    leavePhone(at: now)
    widgets.power.watch(at: now, &widgets.phone)
  }

  /// Starts a session; the normal path and the fast path both use this function.
  @inline(__always)
  private mutating func takePhone(at now: Instant) {
    widgets.connection.energy.startSession(at: now)
    widgets.phone.beginSession()
  }

  /// Ends a session and plans the next one; the normal path and the fast path both use this function.
  ///
  /// - Parameter ahead: draws generated in advance for the next unlock, with their key.
  @inline(__always)
  private mutating func leavePhone(at now: Instant, ahead: (key: Int, draws: UniformPair)? = nil) {
    widgets.connection.energy.endSession(at: now)
    widgets.phone.endSession(at: now)
    owner.scheduleSession(&widgets.phone, ahead: ahead)
  }

  /// Performs a home screen visit, which shows all pages up to the drawn depth at once (MODEL.md 2.4).
  mutating func visitHomeScreen(depth: Int, isFirst: Bool, at now: Instant) {
    for slot in widgets.phone.slots where owner.sees(slot, depth: depth, isFirst: isFirst, &widgets.phone) {
      widgets.view(slot, at: now)
    }
  }

  /// Performs a glance at the lock screen, unless a session is in progress.
  mutating func glance(at now: Instant) {
    if !widgets.phone.presence.isInSession {
      for slot in widgets.phone.slots where widgets.phone.member(of: slot).value.isOnLockScreen {
        widgets.view(slot, at: now)
      }
    }
    owner.scheduleGlance(&widgets.phone)
  }

  // MARK: Taps

  /// Starts a burst of taps, which begins with a view. The first tap follows after the gap, even if the view is
  /// ignored.
  mutating func beginBurst(on slot: Slot, at now: Instant) {
    let taps = widgets.phone.kind(of: slot).taps
    // The tap must be scheduled first, so that it is already in the queue when the view starts a run.
    owner.scheduleTap(on: slot, left: UInt16(truncatingIfNeeded: taps.burst - 1), after: now, &widgets.phone)
    widgets.view(slot, at: now)
  }

  /// Performs a tap on a button or toggle, which starts a free run of the widget or its kind, and schedules the next
  /// tap.
  mutating func tap(_ slot: Slot, left: UInt16, at now: Instant) {
    guard widgets.provider.isPlaced(slot) else { return }
    if left > 0 { owner.scheduleTap(on: slot, left: left - 1, after: now, &widgets.phone) }
    if widgets.phone.kind(of: slot).taps.requests.isEmpty { return reloadForTap(slot, at: now) }
    let provider = widgets.provider
    if provider.beginAction(slot, at: now, &widgets.phone, &widgets.connection) { endAction(slot, at: now) }
  }

  /// Completes the requests of a tap, schedules the next tap if one is waiting, and performs the kind's reload.
  mutating func endAction(_ slot: Slot, at now: Instant) {
    if widgets.provider.flights.endAction(of: slot) { widgets.phone.schedule(.tap(slot, left: 0), at: now) }
    reloadForTap(slot, at: now)
  }

  private mutating func reloadForTap(_ slot: Slot, at now: Instant) {
    switch widgets.phone.kind(of: slot).taps.reloads {
    case .instance: widgets.requestFree(slot, cause: .tap, at: now)
    case .kind: widgets.requestFree(widgets.phone.kindIndex(of: slot), cause: .tap, at: now)
    case .nothing: return
    }
  }

  // MARK: Fast path

  /// Simulates a session and its visits in one step if nothing else happens on the phone meanwhile (MODEL.md 2.2-2.4).
  ///
  /// The visits of such a session need not be queued. A battery that is far from empty needs no check. All other
  /// sessions are simulated on the slow path, with the same result.
  ///
  /// - Returns: whether the session is unperturbed; if it is not, the state is unchanged.
  private mutating func runUnperturbedSession(at now: Instant) -> Bool {
    let end = widgets.phone.session.end
    guard !widgets.phone.isWatched else { return false }
    passGlances(before: end)
    guard widgets.phone.queue.nextInstant > end, !owner.opensApp(&widgets.phone) else { return false }
    for slot in widgets.phone.slots where mayStartRun(of: slot, until: end) { return false }
    let further = owner.furtherVisits(&widgets.phone)
    guard further <= Visits.maximum,
      widgets.power.needsNoCheck(until: end, from: now, &widgets.phone, &widgets.connection)
    else { return false }
    // The counted events are the first visit, the other visits, and the end of the session.
    widgets.phone.tally.eventCount &+= Int64(further) &+ 2
    takePhone(at: now)
    visitHomeScreen(depth: owner.visit(0, &widgets.phone).depth, isFirst: true, at: now)
    if further > 0 { visitFurther(further) }
    endUnperturbedSession(at: end)
    return true
  }

  /// Skips the glances that would occur during a session, because each of them would only schedule the next one.
  @inline(__always)
  private mutating func passGlances(before end: Instant) {
    while case .glance? = widgets.phone.queue.soonest, widgets.phone.queue.next(before: end) != nil {
      widgets.phone.tally.eventCount &+= 1
      owner.scheduleGlance(&widgets.phone)
    }
  }

  /// Whether a session may start a widget's run.
  @inline(__always)
  private mutating func mayStartRun(of slot: Slot, until end: Instant) -> Bool {
    owner.burstCount(on: slot, &widgets.phone) > 0 || widgets.mayReloadAtView(slot, before: end)
  }

  /// Performs all visits of a session after its first visit.
  @inline(__always)
  private mutating func visitFurther(_ further: Int) {
    let first = owner.visit(1, &widgets.phone)
    if further == 1 { return visitHomeScreen(depth: first.depth, isFirst: false, at: first.at) }
    var visits = Visits(first)
    for number in 2...further { visits.add(owner.visit(number, &widgets.phone)) }
    for place in 0..<further {
      visitHomeScreen(depth: visits.inOrder[place].depth, isFirst: false, at: visits.inOrder[place].at)
    }
  }

  /// Ends a session like `endSession`, but considers a battery check only if the next change is far in the future.
  @inline(__always)
  private mutating func endUnperturbedSession(at now: Instant) {
    widgets.connection.advance(to: now, &widgets.phone)
    widgets.power.spendSession(lasting: widgets.phone.session.length, &widgets.phone)
    leavePhone(at: now, ahead: owner.nextUnlock(&widgets.phone))
    let change = widgets.power.nextChange(after: now, &widgets.phone)
    if !widgets.power.needsNoCheck(until: change, from: now, &widgets.phone, &widgets.connection) {
      widgets.power.watch(at: now, &widgets.phone)
    }
  }
}

/// The visits of a session in chronological order; visits at the same instant are in the order in which they were
/// added.
private struct Visits {
  static var maximum: Int { 6 }

  private(set) var inOrder: InlineArray<6, Visit>
  private var count = 1

  init(_ visit: Visit) { inOrder = InlineArray(repeating: visit) }

  mutating func add(_ visit: Visit) {
    var place = count
    while place > 0, inOrder[place - 1].at > visit.at {
      inOrder[place] = inOrder[place - 1]
      place -= 1
    }
    inOrder[place] = visit
    count += 1
  }
}
