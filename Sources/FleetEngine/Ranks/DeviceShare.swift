/// The devices of one rank: shards that are cut by the number of devices alone and dealt out to the ranks in turn.
struct DeviceShare {
  /// Devices of all ranks together.
  private let devices: Int
  private let rank: Int
  private let ranks: Int
  /// This rank's shards by their numbers within the fleet, where some of the fleet's are through already; nil: every
  /// one is dealt out.
  private let chosen: [UInt32]?

  /// How many shards this rank has.
  let shards: Int

  /// Devices of one shard: the same ranges whatever runs them.
  static let shardSize = 64

  /// - Parameter finished: shards that nobody lives any more.
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

  /// How many shards a fleet has.
  static func shards(of devices: Int) -> Int { (devices + shardSize - 1) / shardSize }

  /// The number within the fleet of a shard of this rank, counted from 0; it rises.
  func shard(_ index: Int) -> Int { chosen.map { Int($0[index]) } ?? index * ranks + rank }

  /// The devices of a shard of this rank, counted from 0.
  func devices(ofShard index: Int) -> Range<Int> {
    let first = shard(index) * Self.shardSize
    return first..<min(first + Self.shardSize, devices)
  }

  /// How many devices this rank has.
  var count: Int {
    guard shards > 0 else { return 0 }
    return (shards - 1) * Self.shardSize + devices(ofShard: shards - 1).count
  }

  /// The number within the fleet of a device of this rank, counted from 0; it rises.
  func device(_ index: Int) -> Int {
    shard(index / Self.shardSize) * Self.shardSize + index % Self.shardSize
  }
}
