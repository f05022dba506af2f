import FleetEngine
package import Scenario
import SimulationKernel

/// Server findings about overloads and about devices that send simultaneously.
extension FindingSurvey {
  var overloads: [RunFinding] {
    Overload.endpoints(of: scenario).compactMap { endpoint in
      let labels = scenario.labels(endpoint: endpoint)
      guard let row = summary.row(.overloadSeconds, .total, labels), let seconds = row.value?.approximate,
        seconds >= RunFinding.minOverload
      else { return nil }
      var finding = RunFinding(.overload, endpoint: endpoint, value: seconds)
      // The sample must be large enough to show that there is an overload, but the duration of the overload may be
      // uncertain.
      finding.isResolved = row.estimatedInterval.map { $0.low >= RunFinding.minOverload } ?? row.isResolved
      finding.crest = crest(at: endpoint)
      if finding.isResolved {
        finding.remedy = finding.crest.flatMap { remedy(for: $0, at: endpoint) ?? slower(for: $0, at: endpoint) }
      }
      return finding
    }
  }

  /// The findings for endpoints with many failed requests. Requests that fail because phones are offline are excluded.
  var failures: [RunFinding] {
    scenario.endpoints.indices.compactMap { endpoint in
      let labels = scenario.labels(endpoint: endpoint)
      guard let share = summary.value(.failures, .share, labels), share >= RunFinding.minFailures else { return nil }
      var finding = RunFinding(.failures, endpoint: endpoint, value: share)
      let failed = { (reason: FailureReason) in
        summary.value(.failures, .total, labels.with(\.reason, reason.name)) ?? 0
      }
      finding.failure = FailureReason.allCases.filter { $0 != .offline }.max { failed($0) < failed($1) }
      let devices = Scale(of: run)
      let requests = summary.value(.requests, .total, labels) ?? 0
      let simulated = share * requests * Double(devices.simulated) / Double(max(devices.fleet, 1))
      finding.isResolved =
        !devices.isSample || share * (1 - 3 / simulated.squareRoot()) >= RunFinding.minFailures
      if scenario.endpoints[endpoint].cdn?.staleIfError == .zero {
        finding.remedy = .staleIfError(endpoint: endpoint, .hour)
      } else if finding.failure == .timeout {
        finding.remedy = shorterQueue(at: endpoint)
      }
      return finding
    }
  }

  /// The findings for endpoints whose peak is caused by many devices acting simultaneously, excluding overloaded
  /// endpoints.
  var herds: [RunFinding] {
    let overloaded = Set(overloads.compactMap(\.endpoint))
    return scenario.endpoints.indices.compactMap { endpoint in
      guard !overloaded.contains(endpoint), let crest = crest(at: endpoint), crest.isSudden,
        crest.rate >= RunFinding.minCrest, isMuch(crest.rate, at: endpoint)
      else { return nil }
      var finding = RunFinding(.herd, endpoint: endpoint, value: crest.rate / crest.mean)
      finding.crest = crest
      finding.remedy = remedy(for: crest, at: endpoint)
      return finding
    }
  }

  /// Returns the busiest time at an endpoint, with the peak rate as estimated from the sample.
  private func crest(at endpoint: Int) -> Crest? {
    Crest(endpoint, of: run, summary)
  }

  /// Returns whether a load comes close to the capacity; always true if there is no fixed capacity.
  private func isMuch(_ rate: Double, at endpoint: Int) -> Bool {
    let known = scenario.endpoints[endpoint]
    guard known.autoscale == nil, let capacity = known.capacity else { return true }
    return rate + (known.baseLoad?.rate ?? 0) >= Self.minUse * capacity
  }

  /// Returns the remedy that matches the cause of a crest.
  private func remedy(for crest: Crest, at endpoint: Int) -> Remedy? {
    switch crest.cause {
    case .policy: jitter(for: crest, at: endpoint)
    case .background, .widgetPush, .system, .gallery: over(for: crest, at: endpoint)
    case .retry:
      { kinds in kinds.isEmpty ? nil : .oneAttempt(kinds: kinds) }(
        kinds(asking: endpoint).filter { scenario.kinds[$0].attempts.count > 1 })
    default: nil
    }
  }

