/// How often each whole number from 0 up was seen, exactly.
public struct CountHistogram: Hashable, Sendable {
  /// Element n: how often n was seen; no trailing zeros are needed or promised.
  public var counts: [Int64]

  public init(counts: [Int64] = []) { self.counts = counts }

  /// How many values were recorded.
  public var total: Int64 { counts.reduce(0, +) }

  /// The sum of all recorded values.
  public var sum: Int128 {
    counts.indices.reduce(into: Int128(0)) { sum, value in sum += Int128(value) * Int128(counts[value]) }
  }

  /// The mean; nil when nothing was recorded.
  public var mean: Double? {
    let total = total
    return total == 0 ? nil : Double(sum) / Double(total)
  }

  /// The largest value seen; nil when nothing was recorded.
  public var maximum: Int? { counts.lastIndex { $0 > 0 } }

  /// The quantile at `probability` in 0...1, linear between order statistics (type 7); nil when nothing was recorded.
  public func quantile(_ probability: Double) -> Double? {
    OrderedValues(count: total) { Double(value(atRank: $0)) }.quantile(probability)
  }

  /// The value of the order statistic `rank`, counted from 0.
  private func value(atRank rank: Int64) -> Int {
    var seen: Int64 = 0
    for (value, count) in counts.enumerated() {
      seen += count
      if seen > rank { return value }
    }
    return max(counts.count - 1, 0)
  }
}
