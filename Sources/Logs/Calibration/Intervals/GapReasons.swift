internal import RequestStatistics

/// The possible causes, other than the policy's interval, of the gaps in a log: a cache, jitter and uneven delays.
struct GapReasons {
  private let shape: EdgeShape
  /// Whether the log rules out a cache that serves responses until the age of the edge.
  private let excludesCache: Bool
  private let known: KnownPolicy

  /// The range of ages in which free runs are counted, as fractions of the age at the edge.
  private static let early = 0.1..<0.9
  /// The smallest number and the smallest share of early-ending gaps that rule out a cache. With a cache, gaps end
  /// early only after a failure or after the cache was cleared.
  private static let fewest = 20.0
  private static let minShare = 0.003

  /// - Parameter inUseShare: the fraction of starts on phones in use, if it was fitted together with jitter.
  init(
    gaps: Gaps, edge: HazardEdge, known: KnownPolicy, resolution: StampResolution, inUseShare: Estimate?
  ) {
    let curve = HazardCurve(gaps)
    let run = known.runTime.upperBound - known.runTime.lowerBound
    shape = EdgeShape(edge, curve, sharpness: 2 * (run + resolution.step) + 2)
    let ages = Int(edge.place * Self.early.lowerBound)..<Int(edge.place * Self.early.upperBound)
    let runs = curve.sums(ages).events
    let hasFreeRuns = runs >= max(Self.fewest, Self.minShare * Double(gaps.all.count))
    let startsInUse =
      known.jitter > 0 ? inUseShare?.low ?? 0 > Self.minInUse : Self.hasHead(curve, edge, window: known.inUseWindow)
    excludesCache = hasFreeRuns || startsInUse
    self.known = known
  }

  /// The smallest share of starts on phones in use that is considered significant.
  private static let minInUse = 0.02
  /// The minimum difference, in standard errors, and the minimum ratio for which starts are considered denser in the
  /// first window than in the next.
  private static let far = 5.0
  private static let minRatio = 1.15

  /// Returns whether starts are dense just after the edge, as they are on phones in use. If a cache expires at the
  /// edge, the next runs are evenly spread instead, because they follow a different interval.
  private static func hasHead(_ curve: HazardCurve, _ edge: HazardEdge, window: Double) -> Bool {
    let (first, length) = (Int(edge.place.rounded()), max(Int(window), 1))
    let own = curve.sums(first..<first + length).events
    let next = curve.sums(first + length..<first + 2 * length).events
    return own > minRatio * next && own - next > far * (own + next).squareRoot()
  }

  /// Returns the estimate of the interval, limited by the other possible causes of gaps.
  func limited(_ interval: Estimate) -> Estimate {
    guard let high = interval.high, let low = interval.low, interval.value != nil else { return interval }
    // Jitter that is given in the file is fitted together with the interval.
    guard shape.isStep || known.jitter > 0 else {
      let start = min(low, shape.start - (shape.end - shape.start) / 2 - known.runTime.upperBound)
      let wide = Estimate.judged(
        (start + high) / 2, start...high, count: interval.count, reason: .blurredEdge)
      return excludesCache ? wide.limited(to: interval.verdict, .blurredEdge) : wide.atMost(.perhapsCached)
    }
    return excludesCache ? interval : interval.atMost(.perhapsCached)
  }
}

extension Estimate {
  /// Returns only the upper bound of a quantity, because another cause of gaps may hide its value.
  func atMost(_ reason: Reason) -> Estimate {
    guard verdict != .notFromThisLog, let high else { return self }
    return Estimate(nil, high: high, verdict: .oneSided, count: count, reason: reason)
  }
}

extension Gaps {
  /// The minimum share of gaps after successful runs for which gaps after failures are omitted.
  private static let minSuccessful = 0.2

  /// Returns the gaps after runs that did not fail, because a failed run is followed by an earlier retry.
  func withoutFailures(_ history: WakeHistory) -> Gaps {
    let successful = filter { !ErrorEvidence.isError(history.wakes[Int($0.wake)].status) }
    return Double(successful.all.count) < Self.minSuccessful * Double(all.count) ? self : successful
  }
}
