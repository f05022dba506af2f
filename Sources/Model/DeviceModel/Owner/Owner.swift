import Scenario
import SimulationKernel

/// The user of the phone, including sessions, visits, glances, taps and changes of location (MODEL.md 2).
///
/// All methods change only memory outside the value, but are mutating because a borrow would copy the value.
struct Owner: ~Copyable {
  private var state: Cell<PersonState>
  /// The draws of the session that is starting.
  private let draws = SessionDraws()

  /// Creates the user state before the first phone starts.
  ///
  /// - Parameter memory: memory that is not used by a phone yet.
  init(in memory: DeviceMemory) { state = memory.person }

  /// Starts the simulation of a new phone's user, if there is one.
  mutating func begin(_ phone: inout PhoneCore) {
    wake(&phone)
    guard phone.hasPeople else { return }
    let person = PersonState(
      phone.cohort.value.person, stream: phone.stream, wall: phone.wall, zone: phone.zone,
      beginning: phone.plan.beginning)
    state.initialize(to: person)
    if phone.plan.hasMovements {
      phone.memory.locations.initialize(repeating: person.unlocks, count: phone.plan.kinds.count)
    }
  }

  /// Switches to a phone whose widgets are known.
  @inline(__always)
  mutating func wake(_ phone: inout PhoneCore) {
    state = phone.memory.person
    for place in 0..<min(phone.widgetCount, SessionDraws.slots) {
      draws.setMember(ofSlot: Slot(place), to: phone.widget(Slot(place)).member)
    }
  }

  /// Starts the random processes of the user; a phone without a user has no such processes.
  mutating func beginProcesses(_ phone: inout PhoneCore) {
    let beginning = phone.plan.beginning
    scheduleMidnight(after: beginning, &phone)
    for kind in phone.plan.kindIndices { scheduleLocationChange(of: kind, &phone) }
    if phone.cohort.person.audioPerDay > 0 { scheduleAudioSpell(&phone) }
    guard state.value.unlocksPerDay > 0 else { return }
    scheduleSession(&phone)
    if phone.cohort.person.glancesPerUnlock > 0 { scheduleGlance(&phone) }
  }

  /// The state of a user, for snapshots of phones.
  var person: PersonState { state.value }

  /// Returns the number of unlocks per day before the day factor is applied; it is 0 if there is no user.
  mutating func unlocksPerDay(_ phone: inout PhoneCore) -> Double { phone.hasPeople ? state.value.unlocksPerDay : 0 }

  /// Returns the input of the phone to an hourly process.
  @inline(__always)
  private mutating func setting(_ phone: inout PhoneCore) -> HourProcess.Setting {
    HourProcess.Setting(
      wall: phone.wall, hours: phone.cohort.person.hours[phone.zone], stream: phone.stream,
      unitGap: phone.cohort.person.unitGap, end: phone.plan.end)
  }

  // MARK: Sessions

  /// Schedules the next session: at the next unlock, or 1 s after the current session if the unlock falls within it.
  ///
  /// - Parameter ahead: draws generated in advance for an unlock, together with the key of the unlock.
  @inline(__always)
  mutating func scheduleSession(_ phone: inout PhoneCore, ahead: (key: Int, draws: UniformPair)? = nil) {
    let setting = setting(&phone)
    let perDay = state.value.unlocksPerDay
    let law = phone.dayFactorLaw
    var factor = state.value.dayFactor
    let unlock = state.value.unlocks.next(.unlock, setting: setting, ahead: ahead) { date in
      perDay * factor.value(date, law)
    }
    state.value.dayFactor = factor
    guard let unlock else { return }
    let start = max(unlock.at, phone.session.end + .second)
    phone.plan(SessionState(key: unlock.key, start: start, end: start, lengthUniform: unlock.uniform))
    phone.schedule(.sessionStart, at: start)
  }

  /// Starts the planned session and draws its length and content.
  @inline(__always)
  mutating func beginSession(at now: Instant, _ phone: inout PhoneCore) {
    let length = phone.cohort.person.session.span(at: phone.session.lengthUniform)
    phone.endNextSession(at: now + max(length, .milliseconds(1)))
    draws.make(phone.session.key, stream: phone.stream)
  }

  /// Returns the draws for the unlock that follows the current session, with the unlock's key.
  @inline(__always)
  mutating func nextUnlock(_ phone: inout PhoneCore) -> (key: Int, draws: UniformPair) {
    (phone.session.key + 1, draws.nextUnlock)
  }

  /// Whether the app is opened in the session that is starting.
  @inline(__always)
  mutating func opensApp(_ phone: inout PhoneCore) -> Bool {
    phone.cohort.person.appOpens.happens(at: draws.session.second)
  }

