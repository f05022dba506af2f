import Numerics
import SimulationKernel
import Testing

@testable import Calibration

/// Scores and bands of forecasts, checked against arithmetic and against draws from known distributions.
@Suite struct BacktestTests {
  // MARK: Errors

  /// Distances of 10 and 20 over 300 requests; a step without a measurement does not count.
  @Test func weightedErrorIsDistanceDividedByRequests() {
    #expect(ForecastError.weighted([100, nil, 200], [110, 5, 180]) == 0.1)
    #expect(ForecastError.weighted([0, nil], [3, 4]) == nil)
  }

  /// 8 % at 100 expected requests, 2.5 % at 1 000: sqrt(2 / (pi m)), which the Poisson distribution matches to within 1
  /// / (12 m).
  @Test(arguments: [100.0, 1_000, 10_000]) func thePoissonFloor(_ mean: Double) throws {
    let floor = try #require(ForecastError.weightedFloor([mean, mean], [mean, mean], clump: 1))
    #expect(abs(floor / (2 / (Double.pi * mean)).squareRoot() - 1) < 1 / (11 * mean))
    #expect(ForecastError.percentageFloor([mean], [mean], clump: 1) == floor)
  }

  /// Requests that come four at a time count as a quarter as many draws.
  @Test func clumpsRaiseTheFloor() {
    let (single, clumps) = (
      ForecastError.weightedFloor([100], [100], clump: 1), ForecastError.weightedFloor([400], [400], clump: 4)
    )
    #expect(single == clumps)
  }

  /// Only the first step expects at least a hundred requests: the error is 20 of 80.
  @Test func percentageErrorUsesOnlyLargeSteps() {
    #expect(ForecastError.percentage([80, 10], [100, 99]) == 0.25)
    #expect(ForecastError.percentage([80], [99]) == nil)
  }

  /// 10 above the quantile costs 9.99, 10 below costs 0.01: of 210 requests.
  @Test func thePinballLoss() throws {
    let loss = try #require(ForecastError.pinball([110, 100], quantile: [100, 110], level: 0.999))
    #expect(abs(loss - (9.99 + 0.01) / 210) < 1e-12)
  }

  /// The mean pinball loss is lowest at the quantile: for 1 to 1 000, at 999 for 99.9 %.
  @Test func quantileMinimizesThePinballLoss() throws {
    let measured = (1...1_000).map { Double($0) as Double? }
    let losses = [900.0, 990, 998, 999, 1_000, 1_010].map { quantile in
      ForecastError.pinball(measured, quantile: Array(repeating: quantile, count: 1_000), level: 0.999) ?? .infinity
    }
    let minimum = try #require(losses.min())
    #expect(abs(losses[3] - minimum) < 1e-12 && losses[0] > minimum && losses[5] > minimum)
  }

  /// An error of 10 % compared with 20 %, over steps where the naive forecast has a value.
  @Test func skillIsTheReductionInError() throws {
    let skill = try #require(ForecastError.skill([100, 100], [110, 500], naive: [80, nil]))
    #expect(abs(skill - 0.5) < 1e-12)
    #expect(ForecastError.skill([100], [110], naive: [100]) == nil)
  }

  @Test func hourlySumsNeedCompleteSteps() {
    #expect(ForecastError.sums([1, 2, 3, nil, 5, 6, 7], of: 2) == [3, nil, 11])
  }

  /// Of three steps, 10 and 30 are known and twice as many were forecast; 600 in five minutes are 2 per second.
  @Test func totalsCoverOnlyMeasuredSteps() throws {
    let training = BacktestDay(number: 1, measured: [20, 60, 20], expected: [10, 30, 10])
    let forecaster = try #require(try LoadForecaster([training], spread: 1))
    let day = BacktestDay(number: 2, measured: [10, 30, nil], expected: [10, 30, 10])
    let forecast = try ForecastDay(day, training: [training], forecaster)
    #expect(forecast.totals.measured == 40 && abs(forecast.totals.predicted - 80) < 1e-9)
    #expect(abs(try #require(BacktestScores([forecast], clump: 1, stepsPerHour: 1).peakError) - 1) < 1e-9)
    #expect(MeasuredLoad.rate(600) == 2)
  }

  // MARK: Naive forecasts

  @Test func naiveForecastsUseOnlyTrainingDays() {
    let days = (1...9).map { BacktestDay(number: $0, measured: [Double($0), nil], expected: [0, 0]) }
    #expect(NaiveForecast.yesterday.load(ofDay: 12, from: days, steps: 2) == [9, nil])
    #expect(NaiveForecast.lastWeek.load(ofDay: 12, from: days, steps: 2) == [5, nil])
    #expect(NaiveForecast.lastWeek.load(ofDay: 17, from: days, steps: 2) == [3, nil])
    #expect(NaiveForecast.meanDay.load(ofDay: 12, from: days, steps: 2) == [5, nil])
    #expect(NaiveForecast.lastWeek.load(ofDay: 4, from: Array(days[..<3]), steps: 1) == [nil])
  }

  // MARK: The factor of a day

  /// Factors of 1/2 and 2: the median is 1 and the deviation sqrt(2) ln 2. A third day lies within Student's t with one
  /// degree of freedom, whose 95 % quantile is 6.3138, times sqrt(3/2).
  @Test func dayFactorMatchesHandCalculation() throws {
    let factor = try #require(DayFactor([0.5, 2]))
    let logOfTwo = 0.693_147_180_559_945_3
    #expect(abs(factor.middle - 1) < 1e-12 && abs(factor.deviation - 2.0.squareRoot() * logOfTwo) < 1e-12)
    #expect(abs(try factor.reach(0.95) / (6.313_751_515 * 3.0.squareRoot() * logOfTwo) - 1) < 1e-9)
    #expect(abs(try factor.quantile(0.95) * factor.quantile(0.05) - 1) < 1e-9)
    #expect(DayFactor([]) == nil && DayFactor([1, 0]) == nil)
    #expect(try DayFactor([3]).map { try $0.reach(0.95) } == .infinity)
  }

