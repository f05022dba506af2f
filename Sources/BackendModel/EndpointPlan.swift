public import SimulationKernel

/// One endpoint as a request meets it: its server's latency and the client's patience (MODEL.md 6.2).
public struct EndpointPlan: BitwiseCopyable, Sendable {
  /// From the arrival of a request to its answer.
  public var latency: SpanSampler
  /// The latency at which the client gives up.
  public var timeout: TimeAmount

  public init(latency: SpanSampler, timeout: TimeAmount) {
    self.latency = latency
    self.timeout = timeout
  }
}

/// How one try of a request ends.
public enum RequestOutcome: Equatable, Sendable {
  /// Answered this long after it was sent.
  case answered(after: TimeAmount)
  /// Given up this long after it was sent.
  case timedOut(after: TimeAmount)

  /// A try whose server latency reaches the timeout fails there (MODEL.md 5.3, 6.2).
  @inlinable public static func of(roundTrip: TimeAmount, latency: TimeAmount, timeout: TimeAmount) -> RequestOutcome {
    latency < timeout ? .answered(after: roundTrip + latency) : .timedOut(after: roundTrip + timeout)
  }
}
