import BackendModel
import Scenario
import SimulationKernel

/// Requests: how they are sent, answered, given up or tried again (MODEL.md 5.1, 5.3, 5.4).
extension DeviceSimulator {
  /// Sends every request of a flight at once; what fails and has tries left is pending then.
  mutating func launch(
    _ number: FlightNumber, _ flight: inout Flight, _ source: FlightSource, at now: Instant
  ) {
    let delay = wakeRadio(at: now)
    let kind = plan.kinds.pointer(at: source.kind)
    var request = 0
    for index in 0..<kind.pointee.requests.count {
      let requested = kind.pointee.requests.pointer(at: index)
      for _ in 0..<requested.pointee.count {
        let attempt = Attempt(number: number, request: request, attempt: 0, sent: now + delay)
        send(attempt, requested, &flight, source)
        request += 1
      }
    }
  }

  /// One try of a request: its flight and number, the tries before it, and when it is on the air.
  private struct Attempt {
    var number: FlightNumber
    var request: Int
    var attempt: Int
    var sent: Instant
  }

  /// Every try is a request, counted where it arrives.
  @inline(__always)
  private mutating func send(
    _ attempt: Attempt, _ request: UnsafePointer<RequestPlan>, _ flight: inout Flight, _ source: FlightSource
  ) {
    let endpoint = plan.endpoints.pointer(at: request.pointee.endpoint)
    let latency =
      endpoint.pointee.latency.isConstant
      ? endpoint.pointee.latency.span(at: 0)
      : endpoint.pointee.latency.span(
        at: source.uniform(request: attempt.request, attempt: attempt.attempt, stream: device.stream))
    let interface = interface
    let arrival = attempt.sent + interface.outbound
    switch RequestOutcome.of(roundTrip: interface.inbound, latency: latency, timeout: endpoint.pointee.timeout) {
    case .answered(let after):
      count(nil, request, source, at: arrival)
      device.radio.occupy(until: arrival + after)
      flight.end = max(flight.end, arrival + after)
    case .timedOut(let after):
      count(.timeout, request, source, at: arrival)
      device.radio.occupy(until: arrival + after)
      settle(attempt, failedAt: arrival + after, &flight, plan.kinds.pointer(at: source.kind))
    }
  }

  /// Counts a request of the measured period, answered or failed.
  @inline(__always)
  private mutating func count(
    _ failure: FailureReason?, _ request: UnsafePointer<RequestPlan>, _ source: FlightSource, at arrival: Instant
  ) {
    guard plan.isMeasured(arrival) else { return }
    let transfer = Tally.Transfer(
      endpoint: request.pointee.endpoint, up: request.pointee.up[source.family],
      down: request.pointee.down[source.family], failure: failure)
    let place = Tally.Place(cohort: device.cohort, kind: source.kind, cause: source.cause)
    tally.record(transfer, arrivingAt: arrival, from: place)
  }

  /// A failed try leads to the next one after its backoff, or fails the flight.
  private mutating func settle(
    _ attempt: Attempt, failedAt end: Instant, _ flight: inout Flight, _ kind: UnsafePointer<KindPlan>
  ) {
    flight.end = max(flight.end, end)
    guard attempt.attempt + 1 < kind.pointee.attempts else {
      flight.fails = true
      return
    }
    flight.pending &+= 1
    let backoff = kind.pointee.backoff * (1 << Int64(attempt.attempt))
    schedule(
      .resend(
        attempt.number, request: UInt16(truncatingIfNeeded: attempt.request),
        attempt: UInt8(truncatingIfNeeded: attempt.attempt + 1)), at: end + backoff)
  }

  /// The next try of a request; without a network it is given up.
  mutating func resend(_ number: FlightNumber, _ request: Int, _ attempt: Int, at now: Instant) {
    var flight = self[flight: number]
    let source = source(of: number)
    let requested = requestPlan(request, of: source.kind)
    flight.pending &-= 1
    advanceNetwork(to: now)
    if device.network.isOffline {
      flight.fails = true
      flight.end = max(flight.end, now)
      countOffline(1, requested, source, at: now)
    } else {
      let delay = wakeRadio(at: now)
      send(Attempt(number: number, request: request, attempt: attempt, sent: now + delay), requested, &flight, source)
    }
    self[flight: number] = flight
    if flight.pending == 0 { land(number, flight) }
  }

