import SimulationKernel

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
