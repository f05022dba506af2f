import DeviceModel
import Numerics
import Scenario
import SimulationKernel

extension FleetPlanBuilder {
  mutating func kinds() throws(NumericsError) -> [KindPlan] {
    var plans: [KindPlan] = []
    for kind in scenario.kinds { plans.append(try plan(of: kind)) }
    return plans
  }

  private mutating func plan(of kind: Kind) throws(NumericsError) -> KindPlan {
    var phases: [PhasePlan] = []
    for phase in kind.phases {
      phases.append(PhasePlan(entries: plan(of: phase.entries), reload: try plan(of: phase.reload)))
    }
    var windows: [WindowPlan] = []
    for window in kind.windows {
      windows.append(WindowPlan(spells: spells(of: window), reload: try plan(of: window.reload)))
    }
    let onError: ErrorPlan =
      switch kind.onError {
      case .reload(let policy): .reload(try plan(of: policy))
      case .retryAfter: .retryAfter
      }
    return KindPlan(
      phases: storage.keep(phases), windows: storage.keep(windows),
      jitter: .uniform(from: .zero, to: kind.jitter?.upTo ?? .zero), jitterScope: kind.jitter?.scope ?? .run,
      requests: storage.keep(kind.requests.map(Self.plan)), cache: kind.cache.map(Self.plan), onError: onError,
      attempts: kind.attempts.count, backoff: kind.attempts.backoff, crash: Chance(kind.crash), cpu: kind.cpu,
      isProtected: kind.isProtected, isBackgroundSession: kind.isBackgroundSession, staleAfter: kind.staleAfter,
      taps: TapPlan(
        burst: kind.taps?.burst ?? 1, gap: kind.taps?.gap ?? .zero, reloads: kind.taps?.reloads ?? .kind),
      locationChangesPerDay: kind.locationChangesPerDay,
      drawsPerRun: drawsPerRun(kind))
  }

  private static func plan(of request: Request) -> RequestPlan {
    RequestPlan(endpoint: EndpointIndex(request.endpoint), count: request.count, up: request.up, down: request.down)
  }

  private static func plan(of cache: Cache) -> CachePlan {
    CachePlan(ttl: cache.ttl ?? (Instant.never - Instant.start), scope: cache.scope, singleFlight: cache.singleFlight)
  }

  private func plan(of entries: Entries) -> EntriesPlan {
    guard entries.count > 1 else { return .single }
    let others = entries.count - 1
    switch entries.alignment {
    case .run: return .spread(entries.every * Int64(others))
    case .wall: return .aligned(others, calendar(.local) { $0.multiples(of: entries.every) })
    }
  }

  private mutating func plan(of policy: ReloadPolicy) throws(NumericsError) -> PolicyPlan {
    switch policy {
    case .atEnd: return .atEnd
    case .never: return .never
    case .after(let span): return .after(try sampler(span))
    case .afterClock(let time, let zone, let days):
      return .next(calendar(zone) { $0.instants(at: time, on: days) })
    case .afterMultiple(let every, let zone):
      return .next(calendar(zone) { $0.multiples(of: every) })
    }
  }

  private func spells(of window: PolicyWindow) -> PreparedList<PreparedList<WindowPlan.Spell>> {
    lists(for: window.zone) { $0.spells(from: window.from, to: window.to, on: window.days) }
  }

  func calendar(_ zone: ZoneChoice, _ dates: (Calendar) -> [Instant]) -> CalendarPlan {
    CalendarPlan(dates: lists(for: zone, dates))
  }

  /// A list for the zone of every device: its own, or the same for all.
  private func lists<Element: BitwiseCopyable>(
    for zone: ZoneChoice, _ list: (Calendar) -> [Element]
  ) -> PreparedList<PreparedList<Element>> {
    switch zone {
    case .local:
      return storage.keep(walls.map { storage.keep(list(Calendar(wall: $0, clock: scenario.clock))) })
    case .named(let name):
      let wall = walls[zoneNames.firstIndex(of: name) ?? 0]
      let shared = storage.keep(list(Calendar(wall: wall, clock: scenario.clock)))
      return storage.keep(Array(repeating: shared, count: walls.count))
    }
  }

  /// Whether a run of the kind needs draws for a latency or for the date of a policy.
  private func drawsPerRun(_ kind: Kind) -> Bool {
    let policies = kind.phases.map(\.reload) + kind.windows.map(\.reload)
    if policies.contains(where: \.isRandom) { return true }
    if case .reload(let policy) = kind.onError, policy.isRandom { return true }
    return kind.requests.contains { scenario.endpoints[$0.endpoint].latency != nil }
  }
}

extension ReloadPolicy {
  /// Whether the date is drawn anew for every run.
  fileprivate var isRandom: Bool {
    switch self {
    case .after(.constant): false
    case .after: true
    case .atEnd, .never, .afterClock, .afterMultiple: false
    }
  }
}
