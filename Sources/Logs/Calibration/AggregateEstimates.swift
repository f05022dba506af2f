internal import Numerics
internal import SimulationKernel

/// What counts per step say without telling phones apart.
package struct AggregateEstimates: Sendable {
  /// The interval of `after` and the end of the start window, in seconds.
  package let interval: Estimate
  package let window: Estimate
  /// Free runs per day and phone.
  package let freeRuns: Estimate
  /// Phones that take part.
  package let devices: Estimate
  /// By frequency: cycles per second, power over that of chance, and the fitted law; neighbours merged, for charts.
  package let spectrum: [Point]
  /// The fitted law's greatest power over its floor; below 2 nothing is told.
  package let peak: Double
  /// Mean counts per step by step of the day.
  package let meanDay: [Double]

  package struct Point: Hashable, Sendable {
    package let frequency: Double
    package let power: Double
    package let fitted: Double
  }

  /// - Parameters:
  ///   - counts: requests per step, without gaps, from the first midnight or any other instant on.
  ///   - step: in seconds; a divisor of a day.
  ///   - share: of all phones that the counts hold.
  package init(counts: [Double], step: Double, known: KnownPolicy, share: Double = 1) {
    let perDay = Int((86_400 / step).rounded())
    let series = DayFreeSeries(counts, perDay: perDay)
    meanDay = series.meanDay
    guard series.days >= Self.fewestDays, let periodogram = series.periodogram(step: step), !periodogram.isEmpty else {
      let unknown = Estimate.unknown(.tooFewDays, count: series.days)
      (interval, window, freeRuns, devices) = (unknown, unknown, unknown, unknown)
      (spectrum, peak) = ([], 0)
      return
    }
    let fit = WhittleFit(periodogram, step: step, known: known)
    let best = fit.best()
    spectrum = fit.points(best)
    peak = fit.peak(best)
    guard peak >= Self.leastPeak, fit.gain(best) > Self.leastGain,
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

  private static let fewestDays = 5
  /// A peak below twice the floor is as probably common noise as phones in step with themselves.
  private static let leastPeak = 2.0
  /// Less than this is chance: the best of some hundred periods gains 5.
  private static let leastGain = 12.0
}

/// Counts without what all days have in common, each step in units of its chance deviation.
struct DayFreeSeries {
  let meanDay: [Double]
  let days: Int
  /// Counts per step while the fleet is awake.
  let mean: Double
  /// The share of the day that is not left out.
  let awakeShare: Double
  private let values: [Double]

  init(_ counts: [Double], perDay: Int) {
    days = perDay > 0 ? counts.count / perDay : 0
    let whole = counts.prefix(days * max(perDay, 1))
    let days = Double(max(days, 1))
    var meanDay = Array(repeating: 0.0, count: perDay)
    for (index, count) in whole.enumerated() { meanDay[index % perDay] += count / days }
    self.meanDay = meanDay
    // One step's chance deviation comes from the hour about it: its own mean is too uncertain.
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
    // A mean of k days takes 1/k of the variance away, and what is left out its share.
    let scale = (days / max(days - 1, 1) / max(awakeShare, 1e-3)).squareRoot()
    values = whole.enumerated().map { index, count in
      let step = index % perDay
      return isAwake[step] ? (count - meanDay[step]) / level[step].squareRoot() * scale : 0
    }
  }

  /// At night idle phones wait, and their cycles with them: hours with less than this share of the busy hours' load are
  /// left out.
  private static let awake = 0.8

  struct Ordinate {
    /// Cycles per second.
    let frequency: Double
    /// Over the power of independent counts.
    let power: Double
  }

  /// Periods from which phones' cycles are told, in seconds: shorter ones are requests of a run, longer ones people's.
  static let periods = 480.0...9_000.0

  /// Powers at the periods looked at, without the multiples of a day's frequency, where the mean day has taken all
  /// away.
  func periodogram(step: Double) -> [Ordinate]? {
    guard let spectrum = try? Spectrum(of: values) else { return nil }
    let length = Double(values.count)
    let shortest = max(Self.periods.lowerBound, 4 * step)
    return spectrum.powers.enumerated().compactMap { index, power in
      let cycles = index + 1
      let frequency = Double(cycles) / (length * step)
      guard cycles % days != 0, frequency * shortest <= 1, frequency * Self.periods.upperBound >= 1 else { return nil }
      // A power of white noise with variance 1 is 2 / length.
      return Ordinate(frequency: frequency, power: power * length / 2)
    }
  }
}

/// From the law of the spectrum to values.
struct AggregateReading {
  let law: WhittleFit.Law
  let errors: WhittleFit.Errors
  let count: Int
  let known: KnownPolicy

  /// The 97.5 % quantile of a normal law.
  private static let normal = 1.96
  /// Phones that are offline are not in the cycle: some 3 % in the model's fleets, up to twice that.
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

  /// Requests per second times the mean time between a phone's wakes.
  func devices(rate: Double, share: Double, days: Int) -> Estimate {
    let value = rate * law.spectrum(known).mean / known.requestsPerRun / share / Self.inCycle
    let relative = Self.normal * (square(errors.mean) + square(Self.inCycleError)).squareRoot()
    return .judged(value, value * (1 - relative)...value * (1 + relative), count: days)
      .limited(to: .weakly, .assumedShare)
  }
}
