import BackendModel
import DeviceModel
import Numerics
import Scenario
import SimulationKernel

/// A builder for the tables and lists that the simulation reads while it processes events.
struct FleetPlanBuilder {
  let scenario: Scenario
  let storage: SamplerStorage
  var samplers: SamplerBuilder
  /// The capacities for each number of views in a week, keyed by cap.
  var capacitiesByWeek: [Double: PreparedList<RunMillionths>] = [:]
  /// The names of the time zones of cohorts, windows, policies, events and base loads, indexed by zone number.
  let zoneNames: [String]
  let walls: [WallClock]
  let windows: WindowPreparation
  /// The key path of the value being prepared; after an error, the key path of the value that caused it.
  var place: [String] = []

  /// Creates a builder for a scenario.
  ///
  /// - Parameter samplers: the samplers of an earlier scenario, whose tables are reused; `nil` if there is none.
  init(
    _ scenario: Scenario, zones: [String: ZoneTable], storage: SamplerStorage, samplers: SamplerBuilder? = nil
  ) throws(PreparationError) {
    self.scenario = scenario
    self.storage = storage
    self.samplers = samplers ?? SamplerBuilder(storage: storage)
    zoneNames = Self.zoneNames(of: scenario)
    var walls: [WallClock] = []
    for name in zoneNames {
      guard let table = zones[name] else { throw PreparationError(message: "no table of the time zone \(name)") }
      walls.append(
        WallClock(segments: storage.keep(table.segments), startUnixMilliseconds: scenario.clock.startUnixMilliseconds))
    }
    self.walls = walls
    windows = WindowPreparation(scenario, zoneNames: zoneNames, walls: walls)
  }

  /// Returns the plan for a fleet whose cohorts initially contain `cohortSizes` devices.
  mutating func plan(cohortSizes: [Int]) throws(PreparationError) -> FleetPlan {
    do {
      var plan = FleetPlan(
        seed: scenario.run.seed, beginning: scenario.clock.beginning, end: scenario.clock.end,
        kinds: storage.keep(try kinds()), cohorts: storage.keep(try cohorts(sizes: cohortSizes)),
        endpoints: storage.keep(try endpoints()), reloads: storage.keep(try reloads()),
        events: storage.keep(try events()),
        clocks: storage.keep(walls), placementSpan: scenario.clock.placementSpan)
      plan.windows = windows.cells(storage)
      plan.unfollowedBits = FollowedPhones.every(of: cohortSizes.reduce(0, +)) - 1
      return plan
    } catch {
      throw PreparationError(message: "a distribution cannot be tabulated: \(error)", path: place)
    }
  }

  /// Returns the time zones of cohorts in scenario order, then those of windows, policies, events and base loads.
  static func zoneNames(of scenario: Scenario) -> [String] {
    var names: [String] = []
    func add(_ name: String) { if !names.contains(name) { names.append(name) } }
    for cohort in scenario.fleet.cohorts { for zone in cohort.zones { add(zone.value) } }
    for name in scenario.windows.compactMap(\.time.zone.name) + scenario.kinds.flatMap(\.namedZones) { add(name) }
    for event in scenario.events { if case .daily(_, .named(let name)) = event.timing { add(name) } }
    for endpoint in scenario.endpoints { if let load = endpoint.baseLoad { add(load.zone) } }
    return names
  }

  private mutating func reloads() throws(NumericsError) -> [AppReloadPlan] {
    var plans: [AppReloadPlan] = []
    for (number, reload) in scenario.app.reloads.enumerated() {
      place = ["app", "reloads", "\(number)", "per_day"]
      guard let occasion = try plan(of: reload.occasion) else { continue }
      plans.append(
        AppReloadPlan(
          occasion: occasion,
          effect: ReloadEffect(
            kinds: storage.keep(reload.kinds.map { KindIndex($0) }), clearsCache: reload.clearsCache,
            fillsCache: reload.fillsCache,
            restarts: reload.restarts)))
    }
    return plans
  }

