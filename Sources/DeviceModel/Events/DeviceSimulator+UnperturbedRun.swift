import BackendModel
import Scenario
import SimulationKernel

/// Runs that nothing disturbs, from the start to the next ticket in one step (MODEL.md 4.3-5.7).
///
/// Most runs send one request on a radio that sleeps and end before anything else happens on the phone. Nobody sees
/// where such a run stands in between: what `startRun`, `launch` and `endRun` write down for each other is not needed,
/// nor is the queue. Any other run takes the long way, which does the same.
extension DeviceSimulator {
  /// When a run that nothing disturbs has its answer and ends, and where its request is counted.
  private struct Course {
    let load: Tally.LoadPlace
    let answer: Instant
    let end: Instant
    /// Nothing that the queue knows of comes before, and it is later than the end.
    let next: Instant
  }

  /// Lives a scheduled run of the measured period whose ticket has come up, of a kind whose policy is after(...).
  ///
  /// - Returns: the planned start of the ticket that follows it, which is not in the queue yet; nil: something disturbs the
  ///   run, and nothing has been counted, nor anything of it written down.
  @inline(__always)
  mutating func liveUnperturbed(
    _ slot: Int, _ plans: UnsafePointer<UnperturbedPlan>, cause: Cause, at now: Instant
  ) -> Instant? {
    guard isConnected(at: now) else { return nil }
    let run = plans + Int(energy.radio.interface)
    let number = instances[slot].runs
    guard let course = unperturbedCourse(slot, run, number, cause, at: now, isMeasured: true) else { return nil }
    liveThrough(course, slot, run, cause, at: now, isMeasured: true)
    let span = unperturbed[slot].draws.secondSpan(number)
    let planned = setTicket(slot, run, after: span, at: course.end)
    energy.passFlow(
      slot, run, from: now, to: course.answer, unperturbedUntil: min(min(planned, course.next), device.network.redraw))
    return planned
  }

  /// Lives any other scheduled run: in the warm-up, or of a kind with another policy.
  ///
  /// - Returns: whether nothing disturbs it; otherwise nothing has been counted, nor anything of it written down.
  mutating func liveOtherUnperturbed(
    _ slot: Int, _ plans: UnsafePointer<UnperturbedPlan>, cause: Cause, at now: Instant
  ) -> Bool {
    guard isConnected(at: now) else { return false }
    let run = plans + Int(energy.radio.interface)
    let (number, isMeasured) = (instances[slot].runs, now >= .start)
    guard let course = unperturbedCourse(slot, run, number, cause, at: now, isMeasured: isMeasured) else {
      return false
    }
    liveThrough(course, slot, run, cause, at: now, isMeasured: isMeasured)
    if run.pointee.after != nil {
      let span = unperturbed[slot].draws.secondSpan(number)
      schedule(.start(UInt8(slot)), at: setTicket(slot, run, after: span, at: course.end))
    } else {
      let uniform = unperturbed[slot].draws.uniforms(number).second
      followTimeline(
        slot, run.pointee.kind, dataTime: course.answer, hasFailed: false, uniform: uniform, at: course.end)
    }
    // What comes next is known now, the run that follows this one included.
    energy.passFlow(
      slot, run, from: now, to: course.answer, unperturbedUntil: min(queue.nextInstant, device.network.redraw))
    return true
  }

  /// Whether a request can leave now and has the radio for itself.
  @inline(__always)
  private mutating func isConnected(at now: Instant) -> Bool {
    advanceNetwork(to: now)
    return !device.network.isOffline && energy.isFree(at: now)
  }

  /// nil where something might disturb a run that starts now, the `number`th of its instance.
  @inline(__always)
  private mutating func unperturbedCourse(
    _ slot: Int, _ run: UnsafePointer<UnperturbedPlan>, _ number: UInt32, _ cause: Cause, at now: Instant,
    isMeasured: Bool
  ) -> Course? {
    let arrival = now + run.pointee.lead
    let load = tally.loadPlace(run.pointee.route, at: isMeasured ? arrival : max(arrival, .start), cause)
    tally.prefetch(load)
    if !unperturbed[slot].draws.has(number) { drawAhead(slot, run, from: number) }
    let latency = unperturbed[slot].draws.firstSpan(number)
    guard latency < run.pointee.timeout else { return nil }
    let answer = arrival + (run.pointee.inbound + latency)
    let end = answer + run.pointee.cpu
    // The days of the energy account and the end of the clock are among what comes next.
    let next = queue.nextInstant
    guard next > max(end, now + run.pointee.coalescingWindow) else { return nil }
    guard isMeasured || arrival < .start, !energy.owes(batteryReserve, after: run.pointee.busy) else { return nil }
    return Course(load: load, answer: answer, end: end, next: next)
  }

