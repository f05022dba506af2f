package import Numerics

/// A day that was forecast from days before it, and what came.
package struct ForecastDay: Sendable {
  package let day: BacktestDay
  package let predicted: [Double]
  /// nil with less than two training days.
  package let bands: [Band]?
  package let highQuantile: [Double]?
  /// nil where no training day was whole.
  package let peak: Peak?
  private let naive: [NaiveForecast: [Double?]]

  package struct Peak: Sendable {
    package let step: Int
    package let count: Double
    package let band: Band?
  }

  /// - Parameters:
  ///   - day: after all days of `training`.
  ///   - training: one at least, in order.
  ///   - forecaster: made from `training`.
  package init(
    _ day: BacktestDay, training: [BacktestDay], _ forecaster: LoadForecaster
  ) throws(NumericsError) {
    self.day = day
    predicted = forecaster.predicted(day.expected)
    bands = try forecaster.bands(day.expected)
    highQuantile = try forecaster.highQuantile(day.expected)
    peak = try forecaster.peak(day).map { Peak(step: $0.step, count: $0.count, band: $0.band) }
    naive = Dictionary(
      uniqueKeysWithValues: NaiveForecast.allCases.map { forecast in
        (forecast, forecast.load(ofDay: day.number, from: training, steps: day.expected.count))
      })
  }

  package func load(_ forecast: NaiveForecast) -> [Double?] { naive[forecast] ?? [] }
}

/// How good forecasts of some days were, all their steps together.
package struct BacktestScores: Sendable {
  /// Errors per step and per hour, each with what chance alone makes of it.
  package let perStep: Double?
  package let perStepFloor: Double?
  package let perHour: Double?
  package let perHourFloor: Double?
  /// Where at least `ForecastError.leastExpected` requests were expected in a step.
  package let percentage: Double?
  package let percentageFloor: Double?
  /// What was forecast in all over what came in all, less 1.
  package let total: Double?
  /// Forecast peaks over those that came, by day with both.
  package let peakRatios: [Double]
  /// Steps, and peaks of days, in their 90 % bands; nil without any.
  package let covered: CountedShare?
  package let coveredPeaks: CountedShare?
  /// The loss of the quantile that 999 of 1 000 steps hold, over the mean of what came.
  package let pinball: Double?
  private let naive: [NaiveForecast: (error: Double?, skill: Double?)]

  /// - Parameters:
  ///   - days: one or more.
  ///   - clump: requests that come together.
  ///   - stepsPerHour: one or more.
  package init(_ days: [ForecastDay], clump: Double, stepsPerHour: Int) throws(NumericsError) {
    let measured = days.flatMap(\.day.measured)
    let predicted: [Double?] = days.flatMap { $0.predicted.map { $0 } }
    let (hours, predictedHours) = (
      ForecastError.sums(measured, of: stepsPerHour), ForecastError.sums(predicted, of: stepsPerHour)
    )
    perStep = ForecastError.weighted(measured, predicted)
    perStepFloor = ForecastError.weightedFloor(measured, predicted, clump: clump)
    perHour = ForecastError.weighted(hours, predictedHours)
    perHourFloor = ForecastError.weightedFloor(hours, predictedHours, clump: clump)
    percentage = ForecastError.percentage(measured, predicted)
    percentageFloor = ForecastError.percentageFloor(measured, predicted, clump: clump)
    total = Self.total(measured, predicted)
    let high: [Double?] = days.flatMap { day in
      day.highQuantile.map { $0.map { $0 } } ?? Array(repeating: nil, count: day.predicted.count)
    }
    pinball = ForecastError.pinball(measured, quantile: high, level: LoadForecaster.highLevel)
    peakRatios = days.compactMap { day in
      guard let foretold = day.peak, let peak = day.day.peak, peak.count > 0 else { return nil }
      return foretold.count / peak.count
    }
    covered = try Self.share(days.flatMap(Self.steps))
    coveredPeaks = try Self.share(
      days.compactMap { day in day.peak?.band.flatMap { band in day.day.peak.map { band.holds($0.count) } } })
    naive = Dictionary(
      uniqueKeysWithValues: NaiveForecast.allCases.map { forecast in
        let load = days.flatMap { $0.load(forecast) }
        return (
          forecast,
          (ForecastError.weighted(measured, load), ForecastError.skill(measured, predicted, naive: load))
        )
      })
  }

  /// A naive forecast's error per step; nil where it knows nothing.
  package func error(of forecast: NaiveForecast) -> Double? { naive[forecast]?.error }

  /// How much better the scenario's forecast is per step, over the steps of which the naive one says something.
  package func skill(against forecast: NaiveForecast) -> Double? { naive[forecast]?.skill }

  /// The naive forecast with the least error.
  package var bestNaive: NaiveForecast? {
    NaiveForecast.allCases.filter { error(of: $0) != nil }.min { (error(of: $0) ?? 0) < (error(of: $1) ?? 0) }
  }

  /// Whether the band of each known step holds what came.
  private static func steps(_ day: ForecastDay) -> [Bool] {
    guard let bands = day.bands else { return [] }
    return zip(bands, day.day.measured).compactMap { band, measured in measured.map { band.holds($0) } }
  }

  private static func share(_ held: [Bool]) throws(NumericsError) -> CountedShare? {
    held.isEmpty ? nil : try CountedShare(held.count { $0 }, of: held.count)
  }

  private static func total(_ measured: [Double?], _ predicted: [Double?]) -> Double? {
    let (came, foretold) = zip(measured, predicted).reduce(into: (0.0, 0.0)) { sums, pair in
      guard let measured = pair.0, let predicted = pair.1 else { return }
      sums.0 += measured
      sums.1 += predicted
    }
    return came > 0 ? foretold / came - 1 : nil
  }
}

