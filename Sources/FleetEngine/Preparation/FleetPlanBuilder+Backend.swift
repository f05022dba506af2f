import BackendModel
import Numerics
import Scenario
import SimulationKernel

extension FleetPlanBuilder {
  mutating func endpoints() throws(NumericsError) -> [EndpointPlan] {
    var plans: [EndpointPlan] = []
    for (index, endpoint) in scenario.endpoints.enumerated() {
      plans.append(
        EndpointPlan(
          latency: try latency(endpoint.latency), timeout: endpoint.timeout,
          capacity: endpoint.capacity.map { RequestRate(perSecond: $0) },
          queue: endpoint.queue.map(Double.init) ?? .infinity, baseLoad: try plan(of: endpoint.baseLoad),
          rateLimit: endpoint.rateLimit.map(Self.plan), autoscale: endpoint.autoscale.map(Self.plan),
          cdn: endpoint.cdn.map(plan), outages: outages(of: index)))
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

  private static func plan(of limit: RateLimit) -> RateLimitPlan {
    RateLimitPlan(rate: RequestRate(perSecond: limit.rate), retryAfter: limit.retryAfter)
  }

  private static func plan(of scale: Autoscale) -> AutoscalePlan {
    AutoscalePlan(
      target: scale.target, delay: scale.delay, step: scale.step, least: RequestRate(perSecond: scale.least),
      most: RequestRate(perSecond: scale.most))
  }

  private func plan(of cdn: CDN) -> CDNPlan {
    CDNPlan(
      classes: storage.keep(PopularityClasses.of(cdn.popularity, keys: Int64(cdn.keys))), ttl: cdn.ttl,
      isCollapsing: cdn.collapsing, staleIfError: cdn.staleIfError, errorTTL: cdn.errorTTL)
  }

  /// nil without outages of the endpoint.
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

  /// When an event that concerns no device in particular happens.
  func instants(of timing: EventTiming) -> [Instant] {
    switch timing {
    case .once(let instant): return [instant]
    case .daily(let time, let zone):
      let wall = walls[zone.name.flatMap(zoneNames.firstIndex) ?? 0]
      return Calendar(wall: wall, clock: scenario.clock).instants(at: time, on: Set(Weekday.allCases))
    case .perDevicePerDay: return []
    }
  }
}

extension Clock {
  /// The steps in which devices and backend take turns.
  var grid: StepGrid { StepGrid(beginning: beginning, end: end, length: step) }
}
