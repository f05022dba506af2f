internal import Numerics
internal import SimulationKernel

/// Whittle's likelihood of a renewal spectrum, in which each ordinate is exponentially distributed around the model's
/// power.
///
/// Sources: Whittle 1953; Brillinger, Time Series, 1981, 5.2.
struct WhittleFit {
  struct Law {
    /// The cycle and the end of the window, in seconds.
    var cycle: Double
    var window: Double
    /// The rate of free runs per second.
    var freeRate: Double
    /// The power of random requests without a cycle, which is 1 or the number of requests in a run.
    var floor: Double

    func spectrum(_ known: KnownPolicy) -> RenewalSpectrum {
      RenewalSpectrum(
        cycle: cycle, window: window, freeRate: freeRate, inUse: WhittleFit.inUse, inUseWindow: known.inUseWindow,
        jitter: known.jitter)
    }
  }

  /// The standard errors of the parameters, and the relative standard error of the mean time between wakes.
  struct Errors {
    var cycle: Double
    var window: Double
    var freeRate: Double
    var mean: Double
  }

  /// The fraction of a day during which a phone is in use, taken from the scenario defaults.
  static let inUse = 0.1

  private let ordinates: [DayFreeSeries.Ordinate]
  /// The factor by which the width of a step reduces the excess power of each ordinate.
  private let widths: [Double]
  private let known: KnownPolicy

  init(_ ordinates: [DayFreeSeries.Ordinate], step: Double, known: KnownPolicy) {
    self.ordinates = ordinates
    self.known = known
    widths = ordinates.map { ordinate in
      let turns = ordinate.frequency * step / 2
      let angle = turns * 6.283_185_307_179_586
      return square(SteadyMath.turn(turns).sine / angle)
    }
  }

  private func power(_ law: Law, _ spectrum: RenewalSpectrum, _ index: Int) -> Double {
    law.floor * (1 + widths[index] * (spectrum.ratio(at: ordinates[index].frequency) - 1))
  }

  private func logLikelihood(_ law: Law, every stride: Int = 1) -> Double {
    let spectrum = law.spectrum(known)
    var sum = 0.0
    for index in Swift.stride(from: 0, to: ordinates.count, by: stride) {
      let power = power(law, spectrum, index)
      sum -= SteadyMath.log(power) + ordinates[index].power / power
    }
    return sum
  }

  /// The starting values for the search: windows in seconds, and free runs per day.
  private static let windows = [60.0, 600, 1_500, 3_600]
  private static let freeRuns = [3.0, 20]
  private static let starts = 4

  func best() -> Law {
    var found: [(law: Law, value: Double)] = []
    var cycle = DayFreeSeries.periods.lowerBound / 2
    while cycle < DayFreeSeries.periods.upperBound {
      for window in Self.windows {
        for runs in Self.freeRuns {
          let law = Law(cycle: cycle, window: window, freeRate: runs / 86_400, floor: level)
          found.append((law, coarse(law)))
        }
      }
      cycle *= 1.03
    }
    let starts = found.sorted { $0.value > $1.value }.reduce(into: [Law]()) { starts, one in
      let isNew = starts.allSatisfy { abs($0.cycle / one.law.cycle - 1) > 0.1 || $0.window != one.law.window }
      if starts.count < Self.starts, isNew { starts.append(one.law) }
    }
    let ends = starts.map { refined($0) }
    return ends.max { logLikelihood($0) < logLikelihood($1) } ?? Law(cycle: 1, window: 1, freeRate: 0, floor: 1)
  }

  /// The floor, which is the median of the ordinates at the highest frequencies divided by log 2. The ordinates at
  /// these frequencies are mostly random.
  private var level: Double {
    let quiet = ordinates.suffix(ordinates.count / 3).map(\.power).sorted()
    return quiet.isEmpty ? 1 : max(quiet[quiet.count / 2] / 0.693, 1e-6)
  }

  /// Returns the log-likelihood of a model with its best floor. It is computed from a subset of ordinates, which is
  /// sufficient to rank starting values.
  private func coarse(_ law: Law) -> Double { logLikelihood(law, every: max(1, ordinates.count / 400)) }