  /// Returns an interval for the kind that sends the most requests, long enough for the crest to fit into four fifths
  /// of the free capacity.
  ///
  /// Shared dates get a jitter of the same length, up to an hour.
  private func slower(for crest: Crest, at endpoint: Int) -> Remedy? {
    let target = scenario.endpoints[endpoint]
    guard crest.cause == .policy || crest.cause == .retry, target.autoscale == nil, let free = target.free, free > 0
    else {
      return nil
    }
    let requests = { (kind: Int) in
      summary.value(
        .requests, .total, Scope.kind(kind).labels(in: scenario).with(\.endpoint, target.name)) ?? 0
    }
    guard let kind = kinds(asking: endpoint).max(by: { requests($0) < requests($1) }),
      let interval = scenario.kinds[kind].onlyInterval,
      let span = UsualSpan.upFrom(interval.seconds * crest.rate / (Self.minUse * free)), span > interval
    else { return nil }
    let present = scenario.kinds[kind].jitter?.upTo ?? .zero
    let spread = scenario.kinds[kind].knownPeriods.isEmpty || present >= min(span, .hour) ? nil : min(span, .hour)
    return .interval(kind: kind, span, jitter: spread)
  }

  private func kinds(asking endpoint: Int) -> [Int] {
    scenario.kinds.indices.filter { kind in scenario.kinds[kind].requests.contains { $0.endpoint == endpoint } }
  }

  /// Returns a jitter for the kinds with shared dates or, if there are none, for all kinds with dates.
  ///
  /// With the jitter, the crest and the continuing load fit into four fifths of the free capacity. If the capacity is
  /// unknown, the crest drops to a quarter of its height. Jitter costs refreshes, so it is limited to an hour, half the
  /// period of shared dates, and two intervals of any policy.
  private func jitter(for crest: Crest, at endpoint: Int) -> Remedy? {
    let asking = kinds(asking: endpoint).filter { scenario.kinds[$0].policies.contains { $0 != .never } }
    let aligned = asking.filter { !scenario.kinds[$0].knownPeriods.isEmpty }
    let kinds = aligned.isEmpty ? asking : aligned
    if kinds.isEmpty { return nil }
    let shared = kinds.flatMap { scenario.kinds[$0].knownPeriods }.map { $0.seconds / 2 }
    let intervals = kinds.flatMap { scenario.kinds[$0].policies.compactMap(\.interval) }.map { $0.seconds * 2 }
    let present = kinds.compactMap { scenario.kinds[$0].jitter?.upTo.seconds }.max() ?? 0
    return spread(of: crest, at: endpoint, present: present, maximum: (shared + intervals).min() ?? 3_600).map {
      .jitter(kinds: kinds, upTo: $0)
    }
  }

  /// Returns a longer time span for spreading the event that caused the crest.
  private func over(for crest: Crest, at endpoint: Int) -> Remedy? {
    let start = Instant.start + .minutes(Int64(crest.minute))
    let event = run.eventSpans.last { span in
      scenario.events[span.event].over != nil && span.from < start + crest.window.length
        && start <= span.to + .minutes(15)
    }?.event
    guard let event, let present = scenario.events[event].over?.seconds else { return nil }
    return spread(of: crest, at: endpoint, present: present, maximum: 3_600).map { span in
      .over(events: likePushes(event, asking: endpoint, below: span), span)
    }
  }

