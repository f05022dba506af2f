import BackendModel
import Scenario
import SimulationKernel

/// The requests that a phone has in the air: how they are sent, answered, timed out and retried (MODEL.md 5.1, 5.3,
/// 5.4).
struct Flights: BitwiseCopyable {
  private let rows: Column<Slot, WidgetRow>
  private let memory: DeviceMemory

  @inline(__always)
  init(_ rows: Column<Slot, WidgetRow>, in memory: DeviceMemory) {
    self.rows = rows
    self.memory = memory
  }

  private var kinds: Column<KindIndex, KindFlights> { @inline(__always) get { memory.kindFlights } }

  func begin(_ phone: inout PhoneCore) {
    if phone.plan.hasKindFlights { kinds.initialize(repeating: KindFlights(), count: phone.plan.kinds.count) }
  }

  // MARK: Runs

  /// Returns the end of the last run of a widget that has no run in progress.
  @inline(__always)
  func lastEnd(of slot: Slot) -> Instant { rows[slot].flight.flight.end }

  /// Records the end of a run that has no other results.
  @inline(__always)
  func rest(_ slot: Slot, since end: Instant) { rows[slot].flight.flight.end = end }

  /// Starts a run; it may send requests or be answered without sending any.
  @inline(__always)
  func beginRun(_ slot: Slot, cause: Cause, at now: Instant) {
    rows[slot].flight.flight = Flight(cause: cause, at: now)
  }

  @inline(__always)
  func setLatencyDraw(_ slot: Slot, _ uniform: UInt64) { rows[slot].flight.latencyUniform = uniform }

  @inline(__always)
  func latencyDraw(_ slot: Slot) -> UInt64 { rows[slot].flight.latencyUniform }

  /// Sets the time of the data for the current run, which got the data without sending a request.
  @inline(__always)
  func bring(_ slot: Slot, dataOf time: Instant) { rows[slot].flight.flight.end = time }

  /// Ends a run that joined the flight of another run, with the outcome of that flight.
  func join(_ slot: Slot, _ leader: Slot, at now: Instant) {
    rows[slot].flight.flight.takeOutcome(of: rows[leader].flight.flight, at: now)
  }

  @inline(__always)
  func ofRun(_ slot: Slot) -> Flight { rows[slot].flight.flight }

  subscript(number: FlightNumber) -> Flight {
    @inline(__always)
    get {
      switch number.owner {
      case .run(let slot): rows[slot].flight.flight
      case .download(let kind): kinds[kind].download
      case .snapshot(let kind): kinds[kind].snapshot
      case .action(let slot): memory.actions[slot].flight
      }
    }
    @inline(__always)
    nonmutating set {
      switch number.owner {
      case .run(let slot): rows[slot].flight.flight = newValue
      case .download(let kind): kinds[kind].download = newValue
      case .snapshot(let kind): kinds[kind].snapshot = newValue
      case .action(let slot): memory.actions[slot].flight = newValue
      }
    }
  }

  // MARK: Downloads and snapshots

  /// Returns the flights of a kind that are not part of a run.
  func ofKind(_ kind: KindIndex) -> KindFlights { kinds[kind] }

  /// Starts the download of a background session, initiated by a widget's current run.
  func beginDownload(of kind: KindIndex, for slot: Slot, _ source: FlightSource) {
    kinds[kind].isDownloading = true
    kinds[kind].starter = slot
    kinds[kind].starterRun = source.ordinal
  }

  /// Ends the download of a kind's background session.
  ///
  /// - Returns: whether the downloaded data has arrived.
  func endDownload(of kind: KindIndex, at now: Instant) -> Bool {
    kinds[kind].isDownloading = false
    guard !kinds[kind].download.fails else { return false }
    kinds[kind].downloaded = now
    return true
  }

  /// Starts a snapshot of a kind for the gallery.
  ///
  /// - Returns: the snapshot's number, used as the key of its draws.
  func beginSnapshot(of kind: KindIndex) -> UInt32 {
    defer { kinds[kind].snapshots &+= 1 }
    return kinds[kind].snapshots
  }

  // MARK: Taps

  /// Returns the number of a tap whose requests can be sent now; `nil` if the tap must wait for the requests of another
  /// tap.
  func beginAction(of slot: Slot) -> UInt32? {
    guard !memory.actions[slot].isActive else {
      memory.actions[slot].waiting &+= 1
      return nil
    }
    memory.actions[slot].isActive = true
    defer { memory.actions[slot].count &+= 1 }
    return memory.actions[slot].count
  }

