/// How large shares of something were: exact count, and bins of a billionth that double in width from every power of two
/// on, as those of a `SpanHistogram`.
public struct ShareHistogram: Hashable, Sendable {
  public static let binCount = SpanHistogram.binCount

  /// By billionths, where a `SpanHistogram` has milliseconds.
  package var bins: SpanHistogram

  public init() { bins = SpanHistogram() }

  public init(counts: [Int64]) { bins = SpanHistogram(counts: counts, sumMilliseconds: 0) }

  @inlinable public static func bin(ofBillionths share: Int64) -> Int { SpanHistogram.bin(of: .milliseconds(share)) }

  /// The first share of a bin and its width, in billionths.
  public static func edges(ofBin bin: Int) -> (from: Int64, width: Int64) {
    let (from, width) = SpanHistogram.edges(ofBin: bin)
    return (from.milliseconds, width.milliseconds)
  }

  public var counts: [Int64] { bins.counts }

  /// How many shares were recorded.
  public var total: Int64 { bins.total }

  /// The quantile at `probability` in 0...1, linear between order statistics (type 7); nil when nothing was recorded.
  public func quantile(_ probability: Double) -> Double? { bins.quantileSeconds(probability).map { $0 / 1_000_000 } }
}
