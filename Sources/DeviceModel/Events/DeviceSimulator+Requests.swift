import BackendModel
import Scenario
import SimulationKernel

/// Requests: how they are sent, answered, given up or tried again (MODEL.md 5.1, 5.3, 5.4).
extension DeviceSimulator {
  /// Sends every request of a flight at once; afterwards pending is what has not come to its end.
  mutating func launch(_ number: FlightNumber, _ flight: inout Flight, _ source: FlightSource, at now: Instant) {
    var batch = batch(number, source, request: nil, attempt: 0)
    let arrival = now + energy.beginFlow(batch.payer, at: now) + batch.radio.pointee.outbound
    guard isForeseen(arrival) else { return awaitArrival(of: &batch, &flight, at: arrival) }
    let end = meetAll(&batch, &flight, at: arrival)
    energy.extendFlow(batch.payer, to: end)
    guard !batch.isInSession else { return }
    energy.noteAlone(batch.payer, airTime: end - (arrival - batch.radio.pointee.outbound), over: batch.radio)
  }

  /// Requests of a flight that are on their way together: all of them at first, one of them later.
  ///
  /// Handed on by reference: a copy at every call would cost more than most calls do.
  private struct Batch {
    let source: FlightSource
    let number: FlightNumber
    private let requestInFewBits: UInt16
    private let attemptInFewBits: UInt8
    /// Radio plan of the interface that they were sent on.
    let radio: UnsafePointer<RadioPlan>
    /// Sent in a session.
    let isInSession: Bool
    private let payerInFewBits: UInt8

    init(
      source: FlightSource, number: FlightNumber, request: Int?, attempt: Int, radio: UnsafePointer<RadioPlan>,
      isInSession: Bool, payer: Int
    ) {
      self.source = source
      self.number = number
      requestInFewBits = UInt16(truncatingIfNeeded: request ?? DeviceEvent.allRequests)
      attemptInFewBits = UInt8(truncatingIfNeeded: attempt)
      self.radio = radio
      self.isInSession = isInSession
      payerInFewBits = UInt8(truncatingIfNeeded: payer)
    }

    /// nil: all.
    @inline(__always)
    var request: Int? { requestInFewBits == DeviceEvent.allRequests ? nil : Int(requestInFewBits) }
    /// Tries before this one.
    @inline(__always)
    var attempt: Int { Int(attemptInFewBits) }
    /// Whose energy account they burden.
    @inline(__always)
    var payer: Int { Int(payerInFewBits) }
  }

  /// Requests that leave now, on a network that is up to date.
  @inline(__always)
  private mutating func batch(
    _ number: FlightNumber, _ source: FlightSource, request: Int?, attempt: Int
  ) -> Batch {
    Batch(
      source: source, number: number, request: request, attempt: attempt, radio: energy.presentPlan,
      isInSession: device.presence.isInSession, payer: payer(of: number))
  }

  /// Where the backend answers back, what becomes of a request is seen when it arrives; otherwise it is known, and told
  /// at once unless the arrival falls in another day.
  @inline(__always)
  private func isForeseen(_ arrival: Instant) -> Bool { !plan.hasFeedback && arrival < device.energyDay.end }

  @inline(never)
  private mutating func awaitArrival(of batch: inout Batch, _ flight: inout Flight, at arrival: Instant) {
    flight.pending &+= 1
    energy.leaveOpen(batch.payer)
    schedule(
      .arrival(
        batch.number, request: UInt16(truncatingIfNeeded: batch.request ?? DeviceEvent.allRequests),
        attempt: UInt16(truncatingIfNeeded: batch.attempt), changes: device.network.changes,
        isInSession: batch.isInSession), at: arrival)
  }

  /// Sends a request once more.
  private mutating func sendAgain(_ batch: inout Batch, _ flight: inout Flight, at now: Instant) {
    let arrival = now + energy.beginFlow(batch.payer, at: now) + batch.radio.pointee.outbound
    if isForeseen(arrival) {
      energy.extendFlow(batch.payer, to: meetBackend(&batch, &flight, at: arrival))
    } else {
      awaitArrival(of: &batch, &flight, at: arrival)
    }
    haveJoinersFollow(batch.number, kind: batch.source.kind, at: now)
  }

  /// Requests come to the backend in the present step.
  mutating func arrive(
    _ number: FlightNumber, _ request: Int, _ attempt: Int, changes: UInt8, isInSession: Bool, at now: Instant
  ) {
    advanceNetwork(to: now)
    var flight = self[flight: number]
    flight.pending &-= 1
    // Every change is one between the two interfaces.
    let isOnWifi = device.network.isOnWifi == ((device.network.changes &- changes) & 1 == 0)
    var batch = Batch(
      source: source(of: number), number: number, request: request == DeviceEvent.allRequests ? nil : request,
      attempt: attempt,
      radio: cohort.pointee.network.radio(isOnWifi: isOnWifi), isInSession: isInSession, payer: payer(of: number))
    energy.answer(batch.payer, at: meetBackend(&batch, &flight, at: now))
    haveJoinersFollow(number, kind: batch.source.kind, at: now)
    self[flight: number] = flight
    if flight.pending == 0 { land(number, flight) }
  }

