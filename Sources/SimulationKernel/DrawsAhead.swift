internal import CProcessor

/// Draws of one purpose and part by their index, and the spans of time at them, made eight at a time, which is cheaper
/// for whoever takes them in order.
public struct DrawsAhead: BitwiseCopyable, Sendable {
  /// The index of the first draw at hand; one that nobody asks for when there is none.
  @usableFromInline var base = Self.none
  // These in this order in memory.
  @usableFromInline var blocks = Philox.EightBlocks()
  // The spans of two samplers, at the first and at the second uniforms.
  @usableFromInline var firsts = InlineArray<8, TimeAmount>(repeating: .zero)
  @usableFromInline var seconds = InlineArray<8, TimeAmount>(repeating: .zero)

  private static var none: UInt32 { .max - 15 }

  /// Nothing at hand.
  public init() {}

  /// Forgets what is at hand: it belongs to another device, or another part.
  public mutating func reset() { base = Self.none }

  /// Whether a draw is at hand.
  ///
  /// - Parameter index: below 2^32 - 16.
  @inlinable @inline(__always) public func has(_ index: UInt32) -> Bool { index &- base <= 7 }

  /// Makes a draw and its neighbours, and their spans by two samplers.
  ///
  /// - Parameter index: below 2^32 - 16.
  public mutating func make(
    _ stream: DeviceStream, purpose: UInt8, part: UInt32, index: UInt32,
    spans: (first: SpanSampler, second: SpanSampler)
  ) {
    base = index & ~7
    if case (.table(let first), .table(let second)) = spans, wf_has_widest_vectors() {
      return withUnsafeMutablePointer(to: &blocks) {
        stream.makeEight(UnsafeMutableRawPointer($0), first, second, purpose: purpose, part: part, index: base)
      }
    }
    stream.makeEight(&blocks, purpose: purpose, part: part, index: base)
    spans.first.makeEight(&firsts, at: &blocks.firsts)
    spans.second.makeEight(&seconds, at: &blocks.seconds)
  }

  /// The two uniforms of `DeviceStream.block(purpose:part:index:)` of a draw at hand.
  @inlinable @inline(__always) public func uniforms(_ index: UInt32) -> UniformPair {
    let place = Self.place(index)
    return UniformPair(first: blocks.firsts[place], second: blocks.seconds[place])
  }

  /// The span at a draw's first uniform.
  @inlinable @inline(__always) public func firstSpan(_ index: UInt32) -> TimeAmount { firsts[Self.place(index)] }
  /// The span at a draw's second uniform.
  @inlinable @inline(__always) public func secondSpan(_ index: UInt32) -> TimeAmount { seconds[Self.place(index)] }

  @inlinable @inline(__always) static func place(_ index: UInt32) -> Int { Int(truncatingIfNeeded: index & 7) }
}
