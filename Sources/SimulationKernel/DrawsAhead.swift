/// Draws of one purpose and part by their index, made eight at a time, which is cheaper for whoever takes them in order.
public struct DrawsAhead: BitwiseCopyable, Sendable {
  /// The index of the first block at hand; one that nobody asks for when there is none.
  @usableFromInline var base = Self.none
  @usableFromInline var blocks = Philox.EightBlocks()

  private static var none: UInt32 { .max - 15 }

  /// Nothing at hand.
  public init() {}

  /// Forgets what is at hand: it belongs to another device, or another part.
  public mutating func reset() { base = Self.none }

  /// The two uniforms of `DeviceStream.block(purpose:part:index:)`.
  ///
  /// - Parameter index: below 2^32 - 16.
  @inlinable @inline(__always) public mutating func draws(
    _ stream: DeviceStream, purpose: UInt8, part: UInt32, index: UInt32
  ) -> UniformPair {
    if index &- base > 7 { fill(stream, purpose: purpose, part: part, index: index) }
    let place = Int(truncatingIfNeeded: index & 7)
    return UniformPair(first: blocks.firsts[place], second: blocks.seconds[place])
  }

  @usableFromInline @inline(never) mutating func fill(
    _ stream: DeviceStream, purpose: UInt8, part: UInt32, index: UInt32
  ) {
    base = index & ~7
    stream.makeEight(&blocks, purpose: purpose, part: part, index: base)
  }
}