  /// Returns the given event and, if it is a push, the other pushes to the endpoint that are spread over less than the
  /// given span.
  ///
  /// If only one push were spread over a longer span, the crests of the other pushes would remain.
  private func likePushes(_ event: Int, asking endpoint: Int, below span: TimeAmount) -> [Int] {
    guard case .push = scenario.events[event].action else { return [event] }
    return scenario.events.indices.filter { index in
      guard case .push(let push) = scenario.events[index].action else { return false }
      if case .perDevicePerDay = scenario.events[index].timing { return index == event }
      let asks = push.kinds.contains { kind in scenario.kinds[kind].requests.contains { $0.endpoint == endpoint } }
      return index == event || asks && push.sender == nil && push.over < span
    }
  }

  /// Returns a queue length, rounded to two digits, whose wait is at most half the timeout, if the current queue is
  /// longer than that.
  ///
  /// Requests that wait longer have already timed out when they are served.
  private func shorterQueue(at endpoint: Int) -> Remedy? {
    let target = scenario.endpoints[endpoint]
    guard let capacity = target.capacity, target.autoscale == nil else { return nil }
    let maximum = capacity * target.timeout.seconds / 2
    let step = maximum >= 100 ? pow10(Int(maximum).description.count - 2) : 1
    let count = Int(maximum) / step * step
    return count > 0 && count < target.queue ?? .max ? .queue(endpoint: endpoint, count) : nil
  }

  private func pow10(_ digits: Int) -> Int { (0..<digits).reduce(1) { product, _ in product * 10 } }

  /// - Returns: `nil` if the span would not be much longer than the current one, or if the continuing load leaves no
  ///   headroom.
  private func spread(of crest: Crest, at endpoint: Int, present: Double, maximum: Double) -> TimeAmount? {
    let free = scenario.endpoints[endpoint].autoscale == nil ? scenario.endpoints[endpoint].free : nil
    let room = free.map { Self.minUse * $0 - crest.usual }
    if let room, room <= 0 { return nil }
    let needed = room.map { crest.requests / $0 } ?? 4 * crest.width
    let span = UsualSpan.upFrom(min(needed, maximum, 3_600)) ?? .hour
    return span.seconds >= 1.25 * present && span.seconds <= max(maximum, 60) ? span : nil
  }
}

extension Summary {
  /// Returns the peak of the phones' requests at the servers of one or all endpoints; `nil` if the peak is counted.
  func estimatedCrest(_ endpoint: Int?, _ window: LoadWindow, _ scenario: Scenario) -> Double? {
    let asked = endpoint.map { scenario.endpoints[$0] }
    let labels = scenario.labels(endpoint: endpoint).with(\.window, window.name)
    guard let row = row(asked?.cdn == nil ? .peakRPS : .originPeakRPS, .max, labels), row.isEstimate else { return nil }
    return row.replications.first.flatMap { $0?.approximate }
  }
}

extension Endpoint {
  /// The capacity left free by other traffic, in requests per second; `nil` if there is no limit.
  fileprivate var free: Double? { capacity.map { max($0 - (baseLoad?.rate ?? 0), 0) } }
}

extension Kind {
  fileprivate var knownPeriods: [TimeAmount] { sharedPeriods.compactMap { $0 } }
}

/// User-facing findings about withheld refreshes, stale data, exhausted budgets and ineffective caches.
extension FindingSurvey {
  var ofWidgets: [RunFinding] {
    let withheld = scenario.kinds.indices.compactMap(withheld).max { $0.value < $1.value }
    let budget = withheld?.reason == .budget ? nil : exhausted
    let caches = scenario.kinds.indices.compactMap(coldCache)
    return [withheld, stalest, budget].compactMap { $0 } + caches
  }

  private func labels(_ kind: Int) -> Labels { Scope.kind(kind).labels(in: scenario) }

  private func withheld(_ kind: Int) -> RunFinding? {
    let share = summary.withheldShare(labels(kind))
    guard share >= Self.minWithheld else { return nil }
    var finding = RunFinding(.withheld, kind: kind, value: share)
    finding.reason = WaitReason.allCases.max {
      summary.withheldShare(labels(kind), because: $0) < summary.withheldShare(labels(kind), because: $1)
    }
    if finding.reason == .budget { finding.remedy = longer(kind, share) }
    return finding
  }

