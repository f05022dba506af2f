import SimulationKernel

package enum PoissonLaw {
  /// Returns the mean absolute deviation for a `mean` of at least 0: 2 m^(k+1) e^-m / k!, where k is the integer part
  /// of m.
  ///
  /// Source: Johnson, Kotz and Kemp, Univariate Discrete Distributions, 4.3.
  package static func meanDeviation(_ mean: Double) -> Double {
    guard mean > 0 else { return 0 }
    let whole = mean.rounded(.down)
    return 2 * SteadyMath.exp((whole + 1) * SteadyMath.log(mean) - mean - SteadyMath.logGamma(whole + 1))
  }
}

/// A proportion computed from counts, with its exact confidence limits.
package struct CountedShare: Hashable, Sendable {
  package let hits: Int
  package let count: Int
  /// The proportion, from 0 to 1.
  package var share: Double { Double(hits) / Double(count) }
  package let low: Double
  package let high: Double

  /// Creates a proportion with the 95 % limits of Clopper and Pearson (1934).
  ///
  /// - Parameters:
  ///   - hits: the number of hits, from 0 to `count`.
  ///   - count: the number of trials, at least 1.
  package init(_ hits: Int, of count: Int) throws(NumericsError) {
    try NumericsError.check(hits >= 0 && hits <= count, "counted share", "the hits", Double(hits))
    try NumericsError.check(count > 0, "counted share", "the count", Double(count))
    (self.hits, self.count) = (hits, count)
    let (some, all) = (Double(hits), Double(count))
    low = hits == 0 ? 0 : try GSL.betaPinv(0.025, some, all - some + 1)
    high = hits == count ? 1 : try GSL.betaPinv(0.975, some + 1, all - some)
  }
}

/// A Poisson count multiplied by a cluster size (quasi-Poisson), with mean `mean` and variance `dispersion * mean`.
///
/// Between multiples of the cluster size, it has the distribution function of a gamma variable: P(Y <= y) = Q(y /
/// dispersion + 1, mean / dispersion). The computation uses only `SteadyMath`, so results are bit-identical on all
/// machines.
package struct ScaledPoisson: Hashable, Sendable {
  package let mean: Double
  package let dispersion: Double

  /// The shape above which the Wilson-Hilferty cube root replaces the incomplete gamma function.
  private static let exactShapes = 10.0

  package init(mean: Double, dispersion: Double) {
    self.mean = mean
    self.dispersion = dispersion
  }

  /// Returns the probability of a count above `count`; `count` must be greater than -`dispersion`.
  package func upperTail(_ count: Double) -> Double {
    let (shape, x) = (max(count / dispersion + 1, 1e-3), mean / dispersion)
    guard x > 0 else { return 0 }
    if shape < Self.exactShapes { return 1 - IncompleteGamma(shape: shape).upperTail(x) }
    return Self.normalUpperTail(-Self.cubeRootScore(x, shape))
  }

  /// Returns the probability of a count of at most `count`; `count` must be greater than -`dispersion`.
  package func lowerTail(_ count: Double) -> Double {
    let (shape, x) = (max(count / dispersion + 1, 1e-3), mean / dispersion)
    guard x > 0 else { return 1 }
    if shape < Self.exactShapes { return IncompleteGamma(shape: shape).upperTail(x) }
    return Self.normalUpperTail(Self.cubeRootScore(x, shape))
  }

  /// Returns the standard normal score that corresponds to a value of a gamma variable (Wilson and Hilferty 1931).
  private static func cubeRootScore(_ x: Double, _ shape: Double) -> Double {
    3 * shape.squareRoot() * (cubeRoot(x / shape) - 1 + 1 / (9 * shape))
  }

  /// Returns the cube root of a positive number by Halley's method (cubic convergence).
  private static func cubeRoot(_ x: Double) -> Double {
    let third = Int((Double(x.exponent) / 3).rounded(.down))
    let part = x / Double(sign: .plus, exponent: 3 * third, significand: 1)  // from 1 to below 8
    var root = 0.9 + part / 7
    for _ in 0..<3 {
      let cube = root * root * root
      root *= (cube + 2 * part) / (2 * cube + part)
    }
    return Double(sign: .plus, exponent: third, significand: root)
  }

  /// Returns the probability that a standard normal variable is above `z`, with a relative error of at most 1/400.
  ///
  /// Source: Abramowitz and Stegun, 26.2.17 for `z` below 4, and 26.2.14 for `z` of 4 or more.
  package static func normalUpperTail(_ z: Double) -> Double {
    guard z >= 0 else { return 1 - normalUpperTail(-z) }
    guard z < 38 else { return 0 }
    let density = 0.398_942_280_401_432_7 * SteadyMath.exp(-z * z / 2)
    if z >= 4 { return density / (z + 1 / (z + 2 / (z + 3 / (z + 4 / (z + 5 / z))))) }
    let t = 1 / (1 + 0.231_641_9 * z)
    let series = 0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429)))
    return density * t * series
  }
}
