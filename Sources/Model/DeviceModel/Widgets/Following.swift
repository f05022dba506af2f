import Scenario
import SimulationKernel

/// The breakdown of a followed widget's time between two refreshes requested by its policy (MODEL.md 8.3).
///
/// This type has no state, because the parts can be derived from the end of the last run and from the ticket.
enum Following {
  /// Counts the time for which a widget exists in the measured period, both in total and by local hour.
  static func placement<Rules: SchedulerRules>(_ slot: Slot, _ host: inout WidgetHost<Rules>) {
    let (from, to) = (max(host.phone.life.from, .start), host.phone.life.end)
    guard from < to else { return }
    let tally = host.phone.tally.followed(host.phone.group(of: slot))
    tally.addTime(to - from)
    host.phone.wall.countHours(from: from, to: to) { tally.addTime($1, hour: $0) }
  }

  /// Counts the start of a run; if a ticket caused the run, the ticket must still exist.
  @inline(never)
  static func start<Rules: SchedulerRules>(_ slot: Slot, cause: Cause, at now: Instant, _ host: inout WidgetHost<Rules>)
  {
    guard host.phone.plan.isMeasured(now) else { return }
    if host.provider.isPlaced(slot) { cycle(slot, upTo: now, startedBy: cause, &host) }
    let tally = host.phone.tally.followed(host.phone.group(of: slot))
    tally.recordRun(cause, hour: host.phone.wall.reading(at: now).hour)
    // The time at which the run ends is added when it is known.
    tally.add(.running, -now.millisecondsSinceStart)
  }

  /// Records a run that requires more than counting, because the previous day has ended or the phone is followed.
  @inline(never)
  static func recordDetails<Rules: SchedulerRules>(
    _ slot: Slot, _ cause: Cause, at now: Instant, _ host: inout WidgetHost<Rules>
  ) {
    if host.phone.isFollowed { start(slot, cause: cause, at: now, &host) }
    host.log.passDays(of: slot, upTo: now, &host.phone)
  }

  /// Records a view of a widget, which may be the first view after a push.
  static func sees<Rules: SchedulerRules>(_ slot: Slot, at now: Instant, _ host: inout WidgetHost<Rules>) {
    let kind = host.phone.kindIndex(of: slot)
    host.phone.memory.pushWaits.see(kind, dataOf: host.provider.dataTime(of: slot), at: now, &host.phone)
  }

  /// Ends the lifetime of the phone while its widgets are still active.
  static func end<Rules: SchedulerRules>(_ host: inout WidgetHost<Rules>) {
    defer { if host.phone.plan.hasPushes { host.phone.memory.pushWaits.finish(&host.phone) } }
    guard host.phone.isFollowed, host.phone.life.end > .start else { return }
    for slot in host.phone.slots where host.provider.isPlaced(slot) {
      host.scheduler.finish(slot, &host.phone)
      guard !host.provider.isRunning(slot) else {
        host.phone.tally.followed(host.phone.group(of: slot)).add(.running, host.phone.life.end.millisecondsSinceStart)
        continue
      }
      cycle(slot, upTo: host.phone.life.end, startedBy: nil, &host)
      host.scheduler.followWait(slot, upTo: host.phone.life.end, &host.phone)
    }
  }

  /// Counts the time since the end of the last run. Waits are excluded, because they are counted when they end.
  ///
  /// - Parameter cause: the cause of the run that starts now; `nil` if no run starts.
  private static func cycle<Rules: SchedulerRules>(
    _ slot: Slot, upTo now: Instant, startedBy cause: Cause?, _ host: inout WidgetHost<Rules>
  ) {
    let (last, ticket) = (host.provider.lastRun(of: slot), host.scheduler.ticket(of: slot))
    let tally = host.phone.tally.followed(host.phone.group(of: slot))
    tally.add(.running, host.phone.measuredInstant(last.end))
    guard let asked = ticket.cause else {
      return tally.add(.without, host.phone.measuredMilliseconds(from: last.end, to: now))
    }
    let due = min(max(ticket.due, last.end), now)
    let eligible = min(max(host.scheduler.eligible(slot, after: last, host.phone.cohort), due), now)
    let planned = max(min(ticket.planned, now), eligible)
    tally.add(.spacing, host.phone.measuredMilliseconds(from: due, to: eligible))
    tally.add(.startDelay, host.phone.measuredMilliseconds(from: eligible, to: planned))
    if asked == .policy, cause == .policy || cause == nil {
      Self.asked(slot, ticket, last, upTo: now, isRun: cause != nil, &host)
    } else {
      let part = asked == .retry ? AskedPart.failed : .superseded
      tally.add(part, host.phone.measuredMilliseconds(from: last.end, to: due))
    }
  }

