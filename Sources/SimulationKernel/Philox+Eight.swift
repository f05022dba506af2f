internal import CProcessor

extension Philox {
  /// The uniforms of eight blocks.
  public struct EightBlocks: BitwiseCopyable, Equatable, Sendable {
    /// Of each block `Block.first`.
    public fileprivate(set) var firsts = InlineArray<8, UInt64>(repeating: 0)
    /// Of each block `Block.second`.
    public fileprivate(set) var seconds = InlineArray<8, UInt64>(repeating: 0)

    public init() {}

    public static func == (left: EightBlocks, right: EightBlocks) -> Bool {
      (0..<8).allSatisfy { left.firsts[$0] == right.firsts[$0] && left.seconds[$0] == right.seconds[$0] }
    }
  }

  /// Whether this processor has vectors that make `makeEight` cheap.
  private static let hasWideProducts = wf_has_wide_products()

  /// Makes the blocks of the eight counters whose last words are that of `counter` and the next seven.
  ///
  /// Where the processor has wide vectors, at the price of three blocks.
  @inline(__always)
  public static func makeEight(_ blocks: inout EightBlocks, from counter: Block, key: UInt64) {
    guard hasWideProducts else { return makeEightPlainly(&blocks, from: counter, key: key) }
    withUnsafeMutablePointer(to: &blocks) { place in
      let words = UnsafeMutableRawPointer(place).assumingMemoryBound(to: UInt64.self)
      wf_eight_blocks(counter.word0, counter.word1, counter.word2, counter.word3, key, words, words + 8)
    }
  }

  /// The same on any processor.
  static func makeEightPlainly(_ blocks: inout EightBlocks, from counter: Block, key: UInt64) {
    for index in 0..<8 {
      let last = counter.word3 &+ UInt32(truncatingIfNeeded: index)
      let block = block(counter: Block(counter.word0, counter.word1, counter.word2, last), key: key)
      blocks.firsts[index] = block.first
      blocks.seconds[index] = block.second
    }
  }
}
