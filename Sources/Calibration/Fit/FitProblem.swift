/// What a fit by simulation is about: keys with what they may be, and what the log says that they must explain.
package struct FitProblem: Sendable {
  /// The paths of the keys that are looked for.
  package let keys: [String]
  package let measured: [LogStatistic]
  /// The phones of the log over those of a simulation: what the log has by chance is as much less.
  package let phones: Double

  package init(keys: [String], measured: [LogStatistic], phones: Double) {
    (self.keys, self.measured, self.phones) = (keys, measured, phones)
  }

  static let mostWaves = 4
  /// Simulations at the place that was found.
  static let trials = 8

  /// Simulations of a wave: twice as many as a surface has coefficients, and some that tell chance.
  static func wave(keys: Int) -> Int { 12 + 2 * ResponseSurface.terms(keys: keys) }

  /// How many simulations a fit of some keys takes at most.
  package static func mostSimulations(keys: Int) -> Int { keys == 0 ? 0 : mostWaves * wave(keys: keys) + trials }

  /// The standard deviation of a place that is uniform over its range, as it is taken for before the log is seen.
  static let priorDeviation = 0.288_675_134_594_812_9
}

/// One simulation of the log's time that a fit asks for.
package struct FitTrial: Hashable, Sendable {
  /// Where each key lies between the ends of its range.
  package let places: [Double]
  /// Names the draws.
  package let seed: UInt64
}

/// Simulates the log's time, as the fit sees it: the same statistics as of the log.
package protocol FitSimulator {
  associatedtype Problem: Error

  /// Some simulations, in any order or at the same time.
  ///
  /// - Returns: in the order of the trials; nil for those that there was no time for.
  mutating func statistics(of trials: [FitTrial]) throws(Problem) -> [[LogStatistic]?]
}

/// What the fit found.
package struct FitResult: Sendable {
  /// By key: the place between the ends of its range, with both intervals.
  package let keys: [FittedKey]
  /// The chi-square of what is not explained, and how many statistics there are beyond keys.
  package let chiSquare: Double
  package let freedom: Int
  /// What is explained worst, the worst first: standardised residuals.
  package let worst: [Residual]
  package let simulations: Int
  /// Whether it ended for want of time.
  package let isCutShort: Bool

  package struct FittedKey: Sendable {
    package let path: String
    /// The mean of what the log leaves of the range.
    package let place: Double
    /// Places of the 95 % interval that chance alone makes.
    package let statistical: ClosedRange<Double>
    /// With what the model does not explain.
    package let withModelError: ClosedRange<Double>
    /// How much narrower than before the log was seen: 1 - deviation after / deviation before.
    package let contraction: Double
    /// By key: how its estimate moves with that one, -1 to 1.
    package let correlations: [Double]
    /// Keys whose estimates move with it, beyond a correlation of 0.95.
    package let confounded: [String]
    /// Whether an end of its range lies within two standard errors: what lies beyond was not looked at.
    package let meetsEnd: Bool

    /// Above 80 % identified, above 30 % weakly (Docs/CALIBRATION.md); where its range cuts the interval, weakly at most.
    package var verdict: Estimate.Verdict {
      guard contraction > 0.3 else { return .notFromThisLog }
      return contraction > 0.8 && !meetsEnd ? .identified : .weakly
    }
  }

  package struct Residual: Sendable {
    package let statistic: LogStatistic
    package let simulated: Double
    /// In standard errors.
    package let deviate: Double
  }

  /// Whether the model explains what it was fitted to, as far as chance goes.
  package var scale: Double { freedom > 0 ? max(1, chiSquare / Double(freedom)) : 1 }
}
