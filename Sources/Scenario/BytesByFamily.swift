public import SimulationKernel

/// Bytes of a request by the family of the instance; the lock screen counts as small (MODEL.md 5.3).
public struct BytesByFamily: BitwiseCopyable, Hashable, Sendable {
  public var small: ByteCount
  public var medium: ByteCount
  public var large: ByteCount
  public var extraLarge: ByteCount

  public init(small: ByteCount, medium: ByteCount, large: ByteCount, extraLarge: ByteCount) {
    self.small = small
    self.medium = medium
    self.large = large
    self.extraLarge = extraLarge
  }

  public init(all bytes: ByteCount) {
    self.init(small: bytes, medium: bytes, large: bytes, extraLarge: bytes)
  }

  @inlinable public subscript(family: Family) -> ByteCount {
    switch family {
    case .small: small
    case .medium: medium
    case .large: large
    case .extraLarge: extraLarge
    }
  }
}
