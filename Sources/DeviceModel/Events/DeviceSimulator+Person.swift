import Scenario
import SimulationKernel

/// What the owner does: sessions, visits, glances, taps, movements (MODEL.md 2).
extension DeviceSimulator {
  /// Gives the present device its owner.
  mutating func initializeOwner() {
    parts.person.initialize(
      to: PersonState(
        cohort.pointee.person, stream: stream, wall: wall, zone: device.zone, beginning: plan.beginning))
    if plan.hasMovements { locations.initialize(repeating: person.unlocks, count: plan.kinds.count) }
  }

  /// Starts the person's processes; a phone that nobody uses has none.
  mutating func beginPerson() {
    scheduleMidnight(after: plan.beginning)
    for kind in 0..<plan.kinds.count { scheduleLocationChange(of: kind) }
    if cohort.pointee.person.audioPerDay > 0 { scheduleAudioSpell() }
    guard person.unlocksPerDay > 0 else { return }
    scheduleSession()
    if cohort.pointee.person.glancesPerUnlock > 0 { scheduleGlance() }
  }

  /// What an hourly process needs to know of this device.
  @inline(__always)
  private var setting: HourProcess.Setting {
    HourProcess.Setting(
      wall: wall, hours: cohort.pointee.person.hours[device.zone], stream: stream,
      unitGap: cohort.pointee.person.unitGap, end: plan.end)
  }

  // MARK: Sessions

  /// Puts the next session into the queue: at the next unlock, or 1 s after the session that it falls into.
  ///
  /// - Parameter ahead: draws of an unlock that were made before, by its key.
  @inline(__always)
  mutating func scheduleSession(ahead: (key: Int, draws: UniformPair)? = nil) {
    let setting = setting
    let perDay = person.unlocksPerDay
    let sampler = cohort.pointee.person.dayFactor
    var factor = person.dayFactor
    let unlock = person.unlocks.next(.unlock, setting: setting, ahead: ahead) { date in
      perDay * factor.value(date, sampler, setting.stream)
    }
    person.dayFactor = factor
    guard let unlock else { return }
    let start = max(unlock.at, person.session.end + .second)
    person.session = SessionState(key: unlock.key, start: start, end: start, lengthUniform: unlock.uniform)
    schedule(.sessionStart, at: start)
  }

  mutating func startSession(at now: Instant) {
    let length = cohort.pointee.person.session.span(at: person.session.lengthUniform)
    person.session.end = now + max(length, .milliseconds(1))
    sessionDraws.make(person.session.key, stream: stream)
    if liveUnperturbedSession(at: now) { return }
    advanceBattery(to: now)
    energy.startSession(at: now)
    device.presence.isInSession = true
    device.presence.lastSessionEnd = .never
    watchBattery(at: now)
    schedule(.sessionEnd, at: person.session.end)
    scheduleVisits(at: now)
    if opensApp { scheduleAppOpen() }
    for slot in 0..<device.instanceCount { scheduleBursts(on: slot) }
    endWaitsForPerson(at: now)
  }

  mutating func endSession(at now: Instant) {
    advanceBattery(to: now)
    energy.endSession(at: now)
    device.presence.isInSession = false
    device.presence.lastSessionEnd = now
    scheduleSession()
    watchBattery(at: now)
  }

  // Mutating like whatever reads a large value here: a borrow would copy it.

  /// Whether the app is opened in the session that begins.
  var opensApp: Bool {
    mutating get { cohort.pointee.person.appOpens.happens(at: sessionDraws.session.second) }
  }

  /// Visits of the home screen in the session that begins, after the first.
  var furtherVisits: Int {
    mutating get { cohort.pointee.person.furtherVisits.value(at: sessionDraws.session.first) }
  }

  /// An instant of the session: U(start, end).
  @inline(__always)
  mutating func instantInSession(_ uniform: UInt64) -> Instant {
    person.session.start + SpanSampler.part(of: person.session.length, at: uniform)
  }

  /// Tickets that waited for the person are looked at after the instant's views (MODEL.md 1.3).
  private mutating func endWaitsForPerson(at now: Instant) {
    for slot in 0..<device.instanceCount {
      switch instances[slot].wait.reason {
      case .idle, .locked: lookAgain(at: slot, now)
      case .lowPower, .budget, nil: continue
      }
    }
  }

  // MARK: Views

  /// The session's first visit of the home screen now, and further ones at uniform instants (MODEL.md 2.4).
  private mutating func scheduleVisits(at now: Instant) {
    for number in 0...furtherVisits {
      let visit = visit(number)
      schedule(.homeVisit(depth: UInt16(truncatingIfNeeded: visit.depth), isFirst: number == 0), at: visit.at)
    }
  }

  /// A visit of the home screen.
  struct Visit: BitwiseCopyable {
    var at: Instant
    /// The last page that it comes to.
    var depth: Int
  }

  /// A visit of the session that has begun, counted from 0.
  @inline(__always)
  mutating func visit(_ number: Int) -> Visit {
    let draws =
      number < SessionDraws.visits
      ? sessionDraws.visit(number) : stream.block(.homeVisit, part: person.session.key, index: number).uniforms
    return Visit(
      at: number == 0 ? person.session.start : instantInSession(draws.first),
      depth: cohort.pointee.person.depth.value(at: draws.second))
  }

