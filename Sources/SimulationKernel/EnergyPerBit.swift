/// The energy that a radio spends on each bit it carries, in whole picojoules.
///
/// 1 mW/Mbps is 1 nJ/bit: 1 mW is 10^-3 J/s, 1 Mbps 10^6 bit/s.
public struct EnergyPerBit: BitwiseCopyable, Hashable, Comparable, Sendable {
  public var picojoules: Int64

  @inlinable public init(picojoules: Int64) { self.picojoules = picojoules }

  @inlinable public static func < (left: EnergyPerBit, right: EnergyPerBit) -> Bool {
    left.picojoules < right.picojoules
  }

  /// One transfer both ways, rounded to the nanojoule; halves go up.
  @inlinable public static func transfer(
    _ down: EnergyPerBit, _ received: ByteCount, _ up: EnergyPerBit, _ sent: ByteCount
  ) -> Energy {
    let picojoules = (down.picojoules * received.bytes + up.picojoules * sent.bytes) * 8
    return Energy(nanojoules: (picojoules + 500) / 1_000)
  }
}
