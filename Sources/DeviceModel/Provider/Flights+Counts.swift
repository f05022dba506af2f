import BackendModel
import Scenario
import SimulationKernel

/// What is counted of requests, sent, failed without a network, or spared (MODEL.md 5.2, 5.4, 8).
extension Flights {
  /// Notes what became of a try, for whoever watches the phone.
  ///
  /// Finds it once more, and needs no flights handed on: phones that nobody watches pay nothing.
  @inline(never)
  static func observe(
    _ batch: inout RequestBatch, _ request: (number: Int, plan: Prepared<RequestPlan>), at arrival: Instant,
    _ phone: inout PhoneCore
  ) {
    let (number, endpoint) = (request.number, request.plan.endpoint)
    let flights = Flights(phone.rows, in: phone.memory)
    let outcome = flights.outcome(of: number, endpoint, &batch, at: arrival, &phone)
    var seen = flights.observed(number, of: batch.number, endpoint, batch.source, at: arrival)
    seen.attempt = batch.attempt
    seen.duration = outcome.duration - batch.radio.inbound
    seen.failure = outcome.failure
    seen.edge = flights.edgeAnswer(to: (number, endpoint), &batch, at: arrival, &phone)
    phone.observed?.append(seen)
  }

  /// Notes requests that found no network, for whoever watches the phone; whose they are a run tells.
  @inline(never)
  private static func observeOffline(
    _ count: Int, _ endpoint: EndpointIndex, _ source: FlightSource, at now: Instant, _ phone: inout PhoneCore
  ) {
    let flights = Flights(phone.rows, in: phone.memory)
    var one = flights.observed(0, of: .snapshot(source.kind), endpoint, source, at: now)
    one.failure = .offline
    phone.observed? += Array(repeating: one, count: count)
  }

  private func observed(
    _ number: Int, of flight: FlightNumber, _ endpoint: EndpointIndex, _ source: FlightSource, at now: Instant
  ) -> ObservedRequest {
    let (slot, isOfRun): (Slot?, Bool) =
      switch flight.owner {
      case .run(let slot): (slot, true)
      case .download(let kind): (ofKind(kind).starter, false)
      case .snapshot: (nil, false)
      }
    return ObservedRequest(
      slot: slot, kind: source.kind, family: source.family, cause: source.cause, endpoint: endpoint,
      run: source.ordinal, number: number, attempt: 0, arrival: now, duration: .zero, isOfRun: isOfRun)
  }

  /// What the CDN did with a try, seen from its end.
  private func edgeAnswer(
    to request: (number: Int, endpoint: EndpointIndex), _ batch: inout RequestBatch, at arrival: Instant,
    _ phone: inout PhoneCore
  ) -> EdgeAnswer {
    let plan = phone.plan.endpoint(request.endpoint)
    guard plan.value.cdn != nil, let conditions = conditions(of: request.endpoint, at: arrival, &phone) else {
      return .none
    }
    let attempt = FlightSource.Attempt(request: request.number, attempt: batch.attempt)
    let draws = batch.source.draws(of: attempt, conditions, stream: phone.stream)
    let latency = batch.source.latency(of: attempt, plan, stream: phone.stream)
    return RequestOutcome.edgeAnswer(
      plan, conditions, draws, latency: latency, roundTrip: batch.radio.inbound)
  }

  /// Counts a request, answered or failed: for the present step, and in the measured period for the figures.
  @inline(__always)
  func count(
    _ failure: FailureReason?, _ request: Prepared<RequestPlan>, _ batch: inout RequestBatch, at arrival: Instant,
    _ phone: inout PhoneCore
  ) {
    if phone.plan.hasFeedback { phone.tally.countInStep(request.endpoint) }
    guard phone.plan.isMeasured(arrival) else { return }
    let family = batch.source.family
    let transfer = Tally.Transfer(
      endpoint: request.endpoint, up: request.up[family], down: request.down[family], failure: failure,
      isRetry: batch.attempt > 0)
    phone.tally.record(transfer, arrivingAt: arrival, from: place(of: batch.source, &phone))
  }

  @inline(__always)
  private func place(of source: FlightSource, _ phone: inout PhoneCore) -> Tally.Place {
    Tally.Place(group: Tally.Group(cohort: phone.cohortIndex, kind: source.kind), cause: source.cause)
  }

  /// Fails a flight at once: nothing is sent, so that nothing arrives anywhere (MODEL.md 5.4).
  func failOffline(_ number: FlightNumber, _ source: FlightSource, at now: Instant, _ phone: inout PhoneCore) {
    var flight = Flight(cause: source.cause, at: now)
    flight.fails = true
    self[number] = flight
    let requests = phone.plan.kind(source.kind).requests
    for index in 0..<requests.count {
      let request = requests.element(at: index)
      countOffline(request.count, request, source, at: now, &phone)
    }
  }

  func countOffline(
    _ count: Int, _ request: Prepared<RequestPlan>, _ source: FlightSource, at now: Instant, _ phone: inout PhoneCore
  ) {
    guard phone.plan.isMeasured(now) else { return }
    if phone.isWatched { Self.observeOffline(count, request.endpoint, source, at: now, &phone) }
    phone.tally.recordUnsent(count, endpoint: request.endpoint, at: now, from: place(of: source, &phone))
  }

  /// Counts what a run would have sent that a cache, or a flight in progress, spares (MODEL.md 5.2).
  func countSaved(of slot: Slot, at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection) {
    guard phone.plan.isMeasured(now + connection.energy.presentPlan.outbound) else { return }
    let family = phone.widget(slot).family
    let requests = phone.kind(of: slot).requests
    for index in 0..<requests.count {
      let request = requests.element(at: index)
      let transfer = Tally.Transfer(
        endpoint: request.endpoint, up: request.up[family], down: request.down[family], failure: nil)
      phone.tally.recordSaved(request.count, transfer, phone.group(of: slot))
    }
  }
}
