/// The distribution of a number of independent events of a given mean; computed by GSL.
package struct PoissonDistribution: Hashable, Sendable {
  package let mean: Double

  /// Throws unless the mean is above 0.
  package init(mean: Double) throws(NumericsError) {
    try NumericsError.check(mean > 0, "Poisson", "the mean", mean)
    self.mean = mean
  }

  /// The probability of at most `count` events.
  package func lowerTail(_ count: Int) throws(NumericsError) -> Double {
    count < 0 ? 0 : try GSL.poissonP(UInt32(clamping: count), mean: mean)
  }

  /// The probability of more than `count` events.
  package func upperTail(_ count: Int) throws(NumericsError) -> Double {
    count < 0 ? 1 : try GSL.poissonQ(UInt32(clamping: count), mean: mean)
  }
}
