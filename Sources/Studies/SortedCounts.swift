/// Counts in ascending order, for quantiles and load duration curves.
package struct SortedCounts: Hashable, Sendable {
  package let ascending: [Int64]

  package init(_ counts: [Int64]) { ascending = counts.sorted() }

  /// The quantile at `probability` in 0...1, linear between order statistics (type 7); nil when empty.
  package func quantile(_ probability: Double) -> Double? {
    guard let last = ascending.indices.last else { return nil }
    let position = probability * Double(last)
    let rank = Int(position.rounded(.down))
    let lower = Double(ascending[rank])
    let upper = Double(ascending[min(rank + 1, last)])
    return lower + (upper - lower) * (position - Double(rank))
  }
}
