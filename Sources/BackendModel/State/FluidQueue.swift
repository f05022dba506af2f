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
