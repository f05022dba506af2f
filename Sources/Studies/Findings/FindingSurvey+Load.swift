import FleetEngine
import Scenario
import SimulationKernel

/// What the servers meet: overloads, and devices that fire together.
extension FindingSurvey {
  var overloads: [RunFinding] {
    Overload.endpoints(of: scenario).compactMap { endpoint in
      let labels = Labels().with(\.endpoint, scenario.endpoints[endpoint].name)
      guard let row = summary.row(.overloadSeconds, .total, labels), let seconds = row.value?.approximate,
        seconds >= Self.leastOverload
      else { return nil }
      var finding = RunFinding(.overload, endpoint: endpoint, value: seconds)
      // However long an overload is: that there is one is what a sample must tell.
      finding.isResolved = row.estimatedInterval.map { $0.low >= Self.leastOverload } ?? row.isResolved
      finding.crest = crest(at: endpoint)
      if finding.isResolved { finding.remedy = finding.crest.flatMap { remedy(for: $0, at: endpoint) } }
      return finding
    }
  }

  /// One for each endpoint whose busiest time is a herd, unless it is overloaded anyway.
  var herds: [RunFinding] {
    let overloaded = Set(overloads.compactMap(\.endpoint))
    return scenario.endpoints.indices.compactMap { endpoint in
      guard !overloaded.contains(endpoint), let crest = crest(at: endpoint), crest.isTogether,
        crest.rate >= RunFinding.leastCrest, isMuch(crest.rate, at: endpoint)
      else { return nil }
      var finding = RunFinding(.herd, endpoint: endpoint, value: crest.rate / crest.mean)
      finding.crest = crest
      finding.remedy = remedy(for: crest, at: endpoint)
      return finding
    }
  }

  /// The busiest time, as high as a sample's peak is estimated.
  private func crest(at endpoint: Int) -> Crest? {
    guard var crest = Crest(endpoint, of: run) else { return nil }
    crest.rate = summary.estimatedCrest(endpoint, crest.window, scenario) ?? crest.rate
    return crest
  }

  /// Whether a load comes near the capacity, where there is a fixed one.
  private func isMuch(_ rate: Double, at endpoint: Int) -> Bool {
    let known = scenario.endpoints[endpoint]
    guard known.autoscale == nil, let capacity = known.capacity else { return true }
    return rate + (known.baseLoad?.rate ?? 0) >= Self.leastUse * capacity
  }

  /// The change that belongs to the cause of a crest.
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

  private func kinds(asking endpoint: Int) -> [Int] {
    scenario.kinds.indices.filter { kind in scenario.kinds[kind].requests.contains { $0.endpoint == endpoint } }
  }

  /// A jitter of the kinds that share dates, of all with dates where none does, in which the crest fits into four fifths
  /// of the free capacity, or which makes a quarter of it where no capacity is known; at most an hour, half the period
  /// of shared dates and two intervals of any policy, since it is paid for with refreshes.
  private func jitter(for crest: Crest, at endpoint: Int) -> Remedy? {
    let asking = kinds(asking: endpoint).filter { scenario.kinds[$0].policies.contains { $0 != .never } }
    let aligned = asking.filter { !scenario.kinds[$0].sharedPeriods.isEmpty }
    let kinds = aligned.isEmpty ? asking : aligned
    if kinds.isEmpty { return nil }
    let shared = kinds.flatMap { scenario.kinds[$0].sharedPeriods }.map { $0.seconds / 2 }
    let intervals = kinds.flatMap { scenario.kinds[$0].policies.compactMap(\.interval) }.map { $0.seconds * 2 }
    let present = kinds.compactMap { scenario.kinds[$0].jitter?.upTo.seconds }.max() ?? 0
    return spread(of: crest, at: endpoint, present: present, most: (shared + intervals).min() ?? 3_600).map {
      .jitter(kinds: kinds, upTo: $0)
    }
  }

  /// The span of the event after which the crest comes.
  private func over(for crest: Crest, at endpoint: Int) -> Remedy? {
    let start = Instant.start + .minutes(Int64(crest.minute))
    let event = run.eventSpans.last { span in
      scenario.events[span.event].over != nil && span.from < start + crest.window.length
        && start <= span.to + .minutes(15)
    }?.event
    guard let event, let present = scenario.events[event].over?.seconds else { return nil }
    return spread(of: crest, at: endpoint, present: present, most: 3_600).map { .over(event: event, $0) }
  }

  /// - Returns: nil where it would hardly be more than what is there.
  private func spread(of crest: Crest, at endpoint: Int, present: Double, most: Double) -> TimeAmount? {
    let free = scenario.endpoints[endpoint].autoscale == nil ? scenario.endpoints[endpoint].free : nil
    let needed = free.map { crest.requests / max(Self.leastUse * $0, 1e-9) } ?? 4 * crest.width
    let span = Remedy.round(upFrom: min(needed, most, 3_600)) ?? .hour
    return span.seconds >= 1.25 * present && span.seconds <= max(most, 60) ? span : nil
  }
}

extension Summary {
  /// The peak of what comes to an endpoint's servers, or to all, from phones; nil where it is counted.
  func estimatedCrest(_ endpoint: Int?, _ window: LoadWindow, _ scenario: Scenario) -> Double? {
    let asked = endpoint.map { scenario.endpoints[$0] }
    let labels = Labels().with(\.endpoint, asked?.name ?? "").with(\.window, window.name)
    guard let row = row(asked?.cdn == nil ? .peakRPS : .originPeakRPS, .max, labels), row.isEstimate else { return nil }
    return row.replications.first.flatMap { $0?.approximate }
  }
}

extension Endpoint {
  /// Requests per second that other traffic leaves of its capacity; nil: no limit.
  fileprivate var free: Double? { capacity.map { max($0 - (baseLoad?.rate ?? 0), 0) } }
}

extension Kind {
  /// Of phases and windows.
  var policies: [ReloadPolicy] { phases.map(\.reload) + windows.map(\.reload) }

  fileprivate var sharedPeriods: [TimeAmount] { policies.compactMap(\.sharedPeriod) }
}
