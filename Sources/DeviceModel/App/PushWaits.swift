import Scenario
import SimulationKernel

/// What was pushed for the kinds of a phone and has not been seen there yet (MODEL.md 8.4).
struct PushWaits: BitwiseCopyable {
  private let waits: Column<KindIndex, PushWait>

  @inline(__always)
  init(_ waits: Column<KindIndex, PushWait>) { self.waits = waits }

  /// A new phone.
  func begin(_ phone: inout PhoneCore) { waits.initialize(repeating: PushWait(), count: phone.plan.kinds.count) }

  /// A push is sent to the phone: what its kinds show is to be at least as new.
  func note(_ event: EventPlan, at now: Instant, _ phone: inout PhoneCore) {
    guard phone.plan.isMeasured(now) else { return }
    switch event.action {
    case .silentPush(let effect):
      for position in 0..<effect.kinds.count { note(effect.kinds[position], at: now, &phone) }
    case .widgetPush:
      for kind in phone.plan.kindIndices { note(kind, at: now, &phone) }
    case .systemChange, .gallery: return
    }
  }

  private func note(_ kind: KindIndex, at now: Instant, _ phone: inout PhoneCore) {
    for slot in phone.slots where phone.kindIndex(of: slot) == kind && phone.rows[slot].run.isPlaced {
      phone.tally.followed(phone.group(of: slot)).recordPush()
      if waits[kind].first == .never { waits[kind].first = now }
      waits[kind].last = now
      return
    }
  }

  /// A view of a widget that shows data of `time`.
  func see(_ kind: KindIndex, dataOf time: Instant, at now: Instant, _ phone: inout PhoneCore) {
    let wait = waits[kind]
    guard time >= wait.first else { return }
    tally(kind, phone).recordShown(after: now - wait.first)
    waits[kind].first = time >= wait.last ? .never : wait.last
  }

  /// The end of the phone's life: what was not seen never is.
  func finish(_ phone: inout PhoneCore) {
    for kind in phone.plan.kindIndices where waits[kind].first < .never {
      tally(kind, phone).recordUnshown()
    }
  }

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
