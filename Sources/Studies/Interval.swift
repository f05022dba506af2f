import Numerics

/// A 95 % confidence interval over replications.
package struct Interval: Hashable, Sendable {
  package var low: Double
  package var high: Double

  package init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }

  /// Student's t interval at 95 % for the mean of `values`, to 10 significant digits; nil for fewer than two.
  package static func student95(of values: [Double]) -> Interval? {
    (try? ConfidenceInterval(of: values)).map { Interval(low: significant($0.low), high: significant($0.high)) }
  }
}

/// The nearest number with at most 10 significant decimal digits, so that a last bit from GSL never reaches a file.
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
