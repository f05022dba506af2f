import SimulationKernel

/// An endpoint's backend between two steps, and what it does to the requests of the next (MODEL.md 6).
///
/// A fluid in Double: IEEE sums, products, quotients and minima in a fixed order, each rounded to nearest and none
/// contracted, so that equal arrivals give equal bits on every machine.
package struct EndpointState: Sendable {
  private let plan: EndpointPlan
  private let grid: StepGrid
  /// The present step, whose arrivals are not known yet.
  package private(set) var step = 0
  /// What requests of the present step meet.
  package private(set) var conditions = Conditions.fine
  /// Record of the last step; nil before the first.
  package private(set) var record: EndpointRecord?
  /// Without outages; moved by autoscaling.
  private var capacity: RequestRate
  private var queue = FluidQueue()
  private var window = LoadWindow()
  private var keys: FreshKeys?

  package init(_ plan: EndpointPlan, grid: StepGrid) {
    self.plan = plan
    self.grid = grid
    capacity = plan.capacity ?? .unlimited
    keys = plan.cdn.map { FreshKeys($0, grid: grid) }
    conditions = next(limited: .none, refused: .none)
  }

  /// Closes the present step, in which these requests arrived, and returns the conditions of the next.
  ///
  /// In the order in which a request meets them: CDN, outage, limit, queue; then the capacity follows the load.
  @discardableResult
  package mutating func advance(arrivals: Int64) -> Conditions {
    precondition(arrivals >= 0, "arrivals are counted")
    let beginning = grid.beginning(of: step)
    let present = capacityInForce
    let copies = staleAnswers(of: arrivals)
    let origin = misses(of: arrivals)
    let failed = origin * conditions.outage.fraction
    let limitable = origin - failed
    let limited = limitable * conditions.limited.fraction
    let reached = limitable - limited
    let base = plan.baseLoad?.requests(from: beginning, to: beginning + grid.length) ?? 0
    let room = present.requests(in: grid.length)
    let passage = queue.pass(requests: reached, base: base, room: room, limit: plan.queue)
    record = EndpointRecord(
      arrivals: arrivals, staleAnswers: copies, origin: origin, failed: failed, limited: limited, reached: reached,
      base: base,
      served: passage.served, servedBase: passage.servedBase, refused: passage.overflow, backlog: queue.backlog,
      capacity: present, room: room)
    scale(reached + base, room: room)
    step += 1
    conditions = next(
      limited: plan.rateLimit?.excess(of: limitable, in: grid.length) ?? .none,
      refused: Share(fraction: passage.refusedShare))
    return conditions
  }

  // Mutating like whatever reads a large value here: a borrow would copy it.

  /// An outage's capacity stands in for the endpoint's own as long as it lasts.
  private var capacityInForce: RequestRate { mutating get { outage?.capacity ?? capacity } }

  private var outage: OutageSpell? { mutating get { plan.outages?.spell(at: grid.beginning(of: step)) } }

  /// Requests of a step that the CDN does not answer; a miss that fails makes no key fresh.
  private mutating func misses(of arrivals: Int64) -> Double {
    keys?.meet(arrivals, answered: conditions.answered(timeout: plan.timeout)) ?? Double(arrivals)
  }

  /// Requests of a step that the CDN answers with a copy, because the origin fails or has failed.
  private mutating func staleAnswers(of arrivals: Int64) -> Double {
    guard let shares = keys?.shares else { return 0 }
    let failing = 1 - conditions.answered(timeout: plan.timeout).fraction
    return Double(arrivals) * (shares.copies + shares.missesWithCopy * failing)
  }

  private mutating func scale(_ requests: Double, room: Double) {
    guard let autoscale = plan.autoscale, plan.capacity != nil else { return }
    guard let load = window.add(requests, room: room, step: grid.length, delay: autoscale.delay) else { return }
    capacity = autoscale.capacity(after: capacity, load: load)
  }

  /// The conditions of the present step, which has just begun.
  private mutating func next(limited: Share, refused: Share) -> Conditions {
    let edge = keys?.shares ?? EdgeShares(misses: 1)
    let misses = min(edge.misses, 1)
    return Conditions(
      errors: Share(fraction: min(edge.errors, 1 - misses)), misses: Share(fraction: misses),
      copies: Share(fraction: min(edge.missesWithCopy, misses)), outage: outage?.errors ?? .none, limited: limited,
      refused: refused, wait: Conditions.wait(behind: queue.backlog, at: capacityInForce))
  }
}
