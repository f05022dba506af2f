package import Numerics
internal import SimulationKernel

/// The factor that all loads of a day have in common, estimated from days that are over: its logarithm is normal.
package struct DayFactor: Hashable, Sendable {
  /// Days that it was estimated from.
  package let days: Int
  /// The factor of a day in the middle.
  package let middle: Double
  /// The deviation of a day's logarithm; 0 of a single day.
  package let deviation: Double

  /// - Parameter ratios: of what came to what was expected, by day; above 0.
  /// - Returns: nil without a day.
  package init?(_ ratios: [Double]) {
    guard !ratios.isEmpty, ratios.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
    let logs = ratios.map(SteadyMath.log)
    let mean = logs.reduce(0, +) / Double(logs.count)
    let squares = logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    days = ratios.count
    middle = SteadyMath.exp(mean)
    deviation = days > 1 ? (squares / Double(days - 1)).squareRoot() : 0
  }

  /// How far the logarithm of a coming day's factor is from the middle's, with a probability: Student's t with the
  /// freedom of the days, for the middle is known no better than they tell it.
  ///
  /// - Parameter probability: of less, above 1/2 and below 1.
  /// - Returns: infinite of a single day.
  package func reach(_ probability: Double) throws(NumericsError) -> Double {
    guard days > 1 else { return .infinity }
    let student = try StudentDistribution.quantile(probability, freedom: Double(days - 1))
    return student * deviation * (1 + 1 / Double(days)).squareRoot()
  }

  /// The factor that is exceeded with the probability that is left.
  package func quantile(_ probability: Double) throws(NumericsError) -> Double {
    probability < 0.5
      ? middle * SteadyMath.exp(-(try reach(1 - probability))) : middle * SteadyMath.exp(try reach(probability))
  }
}
