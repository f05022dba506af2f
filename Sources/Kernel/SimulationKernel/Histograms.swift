/// A histogram of time spans, with an exact count and sum. Bins are 1 ms wide up to 1 024 ms, and double in width at
/// each power of two.
///
/// The width of a bin is at most 1/512 of its lower edge, so quantiles are accurate to 0.2 % at any scale.
public struct SpanHistogram: Hashable, Sendable {
  /// The limit in milliseconds below which bins are 1 ms wide; each octave above has half as many bins.
  public static let exactBins = 1_024
  /// The number of bins, sufficient for spans of up to 2^36 ms (two years).
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

  /// Returns the bin of a span; negative spans are treated as 0, and spans beyond the last bin are counted in the last
  /// bin.
  @inlinable public static func bin(of span: TimeAmount) -> Int {
    let milliseconds = min(max(span.milliseconds, 0), 1 &<< 36 &- 1)
    // Spans below 1 024 ms are in octave 0. A single formula for all bins avoids an unpredictable branch.
    let octave = 54 &- (milliseconds | 1_023).leadingZeroBitCount
    return octave &* 512 &+ Int(truncatingIfNeeded: milliseconds &>> Int64(octave))
  }

  /// Returns the shortest span in a bin, and the bin's width.
  public static func edges(ofBin bin: Int) -> (from: TimeAmount, width: TimeAmount) {
    if bin < exactBins { return (.milliseconds(Int64(bin)), .milliseconds(1)) }
    let half = exactBins / 2
    let octave = (bin - exactBins) / half + 1
    let within = (bin - exactBins) % half
    return (.milliseconds(Int64(half + within) << Int64(octave)), .milliseconds(1 << Int64(octave)))
  }

  /// The number of recorded spans.
  public var total: Int64 { counts.reduce(0, +) }

  /// The exact mean in seconds; `nil` if no span was recorded.
  public var meanSeconds: Double? {
    let total = total
    return total == 0 ? nil : Double(sumMilliseconds) / 1_000 / Double(total)
  }

  /// Returns the quantile at `probability` (0...1), in seconds; `nil` if no span was recorded.
  ///
  /// Interpolates linearly between order statistics (type 7). The result is exact to the millisecond below 1 024 ms;
  /// spans within a wider bin are assumed to be evenly distributed.
  public func quantileSeconds(_ probability: Double) -> Double? {
    OrderedValues(count: total, value: milliseconds(atRank:)).quantile(probability).map { $0 / 1_000 }
  }

  /// Returns the span at a rank in ascending order, in milliseconds; ranks start at 0.
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

/// A histogram of fractions with an exact count. The first bin starts at one billionth, and widths increase like those
/// of `SpanHistogram`.
public struct ShareHistogram: Hashable, Sendable {
  public static let binCount = SpanHistogram.binCount

  /// A `SpanHistogram` whose values are billionths instead of milliseconds.
  package var bins: SpanHistogram

  public init() { bins = SpanHistogram() }

  public init(counts: [Int64]) { bins = SpanHistogram(counts: counts, sumMilliseconds: 0) }

  @inlinable public static func bin(ofBillionths share: Int64) -> Int { SpanHistogram.bin(of: .milliseconds(share)) }

  /// Returns the smallest fraction in a bin, and the bin's width, in billionths.
  public static func edges(ofBin bin: Int) -> (from: Int64, width: Int64) {
    let (from, width) = SpanHistogram.edges(ofBin: bin)
    return (from.milliseconds, width.milliseconds)
  }

  public var counts: [Int64] { bins.counts }

  /// The number of recorded fractions.
  public var total: Int64 { bins.total }

  /// Returns the quantile at `probability` in 0...1, interpolated linearly between order statistics (type 7); `nil` if
  /// no fraction was recorded.
  public func quantile(_ probability: Double) -> Double? { bins.quantileSeconds(probability).map { $0 / 1_000_000 } }
}

/// An exact histogram of nonnegative integers.
public struct CountHistogram: Hashable, Sendable {
  /// The number of occurrences of n at index n; trailing zeros are neither needed nor guaranteed.
  public var counts: [Int64]

  public init(counts: [Int64] = []) { self.counts = counts }

  /// The number of recorded values.
  public var total: Int64 { counts.reduce(0, +) }

  /// The sum of all recorded values.
  public var sum: Int128 {
    counts.indices.reduce(into: Int128(0)) { sum, value in sum += Int128(value) * Int128(counts[value]) }
  }

  /// The mean; `nil` if no value was recorded.
  public var mean: Double? {
    let total = total
    return total == 0 ? nil : Double(sum) / Double(total)
  }

  /// The largest recorded value; `nil` if there is none.
  public var maximum: Int? { counts.lastIndex { $0 > 0 } }

  /// Returns the quantile at `probability` in 0...1, interpolated linearly between order statistics (type 7); `nil` if
  /// no value was recorded.
  public func quantile(_ probability: Double) -> Double? {
    OrderedValues(count: total) { Double(value(atRank: $0)) }.quantile(probability)
  }

  /// Returns the value at a rank in ascending order; ranks start at 0.
  public func value(atRank rank: Int64) -> Int {
    var seen: Int64 = 0
    for (value, count) in counts.enumerated() {
      seen += count
      if seen > rank { return value }
    }
    return max(counts.count - 1, 0)
  }
}

/// Values in ascending order, given by their count and a function that returns the n-th value, counted from 0.
package struct OrderedValues {
  let count: Int64
  let value: (_ rank: Int64) -> Double

  package init(count: Int64, value: @escaping (_ rank: Int64) -> Double) {
    self.count = count
    self.value = value
  }

  /// Returns the quantile at `probability` in 0...1, interpolated linearly between order statistics (type 7); `nil` if
  /// there are no values.
  package func quantile(_ probability: Double) -> Double? {
    guard count > 0 else { return nil }
    let position = probability * Double(count - 1)
    let rank = Int64(position.rounded(.down))
    let lower = value(rank)
    return lower + (value(min(rank + 1, count - 1)) - lower) * (position - Double(rank))
  }
}