  // MARK: Visits

  /// Returns the number of home screen visits after the first one in the session that is starting.
  @inline(__always)
  mutating func furtherVisits(_ phone: inout PhoneCore) -> Int {
    phone.cohort.person.furtherVisits.value(at: draws.session.first)
  }

  /// Schedules the first home screen visit of a session immediately, and all other visits at instants drawn uniformly
  /// from the session (MODEL.md 2.4).
  mutating func scheduleVisits(_ phone: inout PhoneCore) {
    for number in 0...furtherVisits(&phone) {
      let visit = visit(number, &phone)
      phone.schedule(
        .homeVisit(depth: UInt16(truncatingIfNeeded: visit.depth), isFirst: number == 0), at: visit.at)
    }
  }

  /// Returns the visit with a zero-based number in the current session.
  @inline(__always)
  mutating func visit(_ number: Int, _ phone: inout PhoneCore) -> Visit {
    let draws =
      number < SessionDraws.visits
      ? draws.visit(number) : phone.draws(.homeVisit, part: phone.session.key, index: number).uniforms
    return Visit(
      at: number == 0 ? phone.session.start : phone.session.instant(at: draws.first),
      depth: phone.cohort.person.depth.value(at: draws.second))
  }

  /// Whether a visit down to a given page shows a widget. The first visit of a session also shows the lock screen.
  @inline(__always)
  mutating func sees(_ slot: Slot, depth: Int, isFirst: Bool, _ phone: inout PhoneCore) -> Bool {
    let member = phone.member(of: slot)
    if member.isOnLockScreen { return isFirst }
    return member.page <= depth && isShown(member, &phone)
  }

  /// Whether the member's stack shows the member in the current session; always true for a member without a stack.
  private mutating func isShown(_ member: Prepared<MemberPlan>, _ phone: inout PhoneCore) -> Bool {
    guard let stack = member.stack else { return true }
    let draws = phone.draws(.stack, part: phone.session.key, index: member.placement)
    return stack.value(at: draws.first) == member.stackIndex
  }

  mutating func scheduleGlance(_ phone: inout PhoneCore) {
    let setting = setting(&phone)
    let perDay = state.value.unlocksPerDay * phone.cohort.person.glancesPerUnlock
    let law = phone.dayFactorLaw
    var factor = state.value.dayFactor
    let glance = state.value.glances.next(.glance, setting: setting) { date in
      perDay * factor.value(date, law)
    }
    state.value.dayFactor = factor
    if let glance { phone.schedule(.glance, at: glance.at) }
  }

  // MARK: Taps

  /// Returns the number of tap bursts on a widget in the session that is starting.
  @inline(__always)
  mutating func burstCount(on slot: Slot, _ phone: inout PhoneCore) -> Int {
    guard let bursts = phone.member(of: slot).bursts else { return 0 }
    let uniform =
      slot.place < SessionDraws.slots
      ? draws.bursts(on: slot)
      : phone.draws(.taps, part: phone.session.key, index: phone.widget(slot).member.place).first
    return bursts.value(at: uniform)
  }

  mutating func scheduleBursts(on slot: Slot, _ phone: inout PhoneCore) {
    for burst in 0..<burstCount(on: slot, &phone) {
      let index = phone.widget(slot).member.place | (burst + 1) << 8
      let uniform = phone.draws(.taps, part: phone.session.key, index: index).first
      phone.schedule(.burst(slot), at: phone.session.instant(at: uniform))
    }
  }

  /// Schedules the next tap of a burst.
  mutating func scheduleTap(on slot: Slot, left: UInt16, after now: Instant, _ phone: inout PhoneCore) {
    phone.schedule(.tap(slot, left: left), at: now + phone.kind(of: slot).taps.gap)
  }

  // MARK: Movements

  mutating func scheduleLocationChange(of kind: KindIndex, _ phone: inout PhoneCore) {
    let perDay = phone.plan.kind(kind).locationChangesPerDay
    guard perDay > 0 else { return }
    let change = phone.memory.locations[kind].next(.location, part: kind.place, setting: setting(&phone)) { _ in perDay
    }
    if let change { phone.schedule(.locationChange(kind: kind), at: change.at) }
  }

  // MARK: Days

  mutating func scheduleMidnight(after now: Instant, _ phone: inout PhoneCore) {
    let tomorrow = LocalDay(number: phone.wall.reading(at: now).day.number + 1)
    phone.schedule(.midnight, at: phone.wall.instant(of: LocalTime(day: tomorrow, .zero)))
  }

  // MARK: Audio

