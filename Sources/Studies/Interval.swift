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
    guard values.count > 1 else { return nil }
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let half = studentQuantile(degreesOfFreedom: values.count - 1) * (squares / (count - 1) / count).squareRoot()
    return Interval(low: significant(mean - half), high: significant(mean + half))
  }
}

/// The 97.5 % quantile of Student's t; a short table until Numerics brings GSL's.
private func studentQuantile(degreesOfFreedom: Int) -> Double {
  let table = [12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.306, 2.26216, 2.22814]
  return degreesOfFreedom <= table.count ? table[degreesOfFreedom - 1] : 2
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
