internal import RequestStatistics
package import Scenario
internal import SimulationKernel

/// The findings from a log about the keys of a scenario. There is one finding for each key about which the log contains
/// any information.
package struct ScenarioKeys: Sendable {
  package private(set) var findings: [KeyFinding] = []
  private let evidence: LogEvidence
  private let scenario: Scenario

  package init(_ evidence: LogEvidence, _ scenario: Scenario) {
    self.evidence = evidence
    self.scenario = scenario
    for (kind, estimates) in evidence.kinds { addKind(scenario.kinds[kind], estimates) }
    if let aggregate = evidence.aggregate { addAggregate(aggregate) }
    addDevices()
    addZones()
    addPeople()
    addSystem()
    for endpoint in evidence.endpoints { addEndpoint(endpoint) }
  }

  private mutating func add(
    _ path: String, _ written: String, _ known: Double?, _ estimate: Estimate, _ measure: KeyMeasure
  ) {
    findings.append(KeyFinding(path, written: written, known: known, estimate, measure))
  }

  private mutating func add(_ path: String, _ known: TimeAmount?, _ estimate: Estimate) {
    add(path, known.map(QuantityText.duration) ?? "none", known?.seconds, estimate, .span)
  }

  // MARK: The team's own code

  private mutating func addKind(_ kind: Kind, _ estimates: KindEstimates) {
    let path = "kinds.\(kind.name)"
    if kind.phases.count == 1, kind.windows.isEmpty { addReload(kind.phases[0].reload, path, estimates) }
    if estimates.errors.backoff.verdict != .notFromThisLog, kind.attempts.count > 1 {
      add(path + ".attempts.backoff", kind.attempts.backoff, estimates.errors.backoff)
    }
    if case .reload(.after(.constant(let span))) = kind.onError {
      add(path + ".on_error.after", span, estimates.errors.onError)
    }
  }

  private mutating func addReload(_ reload: ReloadPolicy, _ path: String, _ estimates: KindEstimates) {
    switch reload {
    case .after(.constant(let span)):
      addReload(path + ".reload.after", span, estimates.interval, isOther: estimates.wallMarks.period != nil)
    case .afterMultiple(of: let span, zone: _):
      let isOther = estimates.wallMarks.period == nil && estimates.interval.verdict == .identified
      addReload(path + ".reload.after.every", span, estimates.wallMarks.interval, isOther: isOther)
    default: break
    }
  }

  private mutating func addReload(_ path: String, _ span: TimeAmount, _ estimate: Estimate, isOther: Bool) {
    findings.append(
      KeyFinding(
        path, written: QuantityText.duration(span), known: span.seconds, estimate, .span, isOtherPolicy: isOther))
  }

  private mutating func addAggregate(_ aggregate: AggregateEstimates) {
    guard let kind = scenario.kinds.first, kind.phases.count == 1, kind.windows.isEmpty else { return }
    if case .after(.constant(let span)) = kind.phases[0].reload {
      add("kinds.\(kind.name).reload.after", span, aggregate.interval)
    }
  }

  // MARK: The fleet

  private mutating func addDevices() {
    let known = Double(scenario.fleet.devices)
    var estimate =
      evidence.fleet?.devices.devices ?? evidence.aggregate?.devices
      ?? .unknown(evidence.isSampled ? .sampledLog : .noIDs)
    if let fleet = evidence.fleet, evidence.lifetime == .oneDay { estimate = fleet.devices.ofOneDay }
    add("fleet.devices", String(scenario.fleet.devices), known, estimate, .count)
  }

  private mutating func addZones() {
    guard scenario.fleet.cohorts.count == 1, let zones = evidence.fleet?.zones, zones.names.count > 1 else { return }
    let cohort = scenario.fleet.cohorts[0]
    // Zones can be estimated only if all requests of a phone on a day share an ID. If IDs change daily at a fixed hour
    // in UTC, the estimated zones merely reflect this hour.
    let shares = evidence.lifetime == .oneDay ? zones.shares.map { .unknown(.dailyIDs, count: $0.count) } : zones.shares
    for (name, share) in zip(zones.names, shares) {
      guard let known = cohort.zones.first(where: { $0.value == name }) else { continue }
      add(
        "fleet.cohorts.\(cohort.name).zones.\(name)", QuantityText.share(known.weight), known.weight, share, .share)
    }
  }

  // MARK: People

  private mutating func addPeople() {
    guard scenario.fleet.cohorts.count == 1, let rhythm = evidence.kinds.compactMap(\.estimates.rhythm).first else {
      return
    }
    let cohort = scenario.fleet.cohorts[0]
    let path = "fleet.cohorts.\(cohort.name).person."
    // The rate of free runs is the product of unlocks, visits and the share that reloads; only this product can be
    // observed.
    add(
      path + "unlocks_per_day", "", nil, .unknown(.onlyProduct, count: rhythm.freeRuns.count), .daily)
    add(
      path + "day_variation", cohort.person.dayVariation.map(QuantityText.number) ?? "none",
      cohort.person.dayVariation, .unknown(.onlyProduct, count: rhythm.dayShape.count), .number)
  }

  // MARK: The system

  private mutating func addSystem() {
    let delays = evidence.kinds.compactMap { kind, estimates -> Estimate? in
      if estimates.isCycleHidden { return nil }
      if let window = estimates.startDelay?.window { return window }
      // After a mark on the clock, the start depends on the delay and the jitter or, if there is no jitter, only on the
      // delay.
      let isPlain = scenario.kinds[kind].jitter == nil && estimates.wallMarks.period != nil
      return isPlain ? estimates.wallMarks.window : nil
    }
    let best = delays.max { $0.count < $1.count } ?? evidence.aggregate?.window
    if let best, case .uniform(let from, let to) = scenario.os.startDelay.policy, from == .zero {
      add("os.start_delay.policy", "{uniform: 0s..\(QuantityText.duration(to))}", to.seconds, best, .uniformSpan)
    }
    let visible = evidence.kinds.map(\.estimates).filter { !$0.isCycleHidden }
    guard let system = visible.max(by: { $0.cycle.count < $1.cycle.count })?.system else { return }
    if let idle = scenario.os.idle { add("os.idle.give_up", idle.giveUp, system.giveUp) }
    if scenario.os.budget.model == .bucket {
      let known: (text: String, value: Double?) =
        switch scenario.os.budget.capacity {
        case .views: ("views", nil)
        case .perDay(let runs): ("\(QuantityText.number(runs.runs))/day", runs.runs)
        case .range(let low, let high):
          ("\(QuantityText.number(low.runs))/day..\(QuantityText.number(high.runs))/day", nil)
        case .drawn: ("a distribution", nil)
        }
      add("os.budget.capacity", known.text, known.value, system.capacity, .dailyRange)
    }
  }

  // MARK: The backend

  private mutating func addEndpoint(_ evidence: EndpointEvidence) {
    let endpoint = scenario.endpoints[evidence.endpoint]
    let path = "backend.endpoints.\(endpoint.name)."
    // Stamps are in whole milliseconds, so the latency cannot be determined if responses take less than a millisecond.
    if let durations = evidence.durations, durations.total >= Self.fewestDurations, durations.quantile(0.5) ?? 0 >= 1 {
      add(path + "latency.p50", endpoint.latency?.median, durations.estimate(0.5))
      add(path + "latency.p99", endpoint.latency?.p99, durations.estimate(0.99))
    }
    if let peak = evidence.servedPeak, let capacity = endpoint.capacity {
      let bound = Estimate(nil, low: peak, verdict: .oneSided, count: Int(evidence.row.lines), reason: .neverReached)
      add(path + "capacity", QuantityText.number(capacity) + "/s", capacity, bound, .rate)
    }
    if evidence.otherRate > 0 {
      let known = endpoint.baseLoad?.rate
      let count = evidence.row.lines - evidence.row.classes[Int(RequestClass.widget.rawValue)]
      let half = 2 * Double(count).squareRoot() / Double(count)
      let rate = evidence.otherRate
      let estimate = Estimate.judged(rate, rate * (1 - half)...rate * (1 + half), count: Int(count))
      add(path + "base_load.rate", known.map { QuantityText.number($0) + "/s" } ?? "none", known, estimate, .rate)
    }
  }

  /// The minimum number of responses for a p99. With fewer responses, the p99 would be one of the ten longest
  /// durations.
  private static let fewestDurations: Int64 = 1_000
}