  /// Returns the plan for an occasion on which the app requests reloads; `nil` if the occasion never occurs.
  private mutating func plan(of occasion: AppReload.Occasion) throws(NumericsError) -> AppReloadPlan.Occasion? {
    switch occasion {
    case .open: return .open
    case .launch(let share): return .launch(Chance(share))
    case .close: return .close
    case .change(let perDay), .profileSwitch(let perDay):
      guard perDay > 0, scenario.app.opensPerDay > 0 else { return nil }
      return .change(try samplers.count(poisson: perDay / scenario.app.opensPerDay))
    case .backgroundRefresh(let perDay):
      guard perDay > 0 else { return nil }
      return .backgroundRefresh(
        gap: try samplers.span(.exponential(mean: Double(TimeAmount.day.milliseconds) / perDay)))
    case .audio(let every): return .audio(every: every)
    }
  }

  mutating func sampler(_ distribution: Distribution<TimeAmount>) throws(NumericsError) -> SpanSampler {
    switch distribution {
    case .constant(let span): return .constant(span)
    case .uniform(let from, let to): return .uniform(from: from, to: to)
    case .exponential(let mean):
      return mean == .zero ? .constant(.zero) : try samplers.span(.exponential(mean: Double(mean.milliseconds)))
    case .normal(let mean, let deviation):
      guard deviation > .zero else { return .constant(max(mean, .zero)) }
      return try samplers.span(
        .normal(mean: Double(mean.milliseconds), deviation: Double(deviation.milliseconds)))
    case .lognormal(let median, let sigma):
      guard sigma > 0, median > .zero else { return .constant(median) }
      return try samplers.span(.lognormal(median: Double(median.milliseconds), sigma: sigma))
    case .choice(let options):
      return try samplers.span(choice: options.map { ($0.value, $0.weight) })
    }
  }

  mutating func kinds() throws(NumericsError) -> [KindPlan] {
    var plans: [KindPlan] = []
    for kind in scenario.kinds {
      place = ["kinds", kind.name]
      plans.append(try plan(of: kind))
    }
    return plans
  }

  private mutating func plan(of kind: Kind) throws(NumericsError) -> KindPlan {
    var phases: [PhasePlan] = []
    for phase in kind.phases {
      let plan = PhasePlan(entries: plan(of: phase.entries), reload: try plan(of: phase.reload, of: kind))
      phases += Array(repeating: plan, count: phase.repeats)
    }
    var windows: [WindowPlan] = []
    for window in kind.windows {
      let jitter = window.jitter.map { WindowJitter(span: $0.sampler, scope: $0.scope) }
      windows.append(
        WindowPlan(
          spells: spells(of: window.time), reload: try plan(of: window.reload, of: kind), jitter: jitter,
          staleAfter: window.staleAfter))
    }
    let onError: ErrorPlan =
      switch kind.onError {
      case .reload(let policy): .reload(try plan(of: policy, of: kind))
      case .retryAfter: .retryAfter
      case .backoff(let backoff): .backoff(storage.keep(backoff.delays))
      }
    var plan = KindPlan(
      phases: storage.keep(phases), windows: storage.keep(windows),
      jitter: kind.jitter.map(\.sampler) ?? .constant(.zero), jitterScope: kind.jitter?.scope ?? .run,
      requests: storage.keep(kind.requests.map(\.plan)), cache: kind.cache.map(\.plan), onError: onError,
      attempts: kind.attempts.count, backoff: kind.attempts.backoff, crash: Chance(kind.crash), cpu: kind.cpu,
      isProtected: kind.isProtected, takesPushes: kind.takesPushes,
      isBackgroundSession: kind.isBackgroundSession, staleAfter: kind.staleAfter,
      taps: TapPlan(
        burst: kind.taps?.burst ?? 1, gap: kind.taps?.gap ?? .zero, reloads: kind.taps?.reloads ?? .kind,
        requests: storage.keep((kind.taps?.requests ?? []).map(\.plan))),
      locationChangesPerDay: kind.locationChangesPerDay,
      drawsPerRun: kind.drawsPerRun(scenario.endpoints))
    if let name = kind.provider?.name, let code = scenario.providers[name] {
      plan.use(ProviderPlan(code, hints: storage.keep(try hints(of: kind))))
    }
    return plan
  }

  private func plan(of entries: Entries) -> EntriesPlan {
    guard entries.count > 1 else { return .single }
    let others = entries.count - 1
    switch entries.alignment {
    case .run: return .spread(entries.every * Int64(others))
    case .wall: return .aligned(others, calendar(.local) { $0.multiples(of: entries.every) })
    }
  }

