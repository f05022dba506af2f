/// The two uniforms of a block, 64 bits each.
public struct UniformPair: BitwiseCopyable, Sendable {
  public var first: UInt64
  public var second: UInt64

  @inlinable @inline(__always) public init(first: UInt64, second: UInt64) {
    self.first = first
    self.second = second
  }

  /// For what does not draw.
  public static var none: UniformPair { @inlinable get { UniformPair(first: 0, second: 0) } }
}
