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

  /// Whether this processor has vectors that make `makeFour` cheap.
  private static let hasWideProducts = wf_has_wide_products()

  /// Makes the blocks of the four counters whose last words are that of `counter` and the next three.
  ///
  /// Where the processor has wide vectors, at the price of one and a half blocks.
  @inline(__always)
  public static func makeFour(_ blocks: inout FourBlocks, from counter: Block, key: UInt64) {
    guard hasWideProducts else { return makeFourPlainly(&blocks, from: counter, key: key) }
    withUnsafeMutablePointer(to: &blocks) { place in
      let words = UnsafeMutableRawPointer(place).assumingMemoryBound(to: UInt64.self)
      wf_four_blocks(counter.word0, counter.word1, counter.word2, counter.word3, key, words, words + 4)
    }
  }

  /// The same on any processor.
  static func makeFourPlainly(_ blocks: inout FourBlocks, from counter: Block, key: UInt64) {
    for index in 0..<4 {
      let last = counter.word3 &+ UInt32(truncatingIfNeeded: index)
      let block = block(counter: Block(counter.word0, counter.word1, counter.word2, last), key: key)
      blocks.firsts[index] = block.first
      blocks.seconds[index] = block.second
    }
  }
}
