import Scenario
import SimulationKernel

/// What views of widgets start, and what the views of a day do to budgets (MODEL.md 2.4, 2.7, 4.2, 4.7).
extension WidgetHost {
  /// A widget is seen (MODEL.md 2.4, 4.2).
  mutating func view(_ slot: Slot, at now: Instant) {
    guard provider.isPlaced(slot), let ordinal = views.note(slot, at: now) else { return }
    if phone.plan.hasPushes { Following.sees(slot, at: now, &self) }
    let isStale = views.record(slot, dataOf: provider.dataTime(of: slot), at: now, &phone)
    if scheduler.reloadsAtNextView(slot) {
      reloadAtView(slot, cause: .location, at: now)
    } else if reloadsAtView(slot, ordinal: ordinal, at: now) {
      reloadAtView(slot, cause: .view, at: now)
    } else if isStale {
      views.recordStaleAfter(slot, &phone)
    }
  }

  private mutating func reloadAtView(_ slot: Slot, cause: Cause, at now: Instant) {
    if phone.plan.isMeasured(now) { views.awaitRun(slot, isRunning: provider.isRunning(slot)) }
    requestFree(slot, cause: cause, at: now)
  }

  /// Whether a view of an overdue widget starts a free reload.
  private mutating func reloadsAtView(_ slot: Slot, ordinal: UInt32, at now: Instant) -> Bool {
    let ticket = scheduler.ticket(of: slot)
    guard ticket.exists, !provider.isRunning(slot) else { return false }
    guard Rules.mayReloadAtView(due: ticket.due, at: now, phone.cohort) else { return false }
    return Rules.reloadsAtView(OverdueView(slot: slot, ordinal: ordinal, week: views.week(of: slot)), &phone)
  }

  /// The phone moves: widgets of a kind reload at their next view (MODEL.md 2.7).
  mutating func reloadAtNextView(_ kind: KindIndex) {
    for slot in phone.slots where phone.kindIndex(of: slot) == kind { scheduler.reloadAtNextView(slot) }
  }

  /// Whether a session up to `end` may start a run of a widget by looks alone.
  @inline(__always)
  mutating func mayReloadAtView(_ slot: Slot, before end: Instant) -> Bool {
    if scheduler.reloadsAtNextView(slot) || scheduler.waitReason(slot) != nil { return true }
    let ticket = scheduler.ticket(of: slot)
    return ticket.exists && Rules.mayReloadAtView(due: ticket.due, at: end, phone.cohort)
  }

  /// Local midnight: the week's views move on, and the allowance that follows from them (MODEL.md 4.7).
  mutating func passMidnight(at now: Instant) {
    for slot in phone.slots where provider.isPlaced(slot) {
      views.passMidnight(slot)
      scheduler.passMidnight(slot, week: views.week(of: slot), at: now, &phone)
    }
  }
}
