internal import Numerics
internal import Scenario
internal import SimulationKernel

/// What one profile has measured of a constant, as numbers.
struct LabConstant {
  let value: SizedConstant
  let low: Double
  let high: Double

  /// - Returns: nil unless its value and both ends have laws of one form, which one number sizes.
  init?(_ constant: BracketConstant, of profile: SystemProfile) {
    guard let value = SizedConstant(constant, of: profile.values), let low = SizedConstant(constant, of: profile.low),
      let high = SizedConstant(constant, of: profile.high), low.form == value.form, high.form == value.form
    else { return nil }
    (self.value, self.low, self.high) = (value, low.number, high.number)
  }

  /// Its value and standard error on a scale.
  func estimate(_ scale: MergeScale) -> RandomEffects.Estimate {
    RandomEffects.Estimate(
      scale.scaled(value.number), error: (scale.scaled(high) - scale.scaled(low)) / (2 * Self.normalQuantile))
  }

  /// Half a 95 % interval in standard errors, as the interval of one lab is taken.
  private static let normalQuantile = 1.96

  /// How far the value is from the middle of its interval on a scale, as a share of the interval.
  func skew(_ scale: MergeScale) -> Double {
    let (low, value, high) = (scale.scaled(low), scale.scaled(value.number), scale.scaled(high))
    return abs(low + high - 2 * value) / (high - low)
  }
}

/// The scale on which the errors of labs are taken for normal.
package enum MergeScale: Sendable {
  case natural, logarithmic

  /// The logarithmic one where nothing is 0 or a share, and intervals are more symmetric on it.
  init(_ labs: [LabConstant]) {
    let canBeLogarithmic = labs.allSatisfy { $0.low > 0 && $0.value.form != .share }
    let isLogarithmic = canBeLogarithmic && Self.skew(labs, .logarithmic) < Self.skew(labs, .natural)
    self = isLogarithmic ? .logarithmic : .natural
  }

  private static func skew(_ labs: [LabConstant], _ scale: MergeScale) -> Double {
    labs.reduce(0) { $0 + $1.skew(scale) }
  }

  func scaled(_ number: Double) -> Double { self == .natural ? number : SteadyMath.log(number) }

  func natural(_ number: Double) -> Double { self == .natural ? number : SteadyMath.exp(number) }
}
