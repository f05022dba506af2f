/// A `<dist>` of the file format: how one random quantity is distributed.
///
/// `Value` is the quantity's unit: `TimeAmount` for spans, `Double` for pure numbers such as unlocks per day.
/// A normal draw below 0 counts as 0 (MODEL.md 2.8).
package enum Distribution<Value: Hashable & Sendable>: Hashable, Sendable {
  case constant(Value)
  case uniform(from: Value, to: Value)
  case exponential(mean: Value)
  case normal(mean: Value, deviation: Value)
  /// Median and the standard deviation of the logarithm.
  case lognormal(median: Value, sigma: Double)
  /// Values with their probabilities, which add up to 1.
  case choice([Weighted<Value>])
}

/// One of several values with its weight or share.
package struct Weighted<Value: Hashable & Sendable>: Hashable, Sendable {
  package var value: Value
  /// A share from 0 to 1, or any weight from 0 up, as the place says.
  package var weight: Double

  package init(_ value: Value, weight: Double) {
    self.value = value
    self.weight = weight
  }
}