  /// A visit of the home screen: every page down to a drawn depth, at one instant (MODEL.md 2.4).
  mutating func visitHomeScreen(depth: Int, isFirst: Bool, at now: Instant) {
    for slot in 0..<device.instanceCount {
      let member = cohort.pointee.members.pointer(at: Int(instances[slot].member))
      if member.pointee.isOnLockScreen {
        if isFirst { view(slot, at: now) }
      } else if member.pointee.page <= depth, isShown(member) {
        view(slot, at: now)
      }
    }
  }

  /// Whether a stack shows this member in the present session; outside stacks always.
  private mutating func isShown(_ member: UnsafePointer<MemberPlan>) -> Bool {
    guard let stack = member.pointee.stack else { return true }
    let draws = stream.block(.stack, part: person.session.key, index: member.pointee.placement)
    return stack.value(at: draws.first) == member.pointee.stackIndex
  }

  mutating func scheduleGlance() {
    let setting = setting
    let perDay = person.unlocksPerDay * cohort.pointee.person.glancesPerUnlock
    let sampler = cohort.pointee.person.dayFactor
    var factor = person.dayFactor
    let glance = person.glances.next(.glance, setting: setting) { date in
      perDay * factor.value(date, sampler, setting.stream)
    }
    person.dayFactor = factor
    if let glance { schedule(.glance, at: glance.at) }
  }

  /// A look at the locked screen; in a session it is none.
  mutating func glance(at now: Instant) {
    if !device.presence.isInSession {
      for slot in 0..<device.instanceCount
      where cohort.pointee.members[Int(instances[slot].member)].isOnLockScreen { view(slot, at: now) }
    }
    scheduleGlance()
  }

  // MARK: Taps

  /// How many bursts of taps there are on an instance in the session that begins.
  @inline(__always)
  mutating func burstCount(on slot: Int) -> Int {
    let member = cohort.pointee.members.pointer(at: Int(instances[slot].member))
    guard let bursts = member.pointee.bursts else { return 0 }
    let uniform =
      slot < SessionDraws.slots
      ? sessionDraws.bursts(onSlot: slot)
      : stream.block(.taps, part: person.session.key, index: Int(instances[slot].member)).first
    return bursts.value(at: uniform)
  }

  private mutating func scheduleBursts(on slot: Int) {
    for burst in 0..<burstCount(on: slot) {
      let index = Int(instances[slot].member) | (burst + 1) << 8
      let draws = stream.block(.taps, part: person.session.key, index: index)
      schedule(.burst(UInt8(slot)), at: instantInSession(draws.first))
    }
  }

  /// A burst begins with a view; the first tap follows after the gap, even if the view is ignored.
  mutating func beginBurst(on slot: Int, at now: Instant) {
    let taps = plan.kinds[Int(instances[slot].kind)].taps
    // First, so that the view's run knows what comes next.
    schedule(.tap(UInt8(slot), left: UInt16(truncatingIfNeeded: taps.burst - 1)), at: now + taps.gap)
    view(slot, at: now)
  }

  /// A button or toggle: free runs of the kind or the instance, and the next tap of the burst.
  mutating func tap(_ slot: Int, left: UInt16, at now: Instant) {
    guard instances[slot].isPlaced else { return }
    let taps = plan.kinds[Int(instances[slot].kind)].taps
    if left > 0 { schedule(.tap(UInt8(slot), left: left - 1), at: now + taps.gap) }
    switch taps.reloads {
    case .instance: requestFree(slot, cause: .tap, at: now)
    case .kind: requestFree(kind: Int(instances[slot].kind), cause: .tap, at: now)
    }
  }

  // MARK: Movements

  private mutating func scheduleLocationChange(of kind: Int) {
    let perDay = plan.kinds[kind].locationChangesPerDay
    guard perDay > 0 else { return }
    let change = locations[kind].next(.location, part: kind, setting: setting) { _ in perDay }
    if let change { schedule(.locationChange(kind: UInt16(truncatingIfNeeded: kind)), at: change.at) }
  }

  /// The device moves: the kind's instances reload at their next view (MODEL.md 2.7).
  mutating func changeLocation(of kind: Int, at now: Instant) {
    for slot in 0..<device.instanceCount where instances[slot].kind == kind { instances[slot].hasMoved = true }
    scheduleLocationChange(of: kind)
  }

  // MARK: Days

  private mutating func scheduleMidnight(after now: Instant) {
    let tomorrow = LocalDay(number: wall.reading(at: now).day.number + 1)
    schedule(.midnight, at: wall.instant(of: LocalTime(day: tomorrow, .zero)))
  }

  /// Local midnight: the week's views move on, and the capacity that follows from them (MODEL.md 4.7).
  mutating func passMidnight(at now: Instant) {
    let budget = cohort.pointee.system.budget
    for slot in 0..<device.instanceCount where instances[slot].isPlaced {
      views[slot].passMidnight()
      guard case .views(_, let byWeek) = cohort.pointee.members[Int(instances[slot].member)].capacity else { continue }
      guard let week = views[slot].week, !plan.countsDemand else { continue }
      instances[slot].account.update(at: now, plan: budget, clock: accrualClock)
      instances[slot].account.change(capacity: byWeek[min(week, byWeek.count - 1)], plan: budget)
      // It may suffice at another time than was foreseen.
      if instances[slot].wait.reason == .budget { lookAgain(at: slot, now) }
    }
    scheduleMidnight(after: now)
  }

  // MARK: Audio

  mutating func scheduleAudioSpell() {
    let perDay = cohort.pointee.person.audioPerDay
    let spell = person.audioSpells.next(.audio, setting: setting) { _ in perDay }
    guard let spell else { return }
    person.audioLengthUniform = spell.uniform
    schedule(.audioStart, at: spell.at)
  }
}
