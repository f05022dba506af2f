internal import SimulationKernel

/// How far an estimate from a few phones may be off: half-widths of 95 % intervals.
package enum LabPrecision {
  /// The probability that an interval leaves out.
  private static let error = 0.05

  /// The largest distance between the law of so many independent observations and the true one, as a share of 1:
  /// sqrt(ln(2 / 0.05) / 2n) (Dvoretzky, Kiefer, Wolfowitz 1956; the constant is Massart's, 1990).
  package static func law(observations: Double) -> Double {
    (SteadyMath.log(2 / error) / (2 * observations)).squareRoot()
  }

  /// A mean of independent observations: 1.96 s / sqrt(n), in the unit of their deviation.
  package static func mean(deviation: Double, observations: Double) -> Double {
    normal * deviation / observations.squareRoot()
  }

  /// The mean of all phones of a kind, of which a few were watched: t sqrt(b^2 / k + s^2 / km), where k phones differ by
  /// b, the m observations of each by s, and t is Student's with k - 1 degrees of freedom (the variance of a cluster
  /// sample, Cochran, Sampling Techniques, 1977, 10.2); nil: one phone tells nothing about others.
  ///
  /// - Parameters:
  ///   - between: the standard deviation of the phones' own means.
  ///   - within: the standard deviation of a phone's observations.
  package static func clusteredMean(
    between: Double, within: Double, phones: Int, observationsEach: Double
  ) -> Double? {
    guard phones > 1 else { return nil }
    let variance = between * between + within * within / observationsEach
    return StudentTable.upper(freedom: Double(phones - 1)) * (variance / Double(phones)).squareRoot()
  }

  /// The end of a window in which observations spread evenly: W ln(1 / 0.05) / n, in the unit of the window.
  ///
  /// The nearest of n observations lies W / n from the end on average, by an exponential law: the end is on one side.
  package static func edge(window: Double, observations: Double) -> Double {
    window * -SteadyMath.log(error) / observations
  }

  /// The deviation of a single answer of yes or no.
  package static func deviation(ofShare share: Double) -> Double { (share * (1 - share)).squareRoot() }

  /// What the normal law of deviation 1 exceeds with a probability of 2.5 %.
  private static let normal = 1.959_964
}
