/// A figure: a whole number where it is one, otherwise the nearest binary fraction.
package enum Quantity: Hashable, Sendable {
  case whole(Int128)
  case real(Double)

  /// The quotient, whole when it divides exactly; nil for a denominator of 0.
  package init?(_ numerator: Int128, over denominator: Int128) {
    guard denominator != 0 else { return nil }
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
    self = remainder == 0 ? .whole(quotient) : .real(Double(quotient) + Double(remainder) / Double(denominator))
  }

  /// The figure as a binary fraction, for statistics and drawing.
  package var approximate: Double {
    switch self {
    case .whole(let count): Double(count)
    case .real(let value): value
    }
  }

  /// The mean of the figures that are known; nil when none is.
  package static func mean(of figures: [Quantity?]) -> Quantity? {
    let known = figures.compactMap { $0 }
    var sum: Int128 = 0
    for case .whole(let count) in known { sum += count }
    let isWhole = known.allSatisfy { if case .whole = $0 { true } else { false } }
    if isWhole { return Quantity(sum, over: Int128(known.count)) }
    return .real(known.reduce(0) { $0 + $1.approximate } / Double(known.count))
  }
}
