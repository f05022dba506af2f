package import Numerics

/// A forecast of one day based on earlier days, and that day's measured load.
package struct ForecastDay: Sendable {
  package let day: BacktestDay
  package let predicted: [Double]
  /// The 90 % band of each step's load; `nil` if there are fewer than two training days.
  package let bands: [Band]?
  package let highQuantile: [Double]?
  /// The forecast peak of the day; `nil` if no training day was complete.
  package let peak: Peak?
  private let naive: [NaiveForecast: [Double?]]

  package struct Peak: Sendable {
    package let step: Int
    package let count: Double
    package let band: Band?
  }

  /// - Parameters:
  ///   - day: the day to forecast, which is later than all days of `training`.
  ///   - training: at least one day, in chronological order.
  ///   - forecaster: the forecaster built from `training`.
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

  /// The total measured requests and the total forecast requests, over the steps for which both are known.
  package var totals: (measured: Double, predicted: Double) {
    ForecastError.totals(day.measured, predicted.map { $0 })
  }

  package func load(_ forecast: NaiveForecast) -> [Double?] { naive[forecast] ?? [] }
}

/// The quality of forecasts for several days, over all their steps.
package struct BacktestScores: Sendable {
  /// The relative error of the load per step.
  package let perStep: Double?
  /// The relative error per step that a correct forecast would have due to random variation.
  package let perStepFloor: Double?
  /// The relative error of the load per hour.
  package let perHour: Double?
  /// The relative error per hour that a correct forecast would have due to random variation.
  package let perHourFloor: Double?
  /// The mean relative error of steps with at least `ForecastError.minExpected` expected requests.
  package let percentage: Double?
  package let percentageFloor: Double?
  /// The ratio of total forecast to total measured load, minus 1.
  package let total: Double?
  /// The ratio of the forecast peak to the measured peak, for each day that has both.
  package let peakRatios: [Double]
  /// The shares of steps and of daily peaks that lie within their 90 % bands; `nil` if there are no bands.
  package let covered: CountedShare?
  package let coveredPeaks: CountedShare?
  /// The pinball loss of the 99.9 % quantile, relative to the mean measured load.
  package let pinball: Double?
  private let naive: [NaiveForecast: (error: Double?, skill: Double?)]

  /// - Parameters:
  ///   - days: the forecast days, of which there must be at least one.
  ///   - clump: the number of requests that arrive together at a random time.
  ///   - stepsPerHour: the number of steps in an hour, which must be at least one.
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
      guard let forecast = day.peak, let peak = day.day.peak, peak.count > 0 else { return nil }
      return forecast.count / peak.count
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

  /// Returns the error per step of a naive forecast; `nil` if it cannot be computed.
  package func error(of forecast: NaiveForecast) -> Double? { naive[forecast]?.error }

  /// Returns the relative reduction in the error per step that the scenario's forecast achieves over a naive one. Only
  /// steps for which the naive forecast has a value are compared.
  package func skill(against forecast: NaiveForecast) -> Double? { naive[forecast]?.skill }

  /// The naive forecast with the smallest error per step.
  package var bestNaive: NaiveForecast? {
    NaiveForecast.allCases.filter { error(of: $0) != nil }.min { (error(of: $0) ?? 0) < (error(of: $1) ?? 0) }
  }

  /// Returns, for each known step, whether the measured load is within the band.
  private static func steps(_ day: ForecastDay) -> [Bool] {
    guard let bands = day.bands else { return [] }
    return zip(bands, day.day.measured).compactMap { band, measured in measured.map { band.holds($0) } }
  }

  private static func share(_ held: [Bool]) throws(NumericsError) -> CountedShare? {
    held.isEmpty ? nil : try CountedShare(held.count { $0 }, of: held.count)
  }

  private static func total(_ measured: [Double?], _ predicted: [Double?]) -> Double? {
    let totals = ForecastError.totals(measured, predicted)
    return totals.measured > 0 ? totals.predicted / totals.measured - 1 : nil
  }

  /// The largest relative error of a forecast peak; `nil` if there are no peaks.
  package var peakError: Double? { peakRatios.map { abs($0 - 1) }.max() }
}

