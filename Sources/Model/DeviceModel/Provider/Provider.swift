import Scenario
import SimulationKernel

/// The provider code of the widgets: their runs, requests and data, and the dates of their next runs (MODEL.md 5).
struct Provider: BitwiseCopyable {
  private let rows: Column<Slot, WidgetRow>
  private let memory: DeviceMemory

  @inline(__always)
  init(_ rows: Column<Slot, WidgetRow>, in memory: DeviceMemory) {
    self.rows = rows
    self.memory = memory
  }

  @inline(__always)
  var flights: Flights { Flights(rows, in: memory) }
  @inline(__always)
  var caches: Caches { Caches(in: memory) }

  /// Starts a new phone, which has no widgets yet.
  func begin(_ phone: inout PhoneCore) {
    caches.begin(&phone)
    flights.begin(&phone)
  }

  /// Adds a widget that has not been placed yet.
  func add(_ slot: Slot, _ phone: inout PhoneCore) {
    if phone.plan.hasActions { memory.actions.initialize(slot, to: ActionState()) }
    if phone.plan.hasBackoffs { memory.failures.initialize(slot, to: 0) }
    if phone.plan.choosesRequests { memory.chosen.initialize(slot, to: .max) }
    if let code = phone.kind(of: slot).provider { code.begin(in: memory.providerMemory(of: slot)) }
  }

  // MARK: State for other components

  @inline(__always)
  func isPlaced(_ slot: Slot) -> Bool { rows[slot].run.isPlaced }
  @inline(__always)
  func isRunning(_ slot: Slot) -> Bool { rows[slot].run.activity != .resting }
  /// Returns the time of a widget's data; `.longAgo` if there is no data.
  @inline(__always)
  func dataTime(of slot: Slot) -> Instant { rows[slot].run.dataTime }
  /// Returns the number of runs that a widget has started so far; the next run has this number.
  @inline(__always)
  func runs(of slot: Slot) -> UInt32 { rows[slot].run.runs }
  @inline(__always)
  func lastRun(of slot: Slot) -> LastRun { LastRun(number: rows[slot].run.runs, end: flights.lastEnd(of: slot)) }

  // MARK: Start of a run

  /// Starts a run.
  ///
  /// - Returns: the run's number, used as the key of its draws.
  @inline(__always)
  func beginRun(_ slot: Slot) -> UInt32 {
    let number = rows[slot].run.runs
    rows[slot].run.runs = number &+ 1
    return number
  }

  /// Requests a free run after the current run. There is at most one such run, with the most recently requested cause.
  func askForNextFree(_ slot: Slot, cause: Cause) { rows[slot].run.nextFree = cause }

  @inline(__always)
  func crashes(_ slot: Slot, _ number: UInt32, _ phone: inout PhoneCore) -> Bool {
    let crash = phone.kind(of: slot).crash
    guard !crash.isImpossible else { return false }
    return crash.happens(at: phone.draws(.crash, part: phone.widget(slot).member.place, index: Int(number)).first)
  }

  /// Runs the widget's code in a run that has just started.
  @inline(__always)
  func run(
    _ slot: Slot, _ number: UInt32, at now: Instant, _ phone: inout PhoneCore,
    _ connection: inout Connection, _ log: inout RunLog
  ) {
    rows[slot].run.activity = .running
    connection.advance(to: now, &phone)
    let kind = phone.kind(of: slot)
    if kind.drawsPerRun {
      let draws = log.providerDraws(slot, number, &phone)
      flights.setLatencyDraw(slot, draws.first)
      rows[slot].run.dateUniform = draws.second
    }
    provide(slot, kind, at: now, &phone, &connection)
  }

  /// Provides data without using the network, or sends requests (MODEL.md 5.2, 5.4, 5.6).
  @inline(__always)
  private func provide(
    _ slot: Slot, _ kind: Prepared<KindPlan>, at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection
  ) {
    if kind.requests.isEmpty || ProviderCalls.choosesNone(slot, kind, at: now, self, &phone) {
      phone.schedule(.runEnd(slot), at: now + kind.cpu)
    } else if kind.isBackgroundSession {
      provideInBackground(slot, kind, at: now, &phone, &connection)
    } else if let cache = kind.cache {
      lookUp(cache, of: slot, at: now, &phone, &connection)
    } else {
      fetch(slot, kind, at: now, &phone, &connection)
    }
  }

