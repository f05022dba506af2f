internal import SimulationKernel

/// How long phones wait from one wake to the next, free of what holes and the log's end cut off.
///
/// The share that waits longer than t is exp(-H(t)), H the sum of wakes over exposure up to t (Breslow's estimate).
package struct WaitingTimes: Sendable {
  /// By whole seconds: the share of waits that are over by the end of each.
  private let over: [Double]
  /// Waits that ended while they were looked at.
  package let count: Int

  package init(_ curve: HazardCurve) {
    var (sum, last) = (0.0, 0)
    let known = curve.exposure.lastIndex { $0 > 0 }.map { $0 + 1 } ?? 0
    over = (0..<known).map { second in
      if curve.events[second] > 0 { sum += Double(curve.events[second]) / max(curve.exposure[second], 1) }
      last += curve.events[second]
      return 1 - SteadyMath.exp(-sum)
    }
    count = last
  }

  /// Seconds within which a share of the waits is over; nil: the log does not reach so far.
  package func quantile(_ share: Double) -> Double? {
    var (low, high) = (0, over.count)
    while low < high {
      let middle = (low + high) / 2
      if over[middle] < share { low = middle + 1 } else { high = middle }
    }
    return low < over.count ? Double(low + 1) : nil
  }

  /// The largest distance of the shares that are over, at ages that both know; and the age in seconds where it is.
  package func farthest(from other: Self) -> (distance: Double, age: Double)? {
    let known = min(over.count, other.over.count)
    let place = (0..<known).max { abs(over[$0] - other.over[$0]) < abs(over[$1] - other.over[$1]) }
    return place.map { (abs(over[$0] - other.over[$0]), Double($0 + 1)) }
  }
}
