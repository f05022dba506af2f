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
}
