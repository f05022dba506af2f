public import SimulationKernel

/// The rate at which requests pass; the others get 429 (MODEL.md 6.4).
public struct RateLimitPlan: BitwiseCopyable, Hashable, Sendable {
  public var rate: RequestRate
  /// The Retry-After of a 429.
  public var retryAfter: TimeAmount

  public init(rate: RequestRate, retryAfter: TimeAmount) {
    self.rate = rate
    self.retryAfter = retryAfter
  }
}