  /// Ends the requests of a tap.
  ///
  /// - Returns: whether another tap was waiting for these requests.
  func endAction(of slot: Slot) -> Bool {
    memory.actions[slot].isActive = false
    guard memory.actions[slot].waiting > 0 else { return false }
    memory.actions[slot].waiting &-= 1
    return true
  }

  // MARK: Sending

  /// Returns the payer of a flight's requests: the widget or, for the gallery, the user who visits it.
  @inline(__always)
  private func payer(of number: FlightNumber, _ phone: inout PhoneCore) -> Int {
    switch number.owner {
    case .run(let slot), .action(let slot): slot.place
    case .download(let kind): kinds[kind].starter.place
    case .snapshot: phone.plan.energyOwners(instances: phone.widgetCount) - 1
    }
  }

  /// Sends all requests of a flight together; the network must already be up to date.
  ///
  /// - Returns: whether all requests are known to have ended.
  @inline(__always)
  func launch(
    _ number: FlightNumber, _ source: FlightSource, at now: Instant, _ phone: inout PhoneCore,
    _ connection: inout Connection
  ) -> Bool {
    var flight = Flight(cause: source.cause, at: now)
    let way = RequestOnWay(number, request: DeviceEvent.allRequests, attempt: 0, on: &phone)
    var batch = RequestBatch(source, way, radio: connection.energy.presentPlan, payer: payer(of: number, &phone))
    let arrival = now + connection.energy.beginFlow(batch.payer, at: now) + batch.radio.outbound
    if isForeseen(arrival, &phone, &connection) {
      let end = sendAll(&batch, &flight, at: arrival, &phone, &connection)
      connection.energy.extendFlow(batch.payer, to: end)
      if !batch.isInSession {
        let airTime = end - (arrival - batch.radio.outbound)
        connection.energy.noteAlone(batch.payer, airTime: airTime, over: batch.radio)
      }
    } else {
      awaitArrival(of: &batch, &flight, at: arrival, &phone, &connection)
    }
    self[number] = flight
    return flight.pending == 0
  }

  /// Whether the outcome of a request is known when it is sent.
  ///
  /// If the backend has feedback, the outcome is known only when the request arrives. Otherwise, it is known
  /// immediately, unless the request arrives on another day.
  @inline(__always)
  private func isForeseen(_ arrival: Instant, _ phone: inout PhoneCore, _ connection: inout Connection) -> Bool {
    !phone.plan.hasFeedback && arrival < connection.dayEnd
  }

  @inline(never)
  private func awaitArrival(
    of batch: inout RequestBatch, _ flight: inout Flight, at arrival: Instant, _ phone: inout PhoneCore,
    _ connection: inout Connection
  ) {
    flight.pending &+= 1
    connection.energy.leaveOpen(batch.payer)
    phone.schedule(
      .arrival(
        batch.number, request: UInt16(truncatingIfNeeded: batch.request ?? DeviceEvent.allRequests),
        attempt: UInt16(truncatingIfNeeded: batch.attempt), changes: connection.network.changes,
        isInSession: batch.isInSession), at: arrival)
  }

  /// Sends the next attempt of a request; the attempt fails if the phone is offline.
  func resend(
    _ way: RequestOnWay, _ source: FlightSource, at now: Instant, _ phone: inout PhoneCore,
    _ connection: inout Connection
  ) -> FlightNews {
    connection.advance(to: now, &phone)
    var flight = self[way.flight]
    flight.pending &-= 1
    let isOffline = connection.network.isOffline
    if isOffline {
      flight.failure = .offline
      flight.end = max(flight.end, now)
      countOffline(1, requestPlan(Int(way.request), of: source, &phone), source, at: now, &phone)
    } else {
      var batch = RequestBatch(source, way, radio: connection.energy.presentPlan, payer: payer(of: way.flight, &phone))
      sendAgain(&batch, &flight, at: now, &phone, &connection)
    }
    self[way.flight] = flight
    return FlightNews(isInTheAir: !isOffline, hasLanded: flight.pending == 0)
  }