extension KindEstimates {
  /// Whether the observed gaps reflect something other than the interval, so that no start delay can be derived from
  /// them.
  fileprivate var isCycleHidden: Bool {
    interval.reason == .cacheHidesInterval || interval.reason == .minimumSpacingHidesInterval
  }
}

extension DurationBins {
  /// Returns a quantile in seconds with its order-statistic interval, which is at least as wide as a bin.
  fileprivate func estimate(_ probability: Double) -> Estimate {
    let error = 1.96 * (probability * (1 - probability) / Double(total)).squareRoot()
    guard let value = quantile(probability), let low = quantile(probability - error),
      let high = quantile(min(probability + error, 1))
    else { return .unknown(.tooFewObservations) }
    let bin = value / 32
    return .judged(
      value / 1_000, min(low, value - bin) / 1_000...max(high, value + bin) / 1_000, count: Int(clamping: total))
  }
}

extension DeviceEvidence {
  /// The number of phones if IDs last only one day. Only phones with a request on a complete day are counted.
  fileprivate var ofOneDay: Estimate {
    let whole = byDay.dropFirst().dropLast()
    guard let minimum = whole.min(), let maximum = whole.max(), maximum > 0 else {
      return .tooShort(byDay.count, of: 3)
    }
    let mean = Double(whole.reduce(0, +)) / Double(whole.count)
    return Estimate(mean, low: Double(minimum), high: Double(maximum), verdict: .weakly, count: seen, reason: .dailyIDs)
  }
}

