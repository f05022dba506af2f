import SimulationKernel

/// Counts of a Poisson process whose mean is known only on the way.
enum PoissonDraw {
  /// A count, by inversion up to a mean of 16 and as a rounded normal beyond it, where the two differ by less than the
  /// counts of a day depend on their mean.
  static func count(mean: Double, _ draws: Philox.Block) -> Double {
    guard mean < 16 else {
      // Four uniforms have variance 1/3.
      let words = [draws.word0, draws.word1, draws.word2, draws.word3]
      let sum = words.reduce(-2) { $0 + (Double($1) + 0.5) * 0x1p-32 }
      return max((mean + (3 * mean).squareRoot() * sum).rounded(), 0)
    }
    var rest = (Double(draws.first >> 11) + 0.5) * 0x1p-53
    var (count, probability) = (0.0, SteadyMath.exp(-mean))
    while rest > probability, count < 100 {
      rest -= probability
      count += 1
      probability *= mean / count
    }
    return count
  }
}
