import FleetEngine
import Scenario
import SimulationKernel

/// Candidate scenario changes that may lower a figure, each as a list of `--set` arguments.
package struct FigureLevers: Sendable {
  /// The maximum number of candidates to try.
  package static let maximum = 8

  /// Changes to the app or the backend, without duplicates, most promising first.
  package let settings: [[String]]
  /// Rules outside the app's control, which are removed one at a time to measure their contributions: rules of the
  /// system or the network, and server limits.
  package let rules: [(name: String, settings: [String])]

  package init(for subject: FigureSubject) {
    let levers = LeverSurvey(subject: subject)
    var seen: Set<[String]> = []
    let wanted = levers.remedies + levers.ofKinds + levers.ofTheBackend + levers.ofPushes + levers.ofTheApp
    settings = Array(wanted.filter { !$0.isEmpty && seen.insert($0).inserted }.prefix(Self.maximum))
    rules = subject.question == .stale ? levers.rules : []
  }
}

/// A search for settings that may lower a figure in a scenario.
private struct LeverSurvey {
  let subject: FigureSubject

  private var scenario: Scenario { subject.scenario }
  private var question: FigureQuestion { subject.question }
  private var endpoint: Int? { subject.finding.endpoint }

  /// The remedies from the report's findings about the subject of this search.
  var remedies: [[String]] {
    RunFinding.all(subject.run, subject.summary).filter { finding in
      switch question {
      case .peak: [.overload, .herd, .coldCaches].contains(finding.topic) && isHere(finding)
      case .failures: [.overload, .failures].contains(finding.topic) && finding.endpoint == endpoint
      case .stale: finding.topic == .stale && finding.kind == subject.finding.kind
      case .budget: [.budget, .withheld].contains(finding.topic) && finding.kind == subject.finding.kind
      }
    }.compactMap { $0.remedy?.settings(in: scenario) }
  }

  private func isHere(_ finding: RunFinding) -> Bool {
    finding.endpoint.map { $0 == endpoint } ?? finding.kind.map { kinds.contains($0) } ?? false
  }

  /// The kinds that contribute, in descending order of their number of requests or runs; there are at most two.
  private var kinds: [Int] {
    if let kind = subject.finding.kind { return [kind] }
    let requests = { (kind: Int) in
      subject.summary.value(
        .requests, .total, Scope.kind(kind).labels(in: scenario).with(\.endpoint, scenario.endpointName(endpoint))) ?? 0
    }
    let asking = scenario.kinds.indices.filter { kind in
      scenario.kinds[kind].requests.contains { $0.endpoint == endpoint }
    }
    return Array(asking.sorted { (requests($1), $0) < (requests($0), $1) }.prefix(2))
  }

  var ofKinds: [[String]] { kinds.flatMap { question == .stale ? fresher($0) : rarer($0) } }

  private func path(_ kind: Int) -> String { "kinds.\(scenario.kinds[kind].name)" }

  /// Returns settings that reduce the number of simultaneous requests, such as a longer interval, a jitter or a cache.
  private func rarer(_ kind: Int) -> [[String]] {
    let known = scenario.kinds[kind]
    var levers: [[String]] = []
    let aligned = known.phases.indices.filter { known.alignedEntries(of: $0) != nil }.map { phase in
      path(kind) + (known.phases.count > 1 ? ".phases.\(phase)" : "") + ".entries.align=run"
    }
    if question == .peak { levers.append(aligned) }
    if let interval = known.onlyInterval, let double = UsualSpan.upFrom(interval.seconds * 2), double > interval {
      levers.append(Remedy.interval(kind: kind, double).settings(in: scenario))
    }
    if known.onError != .retryAfter, case .reload(.after(.constant(let span))) = known.onError,
      question == .failures || question == .budget, let double = UsualSpan.upFrom(span.seconds * 2), double > span
    {
      levers.append(["\(path(kind)).on_error.after=\(double.settingText)"])
    }
    guard question != .budget else { return levers }
    if known.policies.contains(where: { $0 != .never }) {
      let present = known.jitter?.upTo.seconds ?? 0
      if let span = UsualSpan.upFrom(max(present * 2, 900)), span.seconds <= 3_600 {
        levers.append(Remedy.jitter(kinds: [kind], upTo: span).settings(in: scenario))
      }
    }
    if let cache = known.cache {
      if let ttl = cache.ttl, let double = UsualSpan.upFrom(ttl.seconds * 2), double > ttl {
        levers.append(Remedy.cacheLife(kind: kind, double).settings(in: scenario))
      }
      if !cache.singleFlight { levers.append(Remedy.singleFlight(kind: kind).settings(in: scenario)) }
    } else if !isPushed(kind) {
      levers.append(["\(path(kind)).cache.ttl=30min", "\(path(kind)).cache.scope=kind"])
    }
    if question == .failures || known.attempts.count > 1 {
      levers.append(["\(path(kind)).attempts.count=\(known.attempts.count > 1 ? 1 : 3)"])
    }
    return levers
  }

