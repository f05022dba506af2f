/// How often each second of the minute, minute of the hour and hour of the day occurs in the stamps, and how fine they are.
package struct ClockDigits: Hashable, Sendable {
  package private(set) var seconds = [Int64](repeating: 0, count: 60)
  package private(set) var minutes = [Int64](repeating: 0, count: 60)
  /// Stamps that are no whole seconds: neither as they are nor with the answer's duration, which was taken away from the
  /// stamp of a line that was written after it.
  package private(set) var fractions: Int64 = 0
  package private(set) var total: Int64 = 0

  package init() {}

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

  /// Milliseconds of the stamps' last digit: 1, 1 000 or 60 000.
  package var resolution: Int64 {
    if fractions > 0 { return 1 }
    return total > 0 && seconds[0] == total ? 60_000 : 1_000
  }

  /// Fewer stamps say nothing about a clock.
  private static let least: Int64 = 100

  /// The only minute of the hour that occurs, where no clock can have written that; nil: all is well.
  ///
  /// Widgets that ask at a full or quarter hour may leave all other minutes empty. Any other minute that stands alone is
  /// another number in its place: the month, where a format says `%m` for `%M`.
  package var stuckMinute: Int? { Self.only(minutes, of: total, apartFrom: 15) }

  /// The only second of the minute that occurs, where no clock can have written that; nil: all is well, as with stamps
  /// of whole minutes.
  package var stuckSecond: Int? { Self.only(seconds, of: total, apartFrom: 60) }

  private static func only(_ counts: [Int64], of total: Int64, apartFrom natural: Int) -> Int? {
    guard total >= least, let digit = counts.firstIndex(of: total), digit % natural != 0 else { return nil }
    return digit
  }
}
