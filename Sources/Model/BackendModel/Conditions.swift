public import SimulationKernel

/// The conditions for requests that arrive at an endpoint in a given step (MODEL.md 6.1).
///
/// `errors`, `misses` and `copies` are shares of the arriving requests. `outage` is a share of the misses. `limited` is
/// a share of the misses that do not fail because of an outage. `refused` is a share of the requests within the rate
/// limit.
public struct Conditions: BitwiseCopyable, Hashable, Sendable {
  /// The share of requests that the CDN answers with a remembered error; errors and misses add up to at most 1.
  public var errors: Share
  /// The share of requests that go to the origin because the CDN has no fresh answer; 1 if there is no CDN.
  public var misses: Share
  /// The share of requests that are misses with a stale copy, which the CDN returns if the origin fails.
  public var copies: Share
  /// The share of misses that are answered immediately with an error because of an outage.
  public var outage: Share
  /// The share of requests that are answered immediately with 429.
  public var limited: Share
  /// The share of requests that are answered immediately with 503.
  public var refused: Share
  /// The queueing wait, which is added to the latency of served requests.
  public var wait: QueueWait

  public init(
    errors: Share = .none, misses: Share = .all, copies: Share = .none, outage: Share = .none, limited: Share = .none,
    refused: Share = .none, wait: QueueWait = .none
  ) {
    self.errors = errors
    self.misses = misses
    self.copies = copies
    self.outage = outage
    self.limited = limited
    self.refused = refused
    self.wait = wait
  }

  /// Conditions under which requests neither fail nor wait.
  public static let fine = Conditions()

  /// Whether the effect of the CDN or of an outage on a request is random, so that uniform draws are needed.
  @inlinable public var edgeOrOutageIsOpen: Bool {
    !(Self.isSettled(misses) && Self.isSettled(outage) && Self.isSettled(errors) && Self.isSettled(copies))
  }

  /// Whether the effect of the rate limit or the queue on a request is random, so that uniform draws are needed.
  @inlinable public var limitOrQueueIsOpen: Bool {
    !(Self.isSettled(limited) && Self.isSettled(refused) && wait.isSettled)
  }

  /// Whether the CDN answers with a remembered error.
  @inlinable func isCachedError(at u: UInt64) -> Bool { Chance(errors).happens(at: u) }

  /// Whether a request that receives no cached error goes to the origin.
  @inlinable func isMiss(at u: UInt64) -> Bool {
    Chance(Share(fraction: min(errors.fraction + misses.fraction, 1))).happens(at: u)
  }

  /// Whether the CDN has a stale copy for a miss; this is true for the misses with the largest uniform draws.
  @inlinable func hasCopy(at u: UInt64) -> Bool {
    guard copies.fraction > 0 else { return false }
    let without = errors.fraction + (misses.fraction - copies.fraction)
    return !Chance(Share(fraction: min(max(without, 0), 1))).happens(at: u)
  }

  @inlinable static func isSettled(_ share: Share) -> Bool { share.fraction == 0 || share.fraction == 1 }

  /// Returns the wait of a request that is not refused. The same draw determines whether a request is refused and its
  /// position in the step.
  @inlinable @inline(__always) func wait(at u: UInt64) -> TimeAmount {
    guard !wait.isSettled else { return wait.first }
    let place = (Double(u) * 0x1p-64 - refused.fraction) / (1 - refused.fraction)
    return wait.at(min(max(place, 0), 1))
  }

  /// Returns the share of the misses that are answered before the timeout, ignoring individual latencies.
  func answered(timeout: TimeAmount) -> Share {
    let accepted = (1 - outage.fraction) * (1 - limited.fraction) * (1 - refused.fraction)
    return Share(fraction: accepted * wait.share(below: timeout))
  }
}

/// The queueing wait of a step's requests (MODEL.md 6.2), which changes linearly from the first request to the last.
public struct QueueWait: BitwiseCopyable, Hashable, Sendable {
  /// The wait of the first request in the step; it is never negative, and is rounded half up to whole milliseconds.
  public let first: TimeAmount
  /// The wait of the last request in the step. The value is negative if the queue becomes empty before the step ends;
  /// later requests then do not wait.
  public let last: TimeAmount

  /// Creates a wait that changes during the step.
  ///
  /// - Precondition: `first` is not negative.
  public init(first: TimeAmount, last: TimeAmount) {
    precondition(first >= .zero, "a request cannot wait for a negative time")
    self.first = first
    self.last = first == .zero && last < .zero ? .zero : last
  }

  /// Creates a wait that is the same for all requests of the step.
  public init(_ wait: TimeAmount) { self.init(first: wait, last: wait) }

  public static let none = QueueWait(.zero)

  /// The wait if there is no capacity: 2 230 years, which exceeds any timeout. Longer waits are clamped to it.
  @inlinable public static var endless: TimeAmount { TimeAmount(milliseconds: 1 << 46) }

  /// Creates the waits of a step's requests from the state of the queue and the capacity.
  init(behind passage: FluidQueue.Passage, at capacity: RequestRate) {
    func wait(behind backlog: Double) -> TimeAmount {
      guard capacity > .zero else { return Self.endless }
      let milliseconds = backlog * 1_000 / capacity.perSecond
      let longest = Double(Self.endless.milliseconds)
      return .milliseconds(Int64((min(max(milliseconds, -longest), longest) + 0.5).rounded(.down)))
    }
    guard capacity < .unlimited else {
      self = .none
      return
    }
    self.init(first: wait(behind: passage.before), last: wait(behind: passage.before + passage.growth))
  }

  /// Whether all requests of the step wait equally long, so that their positions in the step need not be drawn.
  @inlinable public var isSettled: Bool { first == last }

  /// Returns the wait of the request at a position in the step, from 0 (first) to 1 (last).
  @inlinable func at(_ place: Double) -> TimeAmount {
    let wait = Double(first.milliseconds) + Double((last - first).milliseconds) * place
    return .milliseconds(wait > 0 ? Int64(wait + 0.5) : 0)
  }

  /// Returns the share of the step's requests whose wait is below `limit`, as a number from 0 to 1.
  func share(below limit: TimeAmount) -> Double {
    let (low, high) = (min(first, last), max(first, last))
    if high < limit { return 1 }
    guard low < limit else { return 0 }
    return Double((limit - low).milliseconds) / Double((high - low).milliseconds)
  }
}
