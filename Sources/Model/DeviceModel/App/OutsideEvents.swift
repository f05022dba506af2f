import Scenario
import SimulationKernel

/// The external events that reach phones: pushes, system changes and visits to the gallery (MODEL.md 2.1, 4.2).
struct OutsideEvents: BitwiseCopyable {
  private let memory: DeviceMemory

  @inline(__always)
  init(in memory: DeviceMemory) { self.memory = memory }

  /// The number of pushes of each event received so far, used as the key of the draws.
  private var received: Column<EventIndex, UInt32> { memory.eventOrdinals }
  private var pushLog: PushLog { memory.pushLog }

  /// Schedules the first external events of a new phone.
  func begin(_ phone: inout PhoneCore) {
    received.initialize(repeating: 0, count: phone.plan.events.count)
    if phone.plan.maxSilentPushes > 0 { pushLog.begin() }
    if phone.plan.hasPushes { memory.pushWaits.begin(&phone) }
    for event in phone.plan.eventIndices {
      switch phone.plan.event(event).timing {
      case .once(let instant): scheduleEvent(event, day: 0, at: instant, &phone)
      case .daily: scheduleDate(of: event, after: phone.plan.beginning - .milliseconds(1), &phone)
      case .perDevice:
        if isAmong(event, day: 0, &phone) { schedulePush(event, after: phone.plan.beginning, &phone) }
      }
    }
  }

  // MARK: Times

  /// Handles an event that is due, which is either a daily event or a phone-specific push.
  ///
  /// - Returns: whether a push is delivered now.
  func handleOccasion<Rules: SchedulerRules>(
    _ event: EventIndex, at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection, _ rules: Rules.Type
  ) -> Bool {
    guard case .daily(let calendar) = phone.plan.event(event).timing else {
      return receivePush(event, at: now, &phone, &connection, rules)
    }
    scheduleEvent(event, day: dayNumber(in: calendar, at: now, &phone), at: now, &phone)
    return false
  }

  /// Schedules the next occurrence of a daily event or the next phone-specific push.
  func scheduleNext(_ event: EventIndex, after now: Instant, _ phone: inout PhoneCore) {
    switch phone.plan.event(event).timing {
    case .once: return
    case .daily: scheduleDate(of: event, after: now, &phone)
    case .perDevice: schedulePush(event, after: now, &phone)
    }
  }

  /// Returns a unique number for each date of a daily event. In some zones, two dates of an event fall on the same
  /// local day.
  private func dayNumber(in calendar: CalendarPlan, at now: Instant, _ phone: inout PhoneCore) -> Int {
    let dates = calendar.dates[phone.zone]
    let first = Int(phone.wall.reading(at: dates[0]).day.number)
    return first + dates.prefixLength { $0 < now }
  }

  private func scheduleDate(of event: EventIndex, after now: Instant, _ phone: inout PhoneCore) {
    guard case .daily(let calendar) = phone.plan.event(event).timing else { return }
    let date = calendar.date(1, after: now, zone: phone.zone)
    if date < phone.plan.end { phone.schedule(.occasion(event: event), at: date) }
  }

  /// Schedules the next phone-specific push, whose draws use the number of pushes received so far.
  private func schedulePush(_ event: EventIndex, after now: Instant, _ phone: inout PhoneCore) {
    let plan = phone.plan.event(event)
    guard case .perDevice(let gap) = plan.timing else { return }
    let uniform = phone.draws(.pushGap, part: plan.number, index: Int(received[event])).first
    phone.schedule(.occasion(event: event), at: now + gap.span(at: uniform))
  }

  // MARK: Audiences

  /// Whether the phone is in one of the event's cohorts and in its audience. A named audience has the same members for
  /// all events.
  private func isAmong(_ event: EventIndex, day: Int, _ phone: inout PhoneCore) -> Bool {
    let plan = phone.plan.event(event)
    if let cohorts = plan.cohorts, !cohorts.indices.contains(where: { cohorts[$0] == phone.cohortIndex }) {
      return false
    }
    let draws =
      if let group = plan.group { phone.draws(.audienceGroup, part: group) } else {
        phone.draws(.audience, part: plan.number, index: day)
      }
    return plan.audience.happens(at: draws.first)
  }

