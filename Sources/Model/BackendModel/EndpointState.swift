package import Scenario
import SimulationKernel

/// The state of an endpoint's backend between two steps, which determines the next step's conditions (MODEL.md 6).
///
/// The fluid model uses IEEE sums, products, quotients and minima of `Double` values in a fixed order. Each operation
/// is rounded to nearest and none is fused, so equal arrivals give bit-identical results on every machine.
package struct EndpointState: Sendable {
  private let plan: EndpointPlan
  private let grid: StepGrid
  /// The number of the next step.
  package private(set) var step = 0
  /// The record of the last step; `nil` before the first step.
  package private(set) var record: EndpointRecord?
  /// The capacity in the absence of an outage, as adjusted by autoscaling.
  private var capacity: RequestRate
  private var queue = FluidQueue()
  private var window = LoadWindow()
  private var keys: FreshKeys?
  private var limiter: TokenBucket?
  /// The factor by which each piece of the base load is multiplied.
  private let baseFactors: [Double]

  /// Creates the state before the first step.
  ///
  /// - Parameter dateDraw: a function that returns the uniform draw for a date; the draw is the same for all endpoints.
  package init(_ plan: EndpointPlan, grid: StepGrid, dateDraw: (LocalDay) -> UInt64 = { _ in 0 }) {
    self.plan = plan
    self.grid = grid
    capacity = plan.capacity ?? .unlimited
    keys = plan.cdn.map { FreshKeys($0, grid: grid) }
    limiter = plan.rateLimit.map { TokenBucket($0, step: grid.length) }
    baseFactors = plan.baseLoad?.factors(dateDraw) ?? []
  }

  /// Advances by one step, in which `arrivals` requests arrive, and returns the conditions that apply to them.
  ///
  /// The computation follows the path of a request (CDN, outage, rate limit, queue) and then adjusts the capacity to
  /// the load.
  @discardableResult
  package mutating func advance(arrivals: Int64) -> Conditions {
    precondition(arrivals >= 0, "the number of arrivals is not negative")
    let beginning = grid.beginning(of: step)
    let outage = plan.outages?.spell(at: beginning)
    // The capacity during an outage, if set, replaces that of the endpoint.
    let present = outage?.capacity ?? capacity
    let edge = keys?.shares ?? EdgeShares(misses: 1)
    let origin = keys?.misses(of: arrivals) ?? Double(arrivals)
    let failed = origin * (outage?.errors ?? .none).fraction
    let limitable = origin - failed
    let limit = limiter?.excess(of: limitable) ?? .none
    let limited = limitable * limit.fraction
    let reached = limitable - limited
    let base = plan.baseLoad?.requests(from: beginning, to: beginning + grid.length, factors: baseFactors) ?? 0
    let room = present.requests(in: grid.length)
    let passage = queue.pass(requests: reached, base: base, room: room, limit: plan.queue)
    let misses = min(edge.misses, 1)
    let conditions = Conditions(
      errors: Share(fraction: min(edge.errors, 1 - misses)), misses: Share(fraction: misses),
      copies: Share(fraction: min(edge.missesWithCopy, misses)), outage: outage?.errors ?? .none, limited: limit,
      refused: Share(fraction: passage.refusedShare), wait: QueueWait(behind: passage, at: present))
    let answered = conditions.answered(timeout: plan.timeout)
    keys?.close(arrivals, answered: answered)
    record = EndpointRecord(
      arrivals: arrivals, staleAnswers: Double(arrivals) * edge.staleAnswers(failing: 1 - answered.fraction),
      origin: origin, failed: failed, limited: limited, reached: reached, base: base, served: passage.served,
      servedBase: passage.servedBase, refused: passage.overflow, backlog: queue.backlog, capacity: present, room: room)
    scale(reached + base, room: room)
    step += 1
    return conditions
  }

  private mutating func scale(_ requests: Double, room: Double) {
    guard let autoscale = plan.autoscale, plan.capacity != nil else { return }
    guard let load = window.add(requests, room: room, step: grid.length, delay: autoscale.delay) else { return }
    capacity = autoscale.capacity(after: capacity, load: load)
  }
}

/// The request counts of an endpoint in one step, which need not be whole (MODEL.md 6.8); the devices count failures.
package struct EndpointRecord: BitwiseCopyable, Equatable, Sendable {
  /// The number of requests from devices that arrived in the step.
  package var arrivals: Int64
  /// The requests that a CDN answered with its last fetched answer because a fetch had failed.
  package var staleAnswers = 0.0
  /// The misses of the CDN, or all arrivals if there is no CDN.
  package var origin: Double
  /// The origin requests that failed because of an outage (`failed`) or received a 429 response (`limited`).
  package var failed: Double
  package var limited: Double
  /// The requests that reached the queue, including refused ones: from devices (`reached`) and the base load (`base`).
  package var reached: Double
  package var base: Double
  /// The requests that were served: from devices (`served`) and from the base load (`servedBase`).
  package var served: Double
  package var servedBase: Double
  /// The requests that exceeded the queue limit and received 503, from devices and the base load together.
  package var refused: Double
  /// The backlog at the end of the step, from devices and the base load together.
  package var backlog: Double
  /// The capacity during the step, which an outage may have changed; infinite if there is no limit.
  package var capacity: RequestRate
  /// The number of requests that the capacity could serve in the step.
  package var room: Double

  /// Whether more requests reached the queue than the capacity could serve. Each second of such a step counts as one
  /// `overload_second`.
  package var isOverloaded: Bool { reached + base > room }
}

