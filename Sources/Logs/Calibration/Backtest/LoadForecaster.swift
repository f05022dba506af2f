package import Numerics
internal import SimulationKernel

/// A day in a backtest, with its measured and simulated load.
package struct BacktestDay: Hashable, Sendable {
  /// The number of the day, where 1 is the day of the log's first line.
  package let number: Int
  /// The number of requests in each step; `nil` where the log is incomplete.
  package let measured: [Double?]
  /// The mean simulated load of each step.
  package let expected: [Double]

  package init(number: Int, measured: [Double?], expected: [Double]) {
    (self.number, self.measured, self.expected) = (number, measured, expected)
  }

  /// The step with the most measured requests, and the number of these requests; if several steps tie, the first one.
  package var peak: (step: Int, count: Double)? { Self.peak(measured) }

  /// The step with the most expected requests, and the expected number of these requests; if several steps tie, the
  /// first one.
  var expectedPeak: (step: Int, count: Double)? { Self.peak(expected.map { $0 }) }

  private static func peak(_ load: [Double?]) -> (step: Int, count: Double)? {
    load.enumerated().reduce(nil) { best, step in
      guard let count = step.element, count > best?.count ?? -1 else { return best }
      return (step.offset, count)
    }
  }

  /// The ratio of measured to expected load over known steps; `nil` if there are none.
  var ratio: Double? {
    let known = measured.indices.filter { measured[$0] != nil }
    let (came, expected) = known.reduce(into: (0.0, 0.0)) { sums, step in
      sums.0 += measured[step] ?? 0
      sums.1 += self.expected[step]
    }
    return came > 0 && expected > 0 ? came / expected : nil
  }

  /// The ratio of the measured peak to the expected peak; `nil` if the measured peak may lie in an unknown step.
  var peakRatio: Double? {
    guard !measured.contains(nil), let peak, let expectedPeak, peak.count > 0, expectedPeak.count > 0 else {
      return nil
    }
    return peak.count / expectedPeak.count
  }
}

/// A range that contains a value with a given probability.
package struct Band: Hashable, Sendable {
  package let low: Double
  package let high: Double

  package func holds(_ value: Double) -> Bool { low <= value && value <= high }
}

/// A forecaster based on a simulation and measured training days.
///
/// The load of a day is the simulated load times a factor common to the whole day. Requests arrive in
/// Poisson-distributed clumps.
package struct LoadForecaster: Sendable {
  package let factor: DayFactor
  /// The ratio of a day's measured peak to its simulated peak. A ratio above 1 is normal, because the maximum of many
  /// random counts exceeds the maximum of their means.
  package let peakFactor: DayFactor?
  /// The factor, at least 1, that widens the model's bands so that they contain 90 % of the training days' steps. It is
  /// computed by forecasting each training day from the others.
  package let inflation: Double
  /// The variance-to-mean ratio of a step's count, including the simulation's own randomness.
  let spread: Double

  /// The probability that a value lies within its band.
  package static let level = 0.9
  /// The probability of the load quantile that a capacity plan must cover.
  package static let highLevel = 0.999
  private static let upper = (1 + level) / 2

  /// - Parameters:
  ///   - days: the training days.
  ///   - spread: the variance-to-mean ratio of a step's count, including the simulation's own randomness.
  /// - Returns: `nil` if there is no measured load.
  package init?(_ days: [BacktestDay], spread: Double) throws(NumericsError) {
    guard let factor = DayFactor(days.compactMap(\.ratio)) else { return nil }
    self.factor = factor
    peakFactor = DayFactor(days.compactMap(\.peakRatio))
    self.spread = spread
    inflation = try Self.inflation(days, factor, spread)
  }

  /// Returns the conformal quantile of the errors when each training day is forecast from the others. Errors are in
  /// units of the bands' half-widths.
  ///
  /// For n errors, it is the ceil((n + 1) 0.9)-th smallest error (Vovk, Gammerman and Shafer 2005) or 1, whichever is
  /// larger.
  private static func inflation(
    _ days: [BacktestDay], _ factor: DayFactor, _ spread: Double
  ) throws(NumericsError) -> Double {
    guard factor.days > 1 else { return 1 }
    let width = try Width(factor, spread, probability: upper)
    var distances: [Double] = []
    for day in days {
      guard let others = DayFactor(days.filter { $0.number != day.number }.compactMap(\.ratio)) else { continue }
      for (measured, expected) in zip(day.measured, day.expected) where expected > 0 {
        guard let measured else { continue }
        distances.append(abs(measured - others.middle * expected) / width.half(expected))
      }
    }
    guard !distances.isEmpty else { return 1 }
    distances.sort()
    let place = Int((Double(distances.count + 1) * level).rounded(.up))
    return max(1, distances[min(place, distances.count) - 1])
  }

  /// The components of the half-width of a step's band, before inflation.
  private struct Width {
    let reach: Double
    let normal: Double
    let middle: Double
    let spread: Double

    init(_ factor: DayFactor, _ spread: Double, probability: Double) throws(NumericsError) {
      reach = try factor.reach(probability)
      // With practically infinite degrees of freedom, Student's t distribution is normal.
      normal = try StudentDistribution.quantile(probability, freedom: 1e9)
      middle = factor.middle
      self.spread = spread
    }

    func half(_ expected: Double) -> Double {
      let mean = middle * expected
      return (reach * reach * mean * mean + normal * normal * spread * mean).squareRoot()
    }
  }

  package func predicted(_ expected: [Double]) -> [Double] { expected.map { factor.middle * $0 } }

  /// Returns the 90 % band of each step; `nil` if there are fewer than two training days.
  package func bands(_ expected: [Double]) throws(NumericsError) -> [Band]? {
    guard factor.days > 1 else { return nil }
    let width = try Width(factor, spread, probability: Self.upper)
    return expected.map { expected in
      let half = inflation * width.half(expected)
      return Band(low: max(0, factor.middle * expected - half), high: factor.middle * expected + half)
    }
  }

  /// Returns the load that each step exceeds with a probability of 0.1 %; `nil` if there are fewer than two training
  /// days.
  package func highQuantile(_ expected: [Double]) throws(NumericsError) -> [Double]? {
    guard factor.days > 1 else { return nil }
    let width = try Width(factor, spread, probability: Self.highLevel)
    return expected.map { factor.middle * $0 + inflation * width.half($0) }
  }

  /// Returns the forecast peak of a day and its 90 % band; `nil` if no training day is complete. The band requires two
  /// complete training days.
  package func peak(_ day: BacktestDay) throws(NumericsError) -> (step: Int, count: Double, band: Band?)? {
    guard let peak = day.expectedPeak, let peakFactor else { return nil }
    guard peakFactor.days > 1 else { return (peak.step, peak.count * peakFactor.middle, nil) }
    let band = Band(
      low: peak.count * (try peakFactor.quantile(1 - Self.upper)),
      high: peak.count * (try peakFactor.quantile(Self.upper)))
    return (peak.step, peak.count * peakFactor.middle, band)
  }
}

