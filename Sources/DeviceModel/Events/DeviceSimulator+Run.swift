import Scenario
import SimulationKernel

/// The provider's runs, from their start to the next ticket (MODEL.md 5).
extension DeviceSimulator {
  /// Places an instance: its budget begins and a free run follows (MODEL.md 1.2).
  mutating func place(_ slot: Int, at now: Instant) {
    if cohort.pointee.hasPeople { beginViews(of: slot, at: now) }
    openAccount(of: slot, at: now)
    startRun(slot, cause: .placement, at: now)
    schedule(.coalescing(starter: UInt8(slot)), at: now)
  }

  /// Starts a run, whose ticket (if it has one) is no longer in the queue.
  mutating func startRun(_ slot: Int, cause: Cause, at now: Instant) {
    let instance = instances + slot
    let ordinal = beginRun(slot, at: now)
    instance.pointee.ticket = .none
    countRun(slot, cause: cause, at: now)
    instance.pointee.run.flight = Flight(cause: cause, at: now)
    let kind = plan.kinds.pointer(at: Int(instance.pointee.kind))
    if !kind.pointee.crash.isImpossible, hasCrashed(slot, kind, ordinal) {
      instance.pointee.lastEnd = now
      setTicket(slot, due: now + ModelConstants.crashRetry, cause: .retry, at: now)
      if cohort.pointee.hasPeople { judgeViews(slot, at: now) }
      return
    }
    instance.pointee.activity = .running
    advanceNetwork(to: now)
    if kind.pointee.drawsPerRun {
      let draws = providerDraws(slot, ordinal)
      instance.pointee.run.latencyUniform = draws.first
      instance.pointee.run.dateUniform = draws.second
    }
    let uniform = instance.pointee.run.latencyUniform
    provide(slot, kind, source(ofRun: slot, ordinal: ordinal, cause: cause, uniform: uniform), at: now)
  }

  /// What every run does at its start, on the fast paths too: the wait ends, a change of place is answered.
  ///
  /// - Returns: the run's number, which keys its draws.
  @inline(__always) @discardableResult
  mutating func beginRun(_ slot: Int, at now: Instant) -> UInt32 {
    endWait(slot, at: now)
    instances[slot].hasMoved = false
    let number = instances[slot].runs
    instances[slot].runs = number &+ 1
    return number
  }

  /// The provider's code: what it shows without the network, or what it asks for (MODEL.md 5.2, 5.4, 5.6).
  @inline(__always)
  private mutating func provide(
    _ slot: Int, _ kind: UnsafePointer<KindPlan>, _ source: FlightSource, at now: Instant
  ) {
    if kind.pointee.requests.isEmpty {
      schedule(.runEnd(UInt8(slot)), at: now + kind.pointee.cpu)
    } else if kind.pointee.isBackgroundSession {
      provideInBackground(slot, kind, source, at: now)
    } else if let cache = kind.pointee.cache {
      lookUp(cache, of: slot, kind, source, at: now)
    } else {
      fetch(slot, kind, source, at: now)
    }
  }

  /// Sends the requests of a run, or fails it at once without a network.
  @inline(__always)
  private mutating func fetch(_ slot: Int, _ kind: UnsafePointer<KindPlan>, _ source: FlightSource, at now: Instant) {
    let instance = instances + slot
    if device.network.isOffline {
      failOffline(&instance.pointee.run.flight, source, at: now)
      // Nothing flew that others could have joined.
      schedule(.runEnd(UInt8(slot)), at: now + kind.pointee.cpu)
      return
    }
    launch(.run(slot: slot), &instance.pointee.run.flight, source, at: now)
    if instance.pointee.run.flight.pending == 0 { endRequests(of: slot, kind) }
  }

  @inline(__always)
  private func hasCrashed(_ slot: Int, _ kind: UnsafePointer<KindPlan>, _ ordinal: UInt32) -> Bool {
    let draws = stream.block(.crash, part: Int(instances[slot].member), index: Int(ordinal))
    return kind.pointee.crash.happens(at: draws.first)
  }

  /// A run with a cache: a hit, the company of a flight in progress, or a miss (MODEL.md 5.2).
  private mutating func lookUp(
    _ cache: CachePlan, of slot: Int, _ kind: UnsafePointer<KindPlan>, _ source: FlightSource, at now: Instant
  ) {
    let index = cacheIndex(of: slot, cache.scope)
    if caches[index].isFresh(at: now, ttl: cache.ttl) {
      hitCache(index, slot, kind, at: now)
    } else if caches[index].isInFlight, !device.network.isOffline {
      countSaved(of: slot, kind, at: now)
      instances[slot].activity = .joining
      energy.follow(slot, Int(caches[index].leader), at: now)
    } else {
      // A run that fails offline leaves alone the flight that others are waiting for.
      if !device.network.isOffline {
        caches[index].isInFlight = cache.singleFlight
        caches[index].leader = UInt8(slot)
      }
      fetch(slot, kind, source, at: now)
    }
  }

