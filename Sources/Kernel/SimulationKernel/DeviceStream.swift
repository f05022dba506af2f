internal import CProcessor

/// The random numbers of one device in one replication, available in any order by purpose, part and index.
///
/// The Philox counter is (device, replication and purpose, part, index); the Philox key is the scenario's seed.
public struct DeviceStream: BitwiseCopyable, Sendable {
  @usableFromInline let seed: UInt64
  public let device: UInt32
  @usableFromInline let replication: UInt32

  /// Creates the stream of a device.
  ///
  /// - Parameter replication: the number of the replication, which must be below 2^24.
  @inlinable public init(seed: UInt64, device: UInt32, replication: UInt32) {
    self.seed = seed
    self.device = device
    self.replication = replication
  }

  /// The stream shared by all devices of the replication; its device number belongs to no actual device.
  @inlinable public var ofFleet: DeviceStream {
    DeviceStream(seed: seed, device: .max, replication: replication)
  }

  /// Returns the two 64-bit uniforms for a purpose, part and index.
  @inlinable public func block(purpose: UInt8, part: UInt32, index: UInt32) -> Philox.Block {
    Philox.block(counter: Philox.Block(device, replication << 8 | UInt32(purpose), part, index), key: seed)
  }

  /// Generates the draws at `index` and the next seven indices.
  @inline(__always)
  func makeEight(_ blocks: inout Philox.EightBlocks, purpose: UInt8, part: UInt32, index: UInt32) {
    let first = Philox.Block(device, replication << 8 | UInt32(purpose), part, index)
    withUnsafeMutablePointer(to: &blocks) {
      Philox.makeEight($0, from: first, steps: Philox.EightSteps.sequence, key: seed)
    }
  }

  /// Whether the processor's vector registers are wide enough to make sixteen draws in parallel.
  @inline(__always) var makesSixteen: Bool { wf_has_widest_vectors() }

  /// Generates the draws at `index` and the next fifteen indices, and looks up their spans in two tables.
  ///
  /// - Parameter draws: memory for sixteen first uniforms, sixteen second uniforms, and the span for each uniform.
  @inline(__always)
  func makeSixteen(
    _ draws: UnsafeMutableRawPointer, _ first: QuantileTable, _ second: QuantileTable, purpose: UInt8, part: UInt32,
    index: UInt32
  ) {
    wf_sixteen_draws(
      device, replication << 8 | UInt32(purpose), part, index, seed, first.numbers, second.numbers,
      draws.assumingMemoryBound(to: UInt64.self))
  }

  /// Generates the draws for eight keys.
  ///
  /// - Parameter steps: for each key, the purpose, the number added to `part`, and the index.
  public func makeEight(
    _ blocks: UnsafeMutablePointer<Philox.EightBlocks>, part: UInt32, steps: UnsafePointer<Philox.EightSteps>
  ) {
    Philox.makeEight(blocks, from: Philox.Block(device, replication << 8, part, 0), steps: steps, key: seed)
  }
}

/// The draws for one purpose and part, with their spans. Draws are generated sixteen at a time and accessed by index.
///
/// Generating draws in batches is faster than generating them individually if they are used in ascending order.
public struct DrawsAhead: BitwiseCopyable, Sendable {
  /// The index of the first available draw; if no draw is available, an index that is never requested.
  @usableFromInline var base = Self.none
  @usableFromInline var batch = Batch()

  /// A batch of draws that are generated together, with their spans.
  @usableFromInline struct Batch: BitwiseCopyable, Sendable {
    // The order of these properties in memory must not change.
    @usableFromInline var firsts = InlineArray<16, UInt64>(repeating: 0)
    @usableFromInline var seconds = InlineArray<16, UInt64>(repeating: 0)
    // The spans from two samplers, for the first and second uniforms.
    @usableFromInline var firstSpans = InlineArray<16, TimeAmount>(repeating: .zero)
    @usableFromInline var secondSpans = InlineArray<16, TimeAmount>(repeating: .zero)

    init() {}
  }

  private static var none: UInt32 { .max - 31 }

  /// Creates an empty batch.
  public init() {}

  /// Discards the available draws, so that the batch can be used for another device or part.
  public mutating func reset() { base = Self.none }

  /// Whether a draw is available.
  ///
  /// - Parameter index: the index, which must be below 2^32 - 32.
  @inlinable @inline(__always) public func has(_ index: UInt32) -> Bool { index &- base <= 15 }

  /// Generates a draw and its neighbours, and computes their spans with two samplers.
  ///
  /// - Parameter index: the index, which must be below 2^32 - 32.
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

  /// Generates eight of the sixteen draws.
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

  /// Returns both uniforms of an available draw, which are the same as those of
  /// `DeviceStream.block(purpose:part:index:)`.
  @inlinable @inline(__always) public func uniforms(_ index: UInt32) -> UniformPair {
    let place = Self.place(index)
    return UniformPair(first: batch.firsts[place], second: batch.seconds[place])
  }

  /// Returns the span for a draw's first uniform.
  @inlinable @inline(__always) public func firstSpan(_ index: UInt32) -> TimeAmount {
    batch.firstSpans[Self.place(index)]
  }
  /// Returns the span for a draw's second uniform.
  @inlinable @inline(__always) public func secondSpan(_ index: UInt32) -> TimeAmount {
    batch.secondSpans[Self.place(index)]
  }

  @inlinable @inline(__always) static func place(_ index: UInt32) -> Int { Int(truncatingIfNeeded: index & 15) }
}
