import Scenario
import SimulationKernel

/// What was pushed for the kinds of a phone and has not been seen there yet (MODEL.md 8.4).
struct PushWaits: BitwiseCopyable {
  private let waits: Column<KindIndex, PushWait>
  /// By event, then kind.
  private let ofEvents: Column<EventWaitIndex, EventWait>

  @inline(__always)
  init(_ waits: Column<KindIndex, PushWait>, ofEvents: Column<EventWaitIndex, EventWait>) {
    self.waits = waits
    self.ofEvents = ofEvents
  }

  /// A new phone.
  func begin(_ phone: inout PhoneCore) {
    waits.initialize(repeating: PushWait(), count: phone.plan.kinds.count)
    ofEvents.initialize(repeating: EventWait(), count: phone.plan.eventWaits)
  }

  /// A push is sent to the phone: what its kinds show is to be at least as new.
  func note(_ event: EventIndex, at now: Instant, _ phone: inout PhoneCore) {
    guard phone.plan.isMeasured(now) else { return }
    switch phone.plan.event(event).action {
    case .silentPush(let effect):
      for position in 0..<effect.kinds.count { note(event, of: effect.kinds[position], at: now, &phone) }
    case .widgetPush:
      for kind in phone.plan.kindIndices { note(event, of: kind, at: now, &phone) }
    case .systemChange, .gallery: return
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

  /// A view of a widget that shows data of `time`.
  func see(_ kind: KindIndex, dataOf time: Instant, at now: Instant, _ phone: inout PhoneCore) {
    let wait = waits[kind]
    // No event waits where none of them all does.
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

  /// The end of the phone's life: what was not seen never is.
  func finish(_ phone: inout PhoneCore) {
    for kind in phone.plan.kindIndices where waits[kind].first < .never {
      tally(kind, phone).recordUnshown()
      for event in phone.plan.waitingEvents { finish(event, kind, phone) }
    }
  }

  /// Ends the wait for what an event pushed last for a kind.
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

/// The first and the last push for a kind of which nothing was seen yet.
struct PushWait: BitwiseCopyable {
  /// `.never`: everything was seen.
  var first = Instant.never
  var last = Instant.longAgo
}

/// The last push of one event for a kind, while nobody has seen it.
struct EventWait: BitwiseCopyable {
  /// `.never`: it was seen.
  var push = Instant.never
  /// The event's start.
  var start = Instant.never
}

extension EventPlan {
  /// The start that all phones share of what is pushed at an instant, of a daily event its last date by a zone's clock;
  /// `nil` if each phone has its own times.
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