  /// The cache answers a run, with or without a network.
  mutating func hitCache(_ index: Int, _ slot: Int, _ kind: UnsafePointer<KindPlan>, at now: Instant) {
    if plan.isMeasured(now) { tally.recordCacheHit(cohort: device.cohort, kind: Int(instances[slot].kind)) }
    countSaved(of: slot, kind, at: now)
    instances[slot].run.flight.end = caches[index].storedAt
    schedule(.runEnd(UInt8(slot)), at: now + kind.pointee.cpu)
  }

  /// Every request of a run has come to its end: the run ends after its processor time.
  mutating func endRequests(of slot: Int, _ kind: UnsafePointer<KindPlan>) {
    let instance = instances + slot
    let end = instance.pointee.run.flight.end
    if let cache = kind.pointee.cache, !instance.pointee.run.flight.fails || cache.singleFlight {
      schedule(.answers(UInt8(slot)), at: end)
    } else {
      schedule(.runEnd(UInt8(slot)), at: end + kind.pointee.cpu)
    }
  }

  /// All answers of a miss are in: the cache holds them from now on, and those who joined have them too.
  mutating func answersArrive(_ slot: Int, at now: Instant) {
    let kind = plan.kinds.pointer(at: Int(instances[slot].kind))
    schedule(.runEnd(UInt8(slot)), at: now + kind.pointee.cpu)
    guard let cache = kind.pointee.cache else { return }
    let index = cacheIndex(of: slot, cache.scope)
    let flight = instances[slot].run.flight
    if !flight.fails { caches[index].storedAt = now }
    guard caches[index].isInFlight else { return }
    caches[index].isInFlight = false
    for other in 0..<device.instanceCount where instances[other].activity == .joining {
      guard cacheIndex(of: other, cache.scope) == index else { continue }
      instances[other].activity = .running
      instances[other].run.flight.takeOutcome(of: flight, at: now)
      schedule(.runEnd(UInt8(other)), at: now + kind.pointee.cpu)
    }
  }

  /// The end of a run: its timeline replaces the ticket, then what was asked meanwhile merges (MODEL.md 4.3).
  mutating func endRun(_ slot: Int, at now: Instant) {
    let instance = instances + slot
    // What the run has left behind, in places that what comes after it needs.
    let (dataTime, kept) = (instance.pointee.run.flight.end, instance.pointee.ticket)
    instance.pointee.ticket = .none
    instance.pointee.activity = .resting
    instance.pointee.lastEnd = now
    let kind = plan.kinds.pointer(at: Int(instance.pointee.kind))
    payForRun(slot, kind, at: now)
    let hasFailed = instance.pointee.run.flight.fails
    followTimeline(
      slot, kind, dataTime: dataTime, hasFailed: hasFailed, uniform: instance.pointee.run.dateUniform, at: now)
    if let cause = kept.cause { requestScheduled(slot, due: kept.due, cause: cause, at: now) }
    if let cause = instance.pointee.nextFree {
      instance.pointee.nextFree = nil
      requestFree(slot, cause: cause, at: now)
    }
  }

  /// What a run brings, and the ticket that its timeline, or its failure, asks for.
  ///
  /// - Parameter uniform: for the policy's date.
  @inline(__always)
  mutating func followTimeline(
    _ slot: Int, _ kind: UnsafePointer<KindPlan>, dataTime: Instant, hasFailed: Bool, uniform: UInt64, at now: Instant
  ) {
    // What else needs the ticket's U draws it by its key.
    let draws = kind.pointee.jitter.isConstant ? nil : scheduleDraws(slot)
    let date =
      hasFailed ? retryDate(slot, kind, uniform: uniform, at: now) : policyDate(slot, kind, uniform: uniform, at: now)
    if !hasFailed { takeData(slot, kind, of: dataTime, at: now) }
    // A date past the listed calendar lies past the end of the clock.
    if let date, date < .never {
      let jitter = jitter(slot, kind, uniform: draws?.second ?? 0)
      let due = TimelineRule.jittered(date, by: jitter, at: now, minSpacing: cohort.pointee.system.minSpacing)
      setTicket(slot, due: due, cause: hasFailed ? .retry : .policy, uniform: draws?.first, at: now)
    } else {
      instances[slot].ticket = .none
    }
    if cohort.pointee.hasPeople { judgeViews(slot, at: now) }
  }

  /// The run's processor time; once reloads have drawn much, the battery's next check is planned anew.
  @inline(__always)
  private mutating func payForRun(_ slot: Int, _ kind: UnsafePointer<KindPlan>, at now: Instant) {
    energy.spendProcessor(slot, kind.pointee.cpu, inSession: device.presence.isInSession)
    if energy.radio.owed > batteryReserve { reconsiderBattery(at: now) }
  }