  private mutating func plan(of policy: ReloadPolicy, of kind: Kind) throws(NumericsError) -> PolicyPlan {
    switch policy {
    case .atEnd: return .atEnd
    // The code of a provider takes the place of its kind's policies.
    case .never, .provider: return .never
    case .after(let span): return .after(try sampler(span))
    case .afterClock(let time, let zone, let days):
      return .next(calendar(zone) { $0.instants(at: time, on: days) })
    case .afterMultiple(let every, let zone):
      return .next(calendar(zone) { $0.multiples(of: every) })
    case .earliest(let date): return .earliest(storage.keep([try plan(of: date, of: kind)]))
    }
  }

  private mutating func plan(of date: EarliestDate, of kind: Kind) throws(NumericsError) -> EarliestPlan {
    var (spans, hints, calendars) = ([SpanSampler](), [HintPlan](), [CalendarPlan]())
    for rule in date.rules {
      switch rule {
      case .span(let span): spans.append(try sampler(span))
      case .clock(let times, let zone, let days):
        calendars += times.map { time in calendar(zone) { $0.instants(at: time, on: days) } }
      case .instants(let instants):
        let start = scenario.clock.startUnixMilliseconds
        let dates = instants.map { Instant(millisecondsSinceStart: $0 - start) }.sorted()
        calendars.append(calendar(.local) { _ in dates })
      case .multiple(let every, let zone): calendars.append(calendar(zone) { $0.multiples(of: every) })
      case .hint:
        hints += try self.hints(of: kind)
      }
    }
    let merged = walls.indices.map { zone in
      storage.keep(Set(calendars.flatMap { list in list.dates[zone].indices.map { list.dates[zone][$0] } }).sorted())
    }
    return EarliestPlan(
      spans: storage.keep(spans), calendar: CalendarPlan(dates: storage.keep(merged)), hints: storage.keep(hints),
      isFromData: date.isFromData, atLeast: date.atLeast)
  }

  /// Returns the hints of the endpoints to which a kind sends requests.
  private mutating func hints(of kind: Kind) throws(NumericsError) -> [HintPlan] {
    var hints: [HintPlan] = []
    for endpoint in Set(kind.requests.map(\.endpoint)).sorted() {
      guard let hint = scenario.endpoints[endpoint].hint else { continue }
      hints.append(HintPlan(endpoint: EndpointIndex(endpoint), span: try sampler(hint)))
    }
    return hints
  }

  private func spells(of time: WindowTime) -> PreparedList<PreparedList<WindowPlan.Spell>> {
    storage.keep(windows.times.byZone(time).map { storage.keep($0) })
  }

  func calendar(_ zone: ZoneChoice, _ dates: (Calendar) -> [Instant]) -> CalendarPlan {
    CalendarPlan(dates: lists(for: zone, dates))
  }

  /// Returns one list per device time zone; each list is either computed for its zone or shared by all zones.
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

  mutating func endpoints() throws(NumericsError) -> [EndpointPlan] {
    var plans: [EndpointPlan] = []
    for (index, endpoint) in scenario.endpoints.enumerated() {
      place = ["backend", "endpoints", endpoint.name]
      plans.append(
        EndpointPlan(
          latency: try latency(endpoint.latency), timeout: endpoint.timeout,
          capacity: endpoint.capacity.map { RequestRate(perSecond: $0) },
          queue: endpoint.queue.map(Double.init) ?? .infinity, baseLoad: try plan(of: endpoint.baseLoad),
          rateLimit: endpoint.rateLimit?.plan, autoscale: endpoint.autoscale?.plan,
          cdn: endpoint.cdn.map { $0.plan(storage) }, outages: outages(of: index)))
    }
    return plans
  }

  private mutating func latency(_ quantiles: LatencyQuantiles?) throws(NumericsError) -> SpanSampler {
    guard let quantiles, quantiles.median > .zero else { return .constant(.zero) }
    let sigma = try LognormalSigma.from(
      median: Double(quantiles.median.milliseconds), quantile: Double(quantiles.p99.milliseconds), at: 0.99)
    return try sampler(.lognormal(median: quantiles.median, sigma: sigma))
  }