/// A factor common to all loads of a day, estimated from past days; its logarithm is normally distributed.
package struct DayFactor: Hashable, Sendable {
  /// The number of days on which the estimate is based.
  package let days: Int
  /// The median of the daily factor.
  package let middle: Double
  /// The standard deviation of the daily factor's logarithm; 0 for a single day.
  package let deviation: Double

  /// - Parameter ratios: positive ratios of measured to expected load, one per day.
  /// - Returns: `nil` if there are no days.
  package init?(_ ratios: [Double]) {
    guard !ratios.isEmpty, ratios.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
    let logs = ratios.map(SteadyMath.log)
    let mean = logs.reduce(0, +) / Double(logs.count)
    let squares = logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    days = ratios.count
    middle = SteadyMath.exp(mean)
    deviation = days > 1 ? (squares / Double(days - 1)).squareRoot() : 0
  }

  /// Returns the distance from the median to a quantile of a future day's log factor. The distribution is Student's t,
  /// whose degrees of freedom follow from the number of days, because the median is also estimated from these days.
  ///
  /// - Parameter probability: the probability that the factor is smaller than the quantile, above 1/2 and below 1.
  /// - Returns: infinity for a single day.
  package func reach(_ probability: Double) throws(NumericsError) -> Double {
    guard days > 1 else { return .infinity }
    let student = try StudentDistribution.quantile(probability, freedom: Double(days - 1))
    return student * deviation * (1 + 1 / Double(days)).squareRoot()
  }

  /// Returns the quantile of a future day's factor for a probability.
  package func quantile(_ probability: Double) throws(NumericsError) -> Double {
    probability < 0.5
      ? middle * SteadyMath.exp(-(try reach(1 - probability))) : middle * SteadyMath.exp(try reach(probability))
  }
}

/// A model-free forecast that uses only the training days.
package enum NaiveForecast: String, CaseIterable, Sendable {
  /// The load of the last training day.
  case yesterday
  /// The load of the most recent training day that precedes the forecast day by a whole number of weeks.
  case lastWeek
  /// The mean load of each step over all training days.
  case meanDay

  /// - Parameters:
  ///   - number: the number of the day to forecast.
  ///   - days: the training days, all of which precede the day to forecast.
  /// - Returns: the load of each step; `nil` for a step whose load is unknown.
  package func load(ofDay number: Int, from days: [BacktestDay], steps: Int) -> [Double?] {
    let chosen: [BacktestDay]
    switch self {
    case .yesterday: chosen = days.max { $0.number < $1.number }.map { [$0] } ?? []
    case .lastWeek:
      chosen = days.filter { (number - $0.number) % 7 == 0 }.max { $0.number < $1.number }.map { [$0] } ?? []
    case .meanDay: chosen = days
    }
    return (0..<steps).map { step in
      let known = chosen.compactMap { $0.measured.indices.contains(step) ? $0.measured[step] : nil }
      return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    }
  }
}
