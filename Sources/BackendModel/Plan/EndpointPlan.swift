public import SimulationKernel

/// One endpoint prepared: what a request meets, and what its backend makes of all of them (MODEL.md 6).
public struct EndpointPlan: BitwiseCopyable, Sendable {
  /// From the arrival of a request to its answer, without the wait.
  public var latency: SpanSampler
  /// The latency, wait included, at which the client gives up.
  public var timeout: TimeAmount
  /// What it serves; nil: nothing queues or fails.
  public var capacity: RequestRate?
  /// Requests that may wait; infinite for no limit.
  public var queue: Double
  public var baseLoad: BaseLoadPlan?
  public var rateLimit: RateLimitPlan?
  public var autoscale: AutoscalePlan?
  public var cdn: CDNPlan?
  public var outages: OutagePlan?

  public init(
    latency: SpanSampler, timeout: TimeAmount, capacity: RequestRate? = nil, queue: Double = .infinity,
    baseLoad: BaseLoadPlan? = nil, rateLimit: RateLimitPlan? = nil, autoscale: AutoscalePlan? = nil,
    cdn: CDNPlan? = nil, outages: OutagePlan? = nil
  ) {
    precondition(queue >= 0, "a queue has room or none")
    self.latency = latency
    self.timeout = timeout
    self.capacity = capacity
    self.queue = queue
    self.baseLoad = baseLoad
    self.rateLimit = rateLimit
    self.autoscale = autoscale
    self.cdn = cdn
    self.outages = outages
  }

  /// Whether what one device sends may change what others get (MODEL.md 6.7).
  ///
  /// An outage with a capacity makes a queue too, be the endpoint without one.
  public var hasFeedback: Bool {
    capacity != nil || rateLimit != nil || cdn != nil || outages?.hasCapacity ?? false
  }

  /// The conditions that outages alone make: all there is to know without feedback.
  @inlinable public func knownConditions(at instant: Instant) -> Conditions {
    Conditions(outage: outages?.spell(at: instant)?.errors ?? .none)
  }
}
