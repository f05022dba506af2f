package import SimulationKernel

/// One endpoint as a request meets it: its server's latency and the client's patience (MODEL.md 6.2).
package struct EndpointPlan: BitwiseCopyable, Sendable {
  /// From the arrival of a request to its answer.
  package var latency: SpanSampler
  /// From sending a request to giving it up.
  package var timeout: TimeAmount

  package init(latency: SpanSampler, timeout: TimeAmount) {
    self.latency = latency
    self.timeout = timeout
  }
}

/// How one try of a request ends.
package enum RequestOutcome: Equatable, Sendable {
  /// Answered this long after it was sent.
  case answered(after: TimeAmount)
  /// Given up this long after it was sent.
  case timedOut(after: TimeAmount)

  /// A try fails when its answer has not come back at its timeout (MODEL.md 5.3).
  @inlinable package static func of(roundTrip: TimeAmount, latency: TimeAmount, timeout: TimeAmount) -> RequestOutcome {
    let needed = roundTrip + latency
    return needed < timeout ? .answered(after: needed) : .timedOut(after: timeout)
  }
}
