/// Draws of one purpose and part by their index, and the spans of time at them, made sixteen at a time, which is cheaper
/// for whoever takes them in order.
public struct DrawsAhead: BitwiseCopyable, Sendable {
  /// The index of the first draw at hand; one that nobody asks for when there is none.
  @usableFromInline var base = Self.none
  @usableFromInline var batch = Batch()

  /// Draws made together.
  @usableFromInline struct Batch: BitwiseCopyable, Sendable {
    // In this order in memory.
    @usableFromInline var firsts = InlineArray<16, UInt64>(repeating: 0)
    @usableFromInline var seconds = InlineArray<16, UInt64>(repeating: 0)
    // The spans of two samplers, at the first and at the second uniforms.
    @usableFromInline var firstSpans = InlineArray<16, TimeAmount>(repeating: .zero)
    @usableFromInline var secondSpans = InlineArray<16, TimeAmount>(repeating: .zero)

    init() {}
  }

  private static var none: UInt32 { .max - 31 }

  /// Nothing at hand.
  public init() {}

  /// Forgets what is at hand: it belongs to another device, or another part.
  public mutating func reset() { base = Self.none }

  /// Whether a draw is at hand.
  ///
  /// - Parameter index: below 2^32 - 32.
  @inlinable @inline(__always) public func has(_ index: UInt32) -> Bool { index &- base <= 15 }

  /// Makes a draw and its neighbours, and their spans by two samplers.
  ///
  /// - Parameter index: below 2^32 - 32.
  public mutating func make(
    _ stream: DeviceStream, purpose: UInt8, part: UInt32, index: UInt32,
    spans: (first: SpanSampler, second: SpanSampler)
  ) {
    base = index & ~15
    if case (.table(let first), .table(let second)) = spans, stream.makesSixteen {
      withUnsafeMutablePointer(to: &batch) {
        stream.makeSixteen(UnsafeMutableRawPointer($0), first, second, purpose: purpose, part: part, index: base)
      }
    } else {
      makeEight(from: 0, stream, purpose: purpose, part: part, spans: spans)
      makeEight(from: 8, stream, purpose: purpose, part: part, spans: spans)
    }
  }

  /// Makes one half of the draws.
  private mutating func makeEight(
    from place: Int, _ stream: DeviceStream, purpose: UInt8, part: UInt32,
    spans: (first: SpanSampler, second: SpanSampler)
  ) {
    var blocks = Philox.EightBlocks()
    var firsts = InlineArray<8, TimeAmount>(repeating: .zero)
    var seconds = InlineArray<8, TimeAmount>(repeating: .zero)
    stream.makeEight(&blocks, purpose: purpose, part: part, index: base &+ UInt32(place))
    spans.first.makeEight(&firsts, at: &blocks.firsts)
    spans.second.makeEight(&seconds, at: &blocks.seconds)
    for lane in 0..<8 {
      batch.firsts[place + lane] = blocks.firsts[lane]
      batch.seconds[place + lane] = blocks.seconds[lane]
      batch.firstSpans[place + lane] = firsts[lane]
      batch.secondSpans[place + lane] = seconds[lane]
    }
  }

  /// The two uniforms of `DeviceStream.block(purpose:part:index:)` of a draw at hand.
  @inlinable @inline(__always) public func uniforms(_ index: UInt32) -> UniformPair {
    let place = Self.place(index)
    return UniformPair(first: batch.firsts[place], second: batch.seconds[place])
  }

  /// The span at a draw's first uniform.
  @inlinable @inline(__always) public func firstSpan(_ index: UInt32) -> TimeAmount {
    batch.firstSpans[Self.place(index)]
  }
  /// The span at a draw's second uniform.
  @inlinable @inline(__always) public func secondSpan(_ index: UInt32) -> TimeAmount {
    batch.secondSpans[Self.place(index)]
  }

  @inlinable @inline(__always) static func place(_ index: UInt32) -> Int { Int(truncatingIfNeeded: index & 15) }
}
