import SimulationKernel

extension SteadyMath {
  /// The logarithm of 1 - `x` for an `x` from 2^-52 to below 1: what is lost of x in 1 - x is lost above and below the
  /// bar (Kahan; Goldberg, "What every computer scientist should know about floating-point arithmetic", theorem 4).
  static func logOfRest(_ x: Double) -> Double {
    let rest = 1 - x
    return log(rest) * x / (1 - rest)
  }

  /// The logarithm of the gamma function above 0: recurrence to 10, then Stirling (Abramowitz, Stegun 6.1.41).
  static func logGamma(_ x: Double) -> Double {
    var shifted = x
    var product = 1.0
    while shifted < 10 {
      product *= shifted
      shifted += 1
    }
    let square = 1 / (shifted * shifted)
    let series: [Double] = [-691.0 / 360_360, 1.0 / 1_188, -1.0 / 1_680, 1.0 / 1_260, -1.0 / 360, 1.0 / 12]
    let correction = series.reduce(0) { $0 * square + $1 } / shifted
    let halfLogTwoPi = 0.918_938_533_204_672_7
    return (shifted - 0.5) * log(shifted) - shifted + halfLogTwoPi + correction - log(product)
  }

  /// The nearest number with `bits` bits after the leading one: hides what differs in lower bits, nearly always.
  static func rounded(_ x: Double, bits: UInt64) -> Double {
    let dropped = 52 - bits
    let half = UInt64(1) << (dropped - 1)
    return Double(bitPattern: ((x.bitPattern &+ half) >> dropped) << dropped)
  }
}
