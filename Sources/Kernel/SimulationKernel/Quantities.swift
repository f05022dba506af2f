/// Electrical power in whole microwatts.
public struct Power: BitwiseCopyable, Hashable, Comparable, Sendable {
  public var microwatts: Int64

  @inlinable public init(microwatts: Int64) { self.microwatts = microwatts }

  @inlinable public static func < (left: Power, right: Power) -> Bool { left.microwatts < right.microwatts }

  /// Returns the energy that this power uses over `span`; 1 uW x 1 ms is exactly 1 nJ.
  @inlinable public static func * (power: Power, span: TimeAmount) -> Energy {
    Energy(nanojoules: power.microwatts * span.milliseconds)
  }
}

/// Energy in whole nanojoules.
///
/// 64 bits can represent up to 2 562 kWh, which is enough for one device; fleet sums use 128 bits. As with times, sums
/// stay far from overflow, which debug builds check.
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

/// The energy that a radio uses per bit, in whole picojoules.
///
/// 1 mW/Mbps equals 1 nJ/bit, because 1 mW is 10^-3 J/s and 1 Mbps is 10^6 bit/s.
public struct EnergyPerBit: BitwiseCopyable, Hashable, Comparable, Sendable {
  public var picojoules: Int64

  @inlinable public init(picojoules: Int64) { self.picojoules = picojoules }

  @inlinable public static func < (left: EnergyPerBit, right: EnergyPerBit) -> Bool {
    left.picojoules < right.picojoules
  }

  /// Returns the energy of a transfer in both directions, rounded half up to the nanojoule.
  @inlinable public static func transfer(
    _ down: EnergyPerBit, _ received: ByteCount, _ up: EnergyPerBit, _ sent: ByteCount
  ) -> Energy {
    let picojoules = (down.picojoules * received.bytes + up.picojoules * sent.bytes) * 8
    return Energy(nanojoules: (picojoules + 500) / 1_000)
  }
}

/// A size in bytes.
public struct ByteCount: BitwiseCopyable, Hashable, Comparable, Sendable {
  public var bytes: Int64

  @inlinable public init(bytes: Int64) { self.bytes = bytes }

  @inlinable public static var zero: ByteCount { ByteCount(bytes: 0) }

  @inlinable public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
}

/// A fraction or probability from 0 to 1.
public struct Share: BitwiseCopyable, Hashable, Comparable, Sendable {
  /// The value, from 0 to 1.
  public var fraction: Double

  public init(fraction: Double) {
    precondition(fraction >= 0 && fraction <= 1, "a share lies between 0 and 1")
    self.fraction = fraction
  }

  public static let none = Share(fraction: 0)
  public static let all = Share(fraction: 1)

  public static func < (left: Share, right: Share) -> Bool { left.fraction < right.fraction }
}
