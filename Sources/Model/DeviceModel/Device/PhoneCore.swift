import BackendModel
import Scenario
import SimulationKernel

/// The state that all components of the current phone share: identity, plan, user presence, pending events and counts.
struct PhoneCore: ~Copyable {
  /// The memory of the phone.
  ///
  /// The pointer must be the first field, because only the current thread uses its memory. Swift 6.3 passes the address
  /// of a borrowed noncopyable struct's first field to the thread sanitizer (swiftlang/swift#86265). Only a pointer
  /// compiles in this position.
  private(set) var memory: DeviceMemory
  /// The components' state for each widget.
  private(set) var rows: Column<Slot, WidgetRow>
  private var sessionCell: Cell<SessionState>
  let plan: FleetPlan
  private(set) var cohort: Prepared<CohortPlan>
  private(set) var life: PhoneLifetime
  var queue: EventQueue<DeviceEvent>
  var tally: Tally
  /// The conditions of requests to a backend with feedback; `nil` if the backend has no feedback.
  var backend: BackendView?
  /// The request outcomes of a watched phone; `nil` if the phone is not watched.
  var observed: [ObservedRequest]?
  /// The provider fault that has ended the phone's simulation, and its instant; `nil` if there is none.
  var fault: (fault: KindFault, at: Instant)?

  /// Creates the state before the first phone starts.
  ///
  /// - Parameter memory: memory that is not used by a phone yet.
  init(plan: FleetPlan, shape: Tally.Shape, in memory: DeviceMemory) {
    self.plan = plan
    self.memory = memory
    rows = memory.rows
    sessionCell = memory.session
    cohort = plan.cohorts.element(at: 0)
    life = PhoneLifetime(end: plan.end)
    queue = EventQueue(memory: memory.events, capacity: memory.queueCapacity)
    tally = Tally(shape: shape)
  }

  /// Starts a new phone, which has no widgets yet, at the start of the simulation.
  mutating func begin(_ identity: PhoneIdentity, in memory: DeviceMemory) {
    tally.beginDevice()
    memory.phone.initialize(
      to: PhoneState(identity, seed: plan.seed, plan.cohorts.element(at: identity.cohort.place)))
    use(memory)
    queue = EventQueue(memory: memory.events, capacity: memory.queueCapacity)
    // The cell must be set before anything is counted, because the tally still uses the previous device's cell.
    changeWindows(at: plan.beginning)
    if cohort.hasPeople { sessionCell.initialize(to: SessionState()) }
  }

  /// Resumes a parked phone as the current phone.
  @inline(__always)
  mutating func wake(in memory: DeviceMemory) {
    use(memory)
    queue = memory.queue.value
    if plan.windows != nil { tally.useCell(Int(state.value.windowCell)) }
  }

  @inline(__always)
  private mutating func use(_ memory: DeviceMemory) {
    self.memory = memory
    rows = memory.rows
    sessionCell = memory.session
    cohort = plan.cohorts.element(at: state.value.cohort.place)
    life = PhoneLifetime(end: plan.end)
    if let growth = cohort.growth, !plan.countsDemand { limitLife(growth) }
  }

  @inline(never)
  private mutating func limitLife(_ growth: GrowthPlan) {
    life = growth.life(of: number - cohort.firstDevice, stream, until: plan.end)
  }

  /// Ends the phone's simulation because a provider has returned an unusable timeline.
  mutating func fail(_ kind: KindIndex, _ fault: TimelineFault, at now: Instant) {
    guard self.fault == nil else { return }
    self.fault = (KindFault(kind: kind.place, fault), now)
    life.end = .longAgo
  }

  private var state: Cell<PhoneState> { @inline(__always) get { memory.phone } }

  // MARK: Identity

  /// The number of the phone within the fleet.
  var number: Int { state.value.number }
  var cohortIndex: CohortIndex { state.value.cohort }
  /// The number of the phone's time zone in the plan.
  var zone: Int { state.value.zone }
  /// The index of the phone's model among the cohort's phone models.
  var model: Int { state.value.model }
  var wall: WallClock { plan.clocks[zone] }
  /// The offset of the phone's quarter hours, which is less than 15 minutes.
  var accrualOffset: TimeAmount { state.value.accrualOffset }
  /// Whether the phone may have a user.
  var hasPeople: Bool { cohort.hasPeople }
  /// Whether the phone is followed, so that its widgets' time is broken down by run and by local hour (MODEL.md 8.3).
  var isFollowed: Bool {
    @inline(__always) get { state.value.number & plan.unfollowedBits == plan.followedRest }
  }

  /// Returns how many milliseconds of a span are in the measured part of the phone's lifetime.
  func measuredMilliseconds(from: Instant, to: Instant) -> Int64 { measuredInstant(to) - measuredInstant(from) }

