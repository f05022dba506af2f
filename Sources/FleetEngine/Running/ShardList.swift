import BackendModel
import DeviceModel
import SimulationKernel

/// The shards of one thread, which must be freed.
struct ShardList {
  private let shards: UnsafeMutablePointer<RestingShard>
  private let count: Int

  init(_ ranges: [Range<Int>], engine: Engine, grid: StepGrid, blockSizes: [Int]) {
    count = ranges.count
    shards = .allocate(capacity: ranges.count)
    for (index, range) in ranges.enumerated() {
      (shards + index).initialize(to: RestingShard(range, of: engine, grid: grid, blockSizes: blockSizes))
    }
  }

  func free() {
    shards.deinitialize(count: count)
    shards.deallocate()
  }

  func begin(_ simulator: inout DeviceSimulator, replication: Int) throws(EndlessInstant) {
    for index in 0..<count { try shards[index].begin(&simulator, replication: replication) }
  }

  func takeTurns(_ simulator: inout DeviceSimulator, step: Int) throws(EndlessInstant) {
    for index in 0..<count { try shards[index].takeTurns(&simulator, step: step) }
  }

  /// By shard.
  func deviceRows(_ simulator: inout DeviceSimulator) -> [[Int64]] {
    (0..<count).map { shards[$0].deviceRows(&simulator) }
  }
}