/// How far a forecast is from what came, over the steps that both know.
///
/// Loads are requests per step; nil is a step of which nothing is known.
package enum ForecastError {
  /// Percentages of fewer expected requests tell of chance alone.
  package static let leastExpected = 100.0

  /// The sum of the distances over the sum of what came (WAPE), as a share; nil: nothing came that both know.
  package static func weighted(_ measured: [Double?], _ predicted: [Double?]) -> Double? {
    let pairs = pairs(measured, predicted)
    let total = pairs.reduce(0) { $0 + $1.measured }
    return total > 0 ? pairs.reduce(0) { $0 + abs($1.measured - $1.predicted) } / total : nil
  }

  /// What `weighted` is by chance alone where the forecast is the truth, as a share of what was expected.
  ///
  /// - Parameter clump: requests that come together; each such group comes by Poisson's law.
  package static func weightedFloor(_ measured: [Double?], _ predicted: [Double?], clump: Double) -> Double? {
    let pairs = pairs(measured, predicted)
    let total = pairs.reduce(0) { $0 + $1.predicted }
    return total > 0 ? pairs.reduce(0) { $0 + chance($1.predicted, clump) } / total : nil
  }

  /// The mean distance as a share of what came (MAPE), where at least `leastExpected` were expected; nil: nowhere.
  package static func percentage(_ measured: [Double?], _ predicted: [Double?]) -> Double? {
    mean(large(measured, predicted).filter { $0.measured > 0 }.map { abs($0.measured - $0.predicted) / $0.measured })
  }

  /// What `percentage` is by chance alone.
  package static func percentageFloor(_ measured: [Double?], _ predicted: [Double?], clump: Double) -> Double? {
    mean(large(measured, predicted).map { chance($0.predicted, clump) / $0.predicted })
  }

  /// The mean pinball loss of a forecast of a quantile, over the mean of what came; nil as `weighted`.
  ///
  /// What comes above the quantile costs `level` a request, what stays below it 1 - `level`.
  package static func pinball(_ measured: [Double?], quantile: [Double?], level: Double) -> Double? {
    let pairs = pairs(measured, quantile)
    let total = pairs.reduce(0) { $0 + $1.measured }
    guard total > 0 else { return nil }
    return pairs.reduce(0) { sum, pair in
      let above = pair.measured - pair.predicted
      return sum + (above >= 0 ? level * above : (level - 1) * above)
    } / total
  }

  /// By how much a forecast's error is below a naive one's, as a share of it, where both and what came are known.
  ///
  /// 1 is no error at all, 0 no better, below 0 worse; nil: the naive one cannot be wrong or knows nothing.
  package static func skill(_ measured: [Double?], _ predicted: [Double?], naive: [Double?]) -> Double? {
    let common = measured.indices.map { predicted[$0] == nil || naive[$0] == nil ? nil : measured[$0] }
    guard let own = weighted(common, predicted), let other = weighted(common, naive), other > 0 else { return nil }
    return 1 - own / other
  }

  /// Sums of `count` steps each; nil where one of them is.
  package static func sums(_ load: [Double?], of count: Int) -> [Double?] {
    stride(from: 0, to: load.count - load.count % count, by: count).map { start in
      load[start..<start + count].reduce(0) { sum, value in
        guard let sum, let value else { return nil }
        return sum + value
      }
    }
  }

  private static func chance(_ expected: Double, _ clump: Double) -> Double {
    clump * PoissonLaw.meanDeviation(expected / clump)
  }

  private static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  private static func large(
    _ measured: [Double?], _ predicted: [Double?]
  ) -> [(measured: Double, predicted: Double)] {
    pairs(measured, predicted).filter { $0.predicted >= leastExpected }
  }

  private static func pairs(
    _ measured: [Double?], _ predicted: [Double?]
  ) -> [(measured: Double, predicted: Double)] {
    zip(measured, predicted).compactMap { pair in
      guard let measured = pair.0, let predicted = pair.1 else { return nil }
      return (measured, predicted)
    }
  }
}
