public import SimulationKernel

/// A cache in front of an endpoint (MODEL.md 6.6).
public struct CDNPlan: BitwiseCopyable, Hashable, Sendable {
  /// Different answers, all asked for equally often; at most 2^38.
  public var keys: Int64
  /// How long an answer stays fresh after the step in which it was fetched.
  public var ttl: TimeAmount
  /// One origin request for all misses of a key in a step.
  public var isCollapsing: Bool

  public init(keys: Int64, ttl: TimeAmount, isCollapsing: Bool) {
    precondition(keys >= 1 && keys <= 1 << 38 && ttl > .zero, "a cache has keys and keeps them")
    self.keys = keys
    self.ttl = ttl
    self.isCollapsing = isCollapsing
  }
}
