public import SimulationKernel

/// What an endpoint does to the requests that arrive in a step (MODEL.md 6.1).
///
/// Every share is of the requests that get as far: misses of those that arrive, outage of the misses, limited of what
/// the outage spares, refused of what the limit passes.
public struct Conditions: BitwiseCopyable, Hashable, Sendable {
  /// Not answered by the CDN; all where there is none.
  public var misses: Share
  /// Answered at once with an error.
  public var outage: Share
  /// Answered at once with 429.
  public var limited: Share
  /// Answered at once with 503.
  public var refused: Share
  /// Added to the latency of what is served; whole milliseconds, rounded half up.
  public var wait: TimeAmount

  public init(
    misses: Share = .all, outage: Share = .none, limited: Share = .none, refused: Share = .none,
    wait: TimeAmount = .zero
  ) {
    self.misses = misses
    self.outage = outage
    self.limited = limited
    self.refused = refused
    self.wait = wait
  }

  /// Nothing fails, nothing waits.
  public static let fine = Conditions()

  /// The wait where nobody serves, longer than any timeout; also that of any queue as long as this, 2 230 years.
  @inlinable public static var endlessWait: TimeAmount { TimeAmount(milliseconds: 1 << 46) }

  /// Whether some decision about a request hangs on chance, so that uniforms must be drawn.
  @inlinable public var hangsOnChance: Bool {
    !(Self.isSettled(misses) && Self.isSettled(outage) && Self.isSettled(limited) && Self.isSettled(refused))
  }

  @inlinable static func isSettled(_ share: Share) -> Bool { share.fraction == 0 || share.fraction == 1 }

  /// The share of the misses that are answered in time, apart from the latency that each draws.
  func answered(timeout: TimeAmount) -> Share {
    guard wait < timeout else { return .none }
    return Share(fraction: (1 - outage.fraction) * (1 - limited.fraction) * (1 - refused.fraction))
  }

  /// The wait behind a backlog (MODEL.md 6.2).
  static func wait(behind backlog: Double, at capacity: RequestRate) -> TimeAmount {
    guard capacity > .zero else { return endlessWait }
    let milliseconds = backlog * 1_000 / capacity.perSecond
    guard milliseconds < Double(endlessWait.milliseconds) else { return endlessWait }
    return .milliseconds(Int64(milliseconds + 0.5))
  }
}
