/// Requests per step of time, as monitoring systems keep them, without a gap.
package struct CountedLoad: Sendable {
  /// Milliseconds since 1970 at which the first step begins.
  package let start: Int64
  /// Milliseconds of a step; divides a day.
  package let step: Int64
  package let counts: [Double]
  /// Steps that the table leaves out; they have the mean of the same step of other days.
  package let missing: [Range<Int64>]

  private static let day: Int64 = 86_400_000
  /// Steps of a table: two years of minutes.
  private static let most = 2 * 366 * 1_440

  /// - Parameters:
  ///   - bins: in any order; of one instant all are summed.
  ///   - days: counted from 1, the day of the first step in UTC; nil: all.
  /// - Returns: nil without two of them, and where steps do not divide a day or are too many.
  package init?(_ bins: [(time: Int64, count: Int64)], step: Int64, days: ClosedRange<Int>? = nil) {
    guard let earliest = bins.map(\.time).min() else { return nil }
    let bins = bins.filter { bin in
      days.map { $0.contains(Int(bin.time / Self.day - earliest / Self.day) + 1) } ?? true
    }
    guard step > 0, Self.day % step == 0, bins.count > 1, let first = bins.map(\.time).min(),
      let last = bins.map(\.time).max(), (last - first) / step < Self.most
    else { return nil }
    var sums = [Double?](repeating: nil, count: Int((last - first) / step) + 1)
    for bin in bins {
      let place = Int((bin.time - first) / step)
      sums[place] = (sums[place] ?? 0) + Double(bin.count)
    }
    start = first
    self.step = step
    missing = sums.indices.filter { sums[$0] == nil }.map { place in
      first + Int64(place) * step..<first + Int64(place + 1) * step
    }
    counts = Self.filled(sums, perDay: Int(Self.day / step))
  }

  private static func filled(_ sums: [Double?], perDay: Int) -> [Double] {
    let known = sums.compactMap { $0 }
    let mean = known.reduce(0, +) / Double(known.count)
    return sums.indices.map { place in
      if let count = sums[place] { return count }
      let others = stride(from: place % perDay, to: sums.count, by: perDay).compactMap { sums[$0] }
      return others.isEmpty ? mean : others.reduce(0, +) / Double(others.count)
    }
  }

  package var span: Range<Int64> { start..<start + Int64(counts.count) * step }

  /// Requests per bin of `length` from the bin of the first step on; nil where steps do not fit into bins.
  package func counts(per length: Int64) -> (start: Int64, counts: [Double])? {
    guard length % step == 0 else { return nil }
    let first = start / length * length
    var sums = [Double](repeating: 0, count: Int((span.upperBound - first + length - 1) / length))
    for (place, count) in counts.enumerated() { sums[Int((start + Int64(place) * step - first) / length)] += count }
    return (first, sums)
  }
}
