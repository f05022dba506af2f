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
    /// Of the policy's date, and what it gives where it is after(...) at all times.
    let dateUniform: UInt64
    let after: TimeAmount
  }

  /// Lives a scheduled run whose ticket has come up.
  ///
  /// - Returns: the planned start of the ticket that follows it, which is not in the queue yet; `.never`: it is, if there
  ///   is one; nil: something disturbs the run, and nothing has been counted, nor anything of it written down.
  @inline(__always)
  mutating func liveUndisturbed(_ slot: Int, cause: Cause, at now: Instant) -> Instant? {
    guard let plans = undisturbed[slot].plans else { return nil }
    advanceNetwork(to: now)
    guard !device.network.isOffline, energy.isFree(at: now) else { return nil }
    let run = plans + Int(energy.radio.interface)
    guard let course = undisturbedCourse(slot, run, cause, at: now) else { return nil }
    let instance = instances + slot
    count(slot, run, course, cause, at: now)
    if cause.isCharged { instance.pointee.account.charge(plan: cohort.pointee.system.budget) }
    endWait(slot, at: now)
    instance.pointee.hasMoved = false
    instance.pointee.runs &+= 1
    instance.pointee.run.flight = Flight(cause: cause, at: course.end)
    energy.spendProcessor(slot, run.pointee.cpu, inSession: false)
    let planned = setTicket(
      slot, run, after: course.after, uniform: course.dateUniform, dataTime: course.answer, at: course.end)
    // What comes next is known now, the run that follows this one included.
    energy.passFlow(
      slot, run, from: now, to: course.answer,
      undisturbedUntil: min(planned, min(queue.nextInstant, device.network.redraw)))
    return planned
  }

  /// nil where something might disturb a run that starts now.
  @inline(__always)
  private mutating func undisturbedCourse(
    _ slot: Int, _ run: UnsafePointer<UndisturbedPlan>, _ cause: Cause, at now: Instant
  ) -> Course? {
    let arrival = now + run.pointee.lead
    let load = tally.loadPlace(run.pointee.route, at: max(arrival, .start), cause)
    tally.prefetch(load)
    let number = instances[slot].runs
    if !undisturbed[slot].draws.has(number) { drawAhead(slot, run, from: number) }
    let latency = undisturbed[slot].draws.firstSpan(number)
    guard latency < run.pointee.timeout else { return nil }
    let answer = arrival + (run.pointee.inbound + latency)
    let end = answer + run.pointee.cpu
    // The days of the energy account and the end of the clock are among what comes next.
    guard queue.nextInstant > max(end, now + run.pointee.coalescingWindow) else { return nil }
    guard now >= .start || arrival < .start, !energy.owes(batteryReserve, after: run.pointee.cpu) else { return nil }
    return Course(
      load: load, answer: answer, end: end, dateUniform: undisturbed[slot].draws.uniforms(number).second,
      after: undisturbed[slot].draws.secondSpan(number))
  }

  /// The draws of a run of the provider, undisturbed or not, by its number.
  @inline(__always)
  mutating func providerDraws(_ slot: Int, _ number: UInt32) -> UniformPair {
    guard let run = undisturbed[slot].plans else {
      return stream.block(.provider, part: Int(instances[slot].member), index: Int(number)).uniforms
    }
    if !undisturbed[slot].draws.has(number) { drawAhead(slot, run, from: number) }
    return undisturbed[slot].draws.uniforms(number)
  }

  /// Makes the draws of an instance's next runs, and what its plans, which have the same samplers, say to them.
  @inline(never)
  private mutating func drawAhead(_ slot: Int, _ run: UnsafePointer<UndisturbedPlan>, from number: UInt32) {
    let spans = (run.pointee.latency, run.pointee.after ?? .constant(.zero))
    undisturbed[slot].draws.make(
      stream, purpose: Purpose.provider.rawValue, part: UInt32(instances[slot].member), index: number, spans: spans)
  }

  /// The ticket after a run (MODEL.md 4.1, 4.3-4.5).
  ///
  /// - Parameters:
  ///   - span, uniform: of the policy's date, where it is after(...), and elsewhere.
  ///   - now: the end of the run.
  /// - Returns: its planned start, which is not in the queue yet; `.never`: it is, if there is one.
  @inline(__always)
  private mutating func setTicket(
    _ slot: Int, _ run: UnsafePointer<UndisturbedPlan>, after span: TimeAmount, uniform: UInt64, dataTime: Instant,
    at now: Instant
  ) -> Instant {
    guard run.pointee.after != nil else {
      followTimeline(slot, run.pointee.kind, dataTime: dataTime, uniform: uniform, at: now)
      return .never
    }
    let instance = instances + slot
    instance.pointee.dataTime = dataTime
    let draws = run.pointee.drawsSchedule ? scheduleDraws(slot) : .none
    let due = TimelineRule.jittered(
      now + span, by: run.pointee.jitter.span(at: draws.second), at: now, minSpacing: run.pointee.minSpacing)
    let planned = max(due, now + run.pointee.minSpacing) + run.pointee.startDelay.span(at: draws.first)
    instance.pointee.ticket = Ticket(due: due, cause: .policy, planned: planned)
    if cohort.pointee.hasPeople { judgeViews(slot, at: now) }
    return planned
  }

  /// The ticket of any other timeline: a call, lest it keep the rest from standing in the loop over the events.
  @inline(never)
  private mutating func followTimeline(
    _ slot: Int, _ kind: UnsafePointer<KindPlan>, dataTime: Instant, uniform: UInt64, at now: Instant
  ) {
    followTimeline(slot, kind, dataTime: dataTime, hasFailed: false, uniform: uniform, at: now)
  }

  // MARK: Counts

  /// Counts the run, and its part of the load; what its day, its kind and its device had is counted later.
  @inline(__always)
  private mutating func count(
    _ slot: Int, _ run: UnsafePointer<UndisturbedPlan>, _ course: Course, _ cause: Cause, at now: Instant
  ) {
    guard now >= .start else { return tally.recordUndisturbed(1) }
    run.pointee.group.pointee.recordLateness(now - instances[slot].ticket.due)
    if now >= days[slot].end { closeDays(of: slot, upTo: now) }
    undisturbed[slot].counts[Int(cause.rawValue)] &+= 1
    tally.recordAnswer(down: run.pointee.down, up: run.pointee.up, at: course.load)
  }

  /// Counts the undisturbed runs of an instance's present day.
  mutating func countUndisturbed(_ slot: Int) {
    guard let run = undisturbed[slot].plans else { return }
    let kind = Int(instances[slot].kind)
    let transfer = Tally.Transfer(
      endpoint: run.pointee.kind.pointee.requests[0].endpoint, up: run.pointee.up, down: run.pointee.down, failure: nil)
    for cause in Cause.allCases {
      let count = undisturbed[slot].counts[Int(cause.rawValue)]
      guard count > 0 else { continue }
      undisturbed[slot].counts[Int(cause.rawValue)] = 0
      tally.recordUndisturbed(Int64(count))
      days[slot].runs[Int(cause.rawValue)] &+= count
      let place = Tally.Place(cohort: device.cohort, kind: kind, cause: cause)
      tally.recordRuns(count, place)
      tally.recordTraffic(count, transfer, from: place)
    }
  }
}
