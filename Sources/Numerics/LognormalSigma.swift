import SimulationKernel

/// The spread of a lognormal distribution from what people know of it.
package enum LognormalSigma {
  /// The standard deviation of the logarithm when `quantile`, at least the median, is not exceeded with `probability`.
  ///
  /// Usual probabilities: 0.99 for p99, 0.95 for p95; above 1/2. 0 when the quantile is the median. The same on every
  /// machine, like the tables that follow from it. sigma = ln(quantile / median) / z(probability).
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
