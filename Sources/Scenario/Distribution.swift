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

extension Distribution {
  /// The distribution of the same quantity in another unit, a multiple of this one.
  package func converted<Other>(_ convert: (Value) -> Other) -> Distribution<Other> {
    switch self {
    case .constant(let value): .constant(convert(value))
    case .uniform(let from, let to): .uniform(from: convert(from), to: convert(to))
    case .exponential(let mean): .exponential(mean: convert(mean))
    case .normal(let mean, let deviation): .normal(mean: convert(mean), deviation: convert(deviation))
    case .lognormal(let median, let sigma): .lognormal(median: convert(median), sigma: sigma)
    case .choice(let options): .choice(options.map { Weighted(convert($0.value), weight: $0.weight) })
    }
  }
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