  /// Sends a request again after a failed attempt.
  private func sendAgain(
    _ batch: inout RequestBatch, _ flight: inout Flight, at now: Instant, _ phone: inout PhoneCore,
    _ connection: inout Connection
  ) {
    let arrival = now + connection.energy.beginFlow(batch.payer, at: now) + batch.radio.outbound
    if isForeseen(arrival, &phone, &connection) {
      let end = sendToBackend(&batch, &flight, at: arrival, &phone, &connection)
      connection.energy.extendFlow(batch.payer, to: end)
    } else {
      awaitArrival(of: &batch, &flight, at: arrival, &phone, &connection)
    }
  }

  // MARK: Arriving

  /// Counts pending requests in the step in which they arrive: either a single request or all requests of a flight.
  @inline(__always)
  func expect(
    _ flight: FlightNumber, _ request: UInt16, in step: Int, _ present: PresentStep, _ phone: inout PhoneCore
  ) {
    let requests =
      switch flight.owner {
      case .run(let slot): phone.kind(of: slot).requests
      case .download(let kind), .snapshot(let kind): phone.plan.kind(kind).requests
      case .action(let slot): phone.kind(of: slot).taps.requests
      }
    guard Int(request) == DeviceEvent.allRequests else {
      return present.expect(1, at: Self.plan(Int(request), in: requests).endpoint, in: step)
    }
    let chosen = chosen(flight, &phone)
    for index in 0..<requests.count where chosen.includes(index) {
      let request = requests.element(at: index)
      present.expect(request.count, at: request.endpoint, in: step)
    }
  }

  /// Handles the arrival of requests at the backend in the current step.
  @inline(__always)
  func arrive(
    _ way: RequestOnWay, _ source: FlightSource, at now: Instant, _ phone: inout PhoneCore,
    _ connection: inout Connection
  ) -> FlightNews {
    connection.advance(to: now, &phone)
    var flight = self[way.flight]
    flight.pending &-= 1
    // A change of interface always switches to the other one of the two interfaces.
    let network = connection.network
    let isOnWifi = network.isOnWifi == ((network.changes &- way.changes) & 1 == 0)
    var batch = RequestBatch(
      source, way, radio: phone.cohort.value.network.radio(isOnWifi: isOnWifi), payer: payer(of: way.flight, &phone))
    let end = sendToBackend(&batch, &flight, at: now, &phone, &connection)
    connection.energy.answer(batch.payer, at: end)
    self[way.flight] = flight
    return FlightNews(isInTheAir: true, hasLanded: flight.pending == 0)
  }

  /// Applies the decisions of the backend to requests that arrive together.
  ///
  /// - Returns: the end of the request that ends last.
  @inline(never)
  private func sendToBackend(
    _ batch: inout RequestBatch, _ flight: inout Flight, at arrival: Instant, _ phone: inout PhoneCore,
    _ connection: inout Connection
  ) -> Instant {
    let before = flight.end
    let end: Instant
    if let number = batch.request {
      let plan = requestPlan(number, of: batch.source, &phone)
      end = sendOne(&batch, (number, plan), &flight, at: arrival, &phone, &connection)
    } else {
      end = sendAll(&batch, &flight, at: arrival, &phone, &connection)
    }
    guard !batch.isInSession else { return end }
    let onAir = arrival - batch.radio.outbound
    if batch.attempt == 0 {
      connection.energy.noteAlone(batch.payer, airTime: end - onAir, over: batch.radio)
    } else {
      let further = max(end - max(onAir, before), .zero)
      connection.energy.noteAlone(batch.payer, furtherAirTime: further, over: batch.radio)
    }
    return end
  }

  @inline(__always)
  private func sendAll(
    _ batch: inout RequestBatch, _ flight: inout Flight, at arrival: Instant, _ phone: inout PhoneCore,
    _ connection: inout Connection
  ) -> Instant {
    var end = arrival
    let requests = requests(of: batch.source, &phone)
    let chosen = chosen(batch.number, &phone)
    var number = 0
    for index in 0..<requests.count {
      let request = requests.element(at: index)
      guard chosen.includes(index) else {
        number &+= request.count
        continue
      }
      for _ in 0..<request.count {
        end = max(end, sendOne(&batch, (number, request), &flight, at: arrival, &phone, &connection))
        number &+= 1
      }
    }
    return end
  }

