/// The devices assigned to one rank. The division of a fleet into shards depends only on the number of devices, and
/// shards are assigned to ranks in turn.
struct DeviceShare {
  /// The number of devices in the fleet.
  private let devices: Int
  private let rank: Int
  private let ranks: Int
  /// The fleet-wide numbers of this rank's shards if some of the fleet's shards are already complete; `nil` if none
  /// are.
  private let chosen: [UInt32]?

  /// The number of shards on this rank.
  let shards: Int

  /// The number of devices per shard, which is independent of the number of ranks and threads.
  static let shardSize = 64

  /// Creates the share of one rank.
  ///
  /// - Parameter finished: the shards that are already complete and are excluded from the share.
  init(ofDevices devices: Int, for collective: any Collective, without finished: ShardSet = ShardSet()) {
    self.devices = devices
    rank = collective.rank
    ranks = collective.size
    let all = Self.shards(of: devices)
    guard !finished.isEmpty else {
      chosen = nil
      shards = (all - rank + ranks - 1) / ranks
      return
    }
    let left = (0..<all).filter { !finished.contains($0) }
    let own = stride(from: rank, to: left.count, by: ranks).map { UInt32(truncatingIfNeeded: left[$0]) }
    chosen = own
    shards = own.count
  }

  /// Returns the number of shards needed for a number of devices.
  static func shards(of devices: Int) -> Int { (devices + shardSize - 1) / shardSize }

  /// Returns the fleet-wide number of the shard at a zero-based index within this rank, in fleet-wide order.
  func shard(_ index: Int) -> Int { chosen.map { Int($0[index]) } ?? index * ranks + rank }

  /// Returns the devices in the shard at a zero-based index within this rank.
  func devices(ofShard index: Int) -> Range<Int> {
    let first = shard(index) * Self.shardSize
    return first..<min(first + Self.shardSize, devices)
  }

  /// The number of devices on this rank.
  var count: Int {
    guard shards > 0 else { return 0 }
    return (shards - 1) * Self.shardSize + devices(ofShard: shards - 1).count
  }

  /// Returns the fleet-wide number of the device at a zero-based index within this rank, in fleet-wide order.
  func device(_ index: Int) -> Int {
    shard(index / Self.shardSize) * Self.shardSize + index % Self.shardSize
  }
}

/// A set of shards, identified by their fleet-wide numbers, which start at 0.
package struct ShardSet: Hashable, Sendable {
  /// The words of a bit set, where bit i of word w represents shard 64 w + i; the last word is never 0.
  private var words: [UInt64] = []

  package var isEmpty: Bool { words.isEmpty }
  package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  package func contains(_ shard: Int) -> Bool {
    shard / 64 < words.count && words[shard / 64] & 1 << UInt64(shard % 64) != 0
  }

  package mutating func insert(_ shard: Int) {
    if words.count <= shard / 64 { words += Array(repeating: 0, count: shard / 64 + 1 - words.count) }
    words[shard / 64] |= 1 << UInt64(shard % 64)
  }

  package mutating func formUnion(_ other: ShardSet) {
    if words.count < other.words.count { words += Array(repeating: 0, count: other.words.count - words.count) }
    for index in other.words.indices { words[index] |= other.words[index] }
  }

  package func isDisjoint(with other: ShardSet) -> Bool { zip(words, other.words).allSatisfy { $0 & $1 == 0 } }

  /// The largest shard number in the set; `nil` if the set is empty.
  var last: Int? { words.last.map { words.count * 64 - 1 - $0.leadingZeroBitCount } }
}

extension ShardSet {
  func write(to bytes: inout ByteWriter) {
    bytes.write(words.count)
    for word in words { bytes.write(word) }
  }

  init(from bytes: inout ByteReader) {
    for _ in 0..<bytes.count(ofBytes: 8) { words.append(bytes.number()) }
    if words.last == 0 { bytes.fail(.foreign) }
  }
}