  /// The requests of a kind by their numbers within a run.
  private func requestPlan(_ number: Int, of kind: Int) -> UnsafePointer<RequestPlan> {
    let requests = plan.kinds.pointer(at: kind).pointee.requests
    var index = 0
    var left = number
    while left >= requests[index].count {
      left -= requests[index].count
      index += 1
    }
    return requests.pointer(at: index)
  }

  /// Every request of a flight has come to its end.
  private mutating func land(_ number: FlightNumber, _ flight: Flight) {
    switch number.owner {
    case .run(let slot): endRequests(of: slot, plan.kinds.pointer(at: Int(instances[slot].kind)))
    case .download(let kind): schedule(.downloadEnd(kind: UInt16(truncatingIfNeeded: kind)), at: flight.end)
    case .snapshot: return
    }
  }

  // MARK: Without a network

  /// Fails a flight at once: nothing is sent, so that nothing arrives anywhere (MODEL.md 5.4).
  mutating func failOffline(_ flight: inout Flight, _ source: FlightSource, at now: Instant) {
    flight.fails = true
    flight.end = now
    let kind = plan.kinds.pointer(at: source.kind)
    for index in 0..<kind.pointee.requests.count {
      let request = kind.pointee.requests.pointer(at: index)
      countOffline(request.pointee.count, request, source, at: now)
    }
  }

  private mutating func countOffline(
    _ count: Int, _ request: UnsafePointer<RequestPlan>, _ source: FlightSource, at now: Instant
  ) {
    guard plan.isMeasured(now) else { return }
    let place = Tally.Place(cohort: device.cohort, kind: source.kind, cause: source.cause)
    tally.recordUnsent(count, endpoint: request.pointee.endpoint, at: now, from: place)
  }

  // MARK: Savings

  /// Counts what a run would have sent that a cache, or a flight in progress, spares (MODEL.md 5.2).
  mutating func countSaved(of slot: Int, _ kind: UnsafePointer<KindPlan>, at now: Instant) {
    guard plan.isMeasured(now + interface.outbound) else { return }
    let family = instances[slot].family
    for index in 0..<kind.pointee.requests.count {
      let request = kind.pointee.requests[index]
      let transfer = Tally.Transfer(
        endpoint: request.endpoint, up: request.up[family], down: request.down[family], failure: nil)
      tally.recordSaved(request.count, transfer, cohort: device.cohort, kind: Int(instances[slot].kind))
    }
  }

  // MARK: Flights

  subscript(flight number: FlightNumber) -> Flight {
    get {
      switch number.owner {
      case .run(let slot): instances[slot].run.flight
      case .download(let kind): kindFlights[kind].download
      case .snapshot(let kind): kindFlights[kind].snapshot
      }
    }
    set {
      switch number.owner {
      case .run(let slot): instances[slot].run.flight = newValue
      case .download(let kind): kindFlights[kind].download = newValue
      case .snapshot(let kind): kindFlights[kind].snapshot = newValue
      }
    }
  }

  /// Whose requests a flight under way sends.
  private func source(of number: FlightNumber) -> FlightSource {
    switch number.owner {
    case .run(let slot):
      source(ofRun: slot, ordinal: instances[slot].runs &- 1, cause: instances[slot].run.flight.cause)
    case .download(let kind):
      source(
        ofRun: Int(kindFlights[kind].starter), ordinal: kindFlights[kind].starterRun,
        cause: kindFlights[kind].download.cause)
    case .snapshot(let kind): snapshotSource(kind)
    }
  }

  /// The requests of an instance's run.
  @inline(__always)
  func source(ofRun slot: Int, ordinal: UInt32, cause: Cause) -> FlightSource {
    FlightSource(
      kind: Int(instances[slot].kind), family: instances[slot].family, cause: cause, purpose: .latency,
      part: Int(instances[slot].member), ordinal: ordinal)
  }
}