  /// Sends the requests of a run; if the phone is offline, the run fails immediately.
  @inline(__always)
  private func fetch(
    _ slot: Slot, _ kind: Prepared<KindPlan>, at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection
  ) {
    let source = runSource(slot, &phone)
    if connection.network.isOffline {
      flights.failOffline(.run(slot), source, at: now, &phone)
      // No other run can have joined this flight, because no requests were sent.
      phone.schedule(.runEnd(slot), at: now + kind.cpu)
    } else if flights.launch(.run(slot), source, at: now, &phone, &connection) {
      endRequests(of: slot, &phone)
    }
  }

  // MARK: Caches

  /// Starts a run of a kind with a cache; the result is a cache hit, a joined flight or a cache miss (MODEL.md 5.2).
  private func lookUp(
    _ cache: CachePlan, of slot: Slot, at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection
  ) {
    let caches = caches
    let index = caches.index(of: slot, cache.scope, &phone)
    if let data = caches.freshData(index, ttl: cache.ttl, at: now) {
      hitCache(slot, data, at: now, &phone, &connection)
    } else if let leader = caches.leader(of: index), !connection.network.isOffline {
      flights.countSaved(of: slot, at: now, &phone, &connection)
      rows[slot].run.activity = .joining
      connection.energy.follow(slot.place, leader.place, at: now)
    } else {
      // If the phone is offline, the run fails and does not replace the flight that other runs are waiting for.
      if !connection.network.isOffline { caches.beginFlight(index, of: slot, isShared: cache.singleFlight) }
      fetch(slot, phone.kind(of: slot), at: now, &phone, &connection)
    }
  }

  /// Answers a run from the cache with data from `time`, whether or not the phone is online.
  private func hitCache(
    _ slot: Slot, _ time: Instant, at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection
  ) {
    countHit(slot, at: now, &phone, &connection)
    flights.bring(slot, dataOf: time)
    rows[slot].run.activity = .served
    phone.schedule(.runEnd(slot), at: now + phone.kind(of: slot).cpu)
  }

  /// Counts a run that is answered by the cache.
  func countHit(_ slot: Slot, at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection) {
    if phone.plan.isMeasured(now) { phone.tally.recordCacheHit(phone.group(of: slot)) }
    flights.countSaved(of: slot, at: now, &phone, &connection)
  }

  // MARK: Requests

  /// Handles the arrival of requests at the backend in the current step.
  @inline(__always)
  func arrive(
    _ requests: RequestOnWay, at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection,
    _ log: inout RunLog
  ) {
    let source = source(of: requests.flight, &phone, &log)
    let news = flights.arrive(requests, source, at: now, &phone, &connection)
    hear(news, of: requests.flight, source.kind, at: now, &phone, &connection)
  }

  /// Sends the next attempt of a request.
  func resend(
    _ request: RequestOnWay, at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection,
    _ log: inout RunLog
  ) {
    let source = source(of: request.flight, &phone, &log)
    let news = flights.resend(request, source, at: now, &phone, &connection)
    hear(news, of: request.flight, source.kind, at: now, &phone, &connection)
  }

  @inline(__always)
  private func hear(
    _ news: FlightNews, of number: FlightNumber, _ kind: KindIndex, at now: Instant, _ phone: inout PhoneCore,
    _ connection: inout Connection
  ) {
    if news.isInTheAir, let cache = phone.plan.kind(kind).cache, cache.singleFlight {
      haveJoinersFollow(number, cache, at: now, &phone, &connection)
    }
    if news.hasLanded { land(number, &phone) }
  }

  /// Makes the runs that joined a flight wait for its answers as long as its requests are in the air (MODEL.md 5.2,
  /// 7.2).
  @inline(never)
  private func haveJoinersFollow(
    _ number: FlightNumber, _ cache: CachePlan, at now: Instant, _ phone: inout PhoneCore,
    _ connection: inout Connection
  ) {
    guard case .run(let slot) = number.owner else { return }
    let index = caches.index(of: slot, cache.scope, &phone)
    for other in phone.slots where rows[other].run.activity == .joining {
      if caches.index(of: other, cache.scope, &phone) == index {
        connection.energy.follow(other.place, slot.place, at: now)
      }
    }
  }

  /// Handles the end of a flight, at which all of its requests have ended.
  private func land(_ number: FlightNumber, _ phone: inout PhoneCore) {
    switch number.owner {
    case .run(let slot): endRequests(of: slot, &phone)
    case .download(let kind): phone.schedule(.downloadEnd(kind: kind), at: flights[number].end)
    case .snapshot: return
    case .action(let slot): phone.schedule(.actionEnd(slot), at: flights[number].end)
    }
  }

