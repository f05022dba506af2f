import Numerics

/// A numeric value, stored as a whole number if possible and otherwise as the nearest floating-point number.
package enum Quantity: Hashable, Sendable {
  case whole(Int128)
  case real(Double)

  /// Creates a quotient, which is a whole number if the division is exact; `nil` if the denominator is 0.
  package init?(_ numerator: Int128, over denominator: Int128) {
    guard denominator != 0 else { return nil }
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
    self = remainder == 0 ? .whole(quotient) : .real(Double(quotient) + Double(remainder) / Double(denominator))
  }

  /// The value as a `Double`, for statistics and drawing.
  package var approximate: Double {
    switch self {
    case .whole(let count): Double(count)
    case .real(let value): value
    }
  }

  /// Returns the mean of the known values; `nil` if there are none.
  package static func mean(of figures: [Quantity?]) -> Quantity? {
    let known = figures.compactMap { $0 }
    var sum: Int128 = 0
    for case .whole(let count) in known { sum += count }
    let isWhole = known.allSatisfy { if case .whole = $0 { true } else { false } }
    if isWhole { return Quantity(sum, over: Int128(known.count)) }
    return .real(known.reduce(0) { $0 + $1.approximate } / Double(known.count))
  }
}

/// A 95 % confidence interval over replications.
package struct Interval: Hashable, Sendable {
  package var low: Double
  package var high: Double

  package init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }

  /// Returns Student's 95 % t interval for the mean of `values`, to 10 significant digits; `nil` if there are fewer
  /// than two.
  package static func student95(of values: [Double]) -> Interval? {
    (try? ConfidenceInterval(of: values)).map { Interval(low: significant($0.low), high: significant($0.high)) }
  }
}

/// Returns the value rounded to 10 significant decimal digits, so that differences in the last bits of GSL's results
/// are never written to a file.
package func significant(_ value: Double) -> Double {
  guard value.isFinite, value != 0 else { return value }
  let limit = 10_000_000_000.0
  var power = 1.0
  var scaled = value.magnitude
  while scaled >= limit, power < 1e22 {
    power *= 10
    scaled = value.magnitude / power
  }
  if power > 1 { return value.sign == .minus ? -(scaled.rounded() * power) : scaled.rounded() * power }
  while scaled < limit / 10, power < 1e22 {
    power *= 10
    scaled = value.magnitude * power
  }
  return value.sign == .minus ? -(scaled.rounded() / power) : scaled.rounded() / power
}

/// The text form of numbers in a scenario.
package enum SettingNumber {
  /// Formats values of at least 1 000 as whole numbers, values from 1 to 1 000 with three decimals, and smaller values
  /// with all digits.
  ///
  /// Values of at least 0.0001 are written without an exponent.
  package static func text(_ value: Double) -> String {
    guard value >= 1 else { return "\(value)" }
    let rounded = value < 1_000 ? (value * 1_000).rounded() / 1_000 : value.rounded()
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