  /// Counts a run, and writes down what is left of it at its end, but for the ticket and the radio.
  @inline(__always)
  private mutating func liveThrough(
    _ course: Course, _ slot: Int, _ run: UnsafePointer<UnperturbedPlan>, _ cause: Cause, at now: Instant,
    isMeasured: Bool
  ) {
    count(slot, run, course, cause, at: now, isMeasured: isMeasured)
    if cause.isCharged { instances[slot].account.charge(run.pointee.price) }
    beginRun(slot, at: now)
    // The flight has nothing else to tell once it is over.
    instances[slot].lastEnd = course.end
    instances[slot].dataTime = course.answer
    if run.pointee.busy > .zero { energy.spendProcessor(slot, run.pointee.cpu, inSession: false) }
  }

  /// The draws of a run of the provider, unperturbed or not, by its number.
  @inline(__always)
  mutating func providerDraws(_ slot: Int, _ number: UInt32) -> UniformPair {
    guard let run = unperturbed[slot].plans else {
      return stream.block(.provider, part: Int(instances[slot].member), index: Int(number)).uniforms
    }
    if !unperturbed[slot].draws.has(number) { drawAhead(slot, run, from: number) }
    return unperturbed[slot].draws.uniforms(number)
  }

  /// Makes the draws of an instance's next runs, and what its plans, which have the same samplers, say to them.
  @inline(never)
  private mutating func drawAhead(_ slot: Int, _ run: UnsafePointer<UnperturbedPlan>, from number: UInt32) {
    let spans = (run.pointee.latency, run.pointee.after ?? .constant(.zero))
    unperturbed[slot].draws.make(
      stream, purpose: Purpose.provider.rawValue, part: UInt32(instances[slot].member), index: number, spans: spans)
  }

  /// The ticket after a run whose policy is after(...) (MODEL.md 4.1, 4.3-4.5).
  ///
  /// - Parameters:
  ///   - span: of the policy's date.
  ///   - now: the end of the run.
  /// - Returns: its planned start, which is not in the queue yet.
  @inline(__always)
  private mutating func setTicket(
    _ slot: Int, _ run: UnsafePointer<UnperturbedPlan>, after span: TimeAmount, at now: Instant
  ) -> Instant {
    let delays = run.pointee.fixedDelays ?? drawnDelays(slot, run)
    let earliest = now + run.pointee.minSpacing
    let due = TimelineRule.jittered(now + span, by: delays.jitter, at: now, minSpacing: run.pointee.minSpacing)
    let planned = max(due, earliest) + delays.start
    instances[slot].ticket = Ticket(due: due, cause: .policy, planned: planned)
    if run.pointee.isViewed { judgeViews(slot, at: now) }
    return planned
  }

  /// The delays of the ticket after an instance's last run.
  @inline(__always)
  private func drawnDelays(_ slot: Int, _ run: UnsafePointer<UnperturbedPlan>) -> ScheduleDelays {
    let draws = scheduleDraws(slot)
    return ScheduleDelays(
      jitter: run.pointee.jitter.span(at: draws.second), start: run.pointee.startDelay.span(at: draws.first))
  }

  // MARK: Counts

  /// Counts the run, and its part of the load; what its day, its kind and its device had is counted later.
  @inline(__always)
  private mutating func count(
    _ slot: Int, _ run: UnsafePointer<UnperturbedPlan>, _ course: Course, _ cause: Cause, at now: Instant,
    isMeasured: Bool
  ) {
    guard isMeasured else { return tally.recordUnperturbed(1) }
    run.pointee.group.pointee.recordLateness(now - instances[slot].ticket.due)
    if now >= days[slot].end { closeDays(of: slot, upTo: now) }
    unperturbed[slot].count(cause)
    tally.recordAnswer(down: run.pointee.down, up: run.pointee.up, at: course.load)
  }

  /// Counts the unperturbed runs of an instance's present day.
  mutating func countUnperturbed(_ slot: Int) {
    guard let run = unperturbed[slot].plans else { return }
    let kind = Int(instances[slot].kind)
    let transfer = Tally.Transfer(
      endpoint: run.pointee.kind.pointee.requests[0].endpoint, up: run.pointee.up, down: run.pointee.down, failure: nil)
    for cause in Cause.allCases {
      let count = unperturbed[slot].counts[Int(cause.rawValue)]
      guard count > 0 else { continue }
      unperturbed[slot].counts[Int(cause.rawValue)] = 0
      tally.recordUnperturbed(Int64(count))
      days[slot].runs[Int(cause.rawValue)] &+= count
      let place = Tally.Place(cohort: device.cohort, kind: kind, cause: cause)
      tally.recordRuns(count, place)
      tally.recordTraffic(count, transfer, from: place)
    }
  }
}
