public import SimulationKernel

/// An endpoint prepared for the event path: its effect on requests, and the effect of requests on its backend (MODEL.md
/// 6).
public struct EndpointPlan: BitwiseCopyable, Sendable {
  /// The time from the arrival of a request to its answer, excluding the wait in the queue.
  public var latency: SpanSampler
  /// The latency, including the wait in the queue, at which the client gives up waiting for an answer.
  public var timeout: TimeAmount
  /// The number of requests per second that the endpoint can serve; `nil` if it is unlimited, in which case there is no
  /// queue.
  public var capacity: RequestRate?
  /// The maximum number of waiting requests; infinite if the queue is unlimited.
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
    precondition(queue >= 0, "the length of a queue is not negative")
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

  /// Whether the requests of one device may change the answers to other devices (MODEL.md 6.7).
  ///
  /// An outage that sets a capacity creates a queue even at an endpoint that otherwise has no queue.
  public var hasFeedback: Bool {
    capacity != nil || rateLimit != nil || cdn != nil || outages?.hasCapacity ?? false
  }

  /// Returns the conditions caused only by outages, which are the actual conditions if the endpoint has no feedback.
  @inlinable public func knownConditions(at instant: Instant) -> Conditions {
    Conditions(outage: outages?.spell(at: instant)?.errors ?? .none)
  }
}

/// A rate in requests per second.
public struct RequestRate: BitwiseCopyable, Hashable, Comparable, Sendable {
  /// The rate, which is never negative; infinite if the rate is unlimited.
  public var perSecond: Double

  public init(perSecond: Double) {
    precondition(perSecond >= 0, "a rate is not negative")
    self.perSecond = perSecond
  }

  public static let zero = RequestRate(perSecond: 0)
  public static let unlimited = RequestRate(perSecond: .infinity)

  /// Returns the number of requests at this rate over a span. The result is a product followed by a quotient, each
  /// rounded to nearest.
  public func requests(in span: TimeAmount) -> Double { perSecond * Double(span.milliseconds) / 1_000 }

  public static func < (left: RequestRate, right: RequestRate) -> Bool { left.perSecond < right.perSecond }
}

/// The maximum rate at which requests may pass; excess requests receive a 429 response (MODEL.md 6.4).
public struct RateLimitPlan: BitwiseCopyable, Hashable, Sendable {
  public var rate: RequestRate
  /// The Retry-After value of a 429 response.
  public var retryAfter: TimeAmount

  public init(rate: RequestRate, retryAfter: TimeAmount) {
    self.rate = rate
    self.retryAfter = retryAfter
  }
}

/// A capacity that adapts to the load (MODEL.md 6.5).
public struct AutoscalePlan: BitwiseCopyable, Hashable, Sendable {
  /// The target ratio of load to capacity.
  public var target: Share
  /// The time between changes in capacity.
  public var delay: TimeAmount
  /// The size of one change in capacity, as a fraction of the capacity.
  public var step: Share
  public var minimum: RequestRate
  public var maximum: RequestRate

  public init(target: Share, delay: TimeAmount, step: Share, minimum: RequestRate, maximum: RequestRate) {
    self.target = target
    self.delay = delay
    self.step = step
    self.minimum = minimum
    self.maximum = maximum
  }

  /// Returns the capacity that follows a window with the given ratio of load to capacity. The minimum and maximum never
  /// reverse the direction of a change.
  func capacity(after present: RequestRate, load: Double) -> RequestRate {
    if load > target.fraction {
      return max(present, min(RequestRate(perSecond: present.perSecond * (1 + step.fraction)), maximum))
    }
    if load < target.fraction * (1 - step.fraction) {
      return min(present, max(RequestRate(perSecond: present.perSecond * (1 - step.fraction)), minimum))
    }
    return present
  }
}

/// An outage of an endpoint, which starts and ends at step boundaries (MODEL.md 6.3).
public struct OutageSpell: BitwiseCopyable, Hashable, Sendable {
  public var from: Instant
  /// The end of the outage (exclusive).
  public var to: Instant
  /// The share of requests that are answered immediately with an error.
  public var errors: Share
  /// The capacity during the outage; `nil` if the outage does not change it.
  public var capacity: RequestRate?

