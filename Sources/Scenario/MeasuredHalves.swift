package import SimulationKernel

/// The first and the second half of the whole days of a measured period, by which drift is told (MODEL.md 8).
package struct MeasuredHalves: Hashable, Sendable {
  /// Whole days in either half; 0: the period is too short to be compared with itself.
  package let days: Int64
  private let whole: Int64

  /// - Parameter duration: of the measured period; of an odd number of days the middle one is in neither half.
  package init(of duration: TimeAmount) {
    whole = duration.milliseconds / TimeAmount.day.milliseconds
    days = whole / 2
  }

  /// 0 or 1; nil before, between and after the halves.
  package func half(at now: Instant) -> Int? {
    let day = (now - .start).milliseconds.floorDivided(by: TimeAmount.day.milliseconds)
    if (0..<days).contains(day) { return 0 }
    return (whole - days..<whole).contains(day) ? 1 : nil
  }

  /// The days of either half, from 0.
  package var ranges: [Range<Int64>] { [0..<days, whole - days..<whole] }

  /// The time steps of either half.
  package func steps(of step: TimeAmount) -> (first: Range<Int>, second: Range<Int>) {
    func index(_ day: Int64) -> Int { Int(day * TimeAmount.day.milliseconds / step.milliseconds) }
    return (0..<index(days), index(whole - days)..<index(whole))
  }
}
