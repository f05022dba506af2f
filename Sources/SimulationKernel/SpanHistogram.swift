/// How long spans of time were: exact count and sum, and bins of 1 ms that double in width from every power of two on.
///
/// A bin is at most 1/512 of its lower edge wide, so a quantile is within 0.2 % whatever the scale.
public struct SpanHistogram: Hashable, Sendable {
  /// Bins below this many milliseconds are 1 ms wide; every further octave has half as many bins.
  public static let exactBins = 1_024
  /// Enough for spans of up to 2^36 ms, two years.
  public static let binCount = exactBins + 26 * exactBins / 2

  public var counts: [Int64]
  public var sumMilliseconds: Int128

  public init() {
    counts = Array(repeating: 0, count: Self.binCount)
    sumMilliseconds = 0
  }

  public init(counts: [Int64], sumMilliseconds: Int128) {
    precondition(counts.count == Self.binCount, "a span histogram has a fixed number of bins")
    self.counts = counts
    self.sumMilliseconds = sumMilliseconds
  }

  /// The bin of a span; negative spans count as 0, longer ones than the last bin's as the last.
  @inlinable public static func bin(of span: TimeAmount) -> Int {
    let milliseconds = min(max(span.milliseconds, 0), 1 &<< 36 &- 1)
    // 0 below 1 024 ms: one formula for all bins, for which of them it is cannot be foreseen.
    let octave = 54 &- (milliseconds | 1_023).leadingZeroBitCount
    return octave &* 512 &+ Int(truncatingIfNeeded: milliseconds &>> Int64(octave))
  }

  /// The first span of a bin and its width.
  public static func edges(ofBin bin: Int) -> (from: TimeAmount, width: TimeAmount) {
    if bin < exactBins { return (.milliseconds(Int64(bin)), .milliseconds(1)) }
    let half = exactBins / 2
    let octave = (bin - exactBins) / half + 1
    let within = (bin - exactBins) % half
    return (.milliseconds(Int64(half + within) << Int64(octave)), .milliseconds(1 << Int64(octave)))
  }

  /// How many spans were recorded.
  public var total: Int64 { counts.reduce(0, +) }

  /// The mean in seconds, exact; nil when nothing was recorded.
  public var meanSeconds: Double? {
    let total = total
    return total == 0 ? nil : Double(sumMilliseconds) / 1_000 / Double(total)
  }

  /// The quantile at `probability` in 0...1 in seconds, linear between order statistics (type 7); nil when nothing was
  /// recorded.
  ///
  /// Exact to the millisecond below 1 024 ms; the spans in a wider bin count as spread evenly over it.
  public func quantileSeconds(_ probability: Double) -> Double? {
    OrderedValues(count: total, value: milliseconds(atRank:)).quantile(probability).map { $0 / 1_000 }
  }

  /// The order statistic `rank`, counted from 0.
  private func milliseconds(atRank rank: Int64) -> Double {
    var before: Int64 = 0
    for (bin, count) in counts.enumerated() {
      if before + count > rank {
        let (from, width) = Self.edges(ofBin: bin)
        let inside = width.milliseconds == 1 ? 0 : (Double(rank - before) + 0.5) / Double(count)
        return Double(from.milliseconds) + inside * Double(width.milliseconds)
      }
      before += count
    }
    return 0
  }
}
