package import SimulationKernel

/// The distribution of a random quantity (`<dist>` in the file format).
///
/// `Value` is the quantity's type: `TimeAmount` for spans, `Double` for pure numbers such as unlocks per day. A normal
/// draw below 0 is treated as 0 (MODEL.md 2.8).
package enum Distribution<Value: Hashable & Sendable>: Hashable, Sendable {
  case constant(Value)
  case uniform(from: Value, to: Value)
  case exponential(mean: Value)
  case normal(mean: Value, deviation: Value)
  /// The median and the standard deviation of the logarithm.
  case lognormal(median: Value, sigma: Double)
  /// Values with their probabilities, which add up to 1.
  case choice([Weighted<Value>])

  /// Returns the distribution of the same quantity in another unit, which is a multiple of this one.
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

/// One of several values, with its weight or share.
package struct Weighted<Value: Hashable & Sendable>: Hashable, Sendable {
  package var value: Value
  /// The share from 0 to 1, or a nonnegative weight, depending on the key.
  package var weight: Double

  package init(_ value: Value, weight: Double) {
    self.value = value
    self.weight = weight
  }
}

/// A quantity that can have a distribution.
package protocol Measured: Hashable, Sendable {
  /// The quantity in the smallest unit.
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

/// A number of charged runs in whole millionths, which is the unit of budgets (MODEL.md 4.7).
public struct RunMillionths: BitwiseCopyable, Hashable, Comparable, Sendable {
  public var count: Int64

  @inlinable public init(count: Int64) { self.count = count }

  @inlinable public static var zero: RunMillionths { RunMillionths(count: 0) }
  @inlinable public static var one: RunMillionths { RunMillionths(count: 1_000_000) }

  /// The number of runs, exact below 9 x 10^15 millionths.
  @inlinable public var runs: Double { Double(count) / 1_000_000 }

  @inlinable public static func < (left: RunMillionths, right: RunMillionths) -> Bool { left.count < right.count }
  @inlinable public static func + (left: RunMillionths, right: RunMillionths) -> RunMillionths {
    RunMillionths(count: left.count + right.count)
  }
  @inlinable public static func - (left: RunMillionths, right: RunMillionths) -> RunMillionths {
    RunMillionths(count: left.count - right.count)
  }
}