  /// Returns an instant in milliseconds since the start, clamped to the measured part of the phone's lifetime.
  func measuredInstant(_ instant: Instant) -> Int64 { min(max(instant, .start), life.end).millisecondsSinceStart }

  /// Whether the phone is watched, so that every step of its runs is simulated.
  var isWatched: Bool { observed != nil }

  var stream: DeviceStream { @inline(__always) get { state.value.stream(seed: plan.seed) } }

  @inline(__always)
  func draws(_ purpose: Purpose, part: Int = 0, index: Int = 0) -> Philox.Block {
    stream.block(purpose, part: part, index: index)
  }

  /// The zone and the phone model, both drawn from the cohort's choices.
  var choices: (zone: Int, phone: Int) { cohort.value.choices(of: stream) }

  /// Whether the system never wakes the app in the background, because Background App Refresh is off or the user
  /// force-quits the app (MODEL.md 2.8).
  var keepsAppClosed: Bool {
    let person = cohort.person
    guard !person.refreshOff.isImpossible || !person.forceQuit.isImpossible else { return false }
    let draws = draws(.traits, index: 3)
    return person.refreshOff.happens(at: draws.first) || person.forceQuit.happens(at: draws.second)
  }

  /// Whether the phone was added after the clock started, so that its widgets are new.
  var isNewcomer: Bool { life.from > .longAgo }

  // MARK: Widgets

  var widgetCount: Int { state.value.widgetCount }
  var slots: Indices<Slot> { @inline(__always) get { Indices(widgetCount) } }

  /// Adds a widget; a phone can have at most `Slot.maximum` widgets.
  mutating func add(_ widget: Widget) -> Slot {
    let slot = Slot(widgetCount)
    state.value.widgetCount += 1
    rows.initialize(slot, to: WidgetRow(widget: widget))
    return slot
  }

  @inline(__always)
  func widget(_ slot: Slot) -> Widget { rows[slot].widget }
  @inline(__always)
  func kindIndex(of slot: Slot) -> KindIndex { rows[slot].widget.kind }
  @inline(__always)
  func kind(of slot: Slot) -> Prepared<KindPlan> { plan.kind(rows[slot].widget.kind) }
  @inline(__always)
  func member(of slot: Slot) -> Prepared<MemberPlan> { cohort.members.element(at: rows[slot].widget.member.place) }
  /// Returns the group in which the widget's metrics are counted.
  @inline(__always)
  func group(of slot: Slot) -> Tally.Group { Tally.Group(cohort: cohortIndex, kind: rows[slot].widget.kind) }

  /// Returns the draws for the ticket after a widget's last run. Requests that are merged with the ticket do not change
  /// them (MODEL.md 4.3).
  ///
  /// - Parameter run: the number of the run that the ticket requests.
  @inline(__always)
  func scheduleDraws(_ slot: Slot, run: UInt32) -> UniformPair {
    draws(.schedule, part: rows[slot].widget.member.place, index: Int(run)).uniforms
  }

  // MARK: Events

  @inline(__always)
  mutating func schedule(_ event: DeviceEvent, at instant: Instant) {
    queue.schedule(event, at: instant, rank: event.rank)
  }

  // MARK: Named windows (MODEL.md 8.6)

  /// Starts counting in the named-window cell for an instant, and schedules the next change of the cell.
  mutating func changeWindows(at now: Instant) {
    guard let windows = plan.windows else { return }
    let cell = windows.cell(at: now, zone: zone)
    state.value.windowCell = UInt16(truncatingIfNeeded: cell)
    tally.useCell(cell)
    let next = windows.nextChange(after: now, zone: zone)
    if next < life.end { schedule(.windowChange, at: next) }
  }

  /// Counts an instance in a group, and its time in the named windows.
  mutating func countInstance(of group: Tally.Group) {
    tally.recordInstance(group, life)
    if let windows = plan.windows { tally.recordWindows(windows, group, zone: zone, life) }
  }

  /// Makes the tally count in the named-window cell for an instant.
  mutating func enterWindows(at now: Instant) {
    if let windows = plan.windows { tally.useCell(windows.cell(at: now, zone: zone)) }
  }

  // MARK: User (MODEL.md 2)

  /// The presence of the user, which all other components read.
  var presence: Presence { @inline(__always) _read { yield state.value.presence } }

  /// The current or next session of a phone with a user.
  var session: SessionState { @inline(__always) _read { yield sessionCell.value } }

  /// Stores the next session. Until the length of the session is known, its end equals its start.
  mutating func plan(_ session: SessionState) { sessionCell.value = session }

  /// Sets the end of the session that is starting now.
  mutating func endNextSession(at end: Instant) { sessionCell.value.end = end }

