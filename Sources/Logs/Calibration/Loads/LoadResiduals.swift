/// The measured load minus the simulated load.
package struct LoadResiduals {
  package struct Part: Hashable, Sendable {
    /// The hour of the day, the weekday (Monday is 0) or the lag in hours that this part describes.
    package let number: Int
    /// The number of measured requests.
    var measured = 0.0
    /// The deviation of the measured load from the simulated load, as a fraction of the simulated requests.
    package let share: Double
    /// The half-width of the range that contains the deviation with a probability of 95 % if the deviation is random.
    package let chance: Double

    /// Whether the deviation is significant, which means that it exceeds random variation and is large enough to affect
    /// planning.
    package var isBeyond: Bool {
      share.magnitude > LoadResiduals.minimum && share.magnitude > LoadResiduals.far * chance
    }
    /// The deviation as a fraction of the measured requests.
    package var unexplained: Double { measured > 0 ? share.magnitude / (1 + share) : 0 }
    /// The half-width of the random range, as a fraction of the measured requests.
    package var chanceOfMeasured: Double { measured > 0 ? chance / (1 + share) : 0 }
  }

  /// The smallest relative deviation of a load that affects planning.
  package static let minimum = 0.05
  /// The multiple of the 95 % range above which a deviation is not considered random.
  ///
  /// In 97 of 100 logs, random deviations do not exceed 3.2 standard deviations in any of the 24 hours.
  private static let far = 1.63

  private let common: CommonSteps

  package init(_ measured: MeasuredLoad, _ load: SimulatedLoad) { common = CommonSteps(measured, load) }

  private static func hour(_ time: Int64) -> Int { Int(time / 3_600_000) }

  /// The deviations by hour of the day; `nil` if there are no simulated requests.
  package var byHour: [Part]? {
    let parts = parts(24) { $0 % 24 }
    return parts.isEmpty ? nil : parts
  }

  /// The hour of the day with the most measured requests.
  var busiestHour: Part? { byHour?.max { ($0.measured, $1.number) < ($1.measured, $0.number) } }

  /// The deviations by weekday, starting on Monday; `nil` if there are fewer than two weekdays.
  package var byWeekday: [Part]? {
    // 1 January 1970 was a Thursday.
    let parts = parts(7) { ($0 / 24 + 3) % 7 }
    return parts.count > 1 ? parts : nil
  }

  /// The deviation over the last two days of the log; `nil` if they make up more than half of it.
  var lastDays: Part? {
    guard let (first, last) = common.steps.first.flatMap({ first in common.steps.last.map { (first.time, $0.time) } }),
      last - first >= 2 * Self.twoDays
    else { return nil }
    return parts(2) { $0 > Self.hour(last - Self.twoDays) ? 1 : 0 }.first { $0.number == 1 }
  }

  private static let twoDays: Int64 = 2 * 86_400_000

  private func parts(_ count: Int, ofHour part: (Int) -> Int) -> [Part] {
    var sums = Array(repeating: (measured: 0.0, simulated: 0.0), count: count)
    for step in common.steps {
      let place = part(Self.hour(step.time))
      sums[place].measured += step.measured
      sums[place].simulated += step.simulated
    }
    return sums.enumerated().filter { $0.element.simulated > 0 }.map { place, sum in
      Part(
        number: place, measured: sum.measured, share: sum.measured / sum.simulated - 1,
        chance: 1.96 * (common.spread * sum.simulated).squareRoot() / sum.simulated)
    }
  }

  /// The minimum number of hours needed to compute correlations.
  private static let fewestHours = 48

  /// The correlations between deviations in hours that are up to a day apart; `nil` if the log has too few hours.
  package var memory: [Part]? {
    var sums: [Int: (rest: Double, expected: Double, steps: Int)] = [:]
    for step in common.steps {
      let own = sums[Self.hour(step.time)] ?? (0, 0, 0)
      sums[Self.hour(step.time)] = (
        own.rest + step.measured - step.simulated, own.expected + step.simulated, own.steps + 1
      )
    }
    let whole = sums.filter { $0.value.steps == 12 && $0.value.expected > 0 }.mapValues {
      $0.rest / $0.expected.squareRoot()
    }
    guard whole.count >= Self.fewestHours else { return nil }
    // The hours are sorted, because floating-point sums depend on the order.
    let hours = whole.keys.sorted()
    let mean = hours.reduce(0) { $0 + (whole[$1] ?? 0) } / Double(hours.count)
    let variance = hours.reduce(0) { $0 + square((whole[$1] ?? 0) - mean) }
    guard variance > 0 else { return nil }
    return (1...24).map { lag in
      let pairs = hours.compactMap { hour in whole[hour - lag].map { ((whole[hour] ?? 0) - mean, $0 - mean) } }
      let scale = Double(hours.count) / Double(max(pairs.count, 1))
      return Part(
        number: lag, share: scale * pairs.reduce(0) { $0 + $1.0 * $1.1 } / variance,
        chance: 1.96 / Double(max(pairs.count, 1)).squareRoot())
    }
  }
}

/// The deviation of the measured load in the busiest hour or the last two days, if it exceeds random variation by more
/// than 10 %.
package struct LoadMisfit: Sendable {
  package let part: LoadResiduals.Part
  /// Whether the deviation is that of the last two days rather than that of the busiest hour.
  package let isOfLastDays: Bool
  /// Whether the scenario's load deviates too much from the measured load to be used for planning.
  package let isSevere: Bool

  /// The largest deviation that causes no warning, as a fraction of the measured requests, in excess of random
  /// variation.
  private static let minimum = 0.1
  /// The largest deviation with which the scenario may still be used for planning, in the same unit as `minimum`.
  private static let maximum = 0.25

  /// Creates the larger of the two deviations; `nil` if the simulated load is close enough to the measured load in the
  /// busiest hour and the last two days.
  package init?(_ measured: MeasuredLoad, _ load: SimulatedLoad) {
    let residuals = LoadResiduals(measured, load)
    let parts = [(residuals.busiestHour, false), (residuals.lastDays, true)].compactMap { part, isLast in
      part.map { (part: $0, isLast: isLast, beyond: $0.unexplained - $0.chanceOfMeasured) }
    }
    guard let worst = parts.max(by: { $0.beyond < $1.beyond }), worst.beyond > Self.minimum else { return nil }
    (part, isOfLastDays) = (worst.part, worst.isLast)
    isSevere = worst.beyond > Self.maximum
  }
}
