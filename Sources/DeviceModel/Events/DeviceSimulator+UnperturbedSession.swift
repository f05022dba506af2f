import Scenario
import SimulationKernel

/// Sessions in which people do no more than look, in one step (MODEL.md 2.2-2.4).
///
/// Nothing else happens on the phone meanwhile: its visits need no queue, and a battery that is far from empty need not
/// be asked. Any other session takes the long way, which does the same.
extension DeviceSimulator {
  /// Lives the session that begins: its visits and its end.
  ///
  /// - Returns: whether nothing disturbs it; otherwise nothing has happened.
  mutating func liveUnperturbedSession(at now: Instant) -> Bool {
    let end = person.session.end
    guard observed == nil else { return false }
    passGlances(before: end)
    guard queue.nextInstant > end, !opensApp else { return false }
    for slot in 0..<device.instanceCount where mayStartRun(of: slot, until: end) { return false }
    let further = furtherVisits
    guard further <= Visits.most, staysCalm(until: end, from: now) else { return false }
    // Visits and end.
    tally.eventCount &+= Int64(further) &+ 2
    energy.startSession(at: now)
    device.presence.isInSession = true
    visitHomeScreen(depth: visit(0).depth, isFirst: true, at: now)
    if further > 0 { visitFurther(further) }
    endUnperturbedSession(at: end)
    return true
  }

  /// A glance in a session is none: all it does is to bring the next.
  @inline(__always)
  private mutating func passGlances(before end: Instant) {
    while case .glance? = queue.soonest, queue.next(before: end) != nil {
      tally.eventCount &+= 1
      scheduleGlance()
    }
  }

  /// Whether nothing concerns the battery from now on until an instant; brings the network and, if need be, it up to now.
  @inline(__always)
  private mutating func staysCalm(until instant: Instant, from now: Instant) -> Bool {
    advanceNetwork(to: now)
    if isBatteryCalm(until: instant, at: now) { return true }
    advanceBattery(to: now)
    return isBatteryCalm(until: instant, at: now)
  }

  /// Whether the session may start a run of an instance.
  @inline(__always)
  private mutating func mayStartRun(of slot: Int, until end: Instant) -> Bool {
    let instance = instances + slot
    if instance.pointee.hasMoved || instance.pointee.wait.reason != nil || burstCount(on: slot) > 0 { return true }
    // Overdue at a view.
    return instance.pointee.ticket.exists && end - instance.pointee.ticket.due >= cohort.pointee.system.staleViewGrace
  }

  /// The visits after the first.
  @inline(__always)
  private mutating func visitFurther(_ further: Int) {
    let first = visit(1)
    if further == 1 { return visitHomeScreen(depth: first.depth, isFirst: false, at: first.at) }
    var visits = Visits(first)
    for number in 2...further { visits.add(visit(number)) }
    for place in 0..<further {
      visitHomeScreen(depth: visits.inOrder[place].depth, isFirst: false, at: visits.inOrder[place].at)
    }
  }

  /// What `endSession` does, but that the battery is asked only if the time up to the next session is long.
  @inline(__always)
  private mutating func endUnperturbedSession(at now: Instant) {
    advanceNetwork(to: now)
    energy.endSession(at: now)
    device.presence.isInSession = false
    device.presence.lastSessionEnd = now
    if device.battery.capacity > .zero {
      let used = device.battery.spendSession(lasting: person.session.length)
      tally.energy.supply(used, fromCharger: device.battery.isCharging)
    }
    scheduleSession(ahead: (person.session.key + 1, sessionDraws.nextUnlock))
    if !staysCalm(until: nextPowerChange(after: now), from: now) { watchBattery(at: now) }
  }
}

/// Visits of a session by their time; of equal times the one that was added first.
private struct Visits {
  static var most: Int { 6 }

  private(set) var inOrder: InlineArray<6, DeviceSimulator.Visit>
  private var count = 1

  init(_ visit: DeviceSimulator.Visit) { inOrder = InlineArray(repeating: visit) }

  mutating func add(_ visit: DeviceSimulator.Visit) {
    var place = count
    while place > 0, inOrder[place - 1].at > visit.at {
      inOrder[place] = inOrder[place - 1]
      place -= 1
    }
    inOrder[place] = visit
    count += 1
  }
}