  mutating func beginSession() {
    state.value.presence.isInSession = true
    state.value.presence.lastSessionEnd = .never
  }

  mutating func endSession(at now: Instant) {
    state.value.presence.isInSession = false
    state.value.presence.lastSessionEnd = now
  }

  mutating func setForeground(_ isForeground: Bool) { state.value.presence.isForeground = isForeground }
  mutating func setPlayingAudio(_ isPlaying: Bool) { state.value.presence.isPlayingAudio = isPlaying }

  /// Returns the end of the current session or the start of the planned session; `.never` if it is not after `now`.
  @inline(__always)
  func nextSessionChange(after now: Instant) -> Instant {
    guard hasPeople else { return .never }
    let change = presence.isInSession ? session.end : session.start
    return change > now ? change : .never
  }

  /// Returns the first broken invariant of the session; `nil` if all invariants hold.
  func brokenInvariant(at now: Instant, _ pending: PendingCounts) -> String? {
    guard presence.isInSession == (presence.lastSessionEnd == .never) else { return "both in a session and outside it" }
    if presence.isInSession, session.start > now || session.end < now { return "a session at another time" }
    if !presence.isInSession, presence.lastSessionEnd > now { return "a session ended in the future" }
    if presence.isInSession != (pending.sessionEnds == 1) { return "a session without an end" }
    return nil
  }
}

/// The identity of a phone in a replication.
struct PhoneIdentity {
  var number: Int
  var cohort: CohortIndex
  var replication: Int
}

/// The part of a phone's state that is shared by all its components and kept while the phone is parked.
struct PhoneState: BitwiseCopyable {
  private let numberInFewBits: UInt32
  private let replication: UInt32
  /// The accrual offset in milliseconds, drawn uniformly from 0 to 15 minutes.
  private let accrualMilliseconds: UInt32
  let cohort: CohortIndex
  private let zoneNumber: UInt16
  private let modelInFewBits: UInt16
  /// The number of the current cell of the named windows.
  fileprivate var windowCell: UInt16 = 0
  private var widgets: UInt8 = 0
  fileprivate var presence = Presence()

  init(_ identity: PhoneIdentity, seed: UInt64, _ owner: Prepared<CohortPlan>) {
    numberInFewBits = UInt32(truncatingIfNeeded: identity.number)
    replication = UInt32(truncatingIfNeeded: identity.replication)
    cohort = identity.cohort
    let stream = DeviceStream(seed: seed, device: numberInFewBits, replication: replication)
    let budget = stream.block(.traits, index: 1)
    let choices = owner.value.choices(of: stream)
    zoneNumber = UInt16(truncatingIfNeeded: owner.zoneNumbers[choices.zone])
    modelInFewBits = UInt16(truncatingIfNeeded: choices.phone)
    accrualMilliseconds = UInt32(
      truncatingIfNeeded: SpanSampler.part(of: AccrualClock.quarter, at: budget.first).milliseconds)
  }

  @inline(__always)
  fileprivate func stream(seed: UInt64) -> DeviceStream {
    DeviceStream(seed: seed, device: numberInFewBits, replication: replication)
  }

  fileprivate var number: Int { Int(numberInFewBits) }
  fileprivate var zone: Int { Int(zoneNumber) }
  fileprivate var model: Int { Int(modelInFewBits) }
  fileprivate var accrualOffset: TimeAmount { .milliseconds(Int64(accrualMilliseconds)) }

  fileprivate var widgetCount: Int {
    get { Int(widgets) }
    set { widgets = UInt8(truncatingIfNeeded: newValue) }
  }
}

/// The state of a widget on a phone, in which the fields of all components are adjacent.
///
/// Each field is accessed only by the component that owns it. The fields are ordered so that there are no gaps between
/// them.
struct WidgetRow: BitwiseCopyable {
  /// The state of the scheduler's rules. This state must be the first field (see `Column.subscript(_:as:)`).
  private var allowance = AllowanceBuffer()
  /// The state of `Flights`.
  var flight = RunFlight()
  /// The state of the provider.
  var run = RunState()
  /// The state of the scheduler.
  var scheduling = TicketState()
  let widget: Widget

  init(widget: Widget) { self.widget = widget }
}

/// A widget on a phone, given by its kind, its member in the cohort and its family.
struct Widget: BitwiseCopyable {
  let kind: KindIndex
  let member: MemberIndex
  let family: Family
}

extension CohortPlan {
  /// Returns the zone and the phone model that a phone has drawn from the cohort's choices.
  @inline(__always)
  func choices(of stream: DeviceStream) -> (zone: Int, phone: Int) {
    let draws = stream.block(.traits)
    return (zone.value(at: draws.first), phone.value(at: draws.second))
  }
}
