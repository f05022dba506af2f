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

/// Requests per second.
public struct RequestRate: BitwiseCopyable, Hashable, Comparable, Sendable {
  /// Not negative; infinite for what has no limit.
  public var perSecond: Double

  public init(perSecond: Double) {
    precondition(perSecond >= 0, "a rate is not negative")
    self.perSecond = perSecond
  }

  public static let zero = RequestRate(perSecond: 0)
  public static let unlimited = RequestRate(perSecond: .infinity)

  /// Requests at this rate over a span: one product, then one quotient, each rounded to nearest.
  public func requests(in span: TimeAmount) -> Double { perSecond * Double(span.milliseconds) / 1_000 }

  public static func < (left: RequestRate, right: RequestRate) -> Bool { left.perSecond < right.perSecond }
}

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

/// A capacity that follows the load (MODEL.md 6.5).
public struct AutoscalePlan: BitwiseCopyable, Hashable, Sendable {
  /// Load over capacity to aim at.
  public var target: Share
  /// Between changes.
  public var delay: TimeAmount
  /// Size of a change, of the capacity.
  public var step: Share
  public var least: RequestRate
  public var most: RequestRate

  public init(target: Share, delay: TimeAmount, step: Share, least: RequestRate, most: RequestRate) {
    self.target = target
    self.delay = delay
    self.step = step
    self.least = least
    self.most = most
  }

  /// The capacity after a window of this load over capacity; a bound never turns a change around.
  func capacity(after present: RequestRate, load: Double) -> RequestRate {
    if load > target.fraction {
      return max(present, min(RequestRate(perSecond: present.perSecond * (1 + step.fraction)), most))
    }
    if load < target.fraction * (1 - step.fraction) {
      return min(present, max(RequestRate(perSecond: present.perSecond * (1 - step.fraction)), least))
    }
    return present
  }
}

/// One outage of an endpoint, from a step's beginning up to another's (MODEL.md 6.3).
public struct OutageSpell: BitwiseCopyable, Hashable, Sendable {
  public var from: Instant
  /// Not included.
  public var to: Instant
  /// Share of the requests that are answered at once with an error.
  public var errors: Share
  /// Meanwhile; nil: unchanged.
  public var capacity: RequestRate?

  public init(from: Instant, to: Instant, errors: Share, capacity: RequestRate?) {
    self.from = from
    self.to = to
    self.errors = errors
    self.capacity = capacity
  }

  /// An outage that lasts a span from the step that contains its start; a step that it covers in part counts whole.
  public init(at start: Instant, lasting span: TimeAmount, errors: Share, capacity: RequestRate?, grid: StepGrid) {
    let first = (start - grid.beginning).milliseconds.floorDivided(by: grid.length.milliseconds)
    let steps = -(-span.milliseconds).floorDivided(by: grid.length.milliseconds)
    let from = grid.beginning + grid.length * first
    self.init(from: from, to: from + grid.length * steps, errors: errors, capacity: capacity)
  }
}

/// The outages of an endpoint, known in advance.
public struct OutagePlan: BitwiseCopyable, Sendable {
  /// Ascending and apart.
  public let spells: PreparedList<OutageSpell>

  /// Where outages overlap, the largest share of errors holds and the smallest capacity.
  public init(_ outages: [OutageSpell], storage: SamplerStorage) {
    let outages = outages.filter { $0.from < $0.to }
    let ends = Set(outages.flatMap { [$0.from, $0.to] }).sorted()
    let spells = zip(ends, ends.dropFirst()).compactMap { Self.spell(from: $0, to: $1, of: outages) }
    self.spells = storage.keep(spells)
  }

  /// What the outages that cover a span, no end of which lies inside it, come to; nil when none does.
  private static func spell(from: Instant, to: Instant, of outages: [OutageSpell]) -> OutageSpell? {
    let covering = outages.filter { $0.from <= from && to <= $0.to }
    guard let errors = covering.map(\.errors).max() else { return nil }
    return OutageSpell(from: from, to: to, errors: errors, capacity: covering.compactMap(\.capacity).min())
  }

  /// The outage at an instant; O(log outages).
  public func spell(at instant: Instant) -> OutageSpell? {
    let begun = spells.prefixLength { $0.from <= instant }
    guard begun > 0, instant < spells[begun - 1].to else { return nil }
    return spells[begun - 1]
  }

  /// Whether one of them comes with a capacity.
  var hasCapacity: Bool { spells.indices.contains { spells[$0].capacity != nil } }
}

/// The steps in which backend and devices take turns (MODEL.md 6.1).
public struct StepGrid: BitwiseCopyable, Sendable {
  /// Beginning of the world, before the warm-up, and of step 0.
  public let beginning: Instant
  public let length: TimeAmount
  public let count: Int
  @usableFromInline let divider: Divider

  public init(beginning: Instant, length: TimeAmount, count: Int) {
    precondition(length > .zero && count >= 0, "steps have a length and a number")
    self.beginning = beginning
    self.length = length
    self.count = count
    divider = Divider(by: length.milliseconds)
  }

  /// From the beginning of the first step to the end of the last.
  public var span: Range<Instant> { beginning..<beginning + length * Int64(count) }

  /// The steps from a beginning to an end; the last one may reach beyond it.
  public init(beginning: Instant, end: Instant, length: TimeAmount) {
    let steps = (end - beginning).milliseconds + length.milliseconds - 1
    self.init(beginning: beginning, length: length, count: Int(steps / length.milliseconds))
  }

  /// The step that contains an instant; what lies outside of all belongs to the first or the last.
  @inlinable public func step(containing instant: Instant) -> Int {
    let passed = instant - beginning
    if passed <= .zero { return 0 }
    return max(min(divider.quotient(passed.milliseconds), count &- 1), 0)
  }

  /// The first instant of a step.
  @inlinable public func beginning(of step: Int) -> Instant { beginning + length * Int64(step) }
}

extension StepGrid: Equatable {
  public static func == (left: StepGrid, right: StepGrid) -> Bool {
    left.beginning == right.beginning && left.length == right.length && left.count == right.count
  }
}
