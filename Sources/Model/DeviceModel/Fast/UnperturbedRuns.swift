import BackendModel
import Scenario
import SimulationKernel

/// The simulation of unperturbed runs, each of which takes one step from its start to the next ticket (MODEL.md
/// 4.3-5.7).
///
/// Most runs send one request while the radio is asleep, and end before anything else happens on the phone. Their
/// intermediate states cannot be observed, so they need neither the queue nor the state shared by `startRun`, `launch`
/// and `endRun`. All other runs are simulated on the slow path, with the same result.
extension WidgetHost {
  /// The answer and the end of an undisturbed run, and the step in which the run's request is counted.
  struct Course {
    let load: Tally.LoadPoint
    let answer: Instant
    let end: Instant
    /// The instant of the next event in the queue, which is later than the end of the run.
    let next: Instant
  }

  /// Simulates a scheduled run in the measured period; its ticket must be due and its policy must be after(...).
  ///
  /// - Returns: the planned start of the next ticket, which is not in the queue yet; `nil` if other events may affect
  ///   the run, in which case nothing has been counted or stored.
  @inline(__always)
  mutating func runUnperturbed(_ slot: Slot, _ plans: UnperturbedChoice, cause: Cause, at now: Instant) -> Instant? {
    guard connection.isFree(at: now, &phone) else { return nil }
    let run = plans[connection.energy.radio.interface]
    let number = provider.runs(of: slot)
    guard let course = unperturbedCourse(slot, run, number, cause, at: now) else { return nil }
    completeRun(course, slot, run, cause, at: now)
    let planned = setTicket(slot, run, after: log.span(slot, number), at: course.end)
    connection.energy.passFlow(
      slot.place, run, from: now, to: course.answer,
      unperturbedUntil: min(min(planned, course.next), connection.network.redraw))
    return planned
  }

  /// Simulates a scheduled run that is in the warm-up or has a policy other than after(...).
  ///
  /// - Returns: whether the run is unperturbed; if it is not, nothing has been counted or stored.
  mutating func runOtherUnperturbed(_ slot: Slot, _ plans: UnperturbedChoice, cause: Cause, at now: Instant) -> Bool {
    guard connection.isFree(at: now, &phone) else { return false }
    let run = plans[connection.energy.radio.interface]
    let number = provider.runs(of: slot)
    guard let course = unperturbedCourse(slot, run, number, cause, at: now) else { return false }
    completeRun(course, slot, run, cause, at: now)
    if run.after != nil {
      phone.schedule(.start(slot), at: setTicket(slot, run, after: log.span(slot, number), at: course.end))
    } else {
      let uniform = log.providerDraws(slot, number, &phone).second
      let outcome = Provider.Outcome(
        dataTime: course.answer, failure: nil, cause: cause, isAnswered: true, uniform: uniform)
      followTimeline(slot, after: outcome, at: course.end)
    }
    // The next event becomes known only now, because it may be the start of the next run.
    connection.energy.passFlow(
      slot.place, run, from: now, to: course.answer,
      unperturbedUntil: min(phone.queue.nextInstant, connection.network.redraw))
    return true
  }

  /// Returns the course of the run with the given number, which starts now; `nil` if another event might affect the
  /// run.
  @inline(__always)
  mutating func unperturbedCourse(
    _ slot: Slot, _ run: Prepared<UnperturbedPlan>, _ number: UInt32, _ cause: Cause, at now: Instant
  ) -> Course? {
    let isMeasured = now >= .start
    let arrival = now + run.lead
    let load = phone.tally.loadPoint(run.route, at: isMeasured ? arrival : max(arrival, .start), cause)
    phone.tally.prefetch(load)
    let latency = log.latency(slot, run, number, &phone)
    guard latency < run.timeout else { return nil }
    let answer = arrival + (run.inbound + latency)
    let end = answer + run.cpu
    // The queue also contains the ends of the energy days and the end of the clock.
    let next = phone.queue.nextInstant
    guard next > max(end, now + run.coalescingWindow) else { return nil }
    guard isMeasured || arrival < .start, !connection.energy.owes(power.reserve, after: run.busy) else { return nil }
    return Course(load: load, answer: answer, end: end, next: next)
  }

  /// Counts a run and stores its results, except for the ticket and the effect on the radio.
  @inline(__always)
  mutating func completeRun(
    _ course: Course, _ slot: Slot, _ run: Prepared<UnperturbedPlan>, _ cause: Cause, at now: Instant
  ) {
    count(slot, run, course, cause, at: now)
    if cause.isCharged { scheduler.charge(slot, run.price) }
    beginRun(slot, at: now)
    provider.endUnperturbed(slot, dataOf: course.answer, at: course.end)
    if run.busy > .zero { connection.energy.spendProcessor(slot.place, run.cpu, inSession: false) }
  }

  /// Sets the ticket that follows a run with the policy after(...) (MODEL.md 4.1, 4.3-4.5).
  ///
  /// - Parameters:
  ///   - span: the span that the policy returned.
  ///   - now: the end of the run.
  /// - Returns: the ticket's planned start, which is not in the queue yet.
  @inline(__always)
  mutating func setTicket(
    _ slot: Slot, _ run: Prepared<UnperturbedPlan>, after span: TimeAmount, at now: Instant
  ) -> Instant {
    let delays = run.fixedDelays ?? drawnDelays(slot, run)
    let earliest = now + run.minSpacing
    let due = TimelineRule.jittered(now + span, by: delays.jitter, at: now, earliest: earliest)
    let planned = Ticket.eligible(due: due, after: now, minSpacing: run.minSpacing) + delays.start
    scheduler.setPlannedTicket(slot, Ticket(due: due, cause: .policy, planned: planned))
    if run.isViewed { judgeViews(slot, at: now) }
    return planned
  }

