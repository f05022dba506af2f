/// A histogram of response durations from 1 ms to 9 minutes. Each bin is a sixteenth of an octave wide, so quantiles
/// are accurate to 2.2 %.
package struct DurationBins: Hashable, Sendable {
  private static let perOctave = 16
  private static let octaves = 19

  private var counts = [Int64](repeating: 0, count: 1 + perOctave * octaves)

  /// - Parameter milliseconds: a non-negative duration; values beyond the last bin are counted in that bin.
  mutating func add(_ milliseconds: Int32) { counts[Self.bin(of: milliseconds)] += 1 }

  /// Returns the index of the bin for a duration; bin 0 contains durations below 1 ms.
  private static func bin(of milliseconds: Int32) -> Int {
    guard milliseconds > 0 else { return 0 }
    let octave = 31 - milliseconds.leadingZeroBitCount
    // All bins within an octave have equal width, so the bits after the leading one are the index of the sixteenth.
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

  /// Returns a quantile in milliseconds, assuming a uniform distribution within its bin; `nil` if nothing was counted.
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

/// The distribution of timestamps over the seconds of a minute and the minutes of an hour, and their resolution.
package struct ClockDigits: Hashable, Sendable {
  package private(set) var seconds = [Int64](repeating: 0, count: 60)
  package private(set) var minutes = [Int64](repeating: 0, count: 60)
  /// The number of timestamps with fractional seconds both before and after the response time is subtracted.
  /// Subtraction applies only to lines that were written after the response.
  package private(set) var fractions: Int64 = 0
  package private(set) var total: Int64 = 0

  @inline(__always)
  mutating func add(_ time: Int64, duration: Int32 = -1) {
    let (second, fraction) = time.quotientAndRemainder(dividingBy: 1_000)
    let (minute, secondOfMinute) = second.quotientAndRemainder(dividingBy: 60)
    seconds[Int(secondOfMinute)] += 1
    minutes[Int(minute % 60)] += 1
    if fraction != 0, duration < 0 || (time + Int64(duration)) % 1_000 != 0 { fractions += 1 }
    total += 1
  }

  mutating func merge(_ other: Self) {
    for index in 0..<60 {
      seconds[index] += other.seconds[index]
      minutes[index] += other.minutes[index]
    }
    fractions += other.fractions
    total += other.total
  }

  /// The resolution of the timestamps in milliseconds: 1, 1 000 or 60 000.
  package var resolution: Int64 {
    if fractions > 0 { return 1 }
    return total > 0 && seconds[0] == total ? 60_000 : 1_000
  }

  /// The minimum number of timestamps needed to draw conclusions about a clock.
  private static let minimum: Int64 = 100

  /// The minute of the hour that all timestamps share, if this indicates a defective clock or format; `nil` otherwise.
  ///
  /// Widgets that run at full or quarter hours may leave all other minutes empty. Any other shared minute indicates an
  /// error, such as a format with `%m` (month) instead of `%M`.
  package var stuckMinute: Int? { Self.only(minutes, of: total, apartFrom: 15) }

  /// The second of the minute that all timestamps share, if this indicates a defective clock or format. It is `nil`
  /// otherwise, including for whole-minute timestamps.
  package var stuckSecond: Int? { Self.only(seconds, of: total, apartFrom: 60) }

  private static func only(_ counts: [Int64], of total: Int64, apartFrom natural: Int) -> Int? {
    guard total >= minimum, let digit = counts.firstIndex(of: total), digit % natural != 0 else { return nil }
    return digit
  }
}

extension LogCensus {
  /// The median duration of a response in seconds; `nil` if the log has no durations.
  package var medianDuration: Double? {
    paths.durations.map(\.value).reduce(DurationBins()) { $0.merged(with: $1) }.quantile(0.5).map { $0 / 1_000 }
  }
}
