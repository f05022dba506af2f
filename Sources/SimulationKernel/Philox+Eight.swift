internal import CProcessor

extension Philox {
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

  /// How eight counters differ from one: what is added to each of its words but the first, which they share.
  public struct EightSteps: BitwiseCopyable, Sendable {
    // In this order in memory; in 64 bits each, as vectors take them.
    fileprivate var words1 = InlineArray<8, UInt64>(repeating: 0)
    fileprivate var words2 = InlineArray<8, UInt64>(repeating: 0)
    fileprivate var words3 = InlineArray<8, UInt64>(repeating: 0)

    /// Eight times the same counter.
    public init() {}

    /// - Parameter index: of the counter, below 8.
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

    /// The last words follow each other.
    ///
    /// Unsafe by its type alone: written before anybody has it, never again, and never freed, any thread may read it.
    nonisolated(unsafe) static let sequence: UnsafePointer<EightSteps> = {
      let steps = UnsafeMutablePointer<EightSteps>.allocate(capacity: 1)
      steps.initialize(to: EightSteps())
      for index in 0..<8 { steps.pointee.words3[index] = UInt64(index) }
      return UnsafePointer(steps)
    }()
  }

  /// Makes the blocks of eight counters.
  ///
  /// Where the processor has wide vectors, at the price of two blocks.
  @inline(__always)
  public static func makeEight(
    _ blocks: UnsafeMutablePointer<EightBlocks>, from counter: Block, steps: UnsafePointer<EightSteps>, key: UInt64
  ) {
    guard wf_has_wide_vectors() else { return makeEightPlainly(blocks, from: counter, steps: steps, key: key) }
    let words = UnsafeMutableRawPointer(blocks).assumingMemoryBound(to: UInt64.self)
    let added = UnsafeRawPointer(steps).assumingMemoryBound(to: UInt64.self)
    wf_eight_blocks(counter.word0, counter.word1, counter.word2, counter.word3, added, key, words, words + 8)
  }

  /// Makes the blocks of eight counters on any processor.
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
