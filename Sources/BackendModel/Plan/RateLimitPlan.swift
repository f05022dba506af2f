public import SimulationKernel

/// What passes in a step; the excess gets 429 in the next (MODEL.md 6.4).
public struct RateLimitPlan: BitwiseCopyable, Hashable, Sendable {
  public var rate: RequestRate
  /// The Retry-After of a 429.
  public var retryAfter: TimeAmount

  public init(rate: RequestRate, retryAfter: TimeAmount) {
    self.rate = rate
    self.retryAfter = retryAfter
  }

  /// The share of a step's requests beyond the limit; none where there are no requests.
  func excess(of requests: Double, in step: TimeAmount) -> Share {
    let passing = rate.requests(in: step)
    return requests > passing ? Share(fraction: (requests - passing) / requests) : .none
  }
}
