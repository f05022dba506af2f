import BackendModel
import Scenario
import SimulationKernel

/// Runs that nothing disturbs, from the start to the next ticket in one step (MODEL.md 4.3-5.7).
///
/// Most runs send one request on a radio that sleeps and end before anything else happens on the phone. Nobody sees
/// where such a run stands in between: what `startRun`, `launch` and `endRun` write down for each other is not needed,
/// nor is the queue. Any other run takes the long way, which does the same.
extension DeviceSimulator {
  /// What becomes of a run that nothing disturbs.
  private struct Course {
    let kind: UnsafePointer<KindPlan>
    let request: UnsafePointer<RequestPlan>
    let load: Tally.LoadPlace
    /// Of the answer.
    let answer: Instant
    let end: Instant
    let dateUniform: UInt64
  }

  /// Lives a scheduled run whose ticket has come up.
  ///
  /// - Returns: whether nothing disturbs it; nothing has been counted or written down otherwise.
  @inline(__always)
  mutating func liveUndisturbed(_ slot: Int, cause: Cause, due: Instant, at now: Instant) -> Bool {
    guard let course = undisturbedCourse(slot, cause, at: now) else { return false }
    let instance = instances + slot
    if plan.isMeasured(now) {
      tally.recordLateness(now - due, cohort: device.cohort, kind: Int(instance.pointee.kind))
    }
    if cause.isCharged { instance.pointee.account.charge(plan: cohort.pointee.system.budget) }
    endWait(slot, at: now)
    instance.pointee.hasMoved = false
    instance.pointee.runs &+= 1
    instance.pointee.run.flight = Flight(cause: cause, at: course.end)
    count(course, slot, cause, at: now)
    energy.spendProcessor(slot, course.kind.pointee.cpu, inSession: false)
    followTimeline(
      slot, course.kind, dataTime: course.answer, hasFailed: false, uniform: course.dateUniform, at: course.end)
    // What comes next is known now, the run that follows this one included.
    energy.passFlow(
      slot, down: course.request.pointee.down[instance.pointee.family],
      up: course.request.pointee.up[instance.pointee.family], from: now, to: course.answer,
      undisturbedUntil: min(queue.nextInstant, device.network.redraw))
    return true
  }

  /// nil where something might disturb a run that starts now.
  @inline(__always)
  private mutating func undisturbedCourse(_ slot: Int, _ cause: Cause, at now: Instant) -> Course? {
    let instance = instances + slot
    let kind = plan.kinds.pointer(at: Int(instance.pointee.kind))
    guard kind.pointee.sendsOneRequest, !plan.hasFeedback, observed == nil else { return nil }
    advanceNetwork(to: now)
    guard !device.network.isOffline, let delay = energy.delayAlone(at: now) else { return nil }
    let request = kind.pointee.requests.pointer(at: 0)
    let radio = energy.presentPlan
    let arrival = now + delay + radio.pointee.outbound
    let place = Tally.Place(cohort: device.cohort, kind: Int(instance.pointee.kind), cause: cause)
    let load = tally.loadPlace(request.pointee.endpoint, at: max(arrival, .start), from: place)
    tally.prefetch(load)
    let endpoint = plan.endpoints.pointer(at: request.pointee.endpoint)
    let draws = kind.pointee.drawsPerRun ? drawsAhead(slot) : (first: 0, second: 0)
    let latency = endpoint.pointee.latency.spanInPlace(at: draws.first)
    guard latency < endpoint.pointee.timeout, endpoint.pointee.outages == nil else { return nil }
    let answer = arrival + (radio.pointee.inbound + latency)
    let end = answer + kind.pointee.cpu
    // The days of the energy account and the end of the clock are among what comes next.
    guard queue.nextInstant > max(end, now + cohort.pointee.system.coalescingWindow) else { return nil }
    guard now >= .start || arrival < .start, !energy.owes(batteryReserve, after: kind.pointee.cpu) else { return nil }
    return Course(
      kind: kind, request: request, load: load, answer: answer, end: end, dateUniform: draws.second)
  }

  /// The draws of an instance's next run.
  @inline(__always)
  private mutating func drawsAhead(_ slot: Int) -> (first: UInt64, second: UInt64) {
    undisturbed[slot].draws.draws(
      stream, purpose: Purpose.provider.rawValue, part: UInt32(instances[slot].member), index: instances[slot].runs)
  }

  // MARK: Counts

  /// Counts the run, and its part of the load; what its day, its kind and its device had is counted later.
  @inline(__always)
  private mutating func count(_ course: Course, _ slot: Int, _ cause: Cause, at now: Instant) {
    // Its end is an event like any other.
    tally.eventCount &+= 1
    tally.runCount &+= 1
    guard plan.isMeasured(now) else { return }
    if now >= days[slot].end { closeDays(of: slot, upTo: now) }
    undisturbed[slot].counts[Int(cause.rawValue)] &+= 1
    tally.recordLoad(transfer(course.request, slot), at: course.load)
  }

  /// Counts the undisturbed runs of an instance's present day.
  mutating func countUndisturbed(_ slot: Int) {
    let kind = Int(instances[slot].kind)
    for cause in Cause.allCases {
      let count = undisturbed[slot].counts[Int(cause.rawValue)]
      guard count > 0 else { continue }
      undisturbed[slot].counts[Int(cause.rawValue)] = 0
      days[slot].runs[Int(cause.rawValue)] &+= count
      let place = Tally.Place(cohort: device.cohort, kind: kind, cause: cause)
      tally.recordRuns(count, place)
      tally.recordTraffic(count, transfer(plan.kinds.pointer(at: kind).pointee.requests.pointer(at: 0), slot), from: place)
    }
  }

  /// A request of an instance that is answered at its first try.
  @inline(__always)
  private func transfer(_ request: UnsafePointer<RequestPlan>, _ slot: Int) -> Tally.Transfer {
    let family = instances[slot].family
    return Tally.Transfer(
      endpoint: request.pointee.endpoint, up: request.pointee.up[family], down: request.pointee.down[family],
      failure: nil)
  }
}
