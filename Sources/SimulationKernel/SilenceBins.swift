/// Bins for lengths of silence on a radio: of 1 ms below 128 ms, from there on 64 in every power of two.
///
/// A bin is at most 1/64 of its lower edge wide. Silences longer than any radio's tails share the last one.
public enum SilenceBins {
  /// 2^24 ms, four and a half hours, is longer than four tails of an hour each.
  public static let count = 128 + 17 * 64 + 1

  /// From here on all lengths share the last bin, in milliseconds.
  @inlinable public static var longest: Int64 { 1 << 24 }

  /// The bin of a length in milliseconds, which is not negative.
  @inlinable public static func bin(of milliseconds: Int64) -> Int {
    bin(ofShort: min(max(milliseconds, 0), longest))
  }

  /// The bin of a length from 0 to `longest`, in milliseconds.
  @inlinable @inline(__always) public static func bin(ofShort milliseconds: Int64) -> Int {
    let octave = 57 &- (milliseconds | 127).leadingZeroBitCount
    return octave &* 64 &+ Int(truncatingIfNeeded: milliseconds &>> Int64(octave))
  }

  /// The first length of a bin in milliseconds and its width; nil for the last bin.
  public static func edges(ofBin bin: Int) -> (from: Int64, width: Int64)? {
    if bin < 128 { return (Int64(bin), 1) }
    let octave = Int64((bin - 128) / 64 + 1)
    if octave > 17 { return nil }
    return (Int64(64 + (bin - 128) % 64) << octave, 1 << octave)
  }
}