  /// Ends the requests of a run; the run itself ends only when its processor time has also elapsed.
  private func endRequests(of slot: Slot, _ phone: inout PhoneCore) {
    let (flight, kind) = (flights.ofRun(slot), phone.kind(of: slot))
    if let cache = kind.cache, !flight.fails || cache.singleFlight {
      phone.schedule(.answers(slot), at: flight.end)
    } else {
      phone.schedule(.runEnd(slot), at: flight.end + kind.cpu)
    }
  }

  /// Handles the arrival of all answers after a cache miss. The cache and the runs that joined the flight use the
  /// answers.
  func answersArrive(_ slot: Slot, at now: Instant, _ phone: inout PhoneCore) {
    let kind = phone.kind(of: slot)
    phone.schedule(.runEnd(slot), at: now + kind.cpu)
    guard let cache = kind.cache else { return }
    let index = caches.index(of: slot, cache.scope, &phone)
    guard caches.endFlight(index, data: flights.ofRun(slot).fails ? nil : now) else { return }
    for other in phone.slots where rows[other].run.activity == .joining {
      guard caches.index(of: other, cache.scope, &phone) == index else { continue }
      rows[other].run.activity = .served
      flights.join(other, slot, at: now)
      phone.schedule(.runEnd(other), at: now + kind.cpu)
    }
  }

  /// Returns the source of the requests of a pending flight.
  @inline(__always)
  private func source(of number: FlightNumber, _ phone: inout PhoneCore, _ log: inout RunLog) -> FlightSource {
    switch number.owner {
    case .run(let slot): runSource(slot, &phone)
    case .download(let kind): downloadSource(kind, &phone, &log)
    case .snapshot(let kind): snapshotSource(kind)
    case .action(let slot): actionSource(slot, ordinal: phone.memory.actions[slot].count &- 1, &phone)
    }
  }

  /// Returns the source of the requests of the run in progress.
  @inline(__always)
  private func runSource(_ slot: Slot, _ phone: inout PhoneCore) -> FlightSource {
    let widget = phone.widget(slot)
    return FlightSource(
      kind: widget.kind, family: widget.family, cause: flights.ofRun(slot).cause, purpose: .latency,
      part: widget.member.place, ordinal: rows[slot].run.runs &- 1, firstUniform: flights.latencyDraw(slot))
  }

  /// Returns the source of a download's requests, which is the run that started the download. The draws of that run may
  /// have been replaced by those of a later run.
  private func downloadSource(_ kind: KindIndex, _ phone: inout PhoneCore, _ log: inout RunLog) -> FlightSource {
    let download = flights.ofKind(kind)
    let widget = phone.widget(download.starter)
    return FlightSource(
      kind: widget.kind, family: widget.family, cause: download.download.cause, purpose: .latency,
      part: widget.member.place, ordinal: download.starterRun,
      firstUniform: log.providerDraws(download.starter, download.starterRun, &phone).first)
  }

  /// Returns the source of a gallery snapshot's requests; the gallery shows the small family.
  private func snapshotSource(_ kind: KindIndex) -> FlightSource {
    FlightSource(
      kind: kind, family: .small, cause: .gallery, purpose: .snapshotLatency, part: kind.place,
      ordinal: flights.ofKind(kind).snapshots &- 1)
  }

  private func actionSource(_ slot: Slot, ordinal: UInt32, _ phone: inout PhoneCore) -> FlightSource {
    let widget = phone.widget(slot)
    return FlightSource(
      kind: widget.kind, family: widget.family, cause: .action, purpose: .action, part: widget.member.place,
      ordinal: ordinal)
  }

  // MARK: Flights outside runs

  /// Sends the requests of a tap, unless the tap must wait for an earlier tap (MODEL.md 2.6).
  ///
  /// - Returns: whether the requests have failed because the phone is offline.
  func beginAction(
    _ slot: Slot, at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection
  ) -> Bool {
    guard let number = flights.beginAction(of: slot) else { return false }
    let source = actionSource(slot, ordinal: number, &phone)
    connection.advance(to: now, &phone)
    if connection.network.isOffline {
      flights.failOffline(.action(slot), source, at: now, &phone)
      return true
    }
    if flights.launch(.action(slot), source, at: now, &phone, &connection) { land(.action(slot), &phone) }
    return false
  }

