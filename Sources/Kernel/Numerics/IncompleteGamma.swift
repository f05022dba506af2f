import SimulationKernel

/// The gamma distribution of scale 1 and its inverse, computed with `SteadyMath` so that results are bit-identical on
/// every machine.
///
/// Source: Abramowitz and Stegun, 6.5.29 (series) and 6.5.31 (continued fraction, evaluated by Lentz's method).
struct IncompleteGamma {
  let shape: Double
  private let logGamma: Double

  init(shape: Double) {
    self.shape = shape
    logGamma = SteadyMath.logGamma(shape)
  }

  /// Returns x^shape e^-x / gamma(shape), the density times `x`, given `x` and its logarithm.
  private func kernel(_ x: Double, log: Double) -> Double { SteadyMath.exp(shape * log - x - logGamma) }

  /// Returns the lower tail divided by `kernel / shape`, as the sum 1 + x/(a+1) + x^2/((a+1)(a+2)) + ...
  private func series(_ x: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    var divisor = shape
    while term > sum * 1e-17 {
      divisor += 1
      term *= x / divisor
      sum += term
    }
    return sum
  }

  /// Returns the upper tail divided by `kernel`, for x above shape + 1.
  private func fraction(_ x: Double) -> Double {
    var b = x + 1 - shape
    var c = 1e300
    var d = 1 / b
    var result = d
    for step in 1...100_000 {
      let a = -Double(step) * (Double(step) - shape)
      b += 2
      d = 1 / (a * d + b)
      c = b + a / c
      let factor = c * d
      result *= factor
      if abs(factor - 1) < 1e-16 { break }
    }
    return result
  }

  /// Returns the upper tail at `x`, given `x` and its logarithm.
  private func upperTail(_ x: Double, log: Double) -> Double {
    let kernel = kernel(x, log: log)
    return x > shape + 1 ? kernel * fraction(x) : 1 - kernel / shape * series(x)
  }

  /// Returns the probability that a variable of this distribution is above `x`, which is positive.
  func upperTail(_ x: Double) -> Double { min(max(upperTail(x, log: SteadyMath.log(x)), 0), 1) }

  /// Finds the logarithm of the value x whose lower tail is `probability`, which is at most about 1/2.
  ///
  /// Applies Newton's method to logarithms, starting at `start`. The logarithm of the lower tail is a concave, nearly
  /// linear function of the logarithm of x.
  func logQuantile(lower probability: Double, start: Double?) -> Double? {
    let target = SteadyMath.log(probability)
    var log = start.map(SteadyMath.log) ?? (target + logGamma + SteadyMath.log(shape)) / shape
    return Self.settled {
      let x = SteadyMath.exp(log)
      let sum = series(x)
      // The logarithm of the kernel is computed from its terms, because the kernel underflows for small shapes.
      let tail = shape * log - x - logGamma + SteadyMath.log(sum / shape)
      let step = (target - tail) * sum / shape
      log += step
      return (log, abs(step))
    }
  }

  /// Finds the value x whose upper tail is `probability` (at most about 1/2). Applies Newton's method to logarithms,
  /// starting at `start`.
  func quantile(upper probability: Double, start: Double) -> Double? {
    let target = SteadyMath.log(probability)
    var x = start
    return Self.settled {
      let log = SteadyMath.log(x)
      let tail = upperTail(x, log: log)
      guard tail > 0 else { return (.nan, 0) }
      let step = (SteadyMath.log(tail) - target) * tail * x / kernel(x, log: log)
      let next = max(x + step, x / 2)
      defer { x = next }
      return (next, abs(next - x) / x)
    }
  }

  /// Repeats a Newton step until the next one would change only the last bits; returns `nil` if 100 steps are not
  /// enough.
  private static func settled(_ step: () -> (value: Double, change: Double)) -> Double? {
    for _ in 0..<100 {
      let (value, change) = step()
      guard value.isFinite else { return nil }
      if change < 1e-6 { return step().value }
    }
    return nil
  }
}

extension SteadyMath {
  /// Returns the logarithm of 1 - `x`, for `x` from 2^-52 to below 1.
  ///
  /// The rounding error of 1 - x cancels in the computed quotient (Kahan; Goldberg, "What every computer scientist
  /// should know about floating-point arithmetic", theorem 4).
  static func logOfRest(_ x: Double) -> Double {
    let rest = 1 - x
    return log(rest) * x / (1 - rest)
  }

  /// Returns the logarithm of the gamma function of a positive number. Uses the recurrence for arguments below 10, and
  /// Stirling's series for larger ones (Abramowitz and Stegun, 6.1.41).
  static func logGamma(_ x: Double) -> Double {
    var shifted = x
    var product = 1.0
    while shifted < 10 {
      product *= shifted
      shifted += 1
    }
    let square = 1 / (shifted * shifted)
    let series: [Double] = [-691.0 / 360_360, 1.0 / 1_188, -1.0 / 1_680, 1.0 / 1_260, -1.0 / 360, 1.0 / 12]
    let correction = series.reduce(0) { $0 * square + $1 } / shifted
    let halfLogTwoPi = 0.918_938_533_204_672_7
    return (shifted - 0.5) * log(shifted) - shifted + halfLogTwoPi + correction - log(product)
  }

  /// Rounds to `bits` bits after the leading one, which removes nearly all differences in the lower bits between
  /// machines.
  static func rounded(_ x: Double, bits: UInt64) -> Double {
    let dropped = 52 - bits
    let half = UInt64(1) << (dropped - 1)
    return Double(bitPattern: ((x.bitPattern &+ half) >> dropped) << dropped)
  }
}
