internal import Numerics
internal import SimulationKernel

/// Estimates derived only from the number of requests per step, without identifying individual phones.
package struct AggregateEstimates: Sendable {
  /// The interval of the `after` policy, and the upper bound of the start window, in seconds.
  package let interval: Estimate
  package let window: Estimate
  /// The number of free runs per phone per day.
  package let freeRuns: Estimate
  /// The number of phones that send requests.
  package let devices: Estimate
  /// The spectrum of the counts: for each frequency, the power relative to random counts, and the fitted power.
  /// Adjacent points are merged for charts.
  package let spectrum: [Point]
  /// The maximum ratio of the fitted spectrum to its floor. If the ratio is below 2, no quantity is estimated.
  package let peak: Double
  /// The mean number of requests for each step of the day.
  package let meanDay: [Double]

  package struct Point: Hashable, Sendable {
    package let frequency: Double
    package let power: Double
    package let fitted: Double

    /// The period of the spectrum's point in seconds.
    package var period: Double { 1 / frequency }
  }

  /// - Parameters:
  ///   - counts: the number of requests in each step, without missing steps; the first step may start at any instant.
  ///   - step: the length of a step in seconds, which must divide a day.
  ///   - share: the fraction of all phones that the counts include.
  package init(counts: [Double], step: Double, known: KnownPolicy, share: Double = 1) {
    let perDay = Int((86_400 / step).rounded())
    let series = DayFreeSeries(counts, perDay: perDay)
    meanDay = series.meanDay
    guard series.days >= Self.fewestDays, let periodogram = series.periodogram(step: step), !periodogram.isEmpty else {
      let unknown = Estimate.tooShort(series.days, of: Self.fewestDays)
      (interval, window, freeRuns, devices) = (unknown, unknown, unknown, unknown)
      (spectrum, peak) = ([], 0)
      return
    }
    let fit = WhittleFit(periodogram, step: step, known: known)
    let best = fit.best()
    spectrum = fit.points(best)
    peak = fit.peak(best)
    guard peak >= Self.minPeak, fit.gain(best) > Self.minGain,
      let errors = fit.errors(best, independent: series.awakeShare)
    else {
      let unknown = Estimate.unknown(.weakPeak, count: periodogram.count)
      (interval, window, freeRuns, devices) = (unknown, unknown, unknown, unknown)
      return
    }
    let reading = AggregateReading(law: best, errors: errors, count: periodogram.count, known: known)
    (interval, window, freeRuns) = (reading.interval, reading.window, reading.freeRuns)
    devices = reading.devices(rate: series.mean / step, share: share, days: series.days)
  }

  /// The minimum number of whole days; with fewer, subtracting the mean day would remove most of the variation.
  private static let fewestDays = 3
  /// The smallest peak that is attributed to a cycle of the phones; a weaker peak could be ordinary noise.
  private static let minPeak = 2.0
  /// The smallest gain in log-likelihood that is considered significant. In pure noise, the best of a few hundred
  /// periods has a gain of about 5.
  private static let minGain = 12.0
}

/// Request counts minus those of the mean day, each divided by the standard deviation expected of random counts.
struct DayFreeSeries {
  let meanDay: [Double]
  let days: Int
  /// The mean count per step during the busy hours.
  let mean: Double
  /// The fraction of the day whose counts are used for the estimates.
  let awakeShare: Double
  private let values: [Double]

