/// Bins of balances, from -1 run on: of a hundredth of a run up to 0.28, from there on at most 1/64 of what is above -1.
///
/// Counted in hundredths of a run above -1: bins of one below 128, from there on 64 in every power of two.
package enum BalanceBins {
  package static let count = 128 + 17 * 64 + 1

  /// From here on all balances share the last bin, in hundredths of a run above -1.
  private static let longest: Int64 = 1 << 24

  package static func bin(of balance: RunMillionths) -> Int {
    let hundredths = min(max((balance.count + 1_000_000) / 10_000, 0), longest)
    let octave = 57 &- (hundredths | 127).leadingZeroBitCount
    return octave &* 64 &+ Int(truncatingIfNeeded: hundredths &>> Int64(octave))
  }

  /// The first balance of a bin, in runs, and the bin's width; the last one has none.
  package static func edges(ofBin bin: Int) -> (from: Double, width: Double) {
    if bin < 128 { return (Double(bin) / 100 - 1, 0.01) }
    let octave = Int64((bin - 128) / 64 + 1)
    if octave > 17 { return (Double(longest) / 100 - 1, 0) }
    return (Double(Int64(64 + (bin - 128) % 64) << octave) / 100 - 1, Double(1 << octave) / 100)
  }
}
