import DeviceModel
import Numerics
import Scenario
import SimulationKernel

/// Turns a scenario into the tables and lists of the event path.
struct FleetPlanBuilder {
  let scenario: Scenario
  let storage: SamplerStorage
  var samplers: SamplerBuilder
  /// Capacities by a week's views, by cap.
  var capacitiesByWeek: [Double: PreparedList<RunMillionths>] = [:]
  /// Every zone that a cohort lives in, or that a policy, an event or a base load names; an element's index is the zone's number.
  let zoneNames: [String]
  let walls: [WallClock]

  /// - Parameter samplers: those of a scenario prepared before, whose tables serve again; nil: there is none.
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
  }

  /// The plan for `cohortSizes` devices of each cohort at the start of the clock.
  mutating func plan(cohortSizes: [Int]) throws(PreparationError) -> FleetPlan {
    do {
      var plan = FleetPlan(
        seed: scenario.run.seed, beginning: scenario.clock.beginning, end: scenario.clock.end,
        kinds: storage.keep(try kinds()), cohorts: storage.keep(try cohorts(sizes: cohortSizes)),
        endpoints: storage.keep(try endpoints()), reloads: storage.keep(try reloads()),
        events: storage.keep(try events()),
        clocks: storage.keep(walls), placementSpan: scenario.clock.placementSpan)
      plan.unfollowedBits = FollowedPhones.every(of: cohortSizes.reduce(0, +)) - 1
      return plan
    } catch {
      throw PreparationError(message: "a distribution cannot be tabulated: \(error)")
    }
  }

  /// The zones of all cohorts in their order, then those that policies, events and base loads name.
  static func zoneNames(of scenario: Scenario) -> [String] {
    var names: [String] = []
    func add(_ name: String) { if !names.contains(name) { names.append(name) } }
    for cohort in scenario.fleet.cohorts { for zone in cohort.zones { add(zone.value) } }
    for name in scenario.kinds.flatMap(\.namedZones) { add(name) }
    for event in scenario.events { if case .daily(_, .named(let name)) = event.timing { add(name) } }
    for endpoint in scenario.endpoints { if let load = endpoint.baseLoad { add(load.zone) } }
    return names
  }

  private mutating func reloads() throws(NumericsError) -> [AppReloadPlan] {
    var plans: [AppReloadPlan] = []
    for reload in scenario.app.reloads {
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

  /// nil for what never happens.
  private mutating func plan(of occasion: AppReload.Occasion) throws(NumericsError) -> AppReloadPlan.Occasion? {
    switch occasion {
    case .open: return .open
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

  /// The sampler of a span of time.
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
}

extension Kind {
  /// Zones that the kind's policies and windows name.
  var namedZones: [String] {
    let policies = phases.map(\.reload) + windows.map(\.reload) + (onErrorPolicy.map { [$0] } ?? [])
    return (policies.compactMap(\.zone) + windows.map(\.zone)).compactMap(\.name)
  }

  private var onErrorPolicy: ReloadPolicy? {
    if case .reload(let policy) = onError { policy } else { nil }
  }
}

extension ReloadPolicy {
  /// The zone that a wall-clock policy reads its date from.
  var zone: ZoneChoice? {
    switch self {
    case .atEnd, .never, .after: nil
    case .afterClock(_, let zone, _), .afterMultiple(_, let zone): zone
    }
  }
}

extension ZoneChoice {
  var name: String? {
    if case .named(let name) = self { name } else { nil }
  }
}
