public import Scenario
public import SimulationKernel

/// The outcome of one attempt to send a request.
public enum RequestOutcome: BitwiseCopyable, Equatable, Sendable {
  /// An answer, with the time since the attempt was sent.
  case answered(after: TimeAmount)
  /// An error, with the time since the attempt was sent; a 429 may have a Retry-After value.
  case failed(FailureReason, after: TimeAmount, retryAfter: TimeAmount?)
  /// A timeout, with the time since the attempt was sent.
  case timedOut(after: TimeAmount)

  /// The reason for a failure; `nil` if the attempt did not fail.
  @inlinable public var failure: FailureReason? {
    switch self {
    case .answered: nil
    case .failed(let reason, _, _): reason
    case .timedOut: .timeout
    }
  }

  /// The duration of the attempt.
  @inlinable public var duration: TimeAmount {
    switch self {
    case .answered(let after), .failed(_, let after, _), .timedOut(let after): after
    }
  }

  /// The server's Retry-After value; `nil` if there is none.
  @inlinable public var retryAfter: TimeAmount? {
    if case .failed(_, _, let retryAfter) = self { retryAfter } else { nil }
  }

  /// Returns the outcome of an attempt, which times out if its server latency reaches the timeout (MODEL.md 5.3, 6.2).
  @inlinable public static func of(roundTrip: TimeAmount, latency: TimeAmount, timeout: TimeAmount) -> RequestOutcome {
    latency < timeout ? .answered(after: roundTrip + latency) : .timedOut(after: roundTrip + timeout)
  }

  /// Returns the outcome of an attempt under the conditions of its step; the order is CDN, outage, limit and queue
  /// (MODEL.md 6.2-6.6).
  ///
  /// CDN answers, errors, and 429 and 503 responses take only one round trip, because the edge adds no latency. If the
  /// origin fails for a miss that has a copy, the copy arrives when the failure would have arrived.
  ///
  /// - Parameter latency: the server's latency, which is drawn only for requests that the server answers.
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

  /// Returns the CDN's answer to an attempt whose outcome was determined by `of` with the same draws.
  public static func edgeAnswer(
    _ endpoint: Prepared<EndpointPlan>, _ conditions: Conditions, _ draws: RequestDraws, latency: TimeAmount,
    roundTrip: TimeAmount
  ) -> EdgeAnswer {
    if conditions.isCachedError(at: draws.edge) { return .cachedError }
    guard conditions.isMiss(at: draws.edge) else { return .hit }
    let outcome = ofMiss(endpoint, conditions, draws, latency: latency, roundTrip: roundTrip)
    return outcome.failure != nil && conditions.hasCopy(at: draws.edge) ? .copy : .miss
  }

  /// Returns the outcome of a request at the origin.
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

/// The uniform 64-bit random numbers that determine the outcome of an attempt.
///
/// An attempt fails if its draw is below the failure share, so an attempt that fails also fails with a larger share.
public struct RequestDraws: BitwiseCopyable, Sendable {
  /// The draw for the CDN: a remembered error, a miss without a copy, a miss with a copy, or a hit.
  public var edge: UInt64
  public var outage: UInt64
  public var limit: UInt64
  /// The draw for the refusal, and for the queue position of a request that is not refused.
  public var refusal: UInt64

  @inlinable public init(edge: UInt64, outage: UInt64, limit: UInt64, refusal: UInt64) {
    self.edge = edge
    self.outage = outage
    self.limit = limit
    self.refusal = refusal
  }
}
