/// The common mean of estimates that differ by more than their own errors, as those of several labs do.
///
/// The variance between them is that of DerSimonian and Laird (Controlled Clinical Trials 7, 1986), the share of it that
/// of Higgins and Thompson (Statistics in Medicine 21, 2002), the interval that of Hartung and Knapp (Statistics in
/// Medicine 20, 2001) with a scale that is no less than 1, for few estimates may agree by chance (Röver, Knapp and Friede,
/// BMC Medical Research Methodology 15, 2015).
package struct RandomEffects: Hashable, Sendable {
  /// A value with its standard error, above 0.
  package struct Estimate: Hashable, Sendable {
    package let value: Double
    package let error: Double

    package init(_ value: Double, error: Double) {
      self.value = value
      self.error = error
    }
  }

  package let mean: Double
  /// The ends of the 95 % interval of the mean.
  package let low: Double
  package let high: Double
  /// The standard deviation of the true values around the mean, in the unit of the estimates.
  package let deviation: Double
  /// I^2: the share of the scatter of the estimates that is no chance of theirs, 0 to 1.
  package let excess: Double

  /// Throws where an error is not above 0, or numbers are too large; nil: fewer than two estimates.
  package init?(of estimates: [Estimate]) throws(NumericsError) {
    for estimate in estimates {
      try NumericsError.check(estimate.error > 0, "random effects", "a standard error", estimate.error)
      try NumericsError.check(true, "random effects", "an estimate", estimate.value)
    }
    guard estimates.count > 1 else { return nil }
    let freedom = Double(estimates.count - 1)
    let fixed = WeightedMean(estimates, variance: 0)
    let surplus = fixed.squares - freedom
    let scale = fixed.weight - fixed.weights.reduce(0) { $0 + $1 * $1 } / fixed.weight
    let variance = max(0, surplus / scale)
    let random = WeightedMean(estimates, variance: variance)
    let half =
      (max(1, random.squares / freedom) / random.weight).squareRoot()
      * (try StudentDistribution.quantile(0.975, freedom: freedom))
    mean = random.mean
    low = mean - half
    high = mean + half
    deviation = variance.squareRoot()
    excess = surplus > 0 ? surplus / fixed.squares : 0
    for value in [low, high, deviation] where !value.isFinite {
      throw .notFinite(function: "random effects", arguments: estimates.map(\.value))
    }
  }
}

/// A mean with weights that are inverse variances.
private struct WeightedMean {
  let weights: [Double]
  /// The sum of the weights.
  let weight: Double
  let mean: Double
  /// The weighted sum of squared distances from the mean.
  let squares: Double

  /// - Parameter variance: what adds to that of each estimate.
  init(_ estimates: [RandomEffects.Estimate], variance: Double) {
    let weights = estimates.map { 1 / ($0.error * $0.error + variance) }
    let weight = weights.reduce(0, +)
    let mean = zip(weights, estimates).reduce(0) { $0 + $1.0 * $1.1.value } / weight
    (self.weights, self.weight, self.mean) = (weights, weight, mean)
    squares = zip(weights, estimates).reduce(0) { $0 + $1.0 * ($1.1.value - mean) * ($1.1.value - mean) }
  }
}
