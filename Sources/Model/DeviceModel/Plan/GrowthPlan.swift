package import SimulationKernel

/// The gradual addition or removal of a cohort's phones. After t days, there are N (1 + g)^t phones (MODEL.md 1.5).
package struct GrowthPlan: BitwiseCopyable, Sendable {
  /// The number of phones when the clock starts; these phones have the lowest numbers in the cohort.
  package let atStart: Int
  /// The number of phones that exist at any time in the measured period.
  package let all: Int
  /// The logarithm ln(1 + g), which is not 0.
  private let logarithm: Double
  /// The increase in rank from one phone number to the next, modulo the number of ranks.
  private let stride: UInt64

  /// Creates the plan; returns `nil` if no phone is ever added or removed.
  ///
  /// - Parameters:
  ///   - logarithm: ln(1 + g), where g is the daily growth.
  ///   - duration: the length of the measured period.
  package init?(atStart: Int, logarithm: Double, duration: TimeAmount) {
    guard atStart > 0, logarithm != 0 else { return nil }
    self.atStart = atStart
    self.logarithm = logarithm
    let days = duration.seconds / TimeAmount.day.seconds
    let maximum = Double(atStart) * SteadyMath.exp(max(logarithm, 0) * days)
    // The tolerance handles results that are just above an integer because of rounding errors.
    all = max(Int((maximum - 1e-6).rounded(.up)), atStart)
    stride = Self.stride(of: logarithm > 0 ? all - atStart : atStart)
  }

  /// Whether phones are added (`true`) or removed (`false`).
  private var grows: Bool { logarithm > 0 }

  /// Returns the lifetime of a phone.
  ///
  /// - Parameters:
  ///   - place: the phone's number within its cohort.
  ///   - stream: the phone's stream of random numbers.
  ///   - end: the end of the clock.
  package func life(of place: Int, _ stream: DeviceStream, until end: Instant) -> PhoneLifetime {
    if grows, place < atStart { return PhoneLifetime(end: end) }
    let uniform = stream.block(.life).first
    let count = UInt64(grows ? all - atStart : atStart)
    let rank = Double(UInt64(grows ? place - atStart : place) % count * stride % count)
    let moved = rank + Double(uniform >> 11) / 9_007_199_254_740_992
    let share = (Double(atStart) + (grows ? moved : -moved)) / Double(atStart)
    let days = min(SteadyMath.log(share) / logarithm, Self.maxDays)
    let instant = Instant.start + .milliseconds(Int64(days * Double(TimeAmount.day.milliseconds)))
    return grows ? PhoneLifetime(from: instant, end: end) : PhoneLifetime(end: min(instant, end))
  }

  /// The maximum number of days, which is larger than the length of any clock.
  private static let maxDays = 1e6

  /// Returns a number that is coprime to `count` and close to its golden section. Used as an increment, it spreads the
  /// ranks of consecutive phone numbers evenly.
  private static func stride(of count: Int) -> UInt64 {
    guard count > 1 else { return 1 }
    var stride = UInt64(Double(count) * 0.618_033_988_749_894_9)
    while divisor(stride, UInt64(count)) > 1 { stride += 1 }
    return stride
  }

  /// Returns the greatest common divisor of two numbers.
  private static func divisor(_ left: UInt64, _ right: UInt64) -> UInt64 {
    right == 0 ? left : divisor(right, left % right)
  }
}

/// The time span within the clock during which a phone has the app's widgets.
package struct PhoneLifetime: BitwiseCopyable, Hashable, Sendable {
  /// The time at which the phone's widgets are placed; `.longAgo` if they are placed when the simulation starts.
  package var from: Instant = .longAgo
  /// The first instant after the lifetime has ended.
  package var end: Instant

  package init(from: Instant = .longAgo, end: Instant) {
    self.from = from
    self.end = end
  }

  /// Returns how long the phone exists between the starts of two days, counted from when the clock starts.
  func measured(fromDay first: Int64, to last: Int64) -> TimeAmount {
    measured(from: .start + TimeAmount.day * first, to: .start + TimeAmount.day * last)
  }

  /// Returns how long the phone exists within the measured period.
  package func measured(_ duration: TimeAmount) -> TimeAmount { measured(from: .start, to: .start + duration) }

  private func measured(from: Instant, to: Instant) -> TimeAmount {
    max(min(end, to) - max(self.from, from), .zero)
  }

  /// Returns the number of days of the measured period during which the phone exists for all 24 hours.
  func wholeDays(_ duration: TimeAmount) -> Int64 {
    let day = TimeAmount.day.milliseconds
    let first = max(from, .start).millisecondsSinceStart
    let last = min(end, .start + duration).millisecondsSinceStart
    return max(last / day - (first + day - 1) / day, 0)
  }
}