  /// A successful run brings its data and moves on to the next phase.
  @inline(__always)
  private mutating func takeData(
    _ slot: Int, _ kind: UnsafePointer<KindPlan>, of time: Instant, at now: Instant
  ) {
    let instance = instances + slot
    instance.pointee.dataTime = kind.pointee.requests.isEmpty ? now : time
    let next = Int(instance.pointee.phase) + 1
    if next < kind.pointee.phases.count { instance.pointee.phase = UInt16(truncatingIfNeeded: next) }
  }

  /// The date after a success.
  @inline(__always)
  private mutating func policyDate(
    _ slot: Int, _ kind: UnsafePointer<KindPlan>, uniform: UInt64, at now: Instant
  ) -> Instant? {
    if kind.pointee.windows.isEmpty,
      case .after(let span) = kind.pointee.phases.pointer(at: Int(instances[slot].phase)).pointee.reload
    {
      return now + span.spanInPlace(at: uniform)
    }
    return nextDate(slot, kind, uniform: uniform, at: now)
  }

  /// The date that the phase's policy, or a window's in its place, gives after a success (MODEL.md 5.7).
  private mutating func nextDate(
    _ slot: Int, _ kind: UnsafePointer<KindPlan>, uniform: UInt64, at now: Instant
  ) -> Instant? {
    let phase = kind.pointee.phases.pointer(at: Int(instances[slot].phase))
    for index in 0..<kind.pointee.windows.count where kind.pointee.windows[index].contains(now, zone: device.zone) {
      return date(of: kind.pointee.windows[index].reload, entries: phase.pointee.entries, uniform: uniform, at: now)
    }
    return date(of: phase.pointee.reload, entries: phase.pointee.entries, uniform: uniform, at: now)
  }

  /// The date of the next try after a failure (MODEL.md 5.5).
  @inline(__always)
  private mutating func retryDate(
    _ slot: Int, _ kind: UnsafePointer<KindPlan>, uniform: UInt64, at now: Instant
  ) -> Instant? {
    switch kind.pointee.onError {
    case .reload(let policy):
      date(of: policy, entries: kind.pointee.phases[Int(instances[slot].phase)].entries, uniform: uniform, at: now)
    case .retryAfter: now + (instances[slot].run.flight.retryAfter ?? ModelConstants.retryAfter)
    }
  }

  @inline(__always)
  private func date(of policy: PolicyPlan, entries: EntriesPlan, uniform: UInt64, at now: Instant) -> Instant? {
    TimelineRule.date(
      of: policy, entries: entries, at: now, zone: device.zone, atEndGap: cohort.pointee.system.atEndGap,
      uniform: uniform)
  }

  @inline(__always)
  private func jitter(_ slot: Int, _ kind: UnsafePointer<KindPlan>, uniform: UInt64) -> TimeAmount {
    switch kind.pointee.jitterScope {
    case .run: return kind.pointee.jitter.span(at: uniform)
    case .device:
      guard !kind.pointee.jitter.isConstant else { return kind.pointee.jitter.span(at: 0) }
      return kind.pointee.jitter.span(at: stream.block(.deviceJitter, part: Int(instances[slot].kind)).first)
    }
  }

  /// Counts a run of the measured period under its day.
  @inline(__always)
  mutating func countRun(_ slot: Int, cause: Cause, at now: Instant) {
    tally.runCount &+= 1
    guard plan.isMeasured(now) else { return }
    tally.recordRuns(1, Tally.Place(cohort: device.cohort, kind: Int(instances[slot].kind), cause: cause))
    let day = days + slot
    if now >= day.pointee.end { closeDays(of: slot, upTo: now) }
    day.pointee.runs[Int(cause.rawValue)] &+= 1
  }

  /// Counts the days of an instance that end at or before `instant`.
  mutating func closeDays(of slot: Int, upTo instant: Instant) {
    if !plan.hasFeedback { countUnperturbed(slot) }
    while days[slot].end <= instant {
      tally.recordDay(days[slot], cohort: device.cohort, kind: Int(instances[slot].kind))
      days[slot] = DayCounts(end: days[slot].end + .day)
    }
  }

  /// The cache that an instance uses.
  @inline(__always)
  func cacheIndex(of slot: Int, _ scope: Cache.Scope) -> Int {
    switch scope {
    case .kind: Int(instances[slot].kind)
    case .instance: plan.kinds.count + slot
    }
  }

  /// Empties the caches of a kind, or fills them with data of `instant`.
  mutating func setCaches(of kind: Int, to instant: Instant) {
    guard plan.hasCaches else { return }
    caches[kind].storedAt = instant
    for slot in 0..<device.instanceCount where instances[slot].kind == kind {
      caches[plan.kinds.count + slot].storedAt = instant
    }
  }
}