  /// Returns whether pushes announce new data for a kind. If they do, a cache would hide the data from users.
  private func isPushed(_ kind: Int) -> Bool {
    scenario.events.contains { $0.push?.kinds.contains(kind) == true }
  }

  /// Returns settings that keep data fresh, such as a shorter interval or a shorter cache lifetime.
  private func fresher(_ kind: Int) -> [[String]] {
    let known = scenario.kinds[kind]
    var levers: [[String]] = []
    if let interval = known.onlyInterval, let half = UsualSpan.upFrom(interval.seconds / 2), half < interval {
      levers.append(Remedy.interval(kind: kind, half).settings(in: scenario))
    }
    // If the budget runs out in the morning, a longer interval makes the budget last until later in the day.
    if let interval = known.onlyInterval, let double = UsualSpan.upFrom(interval.seconds * 2), double > interval,
      double < known.staleAfter ?? .zero
    {
      levers.append(Remedy.interval(kind: kind, double).settings(in: scenario))
    }
    if let ttl = known.cache?.ttl, let half = UsualSpan.upFrom(ttl.seconds / 2), half < ttl {
      levers.append(Remedy.cacheLife(kind: kind, half).settings(in: scenario))
    }
    if known.isProtected { levers.append(["\(path(kind)).protected=false"]) }
    if !known.requests.isEmpty, known.attempts.count == 1 { levers.append(["\(path(kind)).attempts.count=3"]) }
    if case .reload(.after(.constant(let span))) = known.onError, span > .minutes(5) {
      levers.append(["\(path(kind)).on_error.after=5min"])
    }
    return levers
  }

  /// Backend settings: more capacity, a different queue size, a longer timeout, or a longer CDN cache lifetime.
  var ofTheBackend: [[String]] {
    guard let endpoint, question == .peak || question == .failures else { return [] }
    let (target, path) = (scenario.endpoints[endpoint], "backend.endpoints.\(scenario.endpoints[endpoint].name)")
    var levers: [[String]] = []
    if let cdn = target.cdn, let double = UsualSpan.upFrom(cdn.ttl.seconds * 2), double > cdn.ttl {
      levers.append(["\(path).cdn.ttl=\(double.settingText)"])
    }
    guard question == .failures else { return levers }
    if target.autoscale == nil, let capacity = target.capacity {
      levers.append(["\(path).capacity=\(SettingNumber.text(capacity * 1.5))/s"])
    }
    if let queue = target.queue { levers.append(["\(path).queue=\(queue * 2)"]) }
    if let limit = target.rateLimit {
      levers.append(["\(path).rate_limit.rate=\(SettingNumber.text(limit.rate * 1.5))/s"])
    }
    return levers
  }

  /// Settings that spread pushes and other events over longer periods or make them less frequent.
  ///
  /// If there are several events, the first setting changes all of them. Otherwise, the peaks of the other events would
  /// remain.
  var ofPushes: [[String]] {
    let spreadable = question == .peak ? scenario.events.indices.filter { spans(of: $0).first != nil } : []
    guard spreadable.count > 1 else { return ofSinglePushes }
    let minimum = spreadable.compactMap { spans(of: $0).first }.max() ?? .hour
    return [minimum, .hour, .hours(4)].filter { $0 >= minimum }.map {
      Remedy.over(events: spreadable, $0).settings(in: scenario)
    } + ofSinglePushes
  }