  /// Schedules an event at an instant within the event's span if the phone is in the event's audience.
  private func scheduleEvent(_ event: EventIndex, day: Int, at instant: Instant, _ phone: inout PhoneCore) {
    guard isAmong(event, day: day, &phone) else { return }
    let plan = phone.plan.event(event)
    let draws = phone.draws(.eventTime, part: plan.number, index: day)
    let at = instant + SpanSampler.part(of: plan.over, at: draws.first)
    switch plan.action {
    case .silentPush, .widgetPush: phone.schedule(.push(event: event), at: at)
    case .systemChange:
      phone.schedule(.systemRuns, at: at + SpanSampler.part(of: ModelConstants.systemSpread, at: draws.second))
    case .reboot: phone.schedule(.reboot, at: at)
    case .gallery: phone.schedule(.gallery(event: event), at: at)
    }
  }

  // MARK: Pushes

  /// Receives a push; if the phone is offline, only the last push of each event is delivered later.
  ///
  /// - Returns: whether the push is delivered now.
  func receivePush<Rules: SchedulerRules>(
    _ event: EventIndex, at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection, _ rules: Rules.Type
  ) -> Bool {
    let ordinal = received[event]
    received[event] = ordinal &+ 1
    guard now >= phone.life.from else { return false }
    let plan = phone.plan.event(event)
    if phone.plan.isMeasured(now), plan.value.isAddressed(phone.cohort, rules) { phone.tally.pushes[plan.number] += 1 }
    memory.pushWaits.note(event, at: now, &phone)
    if case .silentPush = plan.action {
      guard !phone.keepsAppClosed || phone.presence.isAppActive else { return false }
      let draws = phone.draws(.pushDelivery, part: plan.number, index: Int(ordinal))
      guard rules.silentPushDelivered(phone.cohort).happens(at: draws.first) else { return false }
    }
    connection.advance(to: now, &phone)
    guard connection.network.isOffline else { return true }
    phone.queue.cancel(.pushDelivery(event: event))
    phone.schedule(.pushDelivery(event: event), at: connection.network.turn)
    return false
  }

  /// Delivers a push to the phone, which is online, and applies its effects.
  func deliver<Rules>(
    _ event: EventIndex, to app: ContainingApp, at now: Instant, _ widgets: inout WidgetHost<Rules>
  ) {
    widgets.connection.advance(to: now, &widgets.phone)
    switch widgets.phone.plan.event(event).action {
    case .widgetPush(let restarts): reloadAll(restarts: restarts, at: now, &widgets)
    case .silentPush(let effect):
      if Rules.takesSilentPush(pushLog, at: now, &widgets.phone) { app.reload(effect, at: now, &widgets) }
    case .systemChange, .reboot, .gallery: return
    }
  }

  /// Restarts the phone. Its widgets reload after the next unlock, or immediately if the phone is in use.
  func reboot(at now: Instant, _ phone: inout PhoneCore) {
    guard phone.hasPeople else { return }
    let unlock = phone.presence.isInSession ? now : max(phone.session.start, now)
    guard unlock < .never else { return }
    let uniform = phone.draws(
      .eventTime, part: Int(UInt16.max), index: Int(UInt32(truncatingIfNeeded: now.millisecondsSinceStart / 60_000))
    ).first
    phone.schedule(.systemRuns, at: unlock + SpanSampler.part(of: ModelConstants.systemSpread, at: uniform))
  }

  /// Reloads all of the app's widgets in response to a widget push.
  private func reloadAll<Rules>(restarts: Bool, at now: Instant, _ widgets: inout WidgetHost<Rules>) {
    guard Rules.takesWidgetPushes(widgets.phone.cohort) else { return }
    for slot in widgets.phone.slots
    where widgets.provider.isPlaced(slot) && widgets.phone.kind(of: slot).takesPushes {
      if restarts { widgets.provider.restart(slot) }
      widgets.requestScheduled(slot, ReloadRequest(due: now, cause: .widgetPush), at: now)
    }
  }
}

/// The pushes whose data the user of a phone has not seen yet, grouped by kind (MODEL.md 8.4).
struct PushWaits: BitwiseCopyable {
  private let waits: Column<KindIndex, PushWait>
  /// The pending pushes, ordered by event and then by kind.
  private let ofEvents: Column<EventWaitIndex, EventWait>

  @inline(__always)
  init(_ waits: Column<KindIndex, PushWait>, ofEvents: Column<EventWaitIndex, EventWait>) {
    self.waits = waits
    self.ofEvents = ofEvents
  }

  /// Creates the state of a new phone, which has no waits yet.
  func begin(_ phone: inout PhoneCore) {
    waits.initialize(repeating: PushWait(), count: phone.plan.kinds.count)
    ofEvents.initialize(repeating: EventWait(), count: phone.plan.eventWaits)
  }

