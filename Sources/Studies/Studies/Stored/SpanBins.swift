package import SimulationKernel

/// A histogram of time spans with the bins of distribution.csv. There are 32 bins per octave, each at least 1 ms wide.
package struct SpanBins: Hashable, Sendable, Stored {
  package struct Bin: Hashable, Sendable {
    /// The bounds in milliseconds; `to` is exclusive.
    package var from: Int64
    package var to: Int64
    package var count: Int64
  }

  /// The non-empty bins, in ascending order.
  package private(set) var bins: [Bin] = []

  package init() {}

  package static var blank: SpanBins { SpanBins() }

  package mutating func visit(_ file: inout StoredFields) {
    file.field(&bins)
    file.check(
      bins.lazy.map(\.count).areCounts && zip(bins, bins.dropFirst()).allSatisfy { $0.from < $1.from },
      "bins that are not in order")
  }

  package init(_ histogram: SpanHistogram) {
    for (index, count) in histogram.counts.enumerated() where count > 0 {
      let edges = SpanHistogram.edges(ofBin: index)
      let (from, width) = Self.coarse(edges.from.milliseconds, atLeast: edges.width.milliseconds)
      add(Bin(from: from, to: from + width, count: count))
    }
  }

  package mutating func add(_ bin: Bin) {
    if let last = bins.last, last.from < bin.from { return bins.append(bin) }
    let place = bins.firstIndex { $0.from >= bin.from } ?? bins.endIndex
    if place < bins.endIndex, bins[place].from == bin.from {
      bins[place].count += bin.count
    } else {
      bins.insert(bin, at: place)
    }
  }

  package static func += (left: inout SpanBins, right: SpanBins) {
    for bin in right.bins { left.add(bin) }
  }

  package var total: Int64 { bins.reduce(0) { $0 + $1.count } }

  /// Returns the quantile of all spans in seconds, assuming a uniform distribution within each bin; `nil` if there are
  /// no spans.
  package func quantileSeconds(_ probability: Double) -> Double? {
    guard let last = bins.last else { return nil }
    var rank = probability * Double(total)
    for bin in bins {
      if rank <= Double(bin.count) {
        return (Double(bin.from) + Double(bin.to - bin.from) * max(rank, 0) / Double(bin.count)) / 1_000
      }
      rank -= Double(bin.count)
    }
    return Double(last.to) / 1_000
  }

  /// Returns, for each of the given lengths in seconds (in ascending order), the fraction of spans that are no longer.
  package func shares(upTo seconds: [Double]) -> [Double] {
    let total = Double(max(total, 1))
    var index = 0
    var below: Int64 = 0
    return seconds.map { seconds in
      let limit = seconds * 1_000
      while index < bins.count, Double(bins[index].to) <= limit {
        below += bins[index].count
        index += 1
      }
      guard index < bins.count else { return 1 }
      let inside = (limit - Double(bins[index].from)) / Double(bins[index].to - bins[index].from)
      return (Double(below) + Double(bins[index].count) * min(max(inside, 0), 1)) / total
    }
  }

  /// Returns the start and width of the coarse bin that contains an integer, such as a span in milliseconds.
  package static func coarse(_ value: Int64, atLeast width: Int64) -> (from: Int64, width: Int64) {
    let octave = Int64(63 - UInt64(max(value, 1)).leadingZeroBitCount)
    let coarse = max(width, 1 << max(octave - 5, 0))
    return (value / coarse * coarse, coarse)
  }
}
