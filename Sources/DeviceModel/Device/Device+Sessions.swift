import Scenario
import SimulationKernel

/// Sessions: what the owner does to the widgets, the network and the battery (MODEL.md 2.2-2.6, 3.2).
extension Device {
  mutating func startSession(at now: Instant) {
    owner.beginSession(at: now, &widgets.phone)
    if liveUnperturbedSession(at: now) { return }
    widgets.power.advance(to: now, &widgets.phone, &widgets.connection)
    takePhone(at: now)
    widgets.power.watch(at: now, &widgets.phone)
    widgets.phone.schedule(.sessionEnd, at: widgets.phone.session.end)
    owner.scheduleVisits(&widgets.phone)
    if owner.opensApp(&widgets.phone) { app.scheduleOpen(&widgets.phone) }
    for slot in widgets.phone.slots { owner.scheduleBursts(on: slot, &widgets.phone) }
    // Tickets that waited for the person are looked at after the instant's views (MODEL.md 1.3).
    widgets.endWaits(with: .unlock, at: now)
  }

  mutating func endSession(at now: Instant) {
    widgets.power.advance(to: now, &widgets.phone, &widgets.connection)
    leavePhone(at: now)
    widgets.power.watch(at: now, &widgets.phone)
  }

  /// What the beginning of every session does, on the fast path too.
  @inline(__always)
  private mutating func takePhone(at now: Instant) {
    widgets.connection.energy.startSession(at: now)
    widgets.phone.beginSession()
  }

  /// What the end of every session does, on the fast path too: the next one is planned.
  ///
  /// - Parameter ahead: draws of the next unlock that were made before, by its key.
  @inline(__always)
  private mutating func leavePhone(at now: Instant, ahead: (key: Int, draws: UniformPair)? = nil) {
    widgets.connection.energy.endSession(at: now)
    widgets.phone.endSession(at: now)
    owner.scheduleSession(&widgets.phone, ahead: ahead)
  }

  /// A visit of the home screen: every page down to a drawn depth, at one instant (MODEL.md 2.4).
  mutating func visitHomeScreen(depth: Int, isFirst: Bool, at now: Instant) {
    for slot in widgets.phone.slots where owner.sees(slot, depth: depth, isFirst: isFirst, &widgets.phone) {
      widgets.view(slot, at: now)
    }
  }

  /// A look at the locked screen; in a session it is none.
  mutating func glance(at now: Instant) {
    if !widgets.phone.presence.isInSession {
      for slot in widgets.phone.slots where widgets.phone.member(of: slot).value.isOnLockScreen {
        widgets.view(slot, at: now)
      }
    }
    owner.scheduleGlance(&widgets.phone)
  }

  // MARK: Taps

  /// A burst begins with a view; the first tap follows after the gap, even if the view is ignored.
  mutating func beginBurst(on slot: Slot, at now: Instant) {
    let taps = widgets.phone.kind(of: slot).taps
    // First, so that the view's run knows what comes next.
    owner.scheduleTap(on: slot, left: UInt16(truncatingIfNeeded: taps.burst - 1), after: now, &widgets.phone)
    widgets.view(slot, at: now)
  }

  /// A button or toggle: free runs of the kind or the widget, and the next tap of the burst.
  mutating func tap(_ slot: Slot, left: UInt16, at now: Instant) {
    guard widgets.provider.isPlaced(slot) else { return }
    if left > 0 { owner.scheduleTap(on: slot, left: left - 1, after: now, &widgets.phone) }
    switch widgets.phone.kind(of: slot).taps.reloads {
    case .instance: widgets.requestFree(slot, cause: .tap, at: now)
    case .kind: widgets.requestFree(widgets.phone.kindIndex(of: slot), cause: .tap, at: now)
    }
  }

  // MARK: Fast path

  /// Lives the session that begins, its visits and its end, in one step, where people do no more than look (MODEL.md
  /// 2.2-2.4).
  ///
  /// Nothing else happens on the phone meanwhile: its visits need no queue, and a battery that is far from empty need not
  /// be asked. Any other session takes the long way, which does the same.
  ///
  /// - Returns: whether nothing disturbs it; otherwise nothing has happened.
  private mutating func liveUnperturbedSession(at now: Instant) -> Bool {
    let end = widgets.phone.session.end
    guard !widgets.phone.isWatched else { return false }
    passGlances(before: end)
    guard widgets.phone.queue.nextInstant > end, !owner.opensApp(&widgets.phone) else { return false }
    for slot in widgets.phone.slots where mayStartRun(of: slot, until: end) { return false }
    let further = owner.furtherVisits(&widgets.phone)
    guard further <= Visits.most,
      widgets.power.staysCalm(until: end, from: now, &widgets.phone, &widgets.connection)
    else { return false }
    // Visits and end.
    widgets.phone.tally.eventCount &+= Int64(further) &+ 2
    takePhone(at: now)
    visitHomeScreen(depth: owner.visit(0, &widgets.phone).depth, isFirst: true, at: now)
    if further > 0 { visitFurther(further) }
    endUnperturbedSession(at: end)
    return true
  }

  /// A glance in a session is none: all it does is to bring the next.
  @inline(__always)
  private mutating func passGlances(before end: Instant) {
    while case .glance? = widgets.phone.queue.soonest, widgets.phone.queue.next(before: end) != nil {
      widgets.phone.tally.eventCount &+= 1
      owner.scheduleGlance(&widgets.phone)
    }
  }

  /// Whether the session may start a run of a widget.
  @inline(__always)
  private mutating func mayStartRun(of slot: Slot, until end: Instant) -> Bool {
    owner.burstCount(on: slot, &widgets.phone) > 0 || widgets.mayReloadAtView(slot, before: end)
  }

  /// The visits after the first.
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

  /// As `endSession`, but that the battery is asked only if the time up to the next session is long.
  @inline(__always)
  private mutating func endUnperturbedSession(at now: Instant) {
    widgets.connection.advance(to: now, &widgets.phone)
    widgets.power.spendSession(lasting: widgets.phone.session.length, &widgets.phone)
    leavePhone(at: now, ahead: owner.nextUnlock(&widgets.phone))
    let change = widgets.power.nextChange(after: now, &widgets.phone)
    if !widgets.power.staysCalm(until: change, from: now, &widgets.phone, &widgets.connection) {
      widgets.power.watch(at: now, &widgets.phone)
    }
  }
}

/// Visits of a session by their time; of equal times the one that was added first.
private struct Visits {
  static var most: Int { 6 }

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