  /// Runs that joined a flight wait for its answers whenever it has requests in the air (MODEL.md 5.2, 7.2).
  @inline(__always)
  private mutating func haveJoinersFollow(_ number: FlightNumber, kind: Int, at now: Instant) {
    guard let cache = plan.kinds.pointer(at: kind).pointee.cache, cache.singleFlight else { return }
    haveJoinersFollow(number, cache, at: now)
  }

  @inline(never)
  private mutating func haveJoinersFollow(_ number: FlightNumber, _ cache: CachePlan, at now: Instant) {
    guard case .run(let slot) = number.owner else { return }
    let index = cacheIndex(of: slot, cache.scope)
    for other in 0..<device.instanceCount where instances[other].activity == .joining {
      if cacheIndex(of: other, cache.scope) == index { energy.follow(other, slot, at: now) }
    }
  }

  /// - Returns: when the last of the requests is over.
  @inline(never)
  private mutating func meetBackend(_ batch: inout Batch, _ flight: inout Flight, at arrival: Instant) -> Instant {
    let before = flight.end
    let end: Instant
    if let number = batch.request {
      end = meetOne(&batch, number, requestPlan(number, of: batch.source.kind), &flight, at: arrival)
    } else {
      end = meetAll(&batch, &flight, at: arrival)
    }
    guard !batch.isInSession else { return end }
    let onAir = arrival - batch.radio.pointee.outbound
    if batch.attempt == 0 {
      energy.noteAlone(batch.payer, airTime: end - onAir, over: batch.radio)
    } else {
      energy.noteAlone(batch.payer, furtherAirTime: max(end - max(onAir, before), .zero), over: batch.radio)
    }
    return end
  }

  @inline(__always)
  private mutating func meetAll(_ batch: inout Batch, _ flight: inout Flight, at arrival: Instant) -> Instant {
    var end = arrival
    let requests = plan.kinds.pointer(at: batch.source.kind).pointee.requests
    var number = 0
    for index in 0..<requests.count {
      let request = requests.pointer(at: index)
      for _ in 0..<request.pointee.count {
        end = max(end, meetOne(&batch, number, request, &flight, at: arrival))
        number &+= 1
      }
    }
    return end
  }

  /// Every try is a request, counted where it arrives.
  ///
  /// Never inlined: into the loop, which most kinds go through once, all of it would be prepared ahead and spilled.
  @inline(never)
  private mutating func meetOne(
    _ batch: inout Batch, _ number: Int, _ request: UnsafePointer<RequestPlan>, _ flight: inout Flight,
    at arrival: Instant
  ) -> Instant {
    let outcome = outcome(of: number, request.pointee.endpoint, &batch, at: arrival)
    count(outcome.failure, request, &batch, at: arrival)
    if observed != nil { observe(&batch, request.pointee.endpoint, outcome.failure) }
    energy.transferInFlight(
      batch.payer, down: outcome.failure == nil ? request.pointee.down[batch.source.family] : ByteCount(bytes: 0),
      up: request.pointee.up[batch.source.family], over: batch.radio, inSession: batch.isInSession)
    let end = arrival + outcome.duration
    flight.end = max(flight.end, end)
    guard outcome.failure != nil else { return end }
    if let retryAfter = outcome.retryAfter { flight.ask(toWait: retryAfter) }
    let kind = plan.kinds.pointer(at: batch.source.kind)
    if batch.attempt + 1 < kind.pointee.attempts {
      tryAgain(&batch, number, &flight, kind, failedAt: end)
    } else {
      flight.fails = true
    }
    return end
  }

  private mutating func observe(_ batch: inout Batch, _ endpoint: Int, _ failure: FailureReason?) {
    let slot: Int? = if case .run(let slot) = batch.number.owner { slot } else { nil }
    observed?.append(
      ObservedRequest(slot: slot, endpoint: endpoint, failure: failure, isRetry: batch.attempt > 0))
  }

  /// What becomes of a try, under the conditions of the step in which it arrives.
  @inline(__always)
  private mutating func outcome(
    of number: Int, _ endpoint: Int, _ batch: inout Batch, at arrival: Instant
  ) -> RequestOutcome {
    let plan = plan.endpoints.pointer(at: endpoint)
    let attempt = FlightSource.Attempt(request: number, attempt: batch.attempt)
    let latency = batch.source.latency(of: attempt, plan, stream: stream)
    let roundTrip = batch.radio.pointee.inbound
    if let conditions = conditions(of: endpoint, at: arrival) {
      let draws = batch.source.draws(of: attempt, conditions, stream: stream)
      return RequestOutcome.of(plan, conditions, draws, latency: latency, roundTrip: roundTrip)
    }
    return RequestOutcome.of(roundTrip: roundTrip, latency: latency, timeout: plan.pointee.timeout)
  }

