import SimulationKernel

/// A continuous distribution whose functions are computed by GSL; its parameters are in the unit of the quantity.
package enum ContinuousDistribution: Hashable, Sendable {
  case exponential(mean: Double)
  case normal(mean: Double, deviation: Double)
  /// A lognormal distribution given by its median and the standard deviation of the logarithm.
  case lognormal(median: Double, sigma: Double)
  /// A gamma distribution given by its shape (at most 10 000) and its mean (shape times scale).
  case gamma(shape: Double, mean: Double)

  /// Returns the probability that a value is at most `x`.
  package func lowerTail(_ x: Double) throws(NumericsError) -> Double {
    try validate()
    switch self {
    case .exponential(let mean): return try GSL.exponentialP(x, mean: mean)
    case .normal(let mean, let deviation): return try GSL.normalP((x - mean) / deviation)
    case .lognormal(let median, let sigma):
      return x > 0 ? try GSL.lognormalP(x / median, zeta: 0, sigma: sigma) : 0
    case .gamma(let shape, let mean): return try GSL.gammaP(x, shape: shape, scale: mean / shape)
    }
  }

  /// Returns the probability that a value is above `x`.
  package func upperTail(_ x: Double) throws(NumericsError) -> Double {
    try validate()
    switch self {
    case .exponential(let mean): return try GSL.exponentialQ(x, mean: mean)
    case .normal(let mean, let deviation): return try GSL.normalQ((x - mean) / deviation)
    case .lognormal(let median, let sigma):
      return x > 0 ? try GSL.lognormalQ(x / median, zeta: 0, sigma: sigma) : 1
    case .gamma(let shape, let mean): return try GSL.gammaQ(x, shape: shape, scale: mean / shape)
    }
  }

  /// Throws `NumericsError.argument` unless all parameters are valid.
  package func validate() throws(NumericsError) {
    switch self {
    case .exponential(let mean):
      try NumericsError.check(mean > 0, "exponential", "the mean", mean)
    case .normal(let mean, let deviation):
      try NumericsError.check(true, "normal", "the mean", mean)
      try NumericsError.check(deviation > 0, "normal", "the deviation", deviation)
    case .lognormal(let median, let sigma):
      try NumericsError.check(median > 0, "lognormal", "the median", median)
      try NumericsError.check(sigma > 0, "lognormal", "sigma", sigma)
    case .gamma(let shape, let mean):
      try NumericsError.check(shape >= 0.01 && shape <= 10_000, "gamma", "the shape", shape)
      try NumericsError.check(mean > 0, "gamma", "the mean", mean)
    }
  }
}

/// The spread of a lognormal distribution, computed from its median and another quantile.
package enum LognormalSigma {
  /// Returns the standard deviation of the logarithm, given `quantile` (at least the median) and its `probability`.
  ///
  /// sigma = ln(quantile / median) / z(probability). The probability is above 1/2, usually 0.99 for p99 or 0.95 for
  /// p95. The result is 0 if the quantile equals the median. The result is bit-identical on every machine, and so are
  /// the tables computed from it.
  package static func from(
    median: Double, quantile: Double, at probability: Double
  ) throws(NumericsError) -> Double {
    let function = "sigma of a lognormal"
    try NumericsError.check(median > 0, function, "the median", median)
    try NumericsError.check(quantile >= median, function, "the quantile", quantile)
    try NumericsError.check(probability > 0.5 && probability < 1, function, "the probability", probability)
    let upper = 1 - probability
    let start = try GSL.normalQinv(upper)
    guard let z = StandardQuantiles.upperNormal(upper, start: start), z > 0 else {
      throw .notFinite(function: function, arguments: [median, quantile, probability])
    }
    let sigma = SteadyMath.log(quantile / median) / z
    try NumericsError.check(true, function, "the quantile over the median", sigma)
    return SteadyMath.rounded(sigma, bits: 40)
  }
}

/// A normal distribution whose values below 0 are treated as 0 (MODEL.md 2.8).
package enum RectifiedNormal {
  /// Returns the mean, which is m P(m / s) + s p(m / s), or max(m, 0) if the deviation s is 0.
  ///
  /// P and p are the distribution function and the density of the standard normal distribution.
  package static func mean(mean: Double, deviation: Double) throws(NumericsError) -> Double {
    guard deviation > 0 else { return max(mean, 0) }
    let ratio = mean / deviation
    let below = try ContinuousDistribution.normal(mean: 0, deviation: 1).lowerTail(ratio)
    let density = SteadyMath.exp(-ratio * ratio / 2) / (2 * Double.pi).squareRoot()
    return mean * below + deviation * density
  }
}
