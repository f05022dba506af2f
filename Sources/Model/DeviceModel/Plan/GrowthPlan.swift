package import SimulationKernel

/// When the phones of a cohort come or go, one after the other, so that there are N (1 + g)^t of them t days after the
/// start of the clock (MODEL.md 1.5).
package struct GrowthPlan: BitwiseCopyable, Sendable {
  /// Phones at the start of the clock; they have the first numbers of the cohort.
  package let atStart: Int
  /// Phones that are there at any time of the measured period.
  package let all: Int
  /// ln(1 + g), not 0.
  private let logarithm: Double
  /// From one number to the next the rank rises by so many, around all ranks.
  private let stride: UInt64

  /// - Parameters:
  ///   - logarithm: ln(1 + g) of the growth g of a day.
  ///   - duration: of the measured period.
  /// - Returns: nil where nobody comes or goes.
  package init?(atStart: Int, logarithm: Double, duration: TimeAmount) {
    guard atStart > 0, logarithm != 0 else { return nil }
    self.atStart = atStart
    self.logarithm = logarithm
    let days = duration.seconds / TimeAmount.day.seconds
    let most = Double(atStart) * SteadyMath.exp(max(logarithm, 0) * days)
    // A hair above a whole number is that number.
    all = max(Int((most - 1e-6).rounded(.up)), atStart)
    stride = Self.stride(of: logarithm > 0 ? all - atStart : atStart)
  }

  /// Whether phones come; else they go.
  private var grows: Bool { logarithm > 0 }

  /// When a phone is there.
  ///
  /// - Parameters:
  ///   - place: its number within its cohort.
  ///   - stream: its random numbers.
  ///   - end: of the clock.
  package func life(of place: Int, _ stream: DeviceStream, until end: Instant) -> PhoneLife {
    if grows, place < atStart { return PhoneLife(end: end) }
    let uniform = stream.block(.life).first
    let count = UInt64(grows ? all - atStart : atStart)
    let rank = Double(UInt64(grows ? place - atStart : place) % count * stride % count)
    let moved = rank + Double(uniform >> 11) / 9_007_199_254_740_992
    let share = (Double(atStart) + (grows ? moved : -moved)) / Double(atStart)
    let days = min(SteadyMath.log(share) / logarithm, Self.mostDays)
    let instant = Instant.start + .milliseconds(Int64(days * Double(TimeAmount.day.milliseconds)))
    return grows ? PhoneLife(from: instant, end: end) : PhoneLife(end: min(instant, end))
  }

  /// Longer than any clock.
  private static let mostDays = 1e6

  /// A number without a factor in common with `count`, near its golden section: numbers that follow each other have
  /// ranks that lie evenly among all.
  private static func stride(of count: Int) -> UInt64 {
    guard count > 1 else { return 1 }
    var stride = UInt64(Double(count) * 0.618_033_988_749_894_9)
    while divisor(stride, UInt64(count)) > 1 { stride += 1 }
    return stride
  }

  /// The greatest common divisor.
  private static func divisor(_ left: UInt64, _ right: UInt64) -> UInt64 {
    right == 0 ? left : divisor(right, left % right)
  }
}

/// The time within the clock in which a phone has its widgets.
package struct PhoneLife: BitwiseCopyable, Hashable, Sendable {
  /// When its widgets are placed; `.longAgo`: as those of the beginning of the world.
  package var from: Instant = .longAgo
  /// The first instant after it.
  package var end: Instant

  package init(from: Instant = .longAgo, end: Instant) {
    self.from = from
    self.end = end
  }

  /// Its part of a span from one day after the start of the clock to another.
  func measured(fromDay first: Int64, to last: Int64) -> TimeAmount {
    measured(from: .start + TimeAmount.day * first, to: .start + TimeAmount.day * last)
  }

  /// Its part of the measured period.
  package func measured(_ duration: TimeAmount) -> TimeAmount { measured(from: .start, to: .start + duration) }

  private func measured(from: Instant, to: Instant) -> TimeAmount {
    max(min(end, to) - max(self.from, from), .zero)
  }

  /// Whole days of the measured period, 24 h each, in which it is there from beginning to end.
  func wholeDays(_ duration: TimeAmount) -> Int64 {
    let day = TimeAmount.day.milliseconds
    let first = max(from, .start).millisecondsSinceStart
    let last = min(end, .start + duration).millisecondsSinceStart
    return max(last / day - (first + day - 1) / day, 0)
  }
}
