/// Where the mean of independent replications lies, by Student's t.
package struct ConfidenceInterval: Hashable, Sendable {
  package let mean: Double
  package let low: Double
  package let high: Double

  /// The interval at `level`, a probability between 0 and 1; nil with fewer than two values.
  ///
  /// Linear in the number of values. Throws when a value or the level is out of range.
  package init?(of values: [Double], level: Double = 0.95) throws(NumericsError) {
    try NumericsError.check(level > 0 && level < 1, "confidence interval", "the level", level)
    for value in values { try NumericsError.check(true, "confidence interval", "a value", value) }
    guard values.count > 1 else { return nil }
    let count = Double(values.count)
    // About the first value, so that equal values give exactly their mean and no width.
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
  /// The value that is not exceeded with `probability`, between 0 and 1, at `freedom` degrees of freedom, above 0.
  package static func quantile(_ probability: Double, freedom: Double) throws(NumericsError) -> Double {
    try NumericsError.check(probability > 0 && probability < 1, "Student t", "the probability", probability)
    try NumericsError.check(freedom > 0, "Student t", "the degrees of freedom", freedom)
    return try GSL.studentPinv(probability, freedom: freedom)
  }
}