  /// Returns longer spans over which an event can be spread.
  private func spans(of event: Int) -> [TimeAmount] {
    let event = scenario.events[event]
    if case .perDevicePerDay = event.timing { return [] }
    guard let over = event.over, let next = UsualSpan.upFrom(max(over.seconds * 2, 900)), next <= .hours(4) else {
      return []
    }
    return [next, .hour, .hours(4)].filter { $0 >= next }
  }

  private var ofSinglePushes: [[String]] {
    scenario.events.indices.flatMap { index -> [[String]] in
      let event = scenario.events[index]
      guard event.over != nil, question == .peak || question == .budget else { return [] }
      if case .perDevicePerDay(let perDay) = event.timing {
        return [["events.\(event.name).push.per_device_per_day=\(SettingNumber.text(perDay / 2))"]]
      }
      guard question == .peak else { return [] }
      return spans(of: index).map {
        Remedy.over(events: [index], $0).settings(in: scenario)
      }
    }
  }

  /// Settings that reduce how often the app requests reloads, or that make the app supply the data with its requests.
  var ofTheApp: [[String]] {
    scenario.app.reloads.indices.flatMap { index -> [[String]] in
      let reload = scenario.app.reloads[index]
      guard reload.kinds.contains(where: { kinds.contains($0) }) else { return [] }
      var levers: [[String]] = []
      if case .backgroundRefresh(let perDay) = reload.occasion, question != .stale {
        levers.append(["app.reloads.\(index).per_day=\(SettingNumber.text(perDay / 2))"])
      }
      let hasCache = reload.kinds.allSatisfy { scenario.kinds[$0].cache != nil }
      if question == .peak, hasCache, !reload.fillsCache { levers.append(["app.reloads.\(index).fills_cache=true"]) }
      return levers
    }
  }

  /// The rules that withhold refreshes or cause requests to fail. They are removed one at a time.
  var rules: [(name: String, settings: [String])] {
    guard let kind = subject.finding.kind else { return [] }
    let labels = Scope.kind(kind).labels(in: scenario)
    let withholds = { (reason: WaitReason) in subject.summary.withheldShare(labels, because: reason) > 0 }
    var rules: [(String, [String])] = []
    if withholds(.budget) { rules.append(("the budget", ["os.budget.model=off"])) }
    if withholds(.idle) { rules.append(("idle phones", ["os.idle=none"])) }
    if withholds(.lowPower) {
      let paths = scenario.fleet.cohorts.compactMap { cohort in
        cohort.power == .mains ? nil : "fleet.cohorts.\(cohort.name).power.low_power_mode=0%"
      }
      rules.append(("Low Power Mode", paths))
    }
    let offline = scenario.fleet.cohorts.compactMap { cohort -> String? in
      guard case .roaming(let roaming) = cohort.network, roaming.offlineShare != .none else { return nil }
      return "fleet.cohorts.\(cohort.name).network.offline.share=0%"
    }
    if !offline.isEmpty { rules.append(("periods without a network", offline)) }
    for endpoint in asked(by: kind) where isOverloaded(endpoint) {
      let name = scenario.endpoints[endpoint].name
      rules.append(("a capacity limit for \(name)", ["backend.endpoints.\(name).capacity=none"]))
    }
    rules.append(
      ("the system's start delay", ["os.start_delay.policy=0s", "os.start_delay.in_use=0s"]))
    return rules.filter { !$0.1.isEmpty }
  }

  private func asked(by kind: Int) -> [Int] {
    scenario.endpoints.indices.filter { endpoint in
      scenario.kinds[kind].requests.contains { $0.endpoint == endpoint }
    }
  }

  /// Returns whether the report has an overload finding for an endpoint.
  private func isOverloaded(_ endpoint: Int) -> Bool {
    let labels = scenario.labels(endpoint: endpoint)
    return scenario.endpoints[endpoint].autoscale == nil
      && (subject.summary.value(.overloadSeconds, .total, labels) ?? 0) >= RunFinding.minOverload
  }
}

extension TimeAmount {
  /// The time in whole minutes, formatted as in a scenario file.
  var settingText: String {
    let minutes = milliseconds / 60_000
    return minutes % 60 == 0 ? "\(minutes / 60)h" : "\(minutes)min"
  }
}
