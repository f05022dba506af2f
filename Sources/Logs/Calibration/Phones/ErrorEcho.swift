internal import RequestStatistics

/// The behaviour of a kind's widgets after failed requests.
package struct ErrorEvidence: Sendable {
  /// The number of wakes that ended with an error: 429, 499 or 5xx.
  package var errors: Int
  /// The wait before the first retry within a run, in seconds.
  package var backoff: Estimate
  /// The ratio of the wait before the second retry to the wait before the first; it is 2 if waits double.
  package var growth: Estimate
  /// The time from a failed run to the earliest next run, in seconds, excluding the run time.
  package var onError: Estimate

  private static let fewest = 30
  /// The longest wait before a retry within a run, in seconds.
  private static let longestBackoff = 240
  /// The smallest fraction of failed wakes that must be followed by a retry after a common fixed wait.
  private static let minShare = 0.15

  static func isError(_ status: UInt16) -> Bool { status == 429 || status == 499 || status >= 500 }

  init(_ history: WakeHistory, gaps: Gaps, known: KnownPolicy) {
    let failed = gaps.filter { Self.isError(history.wakes[Int($0.wake)].status) }
    errors = failed.all.count
    guard errors >= Self.fewest else {
      (backoff, growth, onError) = (.unknown(.noErrors, count: errors), .unknown(.noErrors), .unknown(.noErrors))
      return
    }
    let first = failed.filter { gap in
      // A retry that fails is not the first failure of its run.
      let previous = Int(gap.wake) - 1
      guard previous >= 0, history.phones[Int(gap.phone)].wakes.contains(previous) else { return true }
      let own = history.wakes[Int(gap.wake)].time - history.wakes[previous].time
      return !Self.isError(history.wakes[previous].status) || own > Int64(Self.longestBackoff) * 1_000
    }
    backoff = Self.atom(first)
    let again = failed.filter { gap in
      let previous = Int(gap.wake) - 1
      guard let wait = Self.atom(first).value, previous >= 0, history.phones[Int(gap.phone)].wakes.contains(previous)
      else { return false }
      let own = Double(history.wakes[Int(gap.wake)].time - history.wakes[previous].time) / 1_000
      return abs(own - wait) < 2 && Self.isError(history.wakes[previous].status)
    }
    growth = Self.ratio(Self.atom(again), to: backoff)
    onError = Self.edge(failed, known: known)
  }

  /// Returns the wait that many gaps have in common, which is the median of the gaps within two seconds of the most
  /// frequent second.
  private static func atom(_ gaps: Gaps) -> Estimate {
    var counts = Array(repeating: 0, count: longestBackoff)
    for gap in gaps.all where gap.isComplete && Int(gap.seconds) < longestBackoff { counts[Int(gap.seconds)] += 1 }
    guard let mode = counts.indices.max(by: { counts[$0] < counts[$1] }), gaps.all.count >= 10 else {
      return .unknown(.tooFewObservations, count: gaps.all.count)
    }
    let near = gaps.all.filter { $0.isComplete && abs($0.seconds - Double(mode) - 0.5) < 2 }.map(\.seconds).sorted()
    guard Double(near.count) >= minShare * Double(gaps.all.count) else {
      return .unknown(.noEdge, count: gaps.all.count)
    }
    // The bounds of a median's interval have ranks at half the count, plus or minus a normal error.
    let half = Int(0.98 * Double(near.count).squareRoot()) + 1
    let middle = near.count / 2
    let (low, high) = (near[max(middle - half, 0)], near[min(middle + half, near.count - 1)])
    return .judged(near[middle], low...high, count: near.count)
  }

  private static func ratio(_ second: Estimate, to first: Estimate) -> Estimate {
    guard let above = second.value, let low = second.low, let high = second.high, let below = first.value,
      let belowLow = first.low, let belowHigh = first.high, belowLow > 0
    else { return .unknown(second.reason ?? .tooFewObservations, count: second.count) }
    return .judged(above / below, low / belowHigh...high / belowLow, count: second.count)
  }

  private static func edge(_ failed: Gaps, known: KnownPolicy) -> Estimate {
    guard let edge = EdgeSearch(gaps: failed, curve: HazardCurve(failed), ages: known.ages).edge() else {
      return .unknown(.noEdge, count: failed.all.count)
    }
    return CycleReading(edge: edge, known: known.withoutCache, resolution: .second).interval
  }
}

extension KnownPolicy {
  /// The policy without its cache, for use after failures, because failed responses are never cached.
  fileprivate var withoutCache: KnownPolicy {
    var policy = self
    policy.cacheTTL = 0
    return policy
  }
}
