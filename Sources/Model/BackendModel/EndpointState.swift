package import Scenario
import SimulationKernel

/// An endpoint's backend between two steps, and what it does to the requests of the next (MODEL.md 6).
///
/// A fluid in Double: IEEE sums, products, quotients and minima in a fixed order, each rounded to nearest and none
/// contracted, so that equal arrivals give equal bits on every machine.
package struct EndpointState: Sendable {
  private let plan: EndpointPlan
  private let grid: StepGrid
  /// The next step.
  package private(set) var step = 0
  /// Record of the last step; `nil` before the first.
  package private(set) var record: EndpointRecord?
  /// Without outages; moved by autoscaling.
  private var capacity: RequestRate
  private var queue = FluidQueue()
  private var window = LoadWindow()
  private var keys: FreshKeys?
  private var limiter: TokenBucket?
  /// Factors of the pieces of the base load.
  private let baseFactors: [Double]

  /// - Parameter dateDraw: the uniform that all share on a date.
  package init(_ plan: EndpointPlan, grid: StepGrid, dateDraw: (LocalDay) -> UInt64 = { _ in 0 }) {
    self.plan = plan
    self.grid = grid
    capacity = plan.capacity ?? .unlimited
    keys = plan.cdn.map { FreshKeys($0, grid: grid) }
    limiter = plan.rateLimit.map { TokenBucket($0, step: grid.length) }
    baseFactors = plan.baseLoad?.factors(dateDraw) ?? []
  }

  /// Advances by a step in which these requests arrive, and returns the conditions that they meet.
  ///
  /// In the order in which a request meets them: CDN, outage, limit, queue; then the capacity follows the load.
  @discardableResult
  package mutating func advance(arrivals: Int64) -> Conditions {
    precondition(arrivals >= 0, "arrivals are counted")
    let beginning = grid.beginning(of: step)
    let outage = plan.outages?.spell(at: beginning)
    // The capacity of an outage replaces the endpoint's own.
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

/// What an endpoint did in one step (MODEL.md 6.8), as a fluid in requests; failures are counted at the devices.
package struct EndpointRecord: BitwiseCopyable, Equatable, Sendable {
  /// Requests of the devices that the backend took in the step.
  package var arrivals: Int64
  /// Those that a CDN answered with what it had last fetched, because a fetch had failed.
  package var staleAnswers = 0.0
  /// The misses of a CDN; all arrivals where there is none.
  package var origin: Double
  /// Requests of the origin that were answered with the outage's errors, and those answered with 429.
  package var failed: Double
  package var limited: Double
  /// Requests of the devices, and of the base load, that reached the queue; refused ones too.
  package var reached: Double
  package var base: Double
  /// Requests served, of the devices and of the base load.
  package var served: Double
  package var servedBase: Double
  /// Beyond the queue, of both: those that get 503.
  package var refused: Double
  /// At the end of the step, of both.
  package var backlog: Double
  /// In force in the step, that of an outage included; unlimited where there is none.
  package var capacity: RequestRate
  /// What the capacity had room for in the step.
  package var room: Double

  /// Whether more reached the queue than the capacity serves: a second of such steps is an `overload_second`.
  package var isOverloaded: Bool { reached + base > room }
}

/// Counts of simulated devices as counts of the fleet: what `simulate` leaves out loads the backend too (MODEL.md 6.8).
///
/// What a whole number leaves over is carried to the next step, so that sums over steps are exact to one request.
package struct ArrivalScale: BitwiseCopyable, Equatable, Sendable {
  private let fleet: Int64
  private let simulated: Int64
  /// Below `simulated`.
  private var carried: Int64 = 0

  package init(fleet: Int, simulated: Int) {
    precondition(fleet >= 0 && simulated > 0, "a fleet is scaled from some of its devices")
    self.fleet = Int64(fleet)
    self.simulated = Int64(simulated)
  }

  /// - Precondition: neither the count nor what it comes to is negative or beyond Int64.
  package mutating func scaled(_ count: Int64) -> Int64 {
    let product = count.multipliedReportingOverflow(by: fleet)
    let sum = product.partialValue.addingReportingOverflow(carried)
    // All 128 bits where these are not enough, which is ten times dearer.
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

/// The backlog before an endpoint's capacity, as a fluid (MODEL.md 6.2).
struct FluidQueue: BitwiseCopyable, Equatable {
  /// Requests that wait, never negative.
  private(set) var backlog = 0.0
  /// The base load's part of them: what waits is taken as well mixed.
  private(set) var baseBacklog = 0.0

  /// What becomes of the requests of a step, in requests.
  struct Passage: BitwiseCopyable, Equatable {
    /// Requests that waited before the step.
    var before: Double
    /// Requests that join the queue in the step, less what the step has room for: how far the queue grows, below 0 where
    /// it could shrink.
    var growth: Double
    var served: Double
    /// The base load's part of what is served.
    var servedBase: Double
    /// Beyond the queue.
    var overflow: Double
    /// The overflow over the step's requests, base load included; at most 1.
    var refusedShare: Double
  }

  /// Lets a step's requests join and serves what the step has room for.
  ///
  /// One sum, two minima and two differences: with whole or dyadic numbers below 2^53 nothing is rounded, and
  /// backlog + requests + base = served + new backlog + overflow to the bit.
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

/// The requests that a rate limit lets pass now, as a fluid: a bucket that holds those of a second, or of a step where
/// that is longer (MODEL.md 6.4).
struct TokenBucket: BitwiseCopyable, Equatable {
  private let gain: Double
  private let size: Double
  private var tokens: Double

  /// A full bucket.
  init(_ plan: RateLimitPlan, step: TimeAmount) {
    gain = plan.rate.requests(in: step)
    size = plan.rate.requests(in: max(step, .second))
    tokens = size
  }

  /// Lets the requests of a step pass as far as there are tokens, after the gain of the step.
  ///
  /// - Returns: the share of them that exceeds the limit; none where there are no requests.
  mutating func excess(of requests: Double) -> Share {
    tokens = min(tokens + gain, size)
    let passing = min(requests, tokens)
    tokens -= passing
    return requests > passing ? Share(fraction: (requests - passing) / requests) : .none
  }
}

/// The load since the last look at an autoscaled capacity (MODEL.md 6.5).
struct LoadWindow: BitwiseCopyable, Equatable {
  /// Since the last multiple of the delay.
  private var elapsed = TimeAmount.zero
  /// Requests that reached the queue.
  private var reached = 0.0
  /// Requests that there was capacity for.
  private var room = 0.0

  /// Adds a step; at its end, where a multiple of the delay is reached, the load over capacity since the last one.
  ///
  /// nil before that, and where there was no capacity in the step or in the window: then it stays.
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