extension WallMarkEvidence {
  /// The time between clock marks at which runs start, in seconds. It is a period that divides an hour or, if some
  /// hours have no mark, a whole number of hours.
  package var interval: Estimate {
    let count = heat.reduce(0) { $0 + $1.reduce(0, +) }
    guard let period else { return .unknown(.noMarks, count: count) }
    let hourly = hours.count
    let seconds = hourly > 0 && hourly < 24 && 24 % hourly == 0 ? 86_400 / Double(hourly) : Double(period) * 60
    return Estimate(seconds, low: seconds, high: seconds, verdict: .identified, count: count)
  }
}

/// Shares that add up to 100 %, as in a scenario file.
package enum PercentShares {
  /// Returns `{Europe/Berlin: 72.1%, America/New_York: 27.9%}`, in tenths of a percent. Rounding differences are
  /// assigned to the shares with the largest remainders.
  ///
  /// - Parameter shares: non-negative numbers on any scale, at least one of which is positive.
  package static func text(_ shares: [(name: String, share: Double)]) -> String {
    let sum = shares.reduce(0) { $0 + $1.share }
    let exact = shares.map { $0.share / sum * 1_000 }
    var tenths = exact.map { Int($0) }
    let order = exact.indices.sorted { one, other in
      let (left, right) = (exact[one] - Double(tenths[one]), exact[other] - Double(tenths[other]))
      return left == right ? one < other : left > right
    }
    for index in order.prefix(1_000 - tenths.reduce(0, +)) { tenths[index] += 1 }
    let parts = zip(shares, tenths).map { "\($0.name): \(text(tenths: $1))" }
    return "{" + parts.joined(separator: ", ") + "}"
  }

  /// Returns a share in tenths of a percent, such as `72.1%`.
  static func percent(_ share: Double) -> String { text(tenths: Int((share * 1_000).rounded())) }

  private static func text(tenths: Int) -> String {
    "\(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)") + "%"
  }
}