  /// Applies the backend's decisions to one request; each attempt is counted as a request in the step of its arrival.
  ///
  /// This function is never inlined. Most kinds run the loop only once, but the compiler would hoist and spill all
  /// values before the loop.
  @inline(never)
  private func sendOne(
    _ batch: inout RequestBatch, _ request: (number: Int, plan: Prepared<RequestPlan>), _ flight: inout Flight,
    at arrival: Instant, _ phone: inout PhoneCore, _ connection: inout Connection
  ) -> Instant {
    let (number, plan) = request
    let outcome = outcome(of: number, plan.endpoint, &batch, at: arrival, &phone)
    count(outcome.failure, plan, &batch, at: arrival, &phone)
    if phone.isWatched { Self.observe(&batch, request, at: arrival, &phone) }
    connection.energy.transferInFlight(
      batch.payer, down: outcome.failure == nil ? plan.down[batch.source.family] : ByteCount(bytes: 0),
      up: plan.up[batch.source.family], over: batch.radio, inSession: batch.isInSession)
    let end = arrival + outcome.duration
    flight.end = max(flight.end, end)
    guard outcome.failure != nil else { return end }
    if let retryAfter = outcome.retryAfter { flight.ask(toWait: retryAfter) }
    if batch.attempt + 1 < phone.plan.kind(batch.source.kind).attempts, !batch.source.isAction {
      scheduleRetry(&batch, number, &flight, failedAt: end, &phone)
    } else {
      flight.failure = outcome.failure
    }
    return end
  }

  /// Returns the outcome of an attempt, based on the conditions of the step in which the attempt arrives.
  @inline(__always)
  func outcome(
    of number: Int, _ endpoint: EndpointIndex, _ batch: inout RequestBatch, at arrival: Instant,
    _ phone: inout PhoneCore
  ) -> RequestOutcome {
    let plan = phone.plan.endpoint(endpoint)
    let attempt = FlightSource.Attempt(request: number, attempt: batch.attempt)
    let (source, stream, roundTrip) = (batch.source, phone.stream, batch.radio.inbound)
    if source.isAction { return actionOutcome(of: attempt, endpoint, &batch, at: arrival, &phone) }
    if let conditions = conditions(of: endpoint, at: arrival, &phone) {
      let draws = source.draws(of: attempt, conditions, stream: stream)
      return RequestOutcome.of(
        plan, conditions, draws, latency: source.latency(of: attempt, plan, stream: stream), roundTrip: roundTrip)
    }
    let latency = source.latency(of: attempt, plan, stream: stream)
    return RequestOutcome.of(roundTrip: roundTrip, latency: latency, timeout: plan.timeout)
  }

  /// Returns the outcome of a tap's request, which times out when the system stops the code that handles the tap.
  @inline(never)
  private func actionOutcome(
    of attempt: FlightSource.Attempt, _ endpoint: EndpointIndex, _ batch: inout RequestBatch, at arrival: Instant,
    _ phone: inout PhoneCore
  ) -> RequestOutcome {
    let plan = phone.plan.endpoint(endpoint)
    let (source, roundTrip) = (batch.source, batch.radio.inbound)
    let latency = source.latency(of: attempt, plan, stream: phone.stream)
    let outcome =
      if let conditions = conditions(of: endpoint, at: arrival, &phone) {
        RequestOutcome.of(
          plan, conditions, source.draws(of: attempt, conditions, stream: phone.stream), latency: latency,
          roundTrip: roundTrip)
      } else {
        RequestOutcome.of(roundTrip: roundTrip, latency: latency, timeout: plan.timeout)
      }
    let longest = roundTrip + ModelConstants.actionTimeout
    return outcome.duration < longest ? outcome : .timedOut(after: longest)
  }

  /// Returns the conditions at the arrival of a request; `nil` if requests to the endpoint can never fail.
  @inline(__always)
  func conditions(of endpoint: EndpointIndex, at arrival: Instant, _ phone: inout PhoneCore) -> Conditions? {
    if let backend = phone.backend { return backend.conditions(of: endpoint.place, at: arrival) }
    let plan = phone.plan.endpoint(endpoint)
    return plan.outages == nil ? nil : plan.value.knownConditions(at: arrival)
  }

  /// Schedules the next attempt after a failed attempt and its backoff, which doubles with each attempt.
  private func scheduleRetry(
    _ batch: inout RequestBatch, _ number: Int, _ flight: inout Flight, failedAt end: Instant, _ phone: inout PhoneCore
  ) {
    flight.pending &+= 1
    let backoff = phone.plan.kind(batch.source.kind).backoff * (1 << Int64(batch.attempt))
    schedule(batch.number, number, attempt: batch.attempt + 1, at: end + backoff, &phone)
  }

