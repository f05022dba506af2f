/// Functions without a distribution of their own; computed by GSL, which also decides what they are defined for.
package enum SpecialFunctions {
  /// The logarithm of the gamma function's absolute value; throws `NumericsError.library` at 0, -1, -2 ...
  package static func logGamma(_ x: Double) throws(NumericsError) -> Double { try GSL.logGamma(x) }
}
