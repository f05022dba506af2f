import BackendModel
import Scenario
import SimulationKernel

/// The requests of one run: when the last is answered or given up, and whether one failed.
struct Flight: BitwiseCopyable, Equatable {
  var end: Instant
  var fails: Bool
}

/// What a run sends (MODEL.md 5.1, 5.3).
extension DeviceSimulator {
  /// Sends every request of a run in parallel, each with its tries.
  mutating func sendRequests(
    of slot: Int, _ kind: UnsafePointer<KindPlan>, _ ordinal: UInt32, firstLatency: UInt64, at now: Instant
  ) -> Flight {
    let family = instances[slot].family
    let place = Tally.Place(
      cohort: device.cohort, kind: Int(instances[slot].kind), cause: instances[slot].run.cause)
    var flight = Flight(end: now, fails: false)
    var sent = 0
    for index in 0..<kind.pointee.requests.count {
      let request = kind.pointee.requests.pointer(at: index)
      let transfer = Tally.Transfer(
        endpoint: request.pointee.endpoint, up: request.pointee.up[family], down: request.pointee.down[family],
        failure: nil)
      for _ in 0..<request.pointee.count {
        let draws = LatencyDraws(
          stream: device.stream, member: Int(instances[slot].member), run: Int(ordinal), request: sent,
          first: firstLatency)
        let one = send(transfer, kind, draws, at: now, from: place)
        flight.end = max(flight.end, one.end)
        if one.fails { flight.fails = true }
        sent += 1
      }
    }
    return flight
  }

  /// Counts what a run would have sent that a cache, or a flight in progress, spares (MODEL.md 5.2).
  mutating func countSaved(of slot: Int, _ kind: UnsafePointer<KindPlan>, at now: Instant) {
    guard plan.isMeasured(now + cohort.pointee.halfRoundTrip) else { return }
    let family = instances[slot].family
    for index in 0..<kind.pointee.requests.count {
      let request = kind.pointee.requests[index]
      let transfer = Tally.Transfer(
        endpoint: request.endpoint, up: request.up[family], down: request.down[family], failure: nil)
      tally.recordSaved(request.count, transfer, cohort: device.cohort, kind: Int(instances[slot].kind))
    }
  }

  /// Sends one request until it is answered or its tries are used up; every try is a request.
  @inline(__always)
  private mutating func send(
    _ transfer: Tally.Transfer, _ kind: UnsafePointer<KindPlan>, _ draws: LatencyDraws, at now: Instant,
    from place: Tally.Place
  ) -> Flight {
    let endpoint = plan.endpoints.pointer(at: transfer.endpoint)
    var transfer = transfer
    var begun = now
    var backoff = kind.pointee.backoff
    var attempt = 0
    while true {
      let latency =
        endpoint.pointee.latency.isConstant
        ? endpoint.pointee.latency.span(at: 0)
        : endpoint.pointee.latency.span(at: draws.uniform(attempt: attempt))
      let outcome = RequestOutcome.of(
        roundTrip: cohort.pointee.roundTrip, latency: latency, timeout: endpoint.pointee.timeout)
      transfer.failure = outcome.failure
      let arrival = begun + cohort.pointee.halfRoundTrip
      if plan.isMeasured(arrival) { tally.record(transfer, arrivingAt: arrival, from: place) }
      attempt += 1
      switch outcome {
      case .answered(let after): return Flight(end: begun + after, fails: false)
      case .failed(_, let after, _), .timedOut(let after):
        guard attempt < kind.pointee.attempts else { return Flight(end: begun + after, fails: true) }
        begun = begun + after + backoff
        backoff = backoff + backoff
      }
    }
  }
}

/// The latency draws of one request of a run.
struct LatencyDraws: BitwiseCopyable {
  var stream: DeviceStream
  var member: Int
  /// Ordinal of the run.
  var run: Int
  /// Number of the request within its run.
  var request: Int
  /// Of the run's first request at its first try, which comes with the run's other draws.
  var first: UInt64

  /// The uniform of a try, counted from 0; two tries share a block.
  func uniform(attempt: Int) -> UInt64 {
    if request == 0, attempt == 0 { return first }
    let draws = stream.block(.latency, part: member | request << 8 | (attempt >> 1) << 24, index: run)
    return attempt & 1 == 0 ? draws.first : draws.second
  }
}
