internal import RequestStatistics

/// How much more often than by chance a phone wakes again after a lag, whatever came in between.
///
/// Pairs of wakes of one phone by their distance, over what its own mean rate gives: 1 is chance. One widget leaves it
/// near the share of free runs up to its interval, k widgets leave (k - 1) / k besides.
package struct PairCorrelation: Sendable {
  /// Ends of the lags, in seconds, as `HazardCurve.bins`.
  package let lags: [Range<Int>]
  package let ratios: [Double]

  /// - Parameter longest: lags that are looked at, in seconds.
  init(_ history: WakeHistory, longest: Int) {
    let lags = HazardCurve.bins.filter { $0.upperBound <= longest }
    var pairs = Array(repeating: 0.0, count: lags.count)
    var expected = pairs
    let bins = lags.indices.reduce(into: Array(repeating: -1, count: longest + 1)) { bins, index in
      for second in lags[index] { bins[second] = index }
    }
    let span = Double(history.span.upperBound - history.span.lowerBound) / 1_000
    for phone in history.phones where phone.wakes.count > 1 {
      let wakes = history.wakes[phone.wakes]
      let rate = Double(wakes.count) / span
      var (next, whole) = (phone.wakes.lowerBound, 0.0)
      for wake in phone.wakes {
        next = max(next, wake + 1)
        while next < phone.wakes.upperBound, (wakes[next].time - wakes[wake].time) / 1_000 < longest { next += 1 }
        for other in wake + 1..<max(next, wake + 1) {
          let bin = bins[Int((wakes[other].time - wakes[wake].time) / 1_000)]
          if bin >= 0 { pairs[bin] += 1 }
        }
        let left = Double(history.span.upperBound - wakes[wake].time) / 1_000
        guard left < Double(longest) else {
          whole += rate
          continue
        }
        for (bin, lag) in lags.enumerated() where left > Double(lag.lowerBound) {
          expected[bin] += rate * (min(left, Double(lag.upperBound)) - Double(lag.lowerBound))
        }
      }
      for (bin, lag) in lags.enumerated() { expected[bin] += whole * Double(lag.count) }
    }
    self.lags = lags
    ratios = zip(pairs, expected).map { $1 > 0 ? $0 / $1 : 0 }
  }

  /// The mean ratio at lags well before an interval, where bursts are over, over that of the cycles after it, which
  /// takes away that phones and hours differ.
  func level(before interval: Double) -> Double {
    let after = mean(interval, interval * 3)
    return after > 0 ? mean(interval * 0.3, interval * 0.95) / after : 0
  }

  private func mean(_ low: Double, _ high: Double) -> Double {
    let own = lags.indices.filter { Double(lags[$0].lowerBound) >= low && Double(lags[$0].upperBound) <= high }
    let width = own.reduce(0.0) { $0 + Double(lags[$1].count) }
    return width > 0 ? own.reduce(0) { $0 + ratios[$1] * Double(lags[$1].count) } / width : 0
  }
}
