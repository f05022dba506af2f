import Scenario
import SimulationKernel

@testable import BackendModel

/// A handmade endpoint in steps of one second: it answers at once, times out after 30 s, and has no limits.
struct Sketch {
  let storage = SamplerStorage()
  var plan = EndpointPlan(latency: .constant(.zero), timeout: .seconds(30))
  var grid = StepGrid(beginning: .start, length: .second, count: 100_000)

  init(_ change: (inout EndpointPlan, SamplerStorage, StepGrid) -> Void = { _, _, _ in }) {
    change(&plan, storage, grid)
  }

  init(capacity: Double, queue: Double = .infinity) {
    plan.capacity = RequestRate(perSecond: capacity)
    plan.queue = queue
  }

  /// The keys of its CDN.
  var keys: FreshKeys {
    guard let cdn = plan.cdn else { preconditionFailure("no CDN") }
    return withExtendedLifetime(storage) { FreshKeys(cdn, grid: grid) }
  }

  var state: EndpointState { EndpointState(plan, grid: grid) }

  /// Adds a base load that does not depend on the hour.
  mutating func load(_ perSecond: Double) {
    let piece = BaseLoadPlan.Piece(from: .longAgo, rate: RequestRate(perSecond: perSecond))
    plan.baseLoad = BaseLoadPlan(pieces: storage.keep([piece]))
  }

  /// Adds an outage that lasts whole seconds.
  mutating func fail(from: Int64, to: Int64, errors: Double, capacity: Double? = nil) {
    let spell = OutageSpell(
      from: .start + .seconds(from), to: .start + .seconds(to), errors: Share(fraction: errors),
      capacity: capacity.map { RequestRate(perSecond: $0) })
    plan.outages = OutagePlan([spell], storage: storage)
  }

  /// Adds a CDN whose keys have equal request rates.
  mutating func cache(
    keys: Int64, ttl: TimeAmount, collapsing: Bool = true, staleIfError: TimeAmount = .zero,
    errorTTL: TimeAmount = .zero
  ) {
    cache([KeyClass(keys: keys, share: 1)], ttl: ttl, collapsing: collapsing)
    plan.cdn?.staleIfError = staleIfError
    plan.cdn?.errorTTL = errorTTL
  }

  mutating func cache(_ classes: [KeyClass], ttl: TimeAmount, collapsing: Bool = true) {
    plan.cdn = CDNPlan(classes: storage.keep(classes), ttl: ttl, isCollapsing: collapsing)
  }

  mutating func limit(_ perSecond: Double) {
    plan.rateLimit = RateLimitPlan(rate: RequestRate(perSecond: perSecond), retryAfter: .seconds(60))
  }

  mutating func scale(target: Double, delay: Int64, step: Double, minimum: Double, maximum: Double) {
    plan.autoscale = AutoscalePlan(
      target: Share(fraction: target), delay: .seconds(delay), step: Share(fraction: step),
      minimum: RequestRate(perSecond: minimum), maximum: RequestRate(perSecond: maximum))
  }
}

/// Random numbers derived from a seed.
struct Dice {
  let seed: UInt64
  private var index: UInt32 = 0

  init(seed: UInt64) { self.seed = seed }

  mutating func uniform() -> UInt64 {
    index += 1
    return Philox.block(counter: Philox.Block(index, 0, 0, 0), key: seed).first
  }

  /// Returns a number from 0 up to but not including `limit`.
  mutating func below(_ limit: UInt64) -> UInt64 { uniform().multipliedFullWidth(by: limit).high }

  /// Returns a share from 0 to 1, occasionally exactly 0 or 1.
  mutating func share() -> Double {
    switch below(8) {
    case 0: 0
    case 1: 1
    default: Double(uniform() >> 11) / 9_007_199_254_740_992
    }
  }
}

extension Share {
  static func of(_ fraction: Double) -> Share { Share(fraction: fraction) }
}

extension FreshKeys {
  /// Handles a step's requests, answering a share of the misses, and returns the misses.
  mutating func take(_ arrivals: Int64, answered: Share) -> Double {
    defer { close(arrivals, answered: answered) }
    return misses(of: arrivals)
  }
}