  mutating func scheduleAudioSpell(_ phone: inout PhoneCore) {
    let perDay = phone.cohort.person.audioPerDay
    let spell = state.value.audioSpells.next(.audio, setting: setting(&phone)) { _ in perDay }
    guard let spell else { return }
    state.value.audioLengthUniform = spell.uniform
    phone.schedule(.audioStart, at: spell.at)
  }

  /// Starts the planned audio spell unless another spell is still in progress, and plans the next one.
  ///
  /// - Returns: whether the planned spell started.
  mutating func startAudio(at now: Instant, _ phone: inout PhoneCore) -> Bool {
    let length = phone.cohort.person.audioLength.span(at: state.value.audioLengthUniform)
    scheduleAudioSpell(&phone)
    guard !phone.presence.isPlayingAudio else { return false }
    state.value.audioEnd = now + max(length, .milliseconds(1))
    phone.setPlayingAudio(true)
    phone.schedule(.audioEnd, at: state.value.audioEnd)
    return true
  }

  /// The end of the current audio spell; in the past if no spell is in progress.
  var audioEnd: Instant { mutating get { state.value.audioEnd } }
}

struct Visit: BitwiseCopyable {
  var at: Instant
  /// The last page that the visit reaches.
  var depth: Int
}

extension PhoneCore {
  /// Returns the factor by which unlocks and views vary on a local date (MODEL.md 2.2).
  mutating func dayFactor(on date: LocalDay) -> Double {
    guard hasPeople else { return 1 }
    var factor = DayFactor()
    return factor.value(date, dayFactorLaw)
  }

  /// The parameters from which the day factors are computed.
  @inline(__always)
  var dayFactorLaw: DayFactor.Law { DayFactor.Law(cohort: cohort, stream: stream, isPilot: plan.countsDemand) }
}

/// The part of the user's state that all other components may read (MODEL.md 2).
struct Presence: BitwiseCopyable {
  /// The end of the last session; `.never` during a session, and `.longAgo` before the first session.
  var lastSessionEnd: Instant = .longAgo
  var isInSession = false
  var isForeground = false
  var isPlayingAudio = false

  /// Whether the app counts as active, so that its calls are free (MODEL.md 4.2).
  var isAppActive: Bool { isForeground || isPlayingAudio }
}

/// The state of a phone's user, including the events planned for the user (MODEL.md 2).
struct PersonState: BitwiseCopyable {
  /// The number of unlocks per day before the day factor is applied; it is 0 if there is no user.
  var unlocksPerDay: Double
  var dayFactor = DayFactor()
  var unlocks: HourProcess
  var glances: HourProcess
  var audioSpells: HourProcess
  /// The end of the current audio spell; in the past if no spell is in progress.
  var audioEnd: Instant = .longAgo
  /// The draw that determines the length of the next audio spell.
  var audioLengthUniform: UInt64 = 0

  init(_ plan: PersonPlan, stream: DeviceStream, wall: WallClock, zone: Int, beginning: Instant) {
    unlocksPerDay =
      plan.unlocksPerDay.isConstant
      ? plan.unlocksPerDay.number(at: 0) : plan.unlocksPerDay.number(at: stream.block(.person).first)
    unlocks = HourProcess(beginning: beginning, wall: wall, hours: plan.hours[zone])
    glances = unlocks
    audioSpells = unlocks
  }
}

/// The day factor for unlocks and glances, stored for the most recently requested date (MODEL.md 2.2).
struct DayFactor: BitwiseCopyable {
  private var date = LocalDay(number: .min)
  private var factor = 1.0

  /// The parameters from which a phone's day factors are computed.
  struct Law {
    let cohort: Prepared<CohortPlan>
    let stream: DeviceStream
    /// Whether the phone is a pilot phone, on which demand is measured with separate day factors (MODEL.md 1.4).
    let isPilot: Bool
  }

  mutating func value(_ asked: LocalDay, _ law: Law) -> Double {
    if asked == date { return factor }
    date = asked
    let (own, common) = (law.cohort.person.dayFactor, law.cohort.person.fleetDayFactor)
    let stream = law.isPilot ? law.stream : law.stream.ofFleet
    factor =
      own.number(at: own.isConstant ? 0 : law.stream.block(.dayFactor, index: Int(asked.number)).first)
      * common.number(at: common.isConstant ? 0 : stream.commonDraw(of: asked))
    return factor
  }
}

/// A session, which lasts from an unlock to the following lock, with the key of its draws.
struct SessionState: BitwiseCopyable {
  var key = 0
  var start: Instant = .never
  var end: Instant = .longAgo
  var lengthUniform: UInt64 = 0

  var length: TimeAmount { end - start }

  /// Returns the instant in the session that corresponds to a uniform draw.
  @inline(__always)
  func instant(at uniform: UInt64) -> Instant { start + SpanSampler.part(of: length, at: uniform) }
}
