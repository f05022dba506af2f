import BackendModel
import DeviceModel
import SimulationKernel
import Synchronization

/// The devices that have their turns on one thread, and the wheel that wakes them.
struct RestingShard: ~Copyable {
  private let memory: RestingMemory
  private let wheel: TimingWheel
  /// Devices with a turn in the present step.
  private let due: UnsafeMutablePointer<DevicePlace>
  /// The first step that no thread has begun.
  private let unclaimed = Atomic<Int>(StepGrid.birth)

  init(_ ranges: [Range<Int>], of share: DeviceShare, in engine: Engine, grid: StepGrid) {
    memory = RestingMemory(ranges, of: share, in: engine, grid: grid)
    wheel = TimingWheel(devices: memory.devices)
    due = .allocate(capacity: max(memory.devices, 1))
  }

  deinit { due.deallocate() }

  /// Takes the devices' turns in a step for the calling thread, unless another has; the open one or one that is over.
  func claim(_ step: Int) -> Bool {
    unclaimed.compareExchange(expected: step, desired: step + 1, ordering: .relaxed).exchanged
  }

  /// How many devices have their turns in a step, about.
  func due(_ step: Int) -> Int { wheel.count(step) }

  /// Begins every device's life and parks it at its first request.
  func begin(of engine: Engine, _ simulator: inout DeviceSimulator, replication: Int) throws(EndlessInstant) {
    for range in 0..<memory.rangeCount {
      try memory.begin(range: range, of: engine, &simulator, replication: replication, on: wheel)
    }
  }

  /// Gives every device its turn that has a request in a step.
  ///
  /// - Throws: the failure of the lowest device, once all have had their turns.
  func takeTurns(_ simulator: inout DeviceSimulator, step: Int) throws(EndlessInstant) {
    let horizon = memory.grid.beginning(of: step) + memory.grid.length
    let count = wheel.take(step, into: due)
    var begun = 0
    let failure = memory.takeTurns(&simulator, until: horizon, then: wheel) {
      let bunch = RestingMemory.Bunch(start: due + begun, count: min(RestingMemory.bunch, count &- begun))
      begun &+= bunch.count
      return bunch
    }.failure
    if let failure { throw failure }
  }

  /// Hands over the rows of devices.csv, range by range, when all is over.
  func handRows(_ simulator: inout DeviceSimulator, to take: (Int, [DeviceTable.Row]) -> Void) {
    memory.handRows(&simulator, to: take)
  }
}

/// The shards of all threads: a thread has its own before any other, then those whose threads are late.
///
/// Unchecked: in a step a shard belongs to the thread that claimed it; the end of a step orders the rest.
final class RestingShards: @unchecked Sendable {
  private let shards: UnsafeMutablePointer<RestingShard>
  let count: Int

  init(_ deal: WorkPartition, of share: DeviceShare, in engine: Engine, grid: StepGrid) {
    count = deal.threads
    shards = .allocate(capacity: count)
    for thread in 0..<count {
      (shards + thread).initialize(
        to: RestingShard(deal.own(of: thread).map(deal.devices), of: share, in: engine, grid: grid))
    }
  }

  deinit {
    shards.deinitialize(count: count)
    shards.deallocate()
  }

  subscript(thread: Int) -> RestingShard { @inline(__always) _read { yield shards[thread] } }

  /// How many devices have their turns in a step, about.
  func due(_ step: Int) -> Int { (0..<count).reduce(0) { $0 + shards[$1].due(step) } }
}

extension StepGrid {
  /// In place of a step: the lives of all devices begin.
  static let birth = -1
}

extension EndlessInstant {
  /// The failure of the lower device.
  func orLower(_ other: EndlessInstant?) -> EndlessInstant {
    guard let other, other.device < device else { return self }
    return other
  }
}