  private mutating func plan(of load: BaseLoad?) throws(NumericsError) -> BaseLoadPlan? {
    guard let load else { return nil }
    return BaseLoadPlan(
      mean: RequestRate(perSecond: load.rate), hours: load.hours,
      dayFactor: load.followsDays ? try fleetDayFactor() : .constant(1),
      wall: walls[zoneNames.firstIndex(of: load.zone) ?? 0], during: scenario.clock.grid.span, storage: storage)
  }

  /// Returns the plan of an endpoint's outages; `nil` if there are none.
  private func outages(of endpoint: Int) -> OutagePlan? {
    let spells = scenario.events.flatMap { event -> [OutageSpell] in
      guard case .outage(let outage) = event.action, outage.endpoint == endpoint else { return [] }
      return instants(of: event.timing).map { start in
        OutageSpell(
          at: start, lasting: outage.lasts, errors: outage.errors,
          capacity: outage.capacity.map { RequestRate(perSecond: $0) }, grid: scenario.clock.grid)
      }
    }
    return spells.isEmpty ? nil : OutagePlan(spells, storage: storage)
  }

  /// Returns the instants of an event that occurs at the same time on all devices.
  func instants(of timing: EventTiming) -> [Instant] {
    switch timing {
    case .once(let instant): return [instant]
    case .daily(let time, let zone):
      let wall = walls[zone.name.flatMap(zoneNames.firstIndex) ?? 0]
      return Calendar(wall: wall, clock: scenario.clock).instants(at: time, on: Set(Weekday.allCases))
    case .perDevicePerDay: return []
    }
  }

  /// Returns the plans of events that affect devices; outages are excluded because they affect only the backend.
  mutating func events() throws(NumericsError) -> [EventPlan] {
    var plans: [EventPlan] = []
    for (number, event) in scenario.events.enumerated() {
      place = ["events", "\(number)"]
      guard let reach = reach(of: event.action), let timing = try plan(of: event.timing) else { continue }
      var plan = EventPlan(
        timing: timing, action: reach.action, audience: Chance(reach.audience.share),
        group: reach.audience.group.map(groupNumber), over: reach.over, number: number)
      if case .push(let push) = event.action, let cohorts = push.cohorts {
        plan.cohorts = storage.keep(cohorts.map { CohortIndex($0) })
      }
      plans.append(plan)
    }
    return plans
  }

  /// Returns the plan of an event's timing; `nil` if the event never occurs.
  private mutating func plan(of timing: EventTiming) throws(NumericsError) -> EventPlan.Timing? {
    switch timing {
    case .once(let instant): return .once(instant)
    case .daily(let time, let zone):
      return .daily(calendar(zone) { $0.instants(at: time, on: Set(Weekday.allCases)) })
    case .perDevicePerDay(let perDay):
      guard perDay > 0 else { return nil }
      return .perDevice(gap: try samplers.span(.exponential(mean: Double(TimeAmount.day.milliseconds) / perDay)))
    }
  }

  /// Returns the action, audience and time span of an event; for an outage, the result is `nil`.
  private func reach(of action: EventAction) -> (action: EventPlan.Action, audience: Audience, over: TimeAmount)? {
    switch action {
    case .outage: nil
    case .appUpdate(let audience, let over): (.systemChange, audience, over)
    case .systemChange(let audience): (.systemChange, audience, .zero)
    case .reboot(let audience): (.reboot, audience, .zero)
    case .gallery(let audience, let over, let network): (.gallery(network: Chance(network)), audience, over)
    case .push(let push):
      switch push.kind {
      case .widget: (.widgetPush(restarts: push.restarts), push.audience, push.sendingTime(in: scenario))
      case .silent:
        (
          .silentPush(
            ReloadEffect(
              kinds: storage.keep(push.kinds.map { KindIndex($0) }), clearsCache: push.clearsCache,
              fillsCache: push.fillsCache,
              restarts: push.restarts)), push.audience, push.sendingTime(in: scenario)
        )
      }
    }
  }

  /// Returns the number assigned to a group. Groups are numbered in the order in which events first refer to them.
  private func groupNumber(_ name: String) -> Int {
    var names: [String] = []
    for event in scenario.events {
      guard let group = event.action.audience?.group, !names.contains(group) else { continue }
      names.append(group)
    }
    return names.firstIndex(of: name) ?? names.count
  }
}

