import SimulationKernel

/// The confidence interval for the mean of independent replications, based on Student's t.
package struct ConfidenceInterval: Hashable, Sendable {
  package let mean: Double
  package let low: Double
  package let high: Double

  /// Creates the interval at `level`, a probability between 0 and 1; `nil` if there are fewer than two values.
  ///
  /// Runs in time linear in the number of values. Throws if a value or the level is out of range.
  package init?(of values: [Double], level: Double = 0.95) throws(NumericsError) {
    try NumericsError.check(level > 0 && level < 1, "confidence interval", "the level", level)
    for value in values { try NumericsError.check(true, "confidence interval", "a value", value) }
    guard values.count > 1 else { return nil }
    let count = Double(values.count)
    // Sums are taken relative to the first value, so that equal values give exactly their mean and an interval of width
    // 0.
    let origin = values[0]
    let shift = values.reduce(0) { $0 + ($1 - origin) } / count
    let squares = values.reduce(0) { $0 + ($1 - origin - shift) * ($1 - origin - shift) }
    let error = (squares / (count - 1) / count).squareRoot()
    let half = error * (try StudentDistribution.quantile((1 + level) / 2, freedom: count - 1))
    mean = origin + shift
    low = mean - half
    high = mean + half
    for end in [low, high] where !end.isFinite {
      throw .notFinite(function: "confidence interval", arguments: values)
    }
  }
}

/// Student's t distribution.
package enum StudentDistribution {
  /// Returns the quantile at `probability` in (0, 1), for `freedom` > 0 degrees of freedom.
  package static func quantile(_ probability: Double, freedom: Double) throws(NumericsError) -> Double {
    try NumericsError.check(probability > 0 && probability < 1, "Student t", "the probability", probability)
    try NumericsError.check(freedom > 0, "Student t", "the degrees of freedom", freedom)
    return try GSL.studentPinv(probability, freedom: freedom)
  }
}

/// The distribution of Kolmogorov's statistic: the largest distance between a sample's distribution and the true
/// distribution.
package enum KolmogorovDistribution {
  /// Returns the probability that the empirical distribution of `samples` independent draws deviates by at least
  /// `distance`.
  ///
  /// Uses the asymptotic distribution with Stephens' correction for finite samples, which is accurate to 1 % for 20
  /// samples or more. Source: M. A. Stephens, "Use of the Kolmogorov-Smirnov, Cramer-von Mises and related statistics",
  /// J. R. Stat. Soc. B 32 (1970) 115.
  package static func upperTail(distance: Double, samples: Int) throws(NumericsError) -> Double {
    try NumericsError.check(distance >= 0, "Kolmogorov", "the distance", distance)
    try NumericsError.check(samples > 0, "Kolmogorov", "the number of samples", Double(samples))
    let root = Double(samples).squareRoot()
    return asymptoticUpperTail((root + 0.12 + 0.11 / root) * distance)
  }

  /// Returns 1 - K(x), where K is Kolmogorov's limiting distribution, using the series that converges faster at `x`
  /// (Kolmogorov 1933; theta function).
  package static func asymptoticUpperTail(_ x: Double) -> Double {
    guard x > 0.04 else { return 1 }
    if x < 1.18 {
      let exponent = -9.869_604_401_089_358 / (8 * x * x)  // -pi^2 / (8 x^2)
      let sum = stride(from: 1.0, through: 9, by: 2).reduce(0) { $0 + SteadyMath.exp($1 * $1 * exponent) }
      return 1 - 2.506_628_274_631_000_5 / x * sum  // sqrt(2 pi)
    }
    return stride(from: 1.0, through: 6, by: 1).reduce(0) { sum, term in
      let sign: Double = term.truncatingRemainder(dividingBy: 2) == 1 ? 2 : -2
      return sum + sign * SteadyMath.exp(-2 * term * term * x * x)
    }
  }
}
