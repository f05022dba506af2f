/// A continuous distribution by its parameters, in whatever unit the quantity has; computed by GSL.
package enum ContinuousDistribution: Hashable, Sendable {
  case exponential(mean: Double)
  case normal(mean: Double, deviation: Double)
  /// Median, and the standard deviation of the logarithm.
  case lognormal(median: Double, sigma: Double)
  /// Shape at most 10 000, and the mean: shape times scale.
  case gamma(shape: Double, mean: Double)

  /// The probability of at most `x`.
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

  /// The probability of more than `x`.
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

  /// Throws `NumericsError.argument` unless every parameter makes sense.
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
