import BackendModel
import DeviceModel
import SimulationKernel

/// A range of devices that rest between their turns, in one piece of memory, and the wheel that wakes them.
struct RestingShard: ~Copyable {
  private let devices: Range<Int>
  private let engine: Engine
  private let grid: StepGrid
  private let memory: UnsafeMutableRawPointer
  /// By device: where its block begins.
  private let offsets: UnsafeMutablePointer<Int>
  /// By device: where its rows of devices.csv begin; -1 where they are not kept.
  private let rowPlaces: UnsafeMutablePointer<Int32>
  private let rows: UnsafeMutablePointer<DeviceRow>
  private var wheel: StepWheel

  init(_ devices: Range<Int>, of engine: Engine, grid: StepGrid, blockSizes: [Int]) {
    self.devices = devices
    self.engine = engine
    self.grid = grid
    offsets = .allocate(capacity: devices.count)
    rowPlaces = .allocate(capacity: devices.count)
    wheel = StepWheel(devices: devices.count)
    var (bytes, kept) = (0, 0)
    for (index, device) in devices.enumerated() {
      (offsets + index).initialize(to: bytes)
      bytes += Self.aligned(blockSizes[engine.cohort(of: device)])
      (rowPlaces + index).initialize(to: engine.keepsRow(of: device) ? Int32(kept) : -1)
      if engine.keepsRow(of: device) { kept += engine.scenario.kinds.count }
    }
    memory = .allocate(byteCount: max(bytes, 1), alignment: 64)
    rows = .allocate(capacity: max(kept, 1))
    rows.initialize(repeating: DeviceRow(), count: max(kept, 1))
  }

  deinit {
    memory.deallocate()
    offsets.deallocate()
    rowPlaces.deallocate()
    rows.deallocate()
  }

  /// Blocks begin at 16 bytes.
  private static func aligned(_ bytes: Int) -> Int { (bytes + 15) / 16 * 16 }

  /// Bytes that a device needs while it rests.
  static func bytes(ofBlock size: Int) -> Int {
    aligned(size) + MemoryLayout<Int>.stride + MemoryLayout<Int32>.stride + StepWheel.bytesPerDevice
  }

  /// Begins every device's life and parks it at its first request.
  mutating func begin(_ simulator: inout DeviceSimulator, replication: Int) throws(EndlessInstant) {
    for index in 0..<devices.count {
      let device = devices.lowerBound + index
      simulator.tally.useRows(keptRows(of: index))
      let request = try simulator.begin(
        device: device, cohort: engine.cohort(of: device), replication: replication, resting: memory + offsets[index])
      if let request { wheel.park(index, until: grid.step(containing: request)) }
    }
  }

  /// Gives every device its turn that has a request in a step.
  mutating func takeTurns(_ simulator: inout DeviceSimulator, step: Int) throws(EndlessInstant) {
    let horizon = grid.beginning(of: step) + grid.length
    var chain = wheel.take(step)
    while let index = wheel.nextDevice(of: &chain, in: step) {
      simulator.tally.useRows(keptRows(of: index))
      let request = try simulator.takeTurn(in: memory + offsets[index], until: horizon)
      if let request { wheel.park(index, until: grid.step(containing: request)) }
    }
  }

  /// The rows of devices.csv, when all is over.
  mutating func deviceRows(_ simulator: inout DeviceSimulator) -> [Int64] {
    var values: [Int64] = []
    for index in 0..<devices.count where rowPlaces[index] >= 0 {
      let device = devices.lowerBound + index
      simulator.wake(memory + offsets[index])
      simulator.tally.useRows(keptRows(of: index))
      simulator.appendRows(to: &values, device: device, cohort: engine.cohort(of: device))
    }
    simulator.tally.useRows(nil)
    return values
  }

  private func keptRows(of index: Int) -> UnsafeMutablePointer<DeviceRow>? {
    rowPlaces[index] < 0 ? nil : rows + Int(rowPlaces[index])
  }
}
