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
    let arrival: Instant
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
    guard let course = undisturbedCourse(slot, at: now) else { return false }
    let instance = instances + slot
    if plan.isMeasured(now) {
      tally.recordLateness(now - due, cohort: device.cohort, kind: Int(instance.pointee.kind))
    }
    if cause.isCharged { instance.pointee.account.charge(plan: cohort.pointee.system.budget) }
    endWait(slot, at: now)
    instance.pointee.ticket = .none
    instance.pointee.hasMoved = false
    instance.pointee.runs &+= 1
    instance.pointee.run.flight = Flight(cause: cause, at: course.end)
    countRun(slot, cause: cause, at: now)
    let transfer = count(course, slot, cause)
    // Its end is an event like any other.
    tally.eventCount &+= 1
    energy.spendProcessor(slot, course.kind.pointee.cpu, inSession: false)
    followTimeline(
      slot, course.kind, dataTime: course.answer, hasFailed: false, uniform: course.dateUniform, at: course.end)
    // What comes next is known now, the run that follows this one included.
    energy.passFlow(
      slot, down: transfer.down, up: transfer.up, from: now, to: course.answer,
      undisturbedUntil: min(queue.nextInstant, device.network.redraw))
    return true
  }

  /// nil where something might disturb a run that starts now.
  @inline(__always)
  private mutating func undisturbedCourse(_ slot: Int, at now: Instant) -> Course? {
    let instance = instances + slot
    let kind = plan.kinds.pointer(at: Int(instance.pointee.kind))
    guard kind.pointee.sendsOneRequest, !plan.hasFeedback, observed == nil else { return nil }
    advanceNetwork(to: now)
    guard !device.network.isOffline, let delay = energy.delayAlone(at: now) else { return nil }
    let request = kind.pointee.requests.pointer(at: 0)
    let endpoint = plan.endpoints.pointer(at: request.pointee.endpoint)
    let draws = kind.pointee.drawsPerRun ? providerDraws(slot, instance.pointee.runs) : Philox.Block(0, 0, 0, 0)
    let latency = endpoint.pointee.latency.span(at: draws.first)
    guard latency < endpoint.pointee.timeout, endpoint.pointee.outages == nil else { return nil }
    let radio = energy.presentPlan
    let arrival = now + delay + radio.pointee.outbound
    let answer = arrival + (radio.pointee.inbound + latency)
    let end = answer + kind.pointee.cpu
    // The days of the energy account and the end of the clock are among what comes next.
    guard queue.nextInstant > max(end, now + cohort.pointee.system.coalescingWindow) else { return nil }
    guard now >= .start || arrival < .start, !energy.owes(batteryReserve, after: kind.pointee.cpu) else { return nil }
    return Course(
      kind: kind, request: request, arrival: arrival, answer: answer, end: end, dateUniform: draws.second)
  }

  /// Counts the request, which is answered.
  @inline(__always)
  private mutating func count(_ course: Course, _ slot: Int, _ cause: Cause) -> Tally.Transfer {
    let instance = instances + slot
    let family = instance.pointee.family
    let transfer = Tally.Transfer(
      endpoint: course.request.pointee.endpoint, up: course.request.pointee.up[family],
      down: course.request.pointee.down[family], failure: nil)
    if plan.isMeasured(course.arrival) {
      let place = Tally.Place(cohort: device.cohort, kind: Int(instance.pointee.kind), cause: cause)
      tally.record(transfer, arrivingAt: course.arrival, from: place)
    }
    return transfer
  }
}
