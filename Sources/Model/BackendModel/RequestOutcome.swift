public import Scenario
public import SimulationKernel

/// How one try of a request ends.
public enum RequestOutcome: BitwiseCopyable, Equatable, Sendable {
  /// Answered this long after it was sent.
  case answered(after: TimeAmount)
  /// Answered with an error this long after it was sent; a 429 says when to try again.
  case failed(FailureReason, after: TimeAmount, retryAfter: TimeAmount?)
  /// Given up this long after it was sent.
  case timedOut(after: TimeAmount)

  /// Why it failed; nil: it did not.
  @inlinable public var failure: FailureReason? {
    switch self {
    case .answered: nil
    case .failed(let reason, _, _): reason
    case .timedOut: .timeout
    }
  }

  /// How long the try lasts.
  @inlinable public var duration: TimeAmount {
    switch self {
    case .answered(let after), .failed(_, let after, _), .timedOut(let after): after
    }
  }

  /// What the server asked for; nil: nothing.
  @inlinable public var retryAfter: TimeAmount? {
    if case .failed(_, _, let retryAfter) = self { retryAfter } else { nil }
  }

  /// A try whose server latency reaches the timeout fails there (MODEL.md 5.3, 6.2).
  @inlinable public static func of(roundTrip: TimeAmount, latency: TimeAmount, timeout: TimeAmount) -> RequestOutcome {
    latency < timeout ? .answered(after: roundTrip + latency) : .timedOut(after: roundTrip + timeout)
  }

  /// A try under the conditions of the step in which it arrives: CDN, outage, limit, queue, in this order (6.2-6.6).
  ///
  /// What is answered at once takes the round trip: errors, 429, 503 and what the CDN has, whose edge adds nothing.
  /// Where the origin fails a miss that has a copy, the copy comes when the failure would have.
  ///
  /// - Parameter latency: of the server, drawn only for what it answers.
  @inlinable @inline(__always) public static func of(
    _ endpoint: Prepared<EndpointPlan>, _ conditions: Conditions, _ draws: RequestDraws,
    latency: @autoclosure () -> TimeAmount, roundTrip: TimeAmount
  ) -> RequestOutcome {
    if conditions.isCachedError(at: draws.edge) {
      return .failed(.cachedError, after: roundTrip, retryAfter: nil)
    }
    if !conditions.isMiss(at: draws.edge) { return .answered(after: roundTrip) }
    let outcome = ofMiss(endpoint, conditions, draws, latency: latency(), roundTrip: roundTrip)
    if outcome.failure != nil, conditions.hasCopy(at: draws.edge) { return .answered(after: outcome.duration) }
    return outcome
  }

  /// What the CDN did with a try that `of` has decided with the same draws.
  public static func edgeAnswer(
    _ endpoint: Prepared<EndpointPlan>, _ conditions: Conditions, _ draws: RequestDraws, latency: TimeAmount,
    roundTrip: TimeAmount
  ) -> EdgeAnswer {
    if conditions.isCachedError(at: draws.edge) { return .cachedError }
    guard conditions.isMiss(at: draws.edge) else { return .hit }
    let outcome = ofMiss(endpoint, conditions, draws, latency: latency, roundTrip: roundTrip)
    return outcome.failure != nil && conditions.hasCopy(at: draws.edge) ? .copy : .miss
  }

  /// What the origin makes of a request.
  @inlinable @inline(__always) static func ofMiss(
    _ endpoint: Prepared<EndpointPlan>, _ conditions: Conditions, _ draws: RequestDraws,
    latency: @autoclosure () -> TimeAmount, roundTrip: TimeAmount
  ) -> RequestOutcome {
    if Chance(conditions.outage).happens(at: draws.outage) {
      return .failed(.outage, after: roundTrip, retryAfter: nil)
    }
    if Chance(conditions.limited).happens(at: draws.limit) {
      return .failed(.limited, after: roundTrip, retryAfter: endpoint.rateLimit?.retryAfter)
    }
    if Chance(conditions.refused).happens(at: draws.refusal) {
      return .failed(.refused, after: roundTrip, retryAfter: nil)
    }
    return of(roundTrip: roundTrip, latency: latency() + conditions.wait(at: draws.refusal), timeout: endpoint.timeout)
  }
}

/// One uniform of 64 bits for each decision about a try.
///
/// A decision goes the worse way below its share: whoever fails still fails when a share grows.
public struct RequestDraws: BitwiseCopyable, Sendable {
  /// What the CDN does: a cached error, a miss without a copy, one with a copy, or a hit.
  public var edge: UInt64
  public var outage: UInt64
  public var limit: UInt64
  /// Also the place in the queue of a request that is not refused.
  public var refusal: UInt64

  @inlinable public init(edge: UInt64, outage: UInt64, limit: UInt64, refusal: UInt64) {
    self.edge = edge
    self.outage = outage
    self.limit = limit
    self.refusal = refusal
  }
}