  /// Returns the delays of the ticket that follows a widget's last run.
  @inline(__always)
  private func drawnDelays(_ slot: Slot, _ run: Prepared<UnperturbedPlan>) -> ScheduleDelays {
    let draws = phone.scheduleDraws(slot, run: provider.runs(of: slot))
    return ScheduleDelays(jitter: run.jitter.span(at: draws.second), start: run.startDelay.span(at: draws.first))
  }

  /// Counts a run and its contribution to the load; the counts by day, by kind and by phone are updated later.
  @inline(__always)
  private mutating func count(
    _ slot: Slot, _ run: Prepared<UnperturbedPlan>, _ course: Course, _ cause: Cause, at now: Instant
  ) {
    guard now >= .start else { return phone.tally.recordUnperturbed(1) }
    run.value.recordLateness(now - scheduler.ticket(of: slot).due, of: cause)
    if log.isMoreThanCount(slot, at: now) { Following.recordDetails(slot, cause, at: now, &self) }
    log.countUnperturbed(slot, cause: cause)
    phone.tally.recordAnswer(down: run.down, up: run.up, at: course.load)
  }
}

/// The simulation of free runs that a cache answers and that end before the next event on the phone (MODEL.md 4.2-4.6,
/// 5.2).
///
/// Each run takes one step from its start to the next ticket.
extension WidgetHost {
  /// Simulates a free run of a widget that has no run in progress.
  ///
  /// - Returns: whether the run is unperturbed; if it is not, nothing has been counted or stored.
  mutating func runUnperturbedHit(_ slot: Slot, cause: Cause, at now: Instant) -> Bool {
    let kind = phone.kind(of: slot)
    guard kind.mayHitCache, !phone.isWatched else { return false }
    let end = now + kind.cpu
    guard let data = provider.caches.freshData(of: slot, at: now, &phone), isUnperturbed(slot, from: now, to: end)
    else {
      return false
    }
    // The network must be updated first, because its changes affect the charges.
    connection.advance(to: now, &phone)
    guard !connection.energy.owes(power.reserve, after: ProcessorPower.busy * kind.cpu) else { return false }

    // The two counted events are the end of the run and the check for tickets that start together with it.
    phone.tally.eventCount &+= 2
    if phone.isFollowed { Following.start(slot, cause: cause, at: now, &self) }
    log.count(slot, cause: cause, at: now, &phone)
    provider.countHit(slot, at: now, &phone, &connection)
    let number = beginRun(slot, at: now)
    if scheduler.ticket(of: slot).exists { scheduler.cancel(slot, &phone) }
    provider.flights.beginRun(slot, cause: cause, at: end)
    connection.energy.spendProcessor(slot.place, kind.cpu, inSession: phone.presence.isInSession)
    let uniform = kind.drawsDate ? log.providerDraws(slot, number, &phone).second : 0
    let outcome = Provider.Outcome(dataTime: data, failure: nil, cause: cause, isAnswered: false, uniform: uniform)
    followTimeline(slot, after: outcome, at: end)
    return true
  }

  /// Whether nothing else happens on the phone until a run ends, and no ticket starts together with the run.
  @inline(__always)
  private mutating func isUnperturbed(_ slot: Slot, from now: Instant, to end: Instant) -> Bool {
    // A run that takes no processor time would end among the other events at the same instant.
    guard end > now, phone.queue.nextInstant > end else { return false }
    let window = Rules.coalescingWindow(phone.cohort)
    guard window > .zero else { return true }
    for other in phone.slots where other != slot {
      guard !scheduler.ticket(of: other).isPlanned(after: now, within: window) else { return false }
    }
    return true
  }
}

/// The state of an instance in addition to its row, used while a device is simulated from start to end.
struct UnperturbedRuns: BitwiseCopyable {
  /// The plans of the instance's unperturbed runs; `nil` if its runs cannot be unperturbed.
  private(set) var plans: UnperturbedChoice?
  /// The end of the current day of the instance.
  var dayEnd = Instant.longAgo
  /// The draws for the instance's runs.
  var draws = DrawsAhead()
  /// The unperturbed runs of the current day that have not been added to the tallies yet, by cause.
  private var counts = Cause.Table<UInt32>(repeating: 0)

  @inline(__always)
  mutating func count(_ cause: Cause) { counts[unchecked: Int(cause.rawValue)] &+= 1 }

  /// Returns the number of runs with a cause and resets it.
  mutating func takeCount(_ cause: Cause) -> UInt32 {
    defer { counts[Int(cause.rawValue)] = 0 }
    return counts[Int(cause.rawValue)]
  }

  /// Resets the state for another instance.
  mutating func reset(_ plans: UnperturbedChoice?) {
    self.plans = plans
    dayEnd = .longAgo
    draws.reset()
    counts = InlineArray(repeating: 0)
  }
}