  /// Days whose logarithm is normal, five of them for training. Of 2 000 sixth days, 90 % lie in the 90 % band, to
  /// within three standard errors of sqrt(0.09 / 2 000).
  @Test func bandContainsNinetyPercentOfFutureDays() throws {
    let hits = try (0..<2_000).count { trial in
      let days = (0..<6).map { SteadyMath.exp(0.2 * Self.normal(trial, $0)) }
      let factor = try #require(DayFactor(Array(days[..<5])))
      return try factor.quantile(0.05) <= days[5] && days[5] <= factor.quantile(0.95)
    }
    #expect(abs(Double(hits) / 2_000 - 0.9) < 3 * (0.09 / 2_000).squareRoot())
  }

  // MARK: Bands

  /// Steps of 400 requests on days with a nearly normal factor of 5 %. A model with the right distribution is hardly
  /// inflated, and its bands hold about 90 % of later days' steps. Days are drawn 200 times, with seven for training.
  /// The proportion per day deviates by less than 0.2, so the mean is known to within 0.2 / sqrt(200).
  @Test func bandsContainNinetyPercentOfSteps() throws {
    var shares: [Double] = []
    for trial in 0..<200 {
      let days = (0..<8).map { Self.day(trial, $0) }
      let forecaster = try #require(try LoadForecaster(Array(days[..<7]), spread: 1))
      let forecast = try ForecastDay(days[7], training: Array(days[..<7]), forecaster)
      let scores = try BacktestScores([forecast], clump: 1, stepsPerHour: 12)
      shares.append(try #require(scores.covered).share)
    }
    let mean = shares.reduce(0, +) / Double(shares.count)
    // Inflated bands may hold more steps, but never fewer.
    #expect(mean > 0.9 - 3 * 0.2 / 200.0.squareRoot() && mean < 0.97)
  }

  /// A model with a quarter of the true variance: its bands are inflated about twofold.
  @Test func unmodelledVarianceInflatesBands() throws {
    let days = (0..<7).map { Self.day(1, $0, dayDeviation: 0) }
    let right = try #require(try LoadForecaster(days, spread: 1))
    let wrong = try #require(try LoadForecaster(days, spread: 0.25))
    // 2 016 steps determine a 90 % quantile of about 1.64 deviations to within sqrt(0.09 / 2 016) / 0.206 deviations: 2
    // %.
    #expect(right.inflation < 1.06)
    #expect(abs(wrong.inflation - 2) < 0.12)
  }

  /// Twice as many requests as simulated on both training days, and a peak three times the simulated one.
  @Test func levelAndPeakFollowTrainingDays() throws {
    let days = (1...2).map { BacktestDay(number: $0, measured: [10, 30, nil], expected: [10, 10, 5]) }
    let whole = (1...2).map { BacktestDay(number: $0, measured: [10, 30], expected: [10, 10]) }
    let forecaster = try #require(try LoadForecaster(whole, spread: 1))
    let next = BacktestDay(number: 3, measured: [20, 20], expected: [8, 12])
    #expect(forecaster.predicted(next.expected) == [16, 24])
    let peak = try #require(try forecaster.peak(next))
    #expect(peak.step == 1 && abs(peak.count - 36) < 1e-9)
    // A day with an unknown step may have peaked there.
    #expect(try LoadForecaster(days, spread: 1)?.peakFactor == nil)
    #expect(try LoadForecaster([], spread: 1) == nil)
  }

  /// A single training day has no band, and the forecast is its level.
  @Test func singleTrainingDayHasNoBand() throws {
    let day = BacktestDay(number: 1, measured: [10, 30], expected: [10, 10])
    let forecaster = try #require(try LoadForecaster([day], spread: 1))
    #expect(try forecaster.bands([5]) == nil && forecaster.highQuantile([5]) == nil)
    #expect(try forecaster.peak(day)?.band == nil)
    let scores = try BacktestScores(
      [ForecastDay(BacktestDay(number: 2, measured: [10, 30], expected: [10, 10]), training: [day], forecaster)],
      clump: 1, stepsPerHour: 2)
    #expect(scores.covered == nil && scores.perStep == 0.5 && scores.perHour == 0 && scores.total == 0)
    #expect(scores.error(of: .yesterday) == 0 && scores.skill(against: .yesterday) == nil)
    #expect(scores.bestNaive == .yesterday && scores.peakRatios == [1])
  }

  private static func day(_ trial: Int, _ number: Int, dayDeviation: Double = 0.05) -> BacktestDay {
    let factor = SteadyMath.exp(dayDeviation * normal(trial, 1_000 + number))
    let measured = (0..<288).map { step -> Double? in
      let mean = 400 * factor
      return mean + mean.squareRoot() * normal(trial * 100 + number, 2_000 + step)
    }
    return BacktestDay(number: number + 1, measured: measured, expected: Array(repeating: 400, count: 288))
  }

  /// The Box–Muller transform.
  private static func normal(_ trial: Int, _ number: Int) -> Double {
    let block = Philox.block(counter: Philox.Block(UInt32(number), UInt32(trial), 0, 7), key: 11)
    let radius = (-2 * SteadyMath.log((Double(block.first >> 11) + 0.5) * 0x1p-53)).squareRoot()
    return radius * SteadyMath.turn(Double((UInt64(block.word2) | UInt64(block.word3) << 32) >> 11) * 0x1p-53).cosine
  }
}
