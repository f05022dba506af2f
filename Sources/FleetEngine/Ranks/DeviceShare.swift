/// The devices of one rank: shards that are cut by the number of devices alone and dealt out to the ranks in turn.
struct DeviceShare {
  /// Devices of all ranks together.
  private let devices: Int
  private let rank: Int
  private let ranks: Int

  /// Devices of one shard: the same ranges whatever runs them.
  static let shardSize = 64

  init(ofDevices devices: Int, for collective: any Collective) {
    self.devices = devices
    rank = collective.rank
    ranks = collective.size
  }

  /// How many shards there are, those of other ranks too.
  private var allShards: Int { (devices + Self.shardSize - 1) / Self.shardSize }

  /// How many shards this rank has.
  var shards: Int { (allShards - rank + ranks - 1) / ranks }

  /// The devices of a shard of this rank, counted from 0.
  func devices(ofShard number: Int) -> Range<Int> {
    let first = device(number * Self.shardSize)
    return first..<min(first + Self.shardSize, devices)
  }

  /// How many devices this rank has.
  var count: Int {
    guard shards > 0 else { return 0 }
    return (shards - 1) * Self.shardSize + devices(ofShard: shards - 1).count
  }

  /// The number within the fleet of a device of this rank, counted from 0; it rises.
  func device(_ index: Int) -> Int {
    (index / Self.shardSize * ranks + rank) * Self.shardSize + index % Self.shardSize
  }
}