  private func schedule(
    _ flight: FlightNumber, _ request: Int, attempt: Int, at instant: Instant, _ phone: inout PhoneCore
  ) {
    phone.schedule(
      .resend(
        flight, request: UInt16(truncatingIfNeeded: request), attempt: UInt8(truncatingIfNeeded: attempt)), at: instant)
  }

  /// Returns the requests of a source, which is either a tap or a run of the kind.
  @inline(__always)
  private func requests(of source: FlightSource, _ phone: inout PhoneCore) -> PreparedList<RequestPlan> {
    let kind = phone.plan.kind(source.kind)
    return source.isAction ? kind.taps.requests : kind.requests
  }

  /// Returns the listed requests that a flight sends, as bits; it sends all of them unless code has chosen some for a
  /// run.
  @inline(__always)
  func chosen(_ number: FlightNumber, _ phone: inout PhoneCore) -> UInt64 {
    guard phone.plan.choosesRequests, case .run(let slot) = number.owner else { return .max }
    return memory.chosen[slot]
  }

  /// Returns the plan of a request, given by its number within a run or tap.
  @inline(__always)
  private func requestPlan(
    _ number: Int, of source: FlightSource, _ phone: inout PhoneCore
  ) -> Prepared<RequestPlan> {
    Self.plan(number, in: requests(of: source, &phone))
  }

  @inline(__always)
  private static func plan(_ number: Int, in requests: PreparedList<RequestPlan>) -> Prepared<RequestPlan> {
    var index = 0
    var left = number
    while left >= requests[index].count {
      left -= requests[index].count
      index += 1
    }
    return requests.element(at: index)
  }
}

/// The counts of requests that were sent, saved, or failed because the phone was offline (MODEL.md 5.2, 5.4, 8).
extension Flights {
  /// Records the outcome of an attempt for a watched phone.
  ///
  /// The outcome is recomputed here instead of being passed on, so that there is no overhead for phones that are not
  /// watched.
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

  /// Records the requests that a watched phone could not send because the phone was offline.
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
      case .action(let slot): (slot, false)
      }
    return ObservedRequest(
      slot: slot, kind: source.kind, family: source.family, cause: source.cause, endpoint: endpoint,
      run: source.ordinal, number: number, attempt: 0, arrival: now, duration: .zero, isOfRun: isOfRun)
  }

  /// Returns the CDN's answer to an attempt, which is derived from the end of the attempt.
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

  /// Counts an answered or failed request for the current step and, in the measured period, for the metrics.
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
    let cell = phone.tally.cell
    if phone.plan.windows != nil { phone.enterWindows(at: arrival) }
    phone.tally.record(transfer, arrivingAt: arrival, from: place(of: batch.source, &phone))
    phone.tally.useCell(cell)
  }

  @inline(__always)
  private func place(of source: FlightSource, _ phone: inout PhoneCore) -> Tally.Place {
    Tally.Place(group: Tally.Group(cohort: phone.cohortIndex, kind: source.kind), cause: source.cause)
  }

  /// Makes a flight fail immediately because the phone is offline, so that nothing is sent or received (MODEL.md 5.4).
  func failOffline(_ number: FlightNumber, _ source: FlightSource, at now: Instant, _ phone: inout PhoneCore) {
    var flight = Flight(cause: source.cause, at: now)
    flight.failure = .offline
    self[number] = flight
    let requests = requests(of: source, &phone)
    let chosen = chosen(number, &phone)
    for index in 0..<requests.count where chosen.includes(index) {
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

  /// Counts the requests of a run that were saved by a cache or by another flight in progress (MODEL.md 5.2).
  func countSaved(of slot: Slot, at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection) {
    guard phone.plan.isMeasured(now + connection.energy.presentPlan.outbound) else { return }
    let family = phone.widget(slot).family
    let requests = phone.kind(of: slot).requests
    let chosen = chosen(.run(slot), &phone)
    for index in 0..<requests.count where chosen.includes(index) {
      let request = requests.element(at: index)
      let transfer = Tally.Transfer(
        endpoint: request.endpoint, up: request.up[family], down: request.down[family], failure: nil)
      phone.tally.recordSaved(request.count, transfer, phone.group(of: slot))
    }
  }
}

extension UInt64 {
  /// Whether the bit for a request's place in its list is set; beyond 64 places, nothing is chosen and all bits are
  /// set.
  @inline(__always)
  func includes(_ place: Int) -> Bool { self &>> UInt64(truncatingIfNeeded: place) & 1 == 1 }
}
