import BackendModel
import Scenario
import SimulationKernel

/// What every part of the present phone shares: who it is and what for, whether it is in use, its pending events, and
/// what is counted of it.
struct PhoneCore: ~Copyable {
  /// First, for Swift 6.3 hands the first field of a borrowed noncopyable struct to the thread sanitizer as its address:
  /// this one belongs to the thread, and another than a pointer does not compile (swiftlang/swift#86265).
  private(set) var memory: DeviceMemory
  /// What the parts keep of each widget.
  private(set) var rows: Column<Slot, WidgetRow>
  private var sessionCell: Cell<SessionState>
  let plan: FleetPlan
  /// Cohort of the present phone.
  private(set) var cohort: Prepared<CohortPlan>
  /// When the present phone is there.
  private(set) var life: PhoneLife
  var queue: EventQueue<DeviceEvent>
  var tally: Tally
  /// What requests meet where the backend answers back; nil without feedback.
  var backend: BackendView?
  /// What became of requests, for whoever watches the phone; nil: nobody does.
  var observed: [ObservedRequest]?

  /// - Parameter memory: of no phone yet.
  init(plan: FleetPlan, shape: Tally.Shape, in memory: DeviceMemory) {
    self.plan = plan
    self.memory = memory
    rows = memory.rows
    sessionCell = memory.session
    cohort = plan.cohorts.element(at: 0)
    life = PhoneLife(end: plan.end)
    queue = EventQueue(memory: memory.events, capacity: memory.queueCapacity)
    tally = Tally(shape: shape)
  }

  /// A new phone at the beginning of its world, without widgets.
  mutating func begin(_ identity: PhoneIdentity, in memory: DeviceMemory) {
    tally.beginDevice()
    memory.phone.initialize(
      to: PhoneState(identity, seed: plan.seed, plan.cohorts.element(at: identity.cohort.place)))
    use(memory)
    queue = EventQueue(memory: memory.events, capacity: memory.queueCapacity)
    if cohort.hasPeople { sessionCell.initialize(to: SessionState()) }
  }

  /// A phone that has rested is the present one.
  @inline(__always)
  mutating func wake(in memory: DeviceMemory) {
    use(memory)
    queue = memory.queue.value
  }

  @inline(__always)
  private mutating func use(_ memory: DeviceMemory) {
    self.memory = memory
    rows = memory.rows
    sessionCell = memory.session
    cohort = plan.cohorts.element(at: state.value.cohort.place)
    life = PhoneLife(end: plan.end)
    if let growth = cohort.growth, !plan.countsDemand { limitLife(growth) }
  }

  @inline(never)
  private mutating func limitLife(_ growth: GrowthPlan) {
    life = growth.life(of: number - cohort.firstDevice, stream, until: plan.end)
  }

  private var state: Cell<PhoneState> { @inline(__always) get { memory.phone } }

  // MARK: Who it is

  /// Number of the phone within the fleet.
  var number: Int { state.value.number }
  var cohortIndex: CohortIndex { state.value.cohort }
  /// Number of its zone in the plan.
  var zone: Int { state.value.zone }
  /// Which of its cohort's phones it is.
  var model: Int { state.value.model }
  /// On the wall of its owner.
  var wall: WallClock { plan.clocks[zone] }
  /// Offset of its quarter hours, below 15 minutes.
  var accrualOffset: TimeAmount { state.value.accrualOffset }
  /// The local hour at which a fixed budget is renewed.
  var resetHour: Int64 { state.value.resetHour }
  var hasPeople: Bool { cohort.hasPeople }
  /// Whether its widgets are followed from run to run and by local hour (MODEL.md 8.3).
  var isFollowed: Bool {
    @inline(__always) get { state.value.number & plan.unfollowedBits == plan.followedRest }
  }

  /// How much of a span lies in the measured part of its life, in milliseconds.
  func measuredMilliseconds(from: Instant, to: Instant) -> Int64 { measuredInstant(to) - measuredInstant(from) }

  /// An instant, or the next one of the measured part of its life or its end, in milliseconds.
  func measuredInstant(_ instant: Instant) -> Int64 { min(max(instant, .start), life.end).millisecondsSinceStart }

  /// Whether somebody watches it, and so sees every step of every run.
  var isWatched: Bool { observed != nil }

  /// The random numbers of the phone.
  var stream: DeviceStream { @inline(__always) get { state.value.stream(seed: plan.seed) } }

  @inline(__always)
  func draws(_ purpose: Purpose, part: Int = 0, index: Int = 0) -> Philox.Block {
    stream.block(purpose, part: part, index: index)
  }

  /// Choices among its cohort's zones and phones.
  var choices: (zone: Int, phone: Int) { cohort.value.choices(of: stream) }

  /// Whether it has come after the start of the clock, so that its widgets are new.
  var isNewcomer: Bool { life.from > .longAgo }

  // MARK: Its widgets

