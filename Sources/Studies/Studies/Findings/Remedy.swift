package import Scenario
package import SimulationKernel

/// A scenario change that may resolve a finding and is tried before it is recommended.
package enum Remedy: Hashable, Sendable {
  /// A jitter for the reload dates of these kinds.
  case jitter(kinds: [Int], upTo: TimeAmount)
  /// A time span over which an event is spread across its devices.
  case over(events: [Int], TimeAmount)
  /// A maximum length for an endpoint's queue.
  case queue(endpoint: Int, Int)
  /// A time for which an endpoint's CDN serves a stale copy if a fetch fails.
  case staleIfError(endpoint: Int, TimeAmount)
  /// A single attempt for requests of these kinds.
  case oneAttempt(kinds: [Int])
  /// An interval for a kind's policy, with a jitter of equal length if shared dates must be spread.
  case interval(kind: Int, TimeAmount, jitter: TimeAmount? = nil)
  /// The lifetime of cached answers to one kind's requests.
  case cacheLife(kind: Int, TimeAmount)
  /// One answer shared by all runs that miss a cold cache at the same time.
  case singleFlight(kind: Int)

  /// Returns the scenario with the change applied.
  package func applied(to scenario: Scenario) -> Scenario {
    var scenario = scenario
    switch self {
    case .jitter(let kinds, let span):
      for kind in kinds {
        scenario.kinds[kind].jitter = Jitter(upTo: span, scope: scenario.kinds[kind].jitter?.scope ?? .run)
      }
    case .over(let events, let span): for event in events { scenario.events[event].spread(over: span) }
    case .queue(let endpoint, let count): scenario.endpoints[endpoint].queue = count
    case .staleIfError(let endpoint, let span): scenario.endpoints[endpoint].cdn?.staleIfError = span
    case .oneAttempt(let kinds): for kind in kinds { scenario.kinds[kind].attempts.count = 1 }
    case .interval(let kind, let span, let jitter):
      scenario.kinds[kind].phases[0].reload.renew(every: span)
      return jitter.map { Remedy.jitter(kinds: [kind], upTo: $0).applied(to: scenario) } ?? scenario
    case .cacheLife(let kind, let span): scenario.kinds[kind].cache?.ttl = span
    case .singleFlight(let kind): scenario.kinds[kind].cache?.singleFlight = true
    }
    return scenario
  }

  /// Returns the remedy with half the change, rounded to a commonly used span. The result is `nil` if no such span lies
  /// between the two values, or if the change is not a single span.
  func milder(in scenario: Scenario) -> Remedy? {
    switch self {
    case .interval(let kind, let span, jitter: nil):
      scenario.kinds[kind].onlyInterval.flatMap { UsualSpan.between($0, span) }.map { .interval(kind: kind, $0) }
    case .cacheLife(let kind, let span):
      scenario.kinds[kind].cache?.ttl.flatMap { UsualSpan.between($0, span) }.map { .cacheLife(kind: kind, $0) }
    default: nil
    }
  }

  /// Returns the scenario change as a list of `--set` arguments.
  package func settings(in scenario: Scenario) -> [String] {
    let path = { (kind: Int) in "kinds." + scenario.kinds[kind].name }
    switch self {
    case .jitter(let kinds, let span): return kinds.map { path($0) + ".jitter.up_to=" + Self.text(span) }
    case .over(let events, let span):
      return events.map { event in
        let known = scenario.events[event]
        let name = scenario.events.count { $0.name == known.name } > 1 ? "\(event)" : known.name
        return "events.\(name).\(known.spreadKey).over=" + Self.text(span)
      }
    case .queue(let endpoint, let count):
      return ["backend.endpoints.\(scenario.endpoints[endpoint].name).queue=\(count)"]
    case .staleIfError(let endpoint, let span):
      return ["backend.endpoints.\(scenario.endpoints[endpoint].name).cdn.stale_if_error=" + Self.text(span)]
    case .oneAttempt(let kinds): return kinds.map { path($0) + ".attempts.count=1" }
    case .interval(let kind, let span, let jitter):
      let key = scenario.kinds[kind].phases[0].reload.isMultiple ? ".reload.after.every=" : ".reload.after="
      return [path(kind) + key + Self.text(span)]
        + (jitter.map { Remedy.jitter(kinds: [kind], upTo: $0).settings(in: scenario) } ?? [])
    case .cacheLife(let kind, let span): return [path(kind) + ".cache.ttl=" + Self.text(span)]
    case .singleFlight(let kind): return [path(kind) + ".cache.single_flight=true"]
    }
  }

  /// Returns all settings, separated by spaces.
  package func text(in scenario: Scenario) -> String { settings(in: scenario).joined(separator: " ") }

  private static func text(_ span: TimeAmount) -> String { span.settingText }
}

extension Event {
  /// The span over which the event reaches its devices; `nil` if the event has no such span, or if a sender determines
  /// it.
  var over: TimeAmount? {
    switch action {
    case .push(let push): push.sender == nil ? push.over : nil
    case .appUpdate(_, let over), .gallery(_, let over, _): over
    case .outage, .systemChange, .reboot: nil
    }
  }

  fileprivate var spreadKey: String {
    switch action {
    case .push: "push"
    case .appUpdate: "app_update"
    case .gallery: "gallery"
    case .outage: "outage"
    case .systemChange, .reboot: "system"
    }
  }

  fileprivate mutating func spread(over span: TimeAmount) {
    switch action {
    case .push(var push):
      push.over = span
      action = .push(push)
    case .appUpdate(let audience, _): action = .appUpdate(audience, over: span)
    case .gallery(let audience, _, let network): action = .gallery(audience, over: span, network: network)
    case .outage, .systemChange, .reboot: break
    }
  }
}

extension ReloadPolicy {
  fileprivate var isMultiple: Bool {
    if case .afterMultiple = self { true } else { false }
  }
}