  private func refined(_ law: Law) -> Law {
    let place = try? SimplexMinimum.place(from: parameters(law), step: 0.1, iterations: 250, size: 1e-5) {
      -logLikelihood(self.law($0)) + Self.bound($0)
    }
    return place.map { self.law($0) } ?? law
  }

  private func parameters(_ law: Law) -> [Double] {
    [law.cycle, law.window, law.freeRate * 86_400, law.floor].map { SteadyMath.log(max($0, 1e-6)) }
  }

  private func law(_ place: [Double]) -> Law {
    let values = place.map { SteadyMath.exp(min(max($0, -20), 20)) }
    return Law(cycle: values[0], window: values[1], freeRate: values[2] / 86_400, floor: values[3])
  }

  /// Returns a penalty that limits the search to realistic values: windows from 10 s to 3 h, and free runs from one in
  /// ten days to 300 per day.
  private static func bound(_ place: [Double]) -> Double {
    func beyond(_ value: Double, _ range: ClosedRange<Double>) -> Double {
      max(range.lowerBound - value, 0) + max(value - range.upperBound, 0)
    }
    return 1_000 * (beyond(place[1], 2.3...9.3) + beyond(place[2], -2.3...5.7))
  }

  /// Returns the ratio of the model's maximum power to its floor.
  func peak(_ law: Law) -> Double {
    let spectrum = law.spectrum(known)
    return ordinates.indices.map { power(law, spectrum, $0) / law.floor }.max() ?? 0
  }

  /// Returns the gain in log-likelihood over a flat spectrum.
  func gain(_ law: Law) -> Double {
    let mean = ordinates.reduce(0) { $0 + $1.power } / Double(ordinates.count)
    return logLikelihood(law) + Double(ordinates.count) * (SteadyMath.log(mean) + 1)
  }

  /// Returns standard errors derived from the curvature of the log-likelihood; `nil` if the log-likelihood is not
  /// curved in every direction.
  ///
  /// - Parameter independent: the fraction of independent ordinates. If some hours are not used, adjacent ordinates are
  ///   correlated.
  func errors(_ law: Law, independent: Double) -> Errors? {
    let place = parameters(law)
    let size = 0.01
    func value(_ changes: [(Int, Double)]) -> Double {
      var own = place
      for change in changes { own[change.0] += change.1 * size }
      return logLikelihood(self.law(own))
    }
    let curvature = place.indices.map { row in
      place.indices.map { column -> Double in
        let corners =
          value([(row, 1), (column, 1)]) - value([(row, 1), (column, -1)]) - value([(row, -1), (column, 1)])
          + value([(row, -1), (column, -1)])
        return -corners / (4 * size * size)
      }
    }
    guard let covariance = SymmetricInverse.of(curvature.map { $0.map { $0 * independent } }),
      place.indices.allSatisfy({ covariance[$0][$0] > 0 })
    else {
      return nil
    }
    return Errors(
      cycle: law.cycle * covariance[0][0].squareRoot(), window: law.window * covariance[1][1].squareRoot(),
      freeRate: law.freeRate * covariance[2][2].squareRoot(), mean: meanError(place, covariance))
  }

  /// Returns the relative error of the mean time between wakes, computed by the delta method.
  private func meanError(_ place: [Double], _ covariance: [[Double]]) -> Double {
    let size = 0.001
    let mean = law(place).spectrum(known).mean
    let slopes = place.indices.map { index -> Double in
      var own = place
      own[index] += size
      return (law(own).spectrum(known).mean / mean - 1) / size
    }
    var variance = 0.0
    for row in place.indices {
      for column in place.indices { variance += slopes[row] * covariance[row][column] * slopes[column] }
    }
    return max(variance, 0).squareRoot()
  }

  /// Returns the spectrum and its fit, with adjacent points merged so that at most 300 remain.
  func points(_ law: Law) -> [AggregateEstimates.Point] {
    let spectrum = law.spectrum(known)
    let width = max(1, ordinates.count / 300)
    return stride(from: 0, to: ordinates.count, by: width).map { first in
      let own = first..<min(first + width, ordinates.count)
      let count = Double(own.count)
      return AggregateEstimates.Point(
        frequency: own.reduce(0) { $0 + ordinates[$1].frequency } / count,
        power: own.reduce(0) { $0 + ordinates[$1].power } / count,
        fitted: own.reduce(0) { $0 + power(law, spectrum, $1) } / count)
    }
  }
}

