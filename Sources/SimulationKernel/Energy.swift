/// Electrical power in whole microwatts.
public struct Power: BitwiseCopyable, Hashable, Comparable, Sendable {
  public var microwatts: Int64

  @inlinable public init(microwatts: Int64) { self.microwatts = microwatts }

  @inlinable public static func < (left: Power, right: Power) -> Bool { left.microwatts < right.microwatts }

  /// Energy of this power over `span`: 1 uW x 1 ms is 1 nJ, exactly.
  @inlinable public static func * (power: Power, span: TimeAmount) -> Energy {
    Energy(nanojoules: power.microwatts * span.milliseconds)
  }
}

/// Energy in whole nanojoules; 64 bits hold 2 562 kWh, enough for one device, while fleets are summed in 128 bits.
///
/// Like times, sums stay far from overflow, which debug builds look for.
public struct Energy: BitwiseCopyable, Hashable, Comparable, Sendable {
  public var nanojoules: Int64

  @inlinable public init(nanojoules: Int64) { self.nanojoules = nanojoules }

  @inlinable public static var zero: Energy { Energy(nanojoules: 0) }

  @inlinable public static func < (left: Energy, right: Energy) -> Bool { left.nanojoules < right.nanojoules }
  @inlinable public static func + (left: Energy, right: Energy) -> Energy {
    Energy(nanojoules: left.nanojoules.plus(right.nanojoules))
  }
  @inlinable public static func - (left: Energy, right: Energy) -> Energy {
    Energy(nanojoules: left.nanojoules.minus(right.nanojoules))
  }
  @inlinable public static func * (left: Energy, right: Int64) -> Energy {
    Energy(nanojoules: left.nanojoules * right)
  }
  @inlinable public static func += (left: inout Energy, right: Energy) { left = left + right }
}
