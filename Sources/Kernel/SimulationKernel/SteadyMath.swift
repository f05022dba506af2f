/// Elementary functions built only from IEEE sums, products, quotients and roots, so that results are bit-identical on
/// every machine.
///
/// libm selects processor-specific variants that differ in the last bit, but table contents must be the same on all
/// machines. Results are accurate to a few units in the last place; tests check them against libm. These functions are
/// not intended for the event path.
package enum SteadyMath {
  /// log 2 as the sum of two constants, the first of which has 32 trailing zero bits (fdlibm `e_exp.c`).
  private static let log2High = 0x1.62e42feep-1
  private static let log2Low = 0x1.a39ef35793c76p-33

  /// Returns e to the power of `x`; the result is infinite for `x` above 709.79 and 0 for `x` below -745.2.
  package static func exp(_ x: Double) -> Double {
    guard x < 709.782_712 else { return .infinity }
    guard x > -745.2 else { return 0 }
    let power = (x * 1.442_695_040_888_963_4).rounded()
    let rest = (x - power * log2High) - power * log2Low  // within 0.35 of 0
    var sum = 1.0
    for term in stride(from: 14.0, to: 0, by: -1) { sum = 1 + rest * sum / term }
    return Double(sign: .plus, exponent: Int(power), significand: sum)
  }

  /// Returns the natural logarithm of a finite, positive `x`.
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

  /// Returns the cosine and sine of an angle given in turns, accurate to 1e-15 for angles of up to 10^6 turns.
  ///
  /// Uses the Taylor series for an eighth of a turn, and symmetry for the other eighths.
  package static func turn(_ turns: Double) -> (cosine: Double, sine: Double) {
    let quarters = (turns * 4).rounded()
    let angle = (turns - quarters / 4) * 6.283_185_307_179_586
    let square = angle * angle
    var (cosine, sine) = (1.0, 1.0)
    for term in stride(from: 16.0, to: 0, by: -2) {
      cosine = 1 - square * cosine / (term * (term - 1))
      sine = 1 - square * sine / (term * (term + 1))
    }
    sine *= angle
    return switch Int64(quarters) & 3 {
    case 0: (cosine, sine)
    case 1: (-sine, cosine)
    case 2: (-cosine, -sine)
    default: (sine, -cosine)
    }
  }
}

/// A precomputed divisor for millions of divisions by a number that is known only at run time.
///
/// The quotient is exact for dividends below 2^40 (34 years in milliseconds) and divisors up to 2^24; plain division is
/// used for larger divisors. Source: Granlund and Montgomery, Division by invariant integers using multiplication, PLDI
/// 1994.
public struct Divider: BitwiseCopyable, Sendable {
  @usableFromInline let divisor: UInt64
  /// 2^64 / divisor rounded up.
  @usableFromInline let reciprocal: UInt64
  /// The lowest dividend for which plain division is used.
  @usableFromInline let limit: UInt64

  public init(by divisor: Int64) {
    precondition(divisor > 0, "a divisor is positive")
    self.divisor = UInt64(divisor)
    let isSmall = divisor > 1 && divisor <= 1 << 24
    reciprocal = isSmall ? UInt64.max / UInt64(divisor) + 1 : 0
    limit = isSmall ? 1 << 40 : 0
  }

  /// Returns the integer quotient of `dividend`, which must not be negative.
  @inlinable public func quotient(_ dividend: Int64) -> Int {
    let dividend = UInt64(bitPattern: dividend)
    if dividend >= limit { return Int(dividend / divisor) }
    return Int(truncatingIfNeeded: dividend.multipliedFullWidth(by: reciprocal).high)
  }
}

extension Int64 {
  /// Returns the quotient rounded towards minus infinity, as required for calendar days before the epoch.
  @inlinable public func floorDivided(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

/// Sums and differences that cannot overflow because the limits on scenarios keep them small.
extension Int64 {
  /// Returns the sum, which must fit; debug builds check it.
  @inlinable @inline(__always) func plus(_ other: Int64) -> Int64 {
    assert(!addingReportingOverflow(other).overflow, "a sum overflows")
    return self &+ other
  }

  /// Returns the difference, which must fit; debug builds check it.
  @inlinable @inline(__always) func minus(_ other: Int64) -> Int64 {
    assert(!subtractingReportingOverflow(other).overflow, "a difference overflows")
    return self &- other
  }
}