/// The spectrum of many phones that wake repeatedly and independently, which is Bartlett's spectrum of a renewal
/// process.
///
/// For any N, the counts of N phones with random phases have the spectrum 1 + 2 Re(phi / (1 - phi)). It is relative to
/// a Poisson process of the same rate. Here phi is the characteristic function of the time X between wakes (Bartlett
/// 1963; Cox and Lewis 1966, 4.6). X = min(Y, E), where Y is the cycle with its delays, and E is exponential, because
/// free runs restart the cycle.
struct RenewalSpectrum {
  /// The interval plus the run time, and the end of the window, in seconds.
  var cycle: Double
  var window: Double
  /// The rate of free runs per second.
  var freeRate: Double
  var inUse: Double
  var inUseWindow: Double
  var jitter: Double

  private struct Complex {
    var real: Double
    var imaginary: Double

    static func * (one: Complex, other: Complex) -> Complex {
      Complex(
        real: one.real * other.real - one.imaginary * other.imaginary,
        imaginary: one.real * other.imaginary + one.imaginary * other.real)
    }

    static func / (one: Complex, other: Complex) -> Complex {
      let square = other.real * other.real + other.imaginary * other.imaginary
      let product = one * Complex(real: other.real, imaginary: -other.imaginary)
      return Complex(real: product.real / square, imaginary: product.imaginary / square)
    }

    static func exp(_ power: Complex) -> Complex {
      let size = SteadyMath.exp(power.real)
      let turn = SteadyMath.turn(power.imaginary / 6.283_185_307_179_586)
      return Complex(real: size * turn.cosine, imaginary: size * turn.sine)
    }
  }

  /// Returns the transform E exp(theta D) of a variable D that is uniform from 0 to `end`.
  private static func uniform(_ theta: Complex, to end: Double) -> Complex {
    let power = Complex(real: theta.real * end, imaginary: theta.imaginary * end)
    guard power.real * power.real + power.imaginary * power.imaginary > 1e-12 else {
      return Complex(real: 1, imaginary: 0)
    }
    let grown = Complex.exp(power)
    return Complex(real: grown.real - 1, imaginary: grown.imaginary) / power
  }

  /// Returns the transform E exp(theta Y) of the cycle Y with its delays.
  private func due(_ theta: Complex) -> Complex {
    let even = Self.uniform(theta, to: window)
    let short = inUse > 0 ? Self.uniform(theta, to: min(inUseWindow, window)) : Complex(real: 0, imaginary: 0)
    let delay = Complex(
      real: inUse * short.real + (1 - inUse) * even.real,
      imaginary: inUse * short.imaginary + (1 - inUse) * even.imaginary)
    let start = Complex.exp(Complex(real: theta.real * cycle, imaginary: theta.imaginary * cycle)) * delay
    return jitter > 0 ? start * Self.uniform(theta, to: jitter) : start
  }

  /// Returns the ratio of the spectrum to that of a Poisson process at a positive frequency, in cycles per second.
  func ratio(at frequency: Double) -> Double {
    let angular = 6.283_185_307_179_586 * frequency
    // phi = 1 + s (E exp(theta Y) - 1) / theta with s = i angular, theta = s - free rate.
    let theta = Complex(real: -freeRate, imaginary: angular)
    let due = due(theta)
    let rest = Complex(real: due.real - 1, imaginary: due.imaginary) / theta
    let change = Complex(real: 0, imaginary: angular) * rest
    let phi = Complex(real: 1 + change.real, imaginary: change.imaginary)
    let part = phi / Complex(real: -change.real, imaginary: -change.imaginary)
    return max(1 + 2 * part.real, 1e-6)
  }

  /// The mean of the time X between wakes, in seconds.
  var mean: Double {
    guard freeRate > 0 else {
      return cycle + jitter / 2 + inUse * min(inUseWindow, window) / 2 + (1 - inUse) * window / 2
    }
    return (1 - due(Complex(real: -freeRate, imaginary: 0)).real) / freeRate
  }
}
