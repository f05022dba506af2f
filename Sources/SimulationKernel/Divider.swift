/// Division by a number that is known only at run time but used millions of times.
///
/// Exact for dividends below 2^40 (34 years in milliseconds) and divisors up to 2^24; larger divisors divide plainly.
/// Source of the method: Granlund and Montgomery, Division by invariant integers using multiplication, PLDI 1994.
public struct Divider: BitwiseCopyable, Sendable {
  @usableFromInline let divisor: UInt64
  /// 2^64 / divisor rounded up.
  @usableFromInline let reciprocal: UInt64
  /// From here on dividends are divided plainly.
  @usableFromInline let limit: UInt64

  public init(by divisor: Int64) {
    precondition(divisor > 0, "a divisor is positive")
    self.divisor = UInt64(divisor)
    let isSmall = divisor > 1 && divisor <= 1 << 24
    reciprocal = isSmall ? UInt64.max / UInt64(divisor) + 1 : 0
    limit = isSmall ? 1 << 40 : 0
  }

  /// The whole number of divisors in `dividend`, which is not negative.
  @inlinable public func quotient(_ dividend: Int64) -> Int {
    let dividend = UInt64(bitPattern: dividend)
    if dividend >= limit { return Int(dividend / divisor) }
    return Int(truncatingIfNeeded: dividend.multipliedFullWidth(by: reciprocal).high)
  }
}
