internal import RequestStatistics
internal import SimulationKernel

/// Evidence on the number of phones that send requests.
package struct DeviceEvidence: Sendable {
  /// The number of phones in the fleet, including those that have not been seen yet or were not sampled.
  package var devices: Estimate
  /// The number of distinct phones in the sample.
  package var seen: Int
  /// The number of phones with requests on each day of the log.
  package var byDay: [Int]
  /// The number of phones by the number of days on which they were seen, starting with one day.
  package var byDaysSeen: [Int]
  /// The relative daily growth of the fleet, estimated from the log-linear trend in the number of phones per day.
  package var growth: Estimate

  /// - Parameter history: the wakes of all kinds.
  init(_ history: WakeHistory) {
    let days = Int(min(max((history.span.upperBound - history.span.lowerBound) / 86_400_000, 1), 400))
    var byDay = Array(repeating: 0, count: days)
    var byDaysSeen = byDay
    for phone in history.phones {
      var (last, own) = (-1, 0)
      for wake in history.wakes[phone.wakes] {
        let day = min(Int((wake.time - history.span.lowerBound) / 86_400_000), days - 1)
        guard day > last else { continue }
        byDay[day] += 1
        own += 1
        last = day
      }
      if own > 0 { byDaysSeen[own - 1] += 1 }
    }
    seen = byDaysSeen.reduce(0, +)
    self.byDay = byDay
    self.byDaysSeen = byDaysSeen
    growth = Self.growth(byDay)
    devices = Self.devices(byDaysSeen, share: history.share, growth: growth)
  }

  /// Returns Chao's (1987) lower bound for the number of phones with varying request rates, over k days.
  ///
  /// The bound is seen + (k - 1) / k f1 (f1 - 1) / 2 (f2 + 1), where f1 phones were seen on one day and f2 on two days.
  private static func devices(_ byDaysSeen: [Int], share: Double, growth: Estimate) -> Estimate {
    let seen = Double(byDaysSeen.reduce(0, +))
    guard seen > 0 else { return .unknown(.tooFewObservations) }
    let days = Double(byDaysSeen.count)
    let once = Double(byDaysSeen[0])
    let twice = byDaysSeen.count > 1 ? Double(byDaysSeen[1]) : 0
    let part = (days - 1) / days
    let hidden = part * once * (once - 1) / (2 * (twice + 1))
    // The variance of the bias-corrected form (Chao 2005, "Species estimation and applications", equation 6).
    let pairs = twice + 1
    let variance =
      part * once * (once - 1) / (2 * pairs) + part * part * once * square(2 * once - 1) / (4 * square(pairs))
      + part * part * square(once) * twice * square(once - 1) / (4 * square(square(pairs)))
    return interval(seen: seen, hidden: hidden, variance: variance, share: share, growth: growth, days: days)
  }

  /// Returns a log-normal interval above the number of phones seen (Chao 1987), including the sample's binomial error.
  private static func interval(
    seen: Double, hidden: Double, variance: Double, share: Double, growth: Estimate, days: Double
  ) -> Estimate {
    let value = (seen + hidden) / share
    let factor =
      hidden > 0 ? SteadyMath.exp(1.96 * SteadyMath.log(1 + variance / square(hidden)).squareRoot()) : 1
    let sampling = 1.96 * (seen * (1 - share)).squareRoot() / share
    let low = value - ((seen + hidden / factor) / share - value).magnitude.hypotenuse(sampling)
    let high = value + ((seen + hidden * factor) / share - value).magnitude.hypotenuse(sampling)
    guard days >= 2 else {
      return Estimate(value, low: low, verdict: .oneSided, count: Int(seen), reason: .tooFewDays)
    }
    let moves = growth.verdict == .identified || growth.verdict == .weakly ? abs(growth.value ?? 0) * days : 0
    let plain = Estimate.judged(value, max(low, seen)...high, count: Int(seen))
    return moves > Self.maxGrowth && hidden > 0.01 * seen ? plain.limited(to: .weakly, .changingPopulation) : plain
  }

  /// The maximum tolerated growth of the fleet during the log, as a fraction. With more growth, too many of the phones
  /// did not yet exist when the log started.
  private static let maxGrowth = 0.1

  /// Returns the slope of log(phones per day), with an interval based on Student's t distribution.
  private static func growth(_ byDay: [Int]) -> Estimate {
    let days = Double(byDay.count)
    guard byDay.count >= CrossedSums.fewestDays, !byDay.contains(0) else {
      return .unknown(.tooFewDays, count: byDay.count)
    }
    let logs = byDay.map { SteadyMath.log(Double($0)) }
    let (middle, mean) = ((days - 1) / 2, logs.reduce(0, +) / days)
    let squares = days * (days * days - 1) / 12
    let slope = logs.enumerated().reduce(0) { $0 + (Double($1.offset) - middle) * $1.element } / squares
    let rest = logs.enumerated().reduce(0) {
      $0 + square($1.element - mean - slope * (Double($1.offset) - middle))
    }
    let half = StudentTable.upper(freedom: days - 2) * (rest / max(days - 2, 1) / squares).squareRoot()
    // The precision of the growth is judged relative to 1 % per day.
    return .judged(slope, slope - half...slope + half, scale: 0.01, count: byDay.count)
  }
}

extension Double {
  /// Returns the hypotenuse of a right triangle.
  func hypotenuse(_ other: Double) -> Double { (self * self + other * other).squareRoot() }
}