  /// Counts the time up to the due date of the ticket, as requested by the policy.
  private static func asked<Rules: SchedulerRules>(
    _ slot: Slot, _ ticket: Ticket, _ last: LastRun, upTo now: Instant, isRun: Bool, _ host: inout WidgetHost<Rules>
  ) {
    let kind = host.phone.kind(of: slot)
    let uniform = kind.drawsJitter ? host.phone.scheduleDraws(slot, run: last.number).second : 0
    let jitter = host.provider.jitter(slot, uniform: uniform, after: last.end, &host.phone)
    let date = max(ticket.due - jitter, last.end)
    // With a negative jitter, the date is after the due time and possibly after the run. In that case, the jitter's
    // part of the time is negative.
    let (dateSoFar, dueSoFar) = (isRun ? date : min(date, now), min(max(ticket.due, last.end), now))
    let tally = host.phone.tally.followed(host.phone.group(of: slot))
    let within = host.phone.measuredMilliseconds(from: last.end, to: dateSoFar)
    tally.add(.jitter, host.phone.measuredMilliseconds(from: dateSoFar, to: dueSoFar))
    guard isRun else { return tally.add(.edges, within) }
    let from = kind.date(before: date, notAfter: last.end, zone: host.phone.zone)
    tally.add(.asked, (date - (from ?? last.end)).milliseconds)
    tally.add(.caughtUp, from.map { (last.end - $0).milliseconds } ?? 0)
    tally.add(.edges, within - (date - last.end).milliseconds)
  }
}

extension Prepared where Value == KindPlan {
  /// Returns the last calendar date of the kind's policies before `date`, at which the previous timeline ended.
  ///
  /// The result is `nil` if the date depends on the end of the last run.
  fileprivate func date(before date: Instant, notAfter last: Instant, zone: Int) -> Instant? {
    let (phases, windows) = (self.phases, self.windows)
    for index in 0..<phases.count {
      let (reload, entries) = (phases[index].reload, phases[index].entries)
      if let found = Self.date(of: reload, entries, before: date, last, zone) { return found }
      for window in 0..<windows.count {
        if let found = Self.date(of: windows[window].reload, entries, before: date, last, zone) { return found }
      }
    }
    return nil
  }

  private static func date(
    of policy: PolicyPlan, _ entries: EntriesPlan, before date: Instant, _ last: Instant, _ zone: Int
  ) -> Instant? {
    let (calendar, count): (CalendarPlan, Int)
    switch (policy, entries) {
    case (.next(let dates), _): (calendar, count) = (dates, 1)
    case (.earliest(let dates), _):
      guard let only = dates[0].onlyCalendar else { return nil }
      (calendar, count) = (only, 1)
    case (.atEnd, .aligned(let others, let dates)): (calendar, count) = (dates, others)
    default: return nil
    }
    let listed = calendar.dates[zone]
    let place = listed.prefixLength { $0 < date }
    guard place < listed.count, listed[place] == date, place >= count, listed[place - count] <= last else { return nil }
    return listed[place - count]
  }
}

extension WallClock {
  /// Calls `count` with each local hour between two instants and the time for which the clock shows that hour.
  func countHours(from: Instant, to: Instant, _ count: (Int, TimeAmount) -> Void) {
    var from = from
    for index in 0..<segments.count {
      let end = index + 1 < segments.count ? min(segments[index + 1].from, to) : to
      guard from < end else { continue }
      let days = (end - from).milliseconds / TimeAmount.day.milliseconds
      if days > 0 { for hour in 0..<24 { count(hour, .hour * days) } }
      from = from + .day * days
      while from < end {
        let local = reading(at: from)
        let next = min(from + (.hour - .milliseconds(local.sinceMidnight.milliseconds % 3_600_000)), end)
        count(local.hour, next - from)
        from = next
      }
    }
  }
}
