internal import CProcessor

/// The counter-based generator Philox4x32-10: a keyed bijection of 128-bit counters whose outputs are statistically
/// random.
///
/// There is no state to store or seed: equal counters and keys give equal blocks on every machine. Source: Salmon,
/// Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11, section 5.3 and table 2; known-answer
/// vectors: Random123 1.14, `kat_vectors`.
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

    /// The first 64-bit uniform: words 0 (low) and 1 (high).
    @inlinable public var first: UInt64 { UInt64(word0) | UInt64(word1) << 32 }
    /// The second 64-bit uniform, independent of the first: words 2 (low) and 3 (high).
    @inlinable public var second: UInt64 { UInt64(word2) | UInt64(word3) << 32 }
    /// Both uniforms.
    @inlinable public var uniforms: UniformPair { UniformPair(first: first, second: second) }
  }

  /// Returns the block for `counter` and `key`; the low half of `key` is the published key's first word.
  @inlinable public static func block(counter: Block, key: UInt64) -> Block {
    var block = counter
    var key0 = UInt32(truncatingIfNeeded: key)
    var key1 = UInt32(truncatingIfNeeded: key >> 32)
    for _ in 0..<9 {
      block = round(block, key0, key1)
      key0 &+= 0x9E37_79B9  // the fractional part of the golden ratio
      key1 &+= 0xBB67_AE85  // the fractional part of the square root of 3
    }
    return round(block, key0, key1)
  }

  /// Performs one of the ten rounds, which computes two products and swaps their halves.
  @inlinable public static func round(_ block: Block, _ key0: UInt32, _ key1: UInt32) -> Block {
    let left = 0xD251_1F53 &* UInt64(block.word0)
    let right = 0xCD9E_8D57 &* UInt64(block.word2)
    return Block(
      UInt32(truncatingIfNeeded: right >> 32) ^ block.word1 ^ key0,
      UInt32(truncatingIfNeeded: right),
      UInt32(truncatingIfNeeded: left >> 32) ^ block.word3 ^ key1,
      UInt32(truncatingIfNeeded: left))
  }

  /// The uniforms of eight blocks.
  public struct EightBlocks: BitwiseCopyable, Equatable, Sendable {
    /// `Block.first` of each block.
    public internal(set) var firsts = InlineArray<8, UInt64>(repeating: 0)
    /// `Block.second` of each block.
    public internal(set) var seconds = InlineArray<8, UInt64>(repeating: 0)

    public init() {}

    public static func == (left: EightBlocks, right: EightBlocks) -> Bool {
      (0..<8).allSatisfy { left.firsts[$0] == right.firsts[$0] && left.seconds[$0] == right.seconds[$0] }
    }
  }

  /// The differences between eight counters and a base. Each difference is a number to add to words 1, 2 and 3; word 0
  /// is shared.
  public struct EightSteps: BitwiseCopyable, Sendable {
    // The memory layout is fixed: each word takes 64 bits, as vector loads expect.
    fileprivate var words1 = InlineArray<8, UInt64>(repeating: 0)
    fileprivate var words2 = InlineArray<8, UInt64>(repeating: 0)
    fileprivate var words3 = InlineArray<8, UInt64>(repeating: 0)

    /// Creates eight equal counters.
    public init() {}

    /// The numbers to add to the words of one counter.
    ///
    /// - Parameter index: the counter's index, below 8.
    public subscript(index: Int) -> (word1: UInt32, word2: UInt32, word3: UInt32) {
      get {
        (
          UInt32(truncatingIfNeeded: words1[index]), UInt32(truncatingIfNeeded: words2[index]),
          UInt32(truncatingIfNeeded: words3[index])
        )
      }
      set {
        words1[index] = UInt64(newValue.word1)
        words2[index] = UInt64(newValue.word2)
        words3[index] = UInt64(newValue.word3)
      }
    }

    /// The steps of eight counters with consecutive last words.
    ///
    /// This constant is marked unsafe only because of its pointer type. The memory is written before its first use,
    /// never changed and never freed, so any thread may read it.
    nonisolated(unsafe) static let sequence: UnsafePointer<EightSteps> = {
      let steps = UnsafeMutablePointer<EightSteps>.allocate(capacity: 1)
      steps.initialize(to: EightSteps())
      for index in 0..<8 { steps.pointee.words3[index] = UInt64(index) }
      return UnsafePointer(steps)
    }()
  }

  /// Makes the blocks of eight counters.
  ///
  /// On a processor with wide vectors, this takes as long as making two single blocks.
  @inline(__always)
  public static func makeEight(
    _ blocks: UnsafeMutablePointer<EightBlocks>, from counter: Block, steps: UnsafePointer<EightSteps>, key: UInt64
  ) {
    guard wf_has_wide_vectors() else { return makeEightPlainly(blocks, from: counter, steps: steps, key: key) }
    let words = UnsafeMutableRawPointer(blocks).assumingMemoryBound(to: UInt64.self)
    let added = UnsafeRawPointer(steps).assumingMemoryBound(to: UInt64.self)
    wf_eight_blocks(counter.word0, counter.word1, counter.word2, counter.word3, added, key, words, words + 8)
  }

  /// Makes the blocks of eight counters without vector instructions, on any processor.
  static func makeEightPlainly(
    _ blocks: UnsafeMutablePointer<EightBlocks>, from counter: Block, steps: UnsafePointer<EightSteps>, key: UInt64
  ) {
    for index in 0..<8 {
      let step = steps.pointee[index]
      let place = Block(
        counter.word0, counter.word1 &+ step.word1, counter.word2 &+ step.word2, counter.word3 &+ step.word3)
      let block = block(counter: place, key: key)
      blocks.pointee.firsts[index] = block.first
      blocks.pointee.seconds[index] = block.second
    }
  }
}

/// The two 64-bit uniforms of a block.
public struct UniformPair: BitwiseCopyable, Sendable {
  public var first: UInt64
  public var second: UInt64

  @inlinable @inline(__always) public init(first: UInt64, second: UInt64) {
    self.first = first
    self.second = second
  }

  /// A placeholder for rules that do not need random numbers.
  public static var none: UniformPair { @inlinable get { UniformPair(first: 0, second: 0) } }
}