  public init(from: Instant, to: Instant, errors: Share, capacity: RequestRate?) {
    self.from = from
    self.to = to
    self.errors = errors
    self.capacity = capacity
  }

  /// Creates an outage that lasts `span` and starts with the step that contains `start`; its length is rounded up to
  /// whole steps.
  public init(at start: Instant, lasting span: TimeAmount, errors: Share, capacity: RequestRate?, grid: StepGrid) {
    let first = (start - grid.beginning).milliseconds.floorDivided(by: grid.length.milliseconds)
    let steps = -(-span.milliseconds).floorDivided(by: grid.length.milliseconds)
    let from = grid.beginning + grid.length * first
    self.init(from: from, to: from + grid.length * steps, errors: errors, capacity: capacity)
  }
}

/// The outages of an endpoint, which are known before the run.
public struct OutagePlan: BitwiseCopyable, Sendable {
  /// The spells in chronological order, without overlaps.
  public let spells: PreparedList<OutageSpell>

  /// Creates a plan. Where outages overlap, the largest error share and the smallest capacity apply.
  public init(_ outages: [OutageSpell], storage: SamplerStorage) {
    let outages = outages.filter { $0.from < $0.to }
    let ends = Set(outages.flatMap { [$0.from, $0.to] }).sorted()
    let spells = zip(ends, ends.dropFirst()).compactMap { Self.spell(from: $0, to: $1, of: outages) }
    self.spells = storage.keep(spells)
  }

  /// Returns the combined effect of the outages that cover an entire span; `nil` if no outage covers it.
  private static func spell(from: Instant, to: Instant, of outages: [OutageSpell]) -> OutageSpell? {
    let covering = outages.filter { $0.from <= from && to <= $0.to }
    guard let errors = covering.map(\.errors).max() else { return nil }
    return OutageSpell(from: from, to: to, errors: errors, capacity: covering.compactMap(\.capacity).min())
  }

  /// Returns the outage at an instant, found in O(log n) for n outages.
  public func spell(at instant: Instant) -> OutageSpell? {
    let begun = spells.prefixLength { $0.from <= instant }
    guard begun > 0, instant < spells[begun - 1].to else { return nil }
    return spells[begun - 1]
  }

  /// Whether any outage sets a capacity.
  var hasCapacity: Bool { spells.indices.contains { spells[$0].capacity != nil } }
}

/// The grid of steps in which the backend and the devices are simulated alternately (MODEL.md 6.1).
public struct StepGrid: BitwiseCopyable, Sendable {
  /// The start of the simulation and of step 0; the warm-up follows.
  public let beginning: Instant
  public let length: TimeAmount
  public let count: Int
  @usableFromInline let divider: Divider

  public init(beginning: Instant, length: TimeAmount, count: Int) {
    precondition(length > .zero && count >= 0, "steps have a positive length, and their number is not negative")
    self.beginning = beginning
    self.length = length
    self.count = count
    divider = Divider(by: length.milliseconds)
  }

  /// The span from the start of the first step to the end of the last.
  public var span: Range<Instant> { beginning..<beginning + length * Int64(count) }

  /// Creates a grid of steps from a start to an end; the last step may extend beyond the end.
  public init(beginning: Instant, end: Instant, length: TimeAmount) {
    let steps = (end - beginning).milliseconds + length.milliseconds - 1
    self.init(beginning: beginning, length: length, count: Int(steps / length.milliseconds))
  }

  /// Returns the step that contains an instant; an instant outside the grid is assigned to the first or last step.
  @inlinable public func step(containing instant: Instant) -> Int {
    let passed = instant - beginning
    if passed <= .zero { return 0 }
    return max(min(divider.quotient(passed.milliseconds), count &- 1), 0)
  }

  /// Returns the first instant of a step.
  @inlinable public func beginning(of step: Int) -> Instant { beginning + length * Int64(step) }
}

extension StepGrid: Equatable {
  public static func == (left: StepGrid, right: StepGrid) -> Bool {
    left.beginning == right.beginning && left.length == right.length && left.count == right.count
  }
}
