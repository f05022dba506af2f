/// How long answers took: bins of a sixteenth of an octave from 1 ms to 9 minutes, so that a quantile is right to 2.2 %.
package struct DurationBins: Hashable, Sendable {
  private static let perOctave = 16
  private static let octaves = 19

  private var counts = [Int64](repeating: 0, count: 1 + perOctave * octaves)

  package init() {}

  /// - Parameter milliseconds: from 0; what is longer than the last bin counts as that.
  mutating func add(_ milliseconds: Int32) { counts[Self.bin(of: milliseconds)] += 1 }

  /// The bin of a span: bin 0 has what is below a millisecond.
  private static func bin(of milliseconds: Int32) -> Int {
    guard milliseconds > 0 else { return 0 }
    let octave = 31 - milliseconds.leadingZeroBitCount
    // Within an octave bins are equally wide: the sixteenth of it that follows the leading bit.
    let within = ((Int(milliseconds) - (1 << octave)) * perOctave) >> octave
    return min(1 + octave * perOctave + within, counts - 1)
  }

  private static var counts: Int { 1 + perOctave * octaves }

  package func merged(with other: Self) -> Self {
    var sum = self
    for bin in counts.indices { sum.counts[bin] += other.counts[bin] }
    return sum
  }

  package var total: Int64 { counts.reduce(0, +) }

  /// The quantile at a probability in milliseconds, spread evenly within its bin; nil: nothing was counted.
  package func quantile(_ probability: Double) -> Double? {
    let wanted = probability * Double(total)
    guard total > 0 else { return nil }
    var before = 0.0
    for (bin, count) in counts.enumerated() where count > 0 {
      if before + Double(count) >= wanted {
        let (low, width) = Self.edges(of: bin)
        return low + width * max(0, wanted - before) / Double(count)
      }
      before += Double(count)
    }
    return Self.edges(of: counts.count - 1).low
  }

  private static func edges(of bin: Int) -> (low: Double, width: Double) {
    guard bin > 0 else { return (0, 1) }
    let (octave, within) = (bin - 1).quotientAndRemainder(dividingBy: perOctave)
    let base = Double(1 << octave)
    return (base + base * Double(within) / Double(perOctave), base / Double(perOctave))
  }
}
