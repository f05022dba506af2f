/// The counter-based generator Philox4x32-10: a keyed bijection of 128-bit counters whose outputs pass for random.
///
/// There is no state to store or to seed: equal counters and keys give equal blocks on every machine.
/// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11, section 5.3 and table 2;
/// known-answer vectors: Random123 1.14, `kat_vectors`.
public enum Philox {
  /// One output: 128 random bits as four words, in the order of the published vectors.
  public struct Block: BitwiseCopyable, Hashable, Sendable {
    public var word0: UInt32
    public var word1: UInt32
    public var word2: UInt32
    public var word3: UInt32

    @inlinable public init(_ word0: UInt32, _ word1: UInt32, _ word2: UInt32, _ word3: UInt32) {
      self.word0 = word0
      self.word1 = word1
      self.word2 = word2
      self.word3 = word3
    }

    /// The first uniform of 64 bits: words 0 (low) and 1 (high).
    @inlinable public var first: UInt64 { UInt64(word0) | UInt64(word1) << 32 }
    /// The second uniform of 64 bits, independent of the first: words 2 (low) and 3 (high).
    @inlinable public var second: UInt64 { UInt64(word2) | UInt64(word3) << 32 }
    /// Both.
    @inlinable public var uniforms: UniformPair { UniformPair(first: first, second: second) }
  }

  /// The block of `counter` under `key`, whose low half is the published key's first word.
  @inlinable public static func block(counter: Block, key: UInt64) -> Block {
    var block = counter
    var key0 = UInt32(truncatingIfNeeded: key)
    var key1 = UInt32(truncatingIfNeeded: key >> 32)
    for _ in 0..<9 {
      block = round(block, key0, key1)
      key0 &+= 0x9E37_79B9  // the golden ratio's fraction
      key1 &+= 0xBB67_AE85  // the fraction of the square root of 3
    }
    return round(block, key0, key1)
  }

  /// One of the ten rounds: two products whose halves cross over.
  @inlinable public static func round(_ block: Block, _ key0: UInt32, _ key1: UInt32) -> Block {
    let left = 0xD251_1F53 &* UInt64(block.word0)
    let right = 0xCD9E_8D57 &* UInt64(block.word2)
    return Block(
      UInt32(truncatingIfNeeded: right >> 32) ^ block.word1 ^ key0,
      UInt32(truncatingIfNeeded: right),
      UInt32(truncatingIfNeeded: left >> 32) ^ block.word3 ^ key1,
      UInt32(truncatingIfNeeded: left))
  }
}
