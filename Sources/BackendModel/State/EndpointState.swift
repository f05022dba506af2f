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