  init(_ counts: [Double], perDay: Int) {
    days = perDay > 0 ? counts.count / perDay : 0
    let whole = counts.prefix(days * max(perDay, 1))
    let days = Double(max(days, 1))
    var meanDay = Array(repeating: 0.0, count: perDay)
    for (index, count) in whole.enumerated() { meanDay[index % perDay] += count / days }
    self.meanDay = meanDay
    // A step's standard deviation is estimated from the surrounding hour, because the step's own mean is too uncertain.
    let half = max(perDay / 48, 1)
    let level = (0..<perDay).map { step -> Double in
      let near = (-half...half).map { meanDay[(step + $0 + perDay) % perDay] }
      return max(near.reduce(0, +) / Double(near.count), 1e-9)
    }
    let full = level.sorted()[perDay * 9 / 10]
    let isAwake = level.map { $0 >= full * Self.awake }
    let awake = isAwake.indices.filter { isAwake[$0] }
    mean = awake.reduce(0) { $0 + meanDay[$1] } / Double(max(awake.count, 1))
    awakeShare = Double(awake.count) / Double(max(perDay, 1))
    // Subtracting a mean over k days removes 1/k of the variance. Hours that are not used reduce the variance in
    // proportion to their number.
    let scale = (days / max(days - 1, 1) / max(awakeShare, 1e-3)).squareRoot()
    values = whole.enumerated().map { index, count in
      let step = index % perDay
      return isAwake[step] ? (count - meanDay[step]) / level[step].squareRoot() * scale : 0
    }
  }

  /// The minimum load of an hour that is used for the estimates, relative to the busy hours. At night, phones are idle,
  /// and their cycles are interrupted.
  private static let awake = 0.8

  struct Ordinate {
    /// The frequency in cycles per second.
    let frequency: Double
    /// The power at this frequency, relative to the power of independent counts.
    let power: Double
  }

  /// The range of periods that phones' cycles may have, in seconds. Shorter periods are due to requests within a run,
  /// and longer ones to users' habits.
  static let periods = 480.0...9_000.0

  /// Returns the power at each frequency within `periods`, omitting the daily harmonics, which were removed with the
  /// mean day.
  func periodogram(step: Double) -> [Ordinate]? {
    guard let spectrum = try? Spectrum(of: values) else { return nil }
    let length = Double(values.count)
    let shortest = max(Self.periods.lowerBound, 4 * step)
    return spectrum.powers.enumerated().compactMap { index, power in
      let cycles = index + 1
      let frequency = Double(cycles) / (length * step)
      guard cycles % days != 0, frequency * shortest <= 1, frequency * Self.periods.upperBound >= 1 else { return nil }
      // The power is scaled by length / 2, because white noise with variance 1 has a power of 2 / length.
      return Ordinate(frequency: frequency, power: power * length / 2)
    }
  }
}

/// The estimates that are derived from the fitted spectrum of request counts.
struct AggregateReading {
  let law: WhittleFit.Law
  let errors: WhittleFit.Errors
  let count: Int
  let known: KnownPolicy

  /// The 97.5 % quantile of the standard normal distribution.
  private static let normal = 1.96
  /// The fraction of phones that are online and therefore take part in the cycle. In simulated fleets, 3 % to 6 % of
  /// phones are offline.
  private static let inCycle = 0.96
  private static let inCycleError = 0.02

  var interval: Estimate {
    let run = known.runTime
    let half = Self.normal * errors.cycle
    let low = law.cycle - half - run.upperBound
    let plain = Estimate.judged(
      law.cycle - (run.lowerBound + run.upperBound) / 2, low...law.cycle + half - run.lowerBound, count: count)
    let cycle = Estimate.judged(law.cycle, law.cycle - half...law.cycle + half, count: count)
    let reading = CycleReading(cycle, known: known, resolution: .second).interval
    return reading.verdict == .identified ? plain : reading
  }

  var window: Estimate {
    let half = Self.normal * errors.window
    return .judged(law.window, max(law.window - half, 0)...law.window + half, count: count)
  }

  var freeRuns: Estimate {
    let (value, half) = (law.freeRate * 86_400, Self.normal * errors.freeRate * 86_400)
    return .judged(value, max(value - half, 0)...value + half, count: count)
  }

  /// Returns the number of devices, which is the number of requests per second times the mean time between a phone's
  /// wakes.
  func devices(rate: Double, share: Double, days: Int) -> Estimate {
    let value = rate * law.spectrum(known).mean / known.requestsPerRun / share / Self.inCycle
    let relative = Self.normal * (square(errors.mean) + square(Self.inCycleError)).squareRoot()
    return .judged(value, value * (1 - relative)...value * (1 + relative), count: days)
      .limited(to: .weakly, .assumedShare)
  }
}