  var widgetCount: Int { state.value.widgetCount }
  var slots: Indices<Slot> { @inline(__always) get { Indices(widgetCount) } }

  /// Adds a widget; there is room for at most `Slot.most`.
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
  /// Where the widget's figures are counted.
  @inline(__always)
  func group(of slot: Slot) -> Tally.Group { Tally.Group(cohort: cohortIndex, kind: rows[slot].widget.kind) }

  /// Draws that belong to the ticket after a widget's last run, the same through merges (MODEL.md 4.3).
  ///
  /// - Parameter run: number of the run that the ticket asks for.
  @inline(__always)
  func scheduleDraws(_ slot: Slot, run: UInt32) -> UniformPair {
    draws(.schedule, part: rows[slot].widget.member.place, index: Int(run)).uniforms
  }

  // MARK: Its events

  @inline(__always)
  mutating func schedule(_ event: DeviceEvent, at instant: Instant) {
    queue.schedule(event, at: instant, rank: event.rank)
  }

  // MARK: Its owner (MODEL.md 2)

  /// Whether it is in use, and what everything else may ask about that.
  var presence: Presence { @inline(__always) _read { yield state.value.presence } }

  /// The present or next session of a phone that has an owner.
  var session: SessionState { @inline(__always) _read { yield sessionCell.value } }

  /// The next session, which ends as it begins until it is known how long it is.
  mutating func plan(_ session: SessionState) { sessionCell.value = session }

  /// The session that begins now lasts until `end`.
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

  /// When the session begins or ends that is planned or in progress; `.never` where none is.
  @inline(__always)
  func nextSessionChange(after now: Instant) -> Instant {
    guard hasPeople else { return .never }
    let change = presence.isInSession ? session.end : session.start
    return change > now ? change : .never
  }

  /// What is wrong with the session; nil when all is well.
  func brokenInvariant(at now: Instant, _ pending: PendingCounts) -> String? {
    guard presence.isInSession == (presence.lastSessionEnd == .never) else { return "in a session and out of it" }
    if presence.isInSession, session.start > now || session.end < now { return "a session out of time" }
    if !presence.isInSession, presence.lastSessionEnd > now { return "a session ended in the future" }
    if presence.isInSession != (pending.sessionEnds == 1) { return "a session without an end" }
    return nil
  }
}

/// Which phone of a fleet, in which replication.
struct PhoneIdentity {
  /// Within the fleet.
  var number: Int
  var cohort: CohortIndex
  var replication: Int
}

/// What a phone is to everything on it, while it rests too.
struct PhoneState: BitwiseCopyable {
  private let numberInFewBits: UInt32
  private let replication: UInt32
  /// U(0, 15 min), in milliseconds.
  private let accrualMilliseconds: UInt32
  let cohort: CohortIndex
  private let zoneNumber: UInt16
  private let modelInFewBits: UInt16
  private let resetHourInFewBits: UInt8
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
    resetHourInFewBits = UInt8(
      truncatingIfNeeded: SpanSampler.part(of: .day, at: budget.second).milliseconds / TimeAmount.hour.milliseconds)
  }

  @inline(__always)
  fileprivate func stream(seed: UInt64) -> DeviceStream {
    DeviceStream(seed: seed, device: numberInFewBits, replication: replication)
  }

  fileprivate var number: Int { Int(numberInFewBits) }
  fileprivate var zone: Int { Int(zoneNumber) }
  fileprivate var model: Int { Int(modelInFewBits) }
  fileprivate var accrualOffset: TimeAmount { .milliseconds(Int64(accrualMilliseconds)) }
  fileprivate var resetHour: Int64 { Int64(resetHourInFewBits) }

  fileprivate var widgetCount: Int {
    get { Int(widgets) }
    set { widgets = UInt8(truncatingIfNeeded: newValue) }
  }
}

/// All that a phone remembers of a widget: what each part keeps, side by side.
///
/// Only the part that a field belongs to touches what is in it. They stand in an order that leaves no gaps.
struct WidgetRow: BitwiseCopyable {
  /// What the scheduler's rules keep; first, see `Column.subscript(_:as:)`.
  private var allowance = AllowanceRoom()
  /// What `Flights` keeps.
  var flight = RunFlight()
  /// What the provider keeps.
  var run = RunState()
  /// What the scheduler keeps.
  var scheduling = TicketState()
  let widget: Widget

  init(widget: Widget) { self.widget = widget }
}

/// A widget as its phone knows it.
struct Widget: BitwiseCopyable {
  let kind: KindIndex
  let member: MemberIndex
  let family: Family
}

extension CohortPlan {
  /// A phone's choices among the cohort's zones and phones.
  @inline(__always)
  func choices(of stream: DeviceStream) -> (zone: Int, phone: Int) {
    let draws = stream.block(.traits)
    return (zone.value(at: draws.first), phone.value(at: draws.second))
  }
}