struct EventSpans {
  let builder: FleetPlanBuilder

  /// Returns the spans of events, in file order and then by time, without events whose times differ between devices.
  func all() -> [EventSpan] {
    builder.scenario.events.indices.flatMap { number -> [EventSpan] in
      let event = builder.scenario.events[number]
      if case .daily(_, .local) = event.timing { return [] }
      return builder.instants(of: event.timing).map { span(of: number, event.action, at: $0) }
    }
  }

  private func span(of number: Int, _ action: EventAction, at instant: Instant) -> EventSpan {
    switch action {
    case .outage(let outage):
      let spell = OutageSpell(
        at: instant, lasting: outage.lasts, errors: outage.errors, capacity: nil, grid: builder.scenario.clock.grid)
      return EventSpan(event: number, from: spell.from, to: spell.to)
    case .push(let push):
      return EventSpan(event: number, from: instant, to: instant + push.sendingTime(in: builder.scenario))
    case .appUpdate(_, let over), .gallery(_, let over, _):
      return EventSpan(event: number, from: instant, to: instant + over)
    case .systemChange, .reboot: return EventSpan(event: number, from: instant, to: instant)
    }
  }
}

extension Jitter {
  fileprivate var sampler: SpanSampler { .uniform(from: .zero - early, to: upTo) }
}

extension RateLimit {
  fileprivate var plan: RateLimitPlan { RateLimitPlan(rate: RequestRate(perSecond: rate), retryAfter: retryAfter) }
}

extension Autoscale {
  fileprivate var plan: AutoscalePlan {
    AutoscalePlan(
      target: target, delay: delay, step: step, minimum: RequestRate(perSecond: minimum),
      maximum: RequestRate(perSecond: maximum))
  }
}

extension Request {
  fileprivate var plan: RequestPlan {
    RequestPlan(endpoint: EndpointIndex(endpoint), count: count, up: up, down: down)
  }
}

extension Cache {
  fileprivate var plan: CachePlan {
    CachePlan(ttl: ttl ?? (Instant.never - Instant.start), scope: scope, singleFlight: singleFlight)
  }
}

extension CDN {
  fileprivate func plan(_ storage: SamplerStorage) -> CDNPlan {
    CDNPlan(
      classes: storage.keep(PopularityClasses.of(popularity, keys: Int64(keys))), ttl: ttl, isCollapsing: collapsing,
      staleIfError: staleIfError, errorTTL: errorTTL)
  }
}

extension Kind {
  /// Whether each run of the kind needs random draws, either for a latency or for the date of a policy.
  fileprivate func drawsPerRun(_ endpoints: [Endpoint]) -> Bool {
    let policies = policies + (errorPolicy.map { [$0] } ?? [])
    return policies.contains(where: \.isRandom) || requests.contains { endpoints[$0.endpoint].latency != nil }
  }

  /// The time zones that the policies and windows of the kind name.
  var namedZones: [String] {
    let all = policies + (errorPolicy.map { [$0] } ?? [])
    return (all.flatMap(\.zones) + windows.map(\.time.zone)).compactMap(\.name)
  }
}

extension ReloadPolicy {
  /// Whether the requested date is drawn randomly for each run.
  fileprivate var isRandom: Bool {
    switch self {
    case .after(.constant): false
    case .after: true
    case .earliest(let date): date.rules.contains { if case .span(let span) = $0 { !span.isConstant } else { false } }
    case .atEnd, .never, .afterClock, .afterMultiple, .provider: false
    }
  }
}

extension Distribution {
  fileprivate var isConstant: Bool { if case .constant = self { true } else { false } }
}

extension ZoneChoice {
  var name: String? {
    if case .named(let name) = self { name } else { nil }
  }
}

extension Clock {
  /// The time steps in which the devices and the backend are simulated alternately.
  var grid: StepGrid { StepGrid(beginning: beginning, end: end, length: step) }
}

extension EventAction {
  /// The audience of the action; `nil` if the action does not affect devices.
  fileprivate var audience: Audience? {
    switch self {
    case .outage: nil
    case .push(let push): push.audience
    case .appUpdate(let audience, _), .systemChange(let audience), .reboot(let audience), .gallery(let audience, _, _):
      audience
    }
  }
}
