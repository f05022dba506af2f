internal import SimulationKernel

/// Poisson's distribution.
package enum PoissonLaw {
  /// The mean distance of a draw from `mean`, which is at least 0: 2 m^(k+1) e^-m / k! with k the whole part of m.
  ///
  /// Johnson, Kotz, Kemp, Univariate Discrete Distributions, 4.3.
  package static func meanDeviation(_ mean: Double) -> Double {
    guard mean > 0 else { return 0 }
    let whole = mean.rounded(.down)
    return 2 * SteadyMath.exp((whole + 1) * SteadyMath.log(mean) - mean - SteadyMath.logGamma(whole + 1))
  }
}

/// A share that was counted, with its exact limits.
package struct CountedShare: Hashable, Sendable {
  package let hits: Int
  package let count: Int
  /// From 0 to 1.
  package var share: Double { Double(hits) / Double(count) }
  package let low: Double
  package let high: Double

  /// Limits of Clopper and Pearson (1934), 95 %.
  ///
  /// - Parameters:
  ///   - hits: from 0 to `count`.
  ///   - count: at least 1.
  package init(_ hits: Int, of count: Int) throws(NumericsError) {
    try NumericsError.check(hits >= 0 && hits <= count, "counted share", "the hits", Double(hits))
    try NumericsError.check(count > 0, "counted share", "the count", Double(count))
    (self.hits, self.count) = (hits, count)
    let (some, all) = (Double(hits), Double(count))
    low = hits == 0 ? 0 : try GSL.betaPinv(0.025, some, all - some + 1)
    high = hits == count ? 1 : try GSL.betaPinv(0.975, some + 1, all - some)
  }
}