  /// Returns an interval that the system can sustain, which is the current interval plus the time for which each
  /// refresh is withheld.
  private func longer(_ kind: Int, _ share: Double) -> Remedy? {
    guard let interval = scenario.kinds[kind].onlyInterval else { return nil }
    let causes = [Cause.policy, .retry]
    let runs = causes.reduce(0.0) { sum, cause in
      sum + (summary.value(.runsPerDay, .mean, labels(kind).with(\.cause, cause.name)) ?? 0)
    }
    let cycle = 86_400 / max(runs, 1e-9)
    guard runs > 0, let span = UsualSpan.upFrom(interval.seconds + share * min(cycle, 86_400)), span > interval
    else { return nil }
    return .interval(kind: kind, span)
  }

  private var stalest: RunFinding? {
    let shares = scenario.kinds.indices.compactMap { kind in
      summary.value(.staleViews, .share, labels(kind)).map { (kind, $0) }
    }
    guard let (kind, share) = shares.max(by: { $0.1 < $1.1 }), share >= Self.minStale else { return nil }
    var finding = RunFinding(.stale, kind: kind, value: share)
    finding.remedy = fresher(kind)
    return finding
  }

  /// Returns a shorter cache lifetime, or a shorter interval if the system would allow it.
  private func fresher(_ kind: Int) -> Remedy? {
    let known = scenario.kinds[kind]
    guard let limit = known.staleAfter else { return nil }
    if let cache = known.cache, cache.ttl.map({ $0.seconds > limit.seconds / 2 }) ?? true {
      return UsualSpan.upFrom(min(limit.seconds / 2, 86_400)).map { .cacheLife(kind: kind, $0) }
    }
    guard let interval = known.onlyInterval, summary.withheldShare(labels(kind)) < Self.minWithheld / 2,
      let half = UsualSpan.upFrom(interval.seconds / 2), half < interval, half >= .minutes(10)
    else { return nil }
    return .interval(kind: kind, half)
  }

  private var exhausted: RunFinding? {
    let times = scenario.kinds.indices.compactMap { kind in
      summary.value(.budgetExhaustedPerDay, .mean, labels(kind)).map { (kind, $0) }
    }
    guard let (kind, times) = times.max(by: { $0.1 < $1.1 }), times >= Self.minExhausted else { return nil }
    var finding = RunFinding(.budget, kind: kind, value: times)
    finding.remedy = longer(kind, max(summary.withheldShare(labels(kind), because: .budget), 0.01))
    return finding
  }

  /// Returns a finding for a cache that several widgets on a phone miss at the same time.
  ///
  /// The finding is reported only if a trial with a shared answer confirms it.
  private func coldCache(_ kind: Int) -> RunFinding? {
    guard let cache = scenario.kinds[kind].cache, cache.scope == .kind, !cache.singleFlight else { return nil }
    let maximum =
      scenario.fleet.cohorts.map { cohort in
        cohort.widgets.reduce(0.0) { sum, placement in
          sum + placement.share.fraction * Double(placement.members.count { $0.kind == kind })
        }
      }.max() ?? 0
    guard maximum > 1, summary.value(.requests, .total, labels(kind)) ?? 0 > 0 else { return nil }
    var finding = RunFinding(.coldCaches, kind: kind, value: summary.value(.requests, .total, labels(kind)) ?? 0)
    finding.remedy = .singleFlight(kind: kind)
    return finding
  }
}

extension Summary {
  /// Returns the fraction of time for which a due refresh is withheld, for the given reason or for any reason.
  package func withheldShare(_ labels: Labels, because reason: WaitReason? = nil) -> Double {
    let labels = labels.with(\.reason, reason?.name ?? "")
    guard let waits = value(.waitsPerDay, .mean, labels), let length = value(.waitLength, .mean, labels) else {
      return 0
    }
    return min(waits * length / 86_400, 1)
  }
}
