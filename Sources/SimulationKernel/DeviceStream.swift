internal import CProcessor

/// The random numbers of one device in one replication, keyed by purpose, part and index, in any order.
///
/// Counter of Philox: (device, replication and purpose, part, index); key: the scenario's seed.
public struct DeviceStream: BitwiseCopyable, Sendable {
  @usableFromInline let seed: UInt64
  public let device: UInt32
  @usableFromInline let replication: UInt32

  /// - Parameter replication: below 2^24.
  @inlinable public init(seed: UInt64, device: UInt32, replication: UInt32) {
    self.seed = seed
    self.device = device
    self.replication = replication
  }

  /// The random numbers that all devices of the replication share; no device has this number.
  @inlinable public var ofFleet: DeviceStream {
    DeviceStream(seed: seed, device: .max, replication: replication)
  }

  /// Two uniforms of 64 bits.
  @inlinable public func block(purpose: UInt8, part: UInt32, index: UInt32) -> Philox.Block {
    Philox.block(counter: Philox.Block(device, replication << 8 | UInt32(purpose), part, index), key: seed)
  }

  /// Makes the draws of `index` and the next seven.
  @inline(__always)
  func makeEight(_ blocks: inout Philox.EightBlocks, purpose: UInt8, part: UInt32, index: UInt32) {
    let first = Philox.Block(device, replication << 8 | UInt32(purpose), part, index)
    withUnsafeMutablePointer(to: &blocks) {
      Philox.makeEight($0, from: first, steps: Philox.EightSteps.sequence, key: seed)
    }
  }

  /// Whether the processor has the vectors for sixteen draws at once.
  @inline(__always) var makesSixteen: Bool { wf_has_widest_vectors() }

  /// Makes the draws of `index` and the next fifteen, and the spans of two tables at them.
  ///
  /// - Parameter draws: room for sixteen first uniforms, the second ones, and the spans at either.
  @inline(__always)
  func makeSixteen(
    _ draws: UnsafeMutableRawPointer, _ first: QuantileTable, _ second: QuantileTable, purpose: UInt8, part: UInt32,
    index: UInt32
  ) {
    wf_sixteen_draws(
      device, replication << 8 | UInt32(purpose), part, index, seed, first.numbers, second.numbers,
      draws.assumingMemoryBound(to: UInt64.self))
  }

  /// Makes the draws of eight keys.
  ///
  /// - Parameter steps: each key's purpose, what is added to `part`, and its index.
  public func makeEight(
    _ blocks: UnsafeMutablePointer<Philox.EightBlocks>, part: UInt32, steps: UnsafePointer<Philox.EightSteps>
  ) {
    Philox.makeEight(blocks, from: Philox.Block(device, replication << 8, part, 0), steps: steps, key: seed)
  }
}
