import Scenario
import SimulationKernel

/// One phone at a time with everything on it: takes its events from the queue and hands each to the part that it is for.
///
/// Holds the memory of one device; the event path allocates nothing once its queue has grown.
struct Device<Rules: SchedulerRules>: ~Copyable {
  var widgets: WidgetHost<Rules>
  var owner: Owner
  /// By cohort.
  private let layouts: UnsafeMutablePointer<DeviceLayout>
  /// The block of a device that is simulated from its beginning to its end.
  private let block: UnsafeMutableRawPointer

  init(plan: FleetPlan, shape: Tally.Shape) {
    precondition(plan.cohorts.count > 0, "a fleet has a cohort")
    precondition(MemoryLayout<Scheduler<Rules>.State>.size <= AllowanceRoom.size, "rules keep what has room")
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

  // MARK: A life

  /// Begins the life of a device, in the device's own block or in one that is as large as its cohort's layout.
  mutating func begin(_ identity: PhoneIdentity, in block: UnsafeMutableRawPointer? = nil) {
    let memory = DeviceMemory(block ?? self.block, layouts + identity.cohort.place)
    widgets.begin(identity, in: memory)
    widgets.drawWidgets()
    owner.begin(&widgets.phone)
    widgets.beginEnergy(in: memory)
    app.begin(&widgets.phone)
    outside.begin(&widgets.phone)
    if widgets.phone.hasPeople { owner.beginProcesses(&widgets.phone) }
    // Last: when the battery needs a look depends on the first session.
    widgets.power.begin(&widgets.phone)
  }

  /// Makes a resting device the present one.
  @inline(__always)
  mutating func wake(in block: UnsafeMutableRawPointer) {
    let cohort = DeviceMemory(block, layouts).phone.value.cohort
    let memory = DeviceMemory(block, layouts + cohort.place)
    widgets.wake(in: memory)
    owner.wake(&widgets.phone)
  }

  /// Lays the present device to rest.
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

  /// Counts the days that are left; the present device has lived, and has no events any more.
  mutating func finish() {
    widgets.finish()
    widgets.phone.queue.free()
    widgets.phone.queue = EventQueue(memory: block, capacity: 0)
  }

  // MARK: Events

  /// Handles the next event and says what it was and when; nil when the clock has come to its end.
  ///
  /// Starts of runs that nothing disturbs are handled together: the last one's instant is told.
  @inline(__always)
  mutating func step() -> (at: Instant, event: DeviceEvent)? {
    guard let (first, event) = widgets.phone.queue.next(before: widgets.phone.life.end) else { return nil }
    var now = first
    widgets.phone.tally.eventCount &+= 1
    switch event {
    case .placement(let slot): widgets.place(slot, unlocksPerDay: owner.unlocksPerDay(&widgets.phone), at: now)
    case .eligible(let slot): widgets.becomeEligible(slot)
    case .start(let slot): now = widgets.ticketsComeUp(slot, at: now)
    case .answers(let slot): widgets.answersArrive(slot, at: now)
    case .runEnd(let slot): widgets.endRun(slot, at: now)
    case .coalescing(let starter): widgets.coalesce(with: starter, at: now)
    case .arrival(let flight, let request, let attempt, let changes, let isInSession):
      widgets.arrive(
        RequestOnWay(flight: flight, request: request, attempt: attempt, changes: changes, isInSession: isInSession),
        at: now)
    case .resend(let flight, let request, let attempt): widgets.resend(flight, request, attempt: attempt, at: now)
    case .downloadEnd(let kind): widgets.endDownload(of: kind, at: now)
    case .backgroundRefresh(let index): app.refresh(index, at: now, &widgets)
    case .occasion(let event): occasionComes(event, at: now)
    case .push(let event): receivePush(event, at: now)
    case .pushDelivery(let event): deliver(event, at: now)
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

  private mutating func occasionComes(_ event: EventIndex, at now: Instant) {
    if outside.occasionComes(event, at: now, &widgets.phone, &widgets.connection, Rules.self) {
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

  /// Whether debug builds check the present device after each event: of the phones that are lived for what widgets ask,
  /// before every run, one in eight.
  private var isChecked: Bool { !widgets.phone.plan.countsDemand || widgets.phone.number % 8 == 0 }

  /// What does not hold after an event, in words; nil when all is well: only debug builds ask.
  ///
  /// The beginning of an unperturbed session is all of it.
  private func brokenInvariant(after event: Instant) -> String? {
    let presence = widgets.phone.presence
    let now = presence.isInSession ? event : max(event, presence.lastSessionEnd)
    let pending = PendingCounts(widgets.phone.queue)
    let broken = widgets.brokenInvariant(at: now, pending) ?? app.brokenInvariant(at: now, pending, widgets.phone)
    return broken.map { "device \(widgets.phone.number), \(now.millisecondsSinceStart) ms: \($0)" }
  }
}
