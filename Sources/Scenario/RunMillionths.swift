/// A number of charged runs in whole millionths, the unit in which budgets are kept (MODEL.md 4.7).
public struct RunMillionths: BitwiseCopyable, Hashable, Comparable, Sendable {
  public var count: Int64

  @inlinable public init(count: Int64) { self.count = count }

  @inlinable public static var zero: RunMillionths { RunMillionths(count: 0) }
  @inlinable public static var one: RunMillionths { RunMillionths(count: 1_000_000) }

  /// In runs, without rounding below 9 10^15 millionths.
  @inlinable public var runs: Double { Double(count) / 1_000_000 }

  @inlinable public static func < (left: RunMillionths, right: RunMillionths) -> Bool { left.count < right.count }
  @inlinable public static func + (left: RunMillionths, right: RunMillionths) -> RunMillionths {
    RunMillionths(count: left.count + right.count)
  }
  @inlinable public static func - (left: RunMillionths, right: RunMillionths) -> RunMillionths {
    RunMillionths(count: left.count - right.count)
  }
}
