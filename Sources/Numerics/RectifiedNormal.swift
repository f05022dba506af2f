import SimulationKernel

/// A normal distribution whose values below 0 count as 0 (MODEL.md 2.8).
package enum RectifiedNormal {
  /// The expectation: m P(m / s) + s p(m / s) with P and p of the standard normal; needs a deviation above 0.
  package static func mean(mean: Double, deviation: Double) throws(NumericsError) -> Double {
    guard deviation > 0 else { return max(mean, 0) }
    let ratio = mean / deviation
    let below = try ContinuousDistribution.normal(mean: 0, deviation: 1).lowerTail(ratio)
    let density = SteadyMath.exp(-ratio * ratio / 2) / (2 * Double.pi).squareRoot()
    return mean * below + deviation * density
  }
}