  /// nil where all is well and always will be.
  @inline(__always)
  private func conditions(of endpoint: Int, at arrival: Instant) -> Conditions? {
    if let backend { return backend.conditions(of: endpoint, at: arrival) }
    let plan = plan.endpoints.pointer(at: endpoint)
    return plan.pointee.outages == nil ? nil : plan.pointee.knownConditions(at: arrival)
  }

  /// The next try follows the failed one after its backoff, which doubles.
  private mutating func tryAgain(
    _ batch: inout Batch, _ number: Int, _ flight: inout Flight, _ kind: UnsafePointer<KindPlan>, failedAt end: Instant
  ) {
    flight.pending &+= 1
    let backoff = kind.pointee.backoff * (1 << Int64(batch.attempt))
    schedule(
      .resend(
        batch.number, request: UInt16(truncatingIfNeeded: number), attempt: UInt8(truncatingIfNeeded: batch.attempt + 1)
      ), at: end + backoff)
  }

  /// The next try of a request; without a network it is given up.
  mutating func resend(_ number: FlightNumber, _ request: Int, _ attempt: Int, at now: Instant) {
    advanceNetwork(to: now)
    var flight = self[flight: number]
    let source = source(of: number)
    flight.pending &-= 1
    if device.network.isOffline {
      flight.fails = true
      flight.end = max(flight.end, now)
      countOffline(1, requestPlan(request, of: source.kind), source, at: now)
    } else {
      var batch = batch(number, source, request: request, attempt: attempt)
      sendAgain(&batch, &flight, at: now)
    }
    self[flight: number] = flight
    if flight.pending == 0 { land(number, flight) }
  }

  /// Counts a request, answered or failed: for the present step, and in the measured period for the figures.
  @inline(__always)
  private mutating func count(
    _ failure: FailureReason?, _ request: UnsafePointer<RequestPlan>, _ batch: inout Batch, at arrival: Instant
  ) {
    if plan.hasFeedback { tally.stepArrivals[request.pointee.endpoint] &+= 1 }
    guard plan.isMeasured(arrival) else { return }
    let family = batch.source.family
    let transfer = Tally.Transfer(
      endpoint: request.pointee.endpoint, up: request.pointee.up[family], down: request.pointee.down[family],
      failure: failure, isRetry: batch.attempt > 0)
    let place = Tally.Place(cohort: device.cohort, kind: batch.source.kind, cause: batch.source.cause)
    tally.record(transfer, arrivingAt: arrival, from: place)
  }

  /// The requests of a kind by their numbers within a run.
  @inline(__always)
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
    if observed != nil {
      let one = ObservedRequest(slot: nil, endpoint: request.pointee.endpoint, failure: .offline, isRetry: false)
      observed? += Array(repeating: one, count: count)
    }
    tally.recordUnsent(count, endpoint: request.pointee.endpoint, at: now, from: place)
  }

  // MARK: Savings

  /// Counts what a run would have sent that a cache, or a flight in progress, spares (MODEL.md 5.2).
  mutating func countSaved(of slot: Int, _ kind: UnsafePointer<KindPlan>, at now: Instant) {
    guard plan.isMeasured(now + energy.presentPlan.pointee.outbound) else { return }
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
    @inline(__always)
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
  @inline(__always)
  private mutating func source(of number: FlightNumber) -> FlightSource {
    switch number.owner {
    case .run(let slot):
      source(
        ofRun: slot, ordinal: instances[slot].runs &- 1, cause: instances[slot].run.flight.cause,
        uniform: instances[slot].run.latencyUniform)
    case .download(let kind): downloadSource(kindFlights[kind])
    case .snapshot(let kind): snapshotSource(kind)
    }
  }

  /// The requests of an instance's run.
  @inline(__always)
  func source(ofRun slot: Int, ordinal: UInt32, cause: Cause, uniform: UInt64) -> FlightSource {
    let instance = instances + slot
    return FlightSource(
      kind: Int(instance.pointee.kind), family: instance.pointee.family, cause: cause, purpose: .latency,
      part: Int(instance.pointee.member), ordinal: ordinal, firstUniform: uniform)
  }

  /// The requests of a download: those of the run that began it, whose draws may be somebody else's now.
  private mutating func downloadSource(_ flights: KindFlights) -> FlightSource {
    let starter = Int(flights.starter)
    return source(
      ofRun: starter, ordinal: flights.starterRun, cause: flights.download.cause,
      uniform: providerDraws(starter, flights.starterRun).first)
  }
}