  /// Provides downloaded or cached data to a run. If there is no such data, the run keeps its current data and starts a
  /// download (MODEL.md 5.6).
  private func provideInBackground(
    _ slot: Slot, _ kind: Prepared<KindPlan>, at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection
  ) {
    let index = phone.kindIndex(of: slot)
    let download = flights.ofKind(index)
    let dataTime = rows[slot].run.dataTime
    flights.bring(slot, dataOf: max(dataTime, download.downloaded))
    rows[slot].run.activity = .served
    if download.downloaded > dataTime {
      phone.schedule(.runEnd(slot), at: now + kind.cpu)
    } else if let data = caches.freshData(of: slot, at: now, &phone) {
      hitCache(slot, data, at: now, &phone, &connection)
    } else {
      let source = runSource(slot, &phone)
      if connection.network.isOffline {
        flights.failOffline(.run(slot), source, at: now, &phone)
      } else if !download.isDownloading {
        beginDownload(of: index, for: slot, source, at: now, &phone, &connection)
      }
      phone.schedule(.runEnd(slot), at: now + kind.cpu)
    }
  }

  /// Starts the download of a kind's background session; each kind has at most one download at a time.
  private func beginDownload(
    of kind: KindIndex, for slot: Slot, _ source: FlightSource, at now: Instant, _ phone: inout PhoneCore,
    _ connection: inout Connection
  ) {
    flights.beginDownload(of: kind, for: slot, source)
    if flights.launch(.download(kind), source, at: now, &phone, &connection) { land(.download(kind), &phone) }
  }

  /// Ends the download of a kind's background session.
  ///
  /// - Returns: whether the data has arrived. If so, every widget of the kind uses it in a charged run.
  func endDownload(of kind: KindIndex, at now: Instant, _ phone: inout PhoneCore) -> Bool {
    guard flights.endDownload(of: kind, at: now) else { return false }
    caches.set(of: kind, to: now, &phone)
    return true
  }

  /// Sends the requests of gallery snapshots. These requests are the same as those of a run, but they have no other
  /// effects (MODEL.md 4.2).
  ///
  /// - Parameter network: the probability that a snapshot sends its requests.
  func showGallery(_ network: Chance, at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection) {
    connection.advance(to: now, &phone)
    for kind in phone.plan.kindIndices where !phone.plan.kind(kind).requests.isEmpty {
      let ordinal = flights.beginSnapshot(of: kind)
      guard network.happens(at: phone.draws(.gallery, part: kind.place, index: Int(ordinal)).first) else { continue }
      let source = snapshotSource(kind)
      if connection.network.isOffline {
        flights.failOffline(.snapshot(kind), source, at: now, &phone)
      } else {
        _ = flights.launch(.snapshot(kind), source, at: now, &phone, &connection)
      }
    }
  }

  // MARK: End of a run

  /// The result of a run, determined when the run ends.
  struct Outcome {
    let dataTime: Instant
    /// The reason why the run has failed; `nil` if it has not.
    let failure: FailureReason?
    let cause: Cause
    /// Whether the servers have answered requests of the run itself.
    let isAnswered: Bool
    /// The draw for the date requested by the policy.
    let uniform: UInt64

    @inline(__always)
    var hasFailed: Bool { failure != nil }
  }

  @inline(__always)
  func endRun(_ slot: Slot, at now: Instant) -> Outcome {
    let flight = flights.ofRun(slot)
    let isAnswered = rows[slot].run.activity == .running
    rows[slot].run.activity = .resting
    flights.rest(slot, since: now)
    return Outcome(
      dataTime: flight.end, failure: flight.failure, cause: flight.cause, isAnswered: isAnswered,
      uniform: rows[slot].run.dateUniform)
  }

  /// Returns and removes the free run that was requested while the current run was in progress.
  @inline(__always)
  func takeNextFree(_ slot: Slot) -> Cause? {
    guard let cause = rows[slot].run.nextFree else { return nil }
    rows[slot].run.nextFree = nil
    return cause
  }

  /// Stores the data of a successful run and advances to the next phase.
  @inline(__always)
  func takeData(_ slot: Slot, of time: Instant, at now: Instant, _ kind: Prepared<KindPlan>) {
    rows[slot].run.dataTime = kind.requests.isEmpty ? now : time
    let next = Int(rows[slot].run.phase) + 1
    if next < kind.phases.count { rows[slot].run.phase = UInt16(truncatingIfNeeded: next) }
  }

  /// Ends an unperturbed run of a kind with a single phase.
  @inline(__always)
  func endUnperturbed(_ slot: Slot, dataOf time: Instant, at end: Instant) {
    flights.rest(slot, since: end)
    rows[slot].run.dataTime = time
  }

