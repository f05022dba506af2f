package import SimulationKernel

/// The distribution of a random quantity (`<dist>` in the file format).
///
/// `Value` is the type of the quantity: `TimeAmount` for time spans, and `Double` for plain numbers such as unlocks per
/// day. Draws below 0 from a normal distribution are replaced by 0 (MODEL.md 2.8).
package enum Distribution<Value: Hashable & Sendable>: Hashable, Sendable {
  case constant(Value)
  case uniform(from: Value, to: Value)
  case exponential(mean: Value)
  case normal(mean: Value, deviation: Value)
  /// A lognormal distribution, given by its median and the standard deviation of the logarithm.
  case lognormal(median: Value, sigma: Double)
  /// A choice among values with probabilities that add up to 1.
  case choice([Weighted<Value>])

  /// Returns the distribution in another unit; the conversion must be proportional.
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

/// One of several values, together with its weight or share.
package struct Weighted<Value: Hashable & Sendable>: Hashable, Sendable {
  package var value: Value
  /// The share (from 0 to 1) or the weight (which is not negative), depending on the key.
  package var weight: Double

  package init(_ value: Value, weight: Double) {
    self.value = value
    self.weight = weight
  }
}

/// A quantity to which a distribution can apply.
package protocol Measured: Hashable, Sendable {
  /// The quantity as a number in the smallest unit.
  var measure: Double { get }
}

extension TimeAmount: Measured {
  package var measure: Double { Double(milliseconds) }
}

extension RunMillionths: Measured {
  package var measure: Double { Double(count) }
}

extension Double: Measured {
  package var measure: Double { self }
}

/// A number of charged runs, stored in whole millionths, which are the units of budgets (MODEL.md 4.7).
public struct RunMillionths: BitwiseCopyable, Hashable, Comparable, Sendable {
  public var count: Int64

  @inlinable public init(count: Int64) { self.count = count }

  @inlinable public static var zero: RunMillionths { RunMillionths(count: 0) }
  @inlinable public static var one: RunMillionths { RunMillionths(count: 1_000_000) }

  /// The number of runs; it is exact below 9 x 10^15 millionths.
  @inlinable public var runs: Double { Double(count) / 1_000_000 }

  @inlinable public static func < (left: RunMillionths, right: RunMillionths) -> Bool { left.count < right.count }
  @inlinable public static func + (left: RunMillionths, right: RunMillionths) -> RunMillionths {
    RunMillionths(count: left.count + right.count)
  }
  @inlinable public static func - (left: RunMillionths, right: RunMillionths) -> RunMillionths {
    RunMillionths(count: left.count - right.count)
  }
}
