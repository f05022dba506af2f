public import Scenario
public import SimulationKernel

/// The outcome of one attempt to send a request.
public enum RequestOutcome: BitwiseCopyable, Equatable, Sendable {
  /// An answer, which arrives at the given time after the attempt was sent.
  case answered(after: TimeAmount)
  /// An error, which occurs at the given time after the attempt was sent; a 429 response may include a Retry-After
  /// value.
  case failed(FailureReason, after: TimeAmount, retryAfter: TimeAmount?)
  /// A timeout, which occurs at the given time after the attempt was sent.
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

  /// Returns the outcome of an attempt, which times out if the server latency reaches the timeout (MODEL.md 5.3, 6.2).
  @inlinable public static func of(roundTrip: TimeAmount, latency: TimeAmount, timeout: TimeAmount) -> RequestOutcome {
    latency < timeout ? .answered(after: roundTrip + latency) : .timedOut(after: roundTrip + timeout)
  }

  /// Returns the outcome of an attempt under the conditions of its step. The CDN, the outage, the rate limit and the
  /// queue are applied in this order (MODEL.md 6.2-6.6).
  ///
  /// CDN answers, errors, and 429 and 503 responses take only one round trip, because the edge adds no latency. If the
  /// origin fails for a miss that has a stale copy, the copy arrives when the failure would have arrived.
  ///
  /// - Parameter latency: the server's latency; it is drawn only for requests that the server answers.
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

  /// Returns how the CDN handled an attempt; the draws must be those that determined the attempt's outcome.
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

/// The uniform 64-bit random numbers that determine the outcome of one attempt.
///
/// An attempt fails if its draw is below the share of failures, so an increase in this share never turns a failure into
/// a success.
public struct RequestDraws: BitwiseCopyable, Sendable {
  /// The draw for the CDN; it selects a remembered error, a miss without a copy, a miss with a copy, or a hit.
  public var edge: UInt64
  public var outage: UInt64
  public var limit: UInt64
  /// The draw that determines whether the request is refused and, if it is not, its position in the queue.
  public var refusal: UInt64

  @inlinable public init(edge: UInt64, outage: UInt64, limit: UInt64, refusal: UInt64) {
    self.edge = edge
    self.outage = outage
    self.limit = limit
    self.refusal = refusal
  }
}