  @inline(__always)
  func phase(of slot: Slot, _ kind: Prepared<KindPlan>) -> Prepared<PhasePlan> {
    kind.phases.element(at: Int(rows[slot].run.phase))
  }

  /// Makes the run in progress end with the widget's existing data.
  func keepData(_ slot: Slot) {
    flights.bring(slot, dataOf: rows[slot].run.dataTime)
    rows[slot].run.activity = .served
  }

  /// Restarts a widget's phases, so that its next successful run uses the first phase.
  func restart(_ slot: Slot) { rows[slot].run.phase = 0 }

  // MARK: Checks

  /// Returns the first broken invariant of a widget's run; `nil` if all invariants hold.
  ///
  /// - Parameter ends: the number of pending events that end the run.
  func brokenInvariant(of slot: Slot, hasTicket: Bool, ends: Int) -> String? {
    let state = rows[slot].run
    let isRunning = state.activity != .resting
    let waits = isRunning && (state.activity == .joining || flights.ofRun(slot).pending > 0)
    if isRunning != (ends == 1 || waits) || waits && ends > 0 {
      return "\(ends) ends are pending, running is \(isRunning), waiting for answers \(waits)"
    }
    if !isRunning, state.nextFree != nil { return "a request kept without a run" }
    if !state.isPlaced, isRunning || hasTicket { return "active without being placed" }
    return nil
  }

  /// Whether a free run has been requested to follow the current run.
  func hasNextFree(_ slot: Slot) -> Bool { rows[slot].run.nextFree != nil }
}

/// The rules for the date of a widget's next run (MODEL.md 4.1, 5.5, 5.7).
extension Provider {
  /// Returns the date requested by the timeline, or the date of the retry after a failure; `nil` if there is no date.
  @inline(__always)
  func nextDate<Rules: SchedulerRules>(
    _ slot: Slot, after run: Outcome, at now: Instant, _ phone: inout PhoneCore, _ rules: Rules.Type
  ) -> Instant? {
    let kind = phone.kind(of: slot)
    if run.hasFailed { return retryDate(slot, kind, after: run, at: now, &phone, rules) }
    if kind.isSteady, case .after(let span) = phase(of: slot, kind).value.reload {
      return now + span.spanInPlace(at: run.uniform)
    }
    return policyDate(slot, kind, after: run, at: now, &phone, rules)
  }

  /// Returns the date after a successful run, as requested by the policy of the phase or of a window that replaces it
  /// (MODEL.md 5.7).
  private func policyDate<Rules: SchedulerRules>(
    _ slot: Slot, _ kind: Prepared<KindPlan>, after run: Outcome, at now: Instant, _ phone: inout PhoneCore,
    _ rules: Rules.Type
  ) -> Instant? {
    if kind.onError.isBackoff { phone.memory.failures[slot] = 0 }
    let phase = phase(of: slot, kind)
    let policy = kind.window(at: now, zone: phone.zone)?.value.reload ?? phase.reload
    guard case .earliest(let dates) = policy else {
      return date(of: policy, phase.entries, uniform: run.uniform, at: now, &phone, rules)
    }
    let data = kind.requests.isEmpty ? now : run.dataTime
    return earliestDate(dates.element(at: 0), slot, dataOf: data, uniform: run.uniform, at: now, &phone)
  }

  /// Returns the date of the retry after a failed run (MODEL.md 5.5).
  @inline(__always)
  private func retryDate<Rules: SchedulerRules>(
    _ slot: Slot, _ kind: Prepared<KindPlan>, after run: Outcome, at now: Instant, _ phone: inout PhoneCore,
    _ rules: Rules.Type
  ) -> Instant? {
    switch kind.onError {
    case .reload(let policy):
      date(of: policy, phase(of: slot, kind).entries, uniform: run.uniform, at: now, &phone, rules)
    case .retryAfter: now + (flights.ofRun(slot).retryAfter ?? ModelConstants.retryAfter)
    case .backoff(let delays): now + nextBackoff(slot, delays, &phone)
    }
  }

  /// Counts a failed run and returns the delay for the current number of consecutive failures.
  private func nextBackoff(_ slot: Slot, _ delays: PreparedList<TimeAmount>, _ phone: inout PhoneCore) -> TimeAmount {
    let failures = Int(phone.memory.failures[slot])
    phone.memory.failures[slot] = UInt8(truncatingIfNeeded: min(failures + 1, Backoff.maxFailures))
    return delays[min(failures, delays.count - 1)]
  }