/// The error of a forecast against the measured load, over the steps for which both are known.
///
/// Loads are requests per step; `nil` marks an unknown step.
package enum ForecastError {
  /// The smallest number of expected requests for which a relative error is computed. With fewer requests, the error
  /// would be mostly random.
  package static let minExpected = 100.0

  /// Returns the sum of absolute errors divided by the total measured load (WAPE); `nil` if there is no measured load.
  package static func weighted(_ measured: [Double?], _ predicted: [Double?]) -> Double? {
    let pairs = pairs(measured, predicted)
    let total = pairs.reduce(0) { $0 + $1.measured }
    return total > 0 ? pairs.reduce(0) { $0 + abs($1.measured - $1.predicted) } / total : nil
  }

  /// Returns the `weighted` error that a correct forecast is expected to have by chance alone, relative to the expected
  /// load.
  ///
  /// - Parameter clump: the number of requests that arrive together; the number of clumps is Poisson distributed.
  package static func weightedFloor(_ measured: [Double?], _ predicted: [Double?], clump: Double) -> Double? {
    let pairs = pairs(measured, predicted)
    let total = pairs.reduce(0) { $0 + $1.predicted }
    return total > 0 ? pairs.reduce(0) { $0 + chance($1.predicted, clump) } / total : nil
  }

  /// Returns the mean absolute percentage error (MAPE), as a fraction, over the steps with at least `minExpected`
  /// expected requests; `nil` if there are none.
  package static func percentage(_ measured: [Double?], _ predicted: [Double?]) -> Double? {
    mean(large(measured, predicted).filter { $0.measured > 0 }.map { abs($0.measured - $0.predicted) / $0.measured })
  }

  /// Returns the `percentage` error that a correct forecast is expected to have by chance alone.
  package static func percentageFloor(_ measured: [Double?], _ predicted: [Double?], clump: Double) -> Double? {
    mean(large(measured, predicted).map { chance($0.predicted, clump) / $0.predicted })
  }

  /// Returns the mean pinball loss of a forecast quantile, relative to the mean measured load; `nil` if there is no
  /// measured load.
  ///
  /// Each request above the quantile adds `level` to the loss; each request by which the load is below the quantile
  /// adds 1 - `level`.
  package static func pinball(_ measured: [Double?], quantile: [Double?], level: Double) -> Double? {
    let pairs = pairs(measured, quantile)
    let total = pairs.reduce(0) { $0 + $1.measured }
    guard total > 0 else { return nil }
    return pairs.reduce(0) { sum, pair in
      let above = pair.measured - pair.predicted
      return sum + (above >= 0 ? level * above : (level - 1) * above)
    } / total
  }

  /// Returns the reduction in error compared with a naive forecast, relative to the naive error. Only steps for which
  /// the measured load and both forecasts are known are compared.
  ///
  /// The result is 1 if the forecast has no error, 0 if there is no improvement, and negative if the error is larger.
  /// It is `nil` if the naive forecast has no error or no values.
  package static func skill(_ measured: [Double?], _ predicted: [Double?], naive: [Double?]) -> Double? {
    let common = measured.indices.map { predicted[$0] == nil || naive[$0] == nil ? nil : measured[$0] }
    guard let own = weighted(common, predicted), let other = weighted(common, naive), other > 0 else { return nil }
    return 1 - own / other
  }

  /// Returns the total load of each block of `count` steps; `nil` for a block with an unknown step.
  package static func sums(_ load: [Double?], of count: Int) -> [Double?] {
    stride(from: 0, to: load.count - load.count % count, by: count).map { start in
      load[start..<start + count].reduce(0) { sum, value in
        guard let sum, let value else { return nil }
        return sum + value
      }
    }
  }

  /// Returns the total measured and predicted loads over the steps for which both are known.
  static func totals(_ measured: [Double?], _ predicted: [Double?]) -> (measured: Double, predicted: Double) {
    pairs(measured, predicted).reduce(into: (0, 0)) { sums, pair in
      sums.measured += pair.measured
      sums.predicted += pair.predicted
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
    pairs(measured, predicted).filter { $0.predicted >= minExpected }
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
