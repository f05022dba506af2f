import BackendModel
import DeviceModel
import SimulationKernel

/// A range of devices that rest between their turns, in one piece of memory, and the wheel that wakes them.
struct RestingShard: ~Copyable {
  private let devices: Range<Int>
  private let engine: Engine
  /// Of a device's rows of devices.csv.
  private let rowBytes: Int
  private let grid: StepGrid
  private let blockSizes: [Int]
  private let blocks: ShardMemory
  private let rowMemory: ShardMemory
  private let rows: UnsafeMutablePointer<DeviceRow>
  private let wheel = StepWheel()

  /// - Parameter blockSizes: by cohort.
  init(_ devices: Range<Int>, of engine: Engine, grid: StepGrid, blockSizes: [Int]) {
    self.devices = devices
    self.engine = engine
    rowBytes = engine.scenario.kinds.count * MemoryLayout<DeviceRow>.stride
    self.grid = grid
    self.blockSizes = blockSizes.map(Self.aligned)
    var (bytes, kept) = (0, 0)
    for device in devices {
      bytes += Self.aligned(blockSizes[engine.cohort(of: device)])
      if engine.keepsRow(of: device) { kept += engine.scenario.kinds.count }
    }
    blocks = ShardMemory(bytes: bytes)
    rowMemory = ShardMemory(bytes: max(kept, 1) * MemoryLayout<DeviceRow>.stride)
    rows = rowMemory.start.bindMemory(to: DeviceRow.self, capacity: max(kept, 1))
    rows.initialize(repeating: DeviceRow(), count: max(kept, 1))
  }

  private var memory: UnsafeMutableRawPointer { blocks.start }

  /// Bytes of a block in a shard.
  static func aligned(_ bytes: Int) -> Int {
    (bytes + DeviceBlock.alignment - 1) / DeviceBlock.alignment * DeviceBlock.alignment
  }

  /// Begins every device's life and parks it at its first request.
  func begin(_ simulator: inout DeviceSimulator, replication: Int) throws(EndlessInstant) {
    var (offset, kept) = (0, 0)
    for device in devices {
      let cohort = engine.cohort(of: device)
      let block = DeviceBlock(memory + offset)
      block.rowPlace = engine.keepsRow(of: device) ? kept : nil
      if engine.keepsRow(of: device) { kept += engine.scenario.kinds.count }
      simulator.tally.useRows(block.rowPlace.map { rows + $0 })
      let request = try simulator.begin(device: device, cohort: cohort, replication: replication, resting: block)
      if let request {
        wheel.park(block, at: DevicePlace(offset: offset), until: grid.step(containing: request))
      }
      offset += blockSizes[cohort]
    }
  }

  /// Gives every device its turn that has a request in a step.
  func takeTurns(_ simulator: inout DeviceSimulator, step: Int) throws(EndlessInstant) {
    let horizon = grid.beginning(of: step) + grid.length
    var place = wheel.take(step)
    while place != .none {
      let present = place
      let block = DeviceBlock(memory + present.offset)
      place = block.next
      if place != .none { Prefetch.block(memory + place.offset, bytes: Self.hotBytes) }
      guard block.step == step else {
        wheel.park(block, at: present, until: block.step)
        continue
      }
      let kept = block.rowPlace.map { rows + $0 }
      if let kept { Prefetch.block(kept, bytes: rowBytes) }
      simulator.tally.useRows(kept)
      let request = try simulator.takeTurn(in: block, until: horizon)
      if let request { wheel.park(block, at: present, until: grid.step(containing: request)) }
    }
    let first = wheel.first(of: step + 1)
    if first != .none { Prefetch.block(memory + first.offset, bytes: Self.hotBytes) }
  }

  /// Of a block: what most turns touch.
  private static let hotBytes = 1_024

  /// The rows of devices.csv, when all is over.
  func deviceRows(_ simulator: inout DeviceSimulator) -> [Int64] {
    var values: [Int64] = []
    var offset = 0
    for device in devices {
      let cohort = engine.cohort(of: device)
      let block = DeviceBlock(memory + offset)
      offset += blockSizes[cohort]
      guard let place = block.rowPlace else { continue }
      simulator.wake(block)
      simulator.tally.useRows(rows + place)
      simulator.appendRows(to: &values, device: device, cohort: cohort)
    }
    simulator.tally.useRows(nil)
    return values
  }
}