  @inline(__always)
  private func date<Rules: SchedulerRules>(
    of policy: PolicyPlan, _ entries: EntriesPlan, uniform: UInt64, at now: Instant, _ phone: inout PhoneCore,
    _ rules: Rules.Type
  ) -> Instant? {
    TimelineRule.date(
      of: policy, entries: entries, at: now, zone: phone.zone, atEndGap: rules.atEndGap(phone.cohort),
      uniform: uniform)
  }

  /// Returns the earliest of several dates; `nil` if there are no dates (MODEL.md 4.1).
  ///
  /// - Parameter time: the time of the data, used as the key of the draws for hints; `.longAgo` if there is no data.
  private func earliestDate(
    _ dates: Prepared<EarliestPlan>, _ slot: Slot, dataOf time: Instant, uniform: UInt64, at now: Instant,
    _ phone: inout PhoneCore
  ) -> Instant? {
    let hint = shortestHint(dates.hints, slot, dataOf: time, &phone)
    let origin = dates.isFromData && time > .longAgo ? time : now
    return TimelineRule.earliest(
      of: dates.value, hint: hint, from: origin, at: now, zone: phone.zone, uniform: uniform)
  }

  /// Returns the shortest time for which the servers declare a widget's data to be fresh; `nil` if there is none.
  func shortestHint(
    _ hints: PreparedList<HintPlan>, _ slot: Slot, dataOf time: Instant, _ phone: inout PhoneCore
  ) -> TimeAmount? {
    var hint: TimeAmount?
    for index in 0..<hints.count {
      let span = hintSpan(hints[index], slot, dataOf: time, &phone)
      hint = min(hint ?? span, span)
    }
    return hint
  }

  private func hintSpan(
    _ hint: HintPlan, _ slot: Slot, dataOf time: Instant, _ phone: inout PhoneCore
  ) -> TimeAmount {
    guard !hint.span.isConstant else { return hint.span.span(at: 0) }
    let part = phone.kindIndex(of: slot).place | hint.endpoint.place << 16
    return hint.span.span(at: phone.draws(.hint, part: part, index: Int(time.millisecondsSinceStart)).first)
  }

  /// Returns the jitter that applies to a widget's date.
  ///
  /// - Parameters:
  ///   - uniform: the run's draw for jitter.
  ///   - end: the end of the run.
  @inline(__always)
  func jitter(_ slot: Slot, uniform: UInt64, after end: Instant, _ phone: inout PhoneCore) -> TimeAmount {
    let kind = phone.kind(of: slot)
    switch kind.jitterScope {
    case .run: return kind.jitter.span(at: uniform)
    case .device: return deviceJitter(kind.jitter, slot, &phone)
    case .window:
      let own = WindowJitter(span: kind.jitter, scope: kind.ownJitterScope)
      let jitter = kind.window(at: end, zone: phone.zone)?.value.jitter ?? own
      return jitter.scope == .run ? jitter.span.span(at: uniform) : deviceJitter(jitter.span, slot, &phone)
    }
  }

  private func deviceJitter(_ jitter: SpanSampler, _ slot: Slot, _ phone: inout PhoneCore) -> TimeAmount {
    guard !jitter.isConstant else { return jitter.span(at: 0) }
    return jitter.span(at: phone.draws(.deviceJitter, part: phone.kindIndex(of: slot).place).first)
  }
}

/// The provider's state for the runs of a widget. The requests in the air are stored in `Flights`.
struct RunState: BitwiseCopyable {
  /// The time of the widget's current data; `.longAgo` if there is no data.
  var dataTime: Instant = .longAgo
  /// The draw for the date that the policy requests at the end of the current run.
  var dateUniform: UInt64 = 0
  /// The number of runs started so far, used as the index of the draws for the widget's runs.
  var runs: UInt32 = 0
  /// The phase that the next successful run uses.
  var phase: UInt16 = 0
  /// The cause of the free run that was requested during the current run and starts after it (MODEL.md 4.3).
  var nextFree: Cause?
  var activity = Activity.resting

  /// The activity of a widget, which is either idle or running.
  enum Activity: UInt8 {
    case resting
    case running
    /// A run that uses the data of a cache, a download or another run's flight.
    case served
    /// A run that has joined another run's flight and waits for it (MODEL.md 5.2).
    case joining
  }

  /// Whether the widget has been placed; a placement starts the first run immediately.
  @inline(__always)
  var isPlaced: Bool { runs > 0 }
}