/// A conversion of request counts from the simulated devices to the whole fleet, which the backend serves (MODEL.md
/// 6.8).
///
/// The remainder of each division carries over to the next step, so that sums over steps are off by less than 1.
package struct ArrivalScale: BitwiseCopyable, Equatable, Sendable {
  private let fleet: Int64
  private let simulated: Int64
  /// The remainder of the last division; it is less than `simulated`.
  private var carried: Int64 = 0

  package init(fleet: Int, simulated: Int) {
    precondition(fleet >= 0 && simulated > 0, "a fleet needs at least one simulated device")
    self.fleet = Int64(fleet)
    self.simulated = Int64(simulated)
  }

  /// Returns a count scaled to the whole fleet.
  ///
  /// - Precondition: the count and the result are not negative and do not exceed Int64.
  package mutating func scaled(_ count: Int64) -> Int64 {
    let product = count.multipliedReportingOverflow(by: fleet)
    let sum = product.partialValue.addingReportingOverflow(carried)
    // Uses 128-bit arithmetic only on overflow, because it takes ten times as long.
    guard !product.overflow, !sum.overflow else { return scaledWide(count) }
    let (whole, rest) = sum.partialValue.quotientAndRemainder(dividingBy: simulated)
    carried = rest
    return whole
  }

  @inline(never)
  private mutating func scaledWide(_ count: Int64) -> Int64 {
    let sum = Int128(count) * Int128(fleet) + Int128(carried)
    let (whole, rest) = sum.quotientAndRemainder(dividingBy: Int128(simulated))
    carried = Int64(rest)
    return Int64(whole)
  }
}

/// The backlog of requests that wait for an endpoint's capacity, modelled as a fluid (MODEL.md 6.2).
struct FluidQueue: BitwiseCopyable, Equatable {
  /// The number of waiting requests; it is never negative.
  private(set) var backlog = 0.0
  /// The part of the backlog that comes from the base load. Waiting requests from all sources are treated as well
  /// mixed.
  private(set) var baseBacklog = 0.0

  /// The request counts that result when a step's requests pass through the queue.
  struct Passage: BitwiseCopyable, Equatable {
    /// The number of requests that were waiting before the step.
    var before: Double
    /// The number of requests that join the queue in the step, minus the step's capacity; it is negative if the queue
    /// can shrink.
    var growth: Double
    var served: Double
    /// The part of the served requests that comes from the base load.
    var servedBase: Double
    /// The number of requests that exceed the queue limit.
    var overflow: Double
    /// The ratio of the overflow to the step's requests, including the base load; it is at most 1.
    var refusedShare: Double
  }

  /// Adds a step's requests to the queue, and serves as many requests as the step's capacity allows.
  ///
  /// The computation uses one sum, two minima and two differences. Integers and dyadic fractions below 2^53 are never
  /// rounded, so backlog + requests + base = served + new backlog + overflow holds exactly.
  mutating func pass(requests: Double, base: Double, room: Double, limit: Double) -> Passage {
    let before = backlog
    let joining = requests + base
    let offered = backlog + joining
    let served = min(offered, room)
    let rest = offered - served
    backlog = min(rest, limit)
    let overflow = rest - backlog
    let waitingBase = baseBacklog + base
    let servedBase = served < offered ? served * (waitingBase / offered) : waitingBase
    let refusedBase = joining > 0 ? overflow * (base / joining) : 0
    baseBacklog = min(max(waitingBase - servedBase - refusedBase, 0), backlog)
    return Passage(
      before: before, growth: joining - overflow - room, served: served, servedBase: servedBase, overflow: overflow,
      refusedShare: joining > 0 ? min(overflow / joining, 1) : 0)
  }
}

/// The number of requests that a rate limit currently allows, modelled as a fluid (MODEL.md 6.4).
///
/// The bucket can hold the tokens for one second, or for one step if a step is longer than a second.
struct TokenBucket: BitwiseCopyable, Equatable {
  private let gain: Double
  private let size: Double
  private var tokens: Double

  /// Creates a full bucket.
  init(_ plan: RateLimitPlan, step: TimeAmount) {
    gain = plan.rate.requests(in: step)
    size = plan.rate.requests(in: max(step, .second))
    tokens = size
  }

  /// Adds the tokens of a step, and then spends them on the step's requests.
  ///
  /// - Returns: the share of the requests that exceed the limit; 0 if there are no requests.
  mutating func excess(of requests: Double) -> Share {
    tokens = min(tokens + gain, size)
    let passing = min(requests, tokens)
    tokens -= passing
    return requests > passing ? Share(fraction: (requests - passing) / requests) : .none
  }
}

/// The load since the capacity was last checked by autoscaling (MODEL.md 6.5).
struct LoadWindow: BitwiseCopyable, Equatable {
  /// The time since the last multiple of the autoscaling delay.
  private var elapsed = TimeAmount.zero
  /// The number of requests that reached the queue in the window.
  private var reached = 0.0
  /// The number of requests that the capacity could serve in the window.
  private var room = 0.0

  /// Adds a step. If the step reaches a multiple of the autoscaling delay, returns the ratio of load to capacity since
  /// the previous multiple.
  ///
  /// Returns `nil` otherwise, or if the step or the window has no capacity; the autoscaled capacity then stays the
  /// same.
  mutating func add(_ requests: Double, room stepRoom: Double, step: TimeAmount, delay: TimeAmount) -> Double? {
    elapsed += step
    reached += requests
    room += stepRoom
    guard elapsed >= delay else { return nil }
    let load = stepRoom > 0 ? reached / room : nil
    self = LoadWindow(elapsed: elapsed - delay)
    return load
  }

  init() {}

  private init(elapsed: TimeAmount) { self.elapsed = elapsed }
}
