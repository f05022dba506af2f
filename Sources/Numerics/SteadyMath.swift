/// Elementary functions made of IEEE sums, products, quotients and roots alone: the same bits on every machine.
///
/// libm picks variants by processor that differ in the last bit; what fills a table must not. Accurate to a few units
/// in the last place, which tests hold against libm. Not for the event path.
package enum SteadyMath {
  /// log 2 as a sum whose first part has 32 trailing zero bits (fdlibm `e_exp.c`).
  private static let log2High = 0x1.62e42feep-1
  private static let log2Low = 0x1.a39ef35793c76p-33

  /// e to the power of `x`; infinite from 709.79 on, 0 below -745.2.
  package static func exp(_ x: Double) -> Double {
    guard x < 709.782_712 else { return .infinity }
    guard x > -745.2 else { return 0 }
    let power = (x * 1.442_695_040_888_963_4).rounded()
    let rest = (x - power * log2High) - power * log2Low  // within 0.35 of 0
    var sum = 1.0
    for term in stride(from: 14.0, to: 0, by: -1) { sum = 1 + rest * sum / term }
    return Double(sign: .plus, exponent: Int(power), significand: sum)
  }

  /// The natural logarithm of a finite `x` above 0.
  package static func log(_ x: Double) -> Double {
    var power = Double(x.exponent)
    var part = x.significand
    if part > 1.414_213_562_373_095 {
      part /= 2
      power += 1
    }
    let ratio = (part - 1) / (part + 1)  // log(part) = 2 artanh(ratio), ratio within 0.172 of 0
    let square = ratio * ratio
    var sum = 0.0
    for odd in stride(from: 25.0, to: 1, by: -2) { sum = square * (1 / odd + sum) }
    return power * log2High + (2 * ratio + (2 * ratio * sum + power * log2Low))
  }

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
    let series = [-691.0 / 360_360, 1.0 / 1_188, -1.0 / 1_680, 1.0 / 1_260, -1.0 / 360, 1.0 / 12]
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
