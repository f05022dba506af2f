internal import CProcessor

extension Philox {
  /// The uniforms of four blocks.
  public struct FourBlocks: BitwiseCopyable, Equatable, Sendable {
    /// Of each block `Block.first`.
    public fileprivate(set) var firsts = InlineArray<4, UInt64>(repeating: 0)
    /// Of each block `Block.second`.
    public fileprivate(set) var seconds = InlineArray<4, UInt64>(repeating: 0)

    public init() {}

    public static func == (left: FourBlocks, right: FourBlocks) -> Bool {
      (0..<4).allSatisfy { left.firsts[$0] == right.firsts[$0] && left.seconds[$0] == right.seconds[$0] }
    }
  }

  /// Whether this processor has vectors that make `fourBlocks` cheap.
  private static let hasWideProducts = wf_has_wide_products()

  /// The blocks of the four counters whose last words are that of `counter` and the next three.
  ///
  /// Where the processor has wide vectors, at the price of one and a half blocks.
  public static func fourBlocks(from counter: Block, key: UInt64) -> FourBlocks {
    hasWideProducts ? wideBlocks(from: counter, key: key) : plainBlocks(from: counter, key: key)
  }

  private static func wideBlocks(from counter: Block, key: UInt64) -> FourBlocks {
    var blocks = FourBlocks()
    withUnsafeMutableBytes(of: &blocks) { memory in
      let words = memory.bindMemory(to: UInt64.self)
      guard let firsts = words.baseAddress else { return }
      wf_four_blocks(counter.word0, counter.word1, counter.word2, counter.word3, key, firsts, firsts + 4)
    }
    return blocks
  }

  /// The same on any processor.
  static func plainBlocks(from counter: Block, key: UInt64) -> FourBlocks {
    var blocks = FourBlocks()
    for index in 0..<4 {
      let last = counter.word3 &+ UInt32(truncatingIfNeeded: index)
      let block = block(counter: Block(counter.word0, counter.word1, counter.word2, last), key: key)
      blocks.firsts[index] = block.first
      blocks.seconds[index] = block.second
    }
    return blocks
  }
}