  /// Records a push to the phone. The push stays pending until the data shown for its kinds is at least as recent.
  func note(_ event: EventIndex, at now: Instant, _ phone: inout PhoneCore) {
    guard phone.plan.isMeasured(now) else { return }
    switch phone.plan.event(event).action {
    case .silentPush(let effect):
      for position in 0..<effect.kinds.count { note(event, of: effect.kinds[position], at: now, &phone) }
    case .widgetPush:
      for kind in phone.plan.kindIndices where phone.plan.kind(kind).takesPushes {
        note(event, of: kind, at: now, &phone)
      }
    case .systemChange, .reboot, .gallery: return
    }
  }

  private func note(_ event: EventIndex, of kind: KindIndex, at now: Instant, _ phone: inout PhoneCore) {
    for slot in phone.slots where phone.kindIndex(of: slot) == kind && phone.rows[slot].run.isPlaced {
      tally(kind, phone).recordPush()
      if waits[kind].first == .never { waits[kind].first = now }
      waits[kind].last = now
      if let start = phone.plan.event(event).value.start(before: now, zone: phone.zone) {
        finish(event, kind, phone)
        tally(kind, phone).recordPush(of: number(event, phone))
        ofEvents[index(event, kind, phone)] = EventWait(push: now, start: start)
      }
      return
    }
  }

  /// Records a view of a widget whose data is from `time`.
  func see(_ kind: KindIndex, dataOf time: Instant, at now: Instant, _ phone: inout PhoneCore) {
    let wait = waits[kind]
    // If no push for the kind is pending, no event is either.
    guard wait.first < .never else { return }
    for event in phone.plan.waitingEvents {
      let index = index(event, kind, phone)
      guard time >= ofEvents[index].push else { continue }
      tally(kind, phone).recordShown(after: now - ofEvents[index].start, of: number(event, phone))
      ofEvents[index] = EventWait()
    }
    guard time >= wait.first else { return }
    tally(kind, phone).recordShown(after: now - wait.first)
    waits[kind].first = time >= wait.last ? .never : wait.last
  }

  /// Discards the pending pushes at the end of the phone's simulation; they remain unseen.
  func finish(_ phone: inout PhoneCore) {
    for kind in phone.plan.kindIndices where waits[kind].first < .never {
      tally(kind, phone).recordUnshown()
      for event in phone.plan.waitingEvents { finish(event, kind, phone) }
    }
  }

  /// Ends the wait for a kind to show the data of an event's last push.
  private func finish(_ event: EventIndex, _ kind: KindIndex, _ phone: borrowing PhoneCore) {
    let index = index(event, kind, phone)
    guard ofEvents[index].push < .never else { return }
    tally(kind, phone).recordUnshown(of: number(event, phone))
    ofEvents[index] = EventWait()
  }

  private func index(_ event: EventIndex, _ kind: KindIndex, _ phone: borrowing PhoneCore) -> EventWaitIndex {
    EventWaitIndex(event.place &* phone.plan.kinds.count &+ kind.place)
  }

  private func number(_ event: EventIndex, _ phone: borrowing PhoneCore) -> Int { phone.plan.event(event).number }

  private func tally(_ kind: KindIndex, _ phone: borrowing PhoneCore) -> FollowedGroup {
    phone.tally.followed(Tally.Group(cohort: phone.cohortIndex, kind: kind))
  }
}

/// The first and the last unseen push for a kind.
struct PushWait: BitwiseCopyable {
  /// The instant of the first unseen push; `.never` if all pushes were seen.
  var first = Instant.never
  var last = Instant.longAgo
}

/// The last unseen push of one event for a kind.
struct EventWait: BitwiseCopyable {
  /// The instant of the push; `.never` if it was seen.
  var push = Instant.never
  /// The start of the event.
  var start = Instant.never
}

extension EventPlan {
  /// Whether a push is sent to the phones of a cohort. Phones whose system does not support widget pushes have no token
  /// for them.
  fileprivate func isAddressed<Rules: SchedulerRules>(_ cohort: Prepared<CohortPlan>, _ rules: Rules.Type) -> Bool {
    if case .widgetPush = action { rules.takesWidgetPushes(cohort) } else { true }
  }

  /// Returns the start of a push shared by all phones; `nil` if each phone has its own times.
  ///
  /// A daily event starts at its most recent date in the given zone.
  fileprivate func start(before now: Instant, zone: Int) -> Instant? {
    switch timing {
    case .once(let instant): return instant
    case .daily(let calendar):
      let dates = calendar.dates[zone]
      let passed = dates.prefixLength { $0 <= now }
      return passed > 0 ? dates[passed - 1] : nil
    case .perDevice: return nil
    }
  }
}
