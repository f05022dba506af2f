import BackendModel
import DeviceModel
internal import Platform
import SimulationKernel

/// A memory area for parked devices, which stores their blocks consecutively.
struct ParkedMemory: ~Copyable {
  let grid: StepGrid
  private let share: DeviceShare
  private let ranges: [PlacedRange]
  private let cohortSizes: [Int]
  private let blockSizes: [Int]
  /// The number of bytes at the start of a block that every turn accesses, followed by the last byte's offset in the
  /// largest block.
  private let headBytes = MemoryLayout<Label>.stride + DeviceSimulator.headBytes
  private let lastByte: Int
  /// The maximum number of rows of devices.csv per device, followed by the size of these rows in bytes.
  private let rowsOfDevice: Int
  private let rowBytes: Int
  private let blocks: ShardMemory
  private let rowMemory: ShardMemory
  private let rows: UnsafeMutablePointer<DeviceRow>

  /// A range of this rank's devices, with its location in memory.
  private struct PlacedRange {
    var devices: Range<Int>
    /// The location of the first device's block.
    var place: DeviceOffset
    /// The number of devices before this range that have rows in devices.csv.
    var rows: Int
  }

  /// The label that precedes the block of a device.
  private struct Label: BitwiseCopyable {
    /// The number of cache lines occupied by the label and the block.
    private var lines: UInt32
    /// The device's index among devices with rows, or -1 if it has no rows, stored in the bits above the group number.
    private var rowsAndGroup: Int32

    /// Creates the label of a device.
    ///
    /// - Parameter rows: the device's index among devices with rows, below 2^27; `nil` if it has no rows.
    /// - Parameter group: the number of the device group, below 16.
    init(lines: Int, rows: Int?, group: Int) {
      self.lines = UInt32(lines)
      rowsAndGroup = Int32((rows ?? -1) << 4 | group)
    }

    var bytes: Int { Int(lines) &* DeviceOffset.unit }
    var rows: Int? { rowsAndGroup < 0 ? nil : Int(rowsAndGroup >> 4) }
    var group: Int { Int(rowsAndGroup & 15) }
  }

  init(_ ranges: [Range<Int>], of share: DeviceShare, in engine: Engine, grid: StepGrid) {
    self.share = share
    self.grid = grid
    cohortSizes = engine.cohortSizes
    blockSizes = DeviceSimulator.blockSizes(engine.plan).map(Self.bytes)
    lastByte = (blockSizes.max() ?? 1) - 1
    rowsOfDevice = engine.scenario.kinds.count
    rowBytes = rowsOfDevice * MemoryLayout<DeviceRow>.stride
    devices = ranges.reduce(0) { $0 + $1.count }
    var (bytes, kept) = (0, 0)
    var placed: [PlacedRange] = []
    for range in ranges {
      placed.append(PlacedRange(devices: range, place: DeviceOffset(offset: bytes), rows: kept))
      for device in range.lazy.map(share.device) {
        bytes += blockSizes[engine.cohort(of: device)]
        if engine.keepsRow(of: device) { kept += 1 }
      }
    }
    self.ranges = placed
    blocks = ShardMemory(bytes: bytes)
    let count = max(kept * rowsOfDevice, 1)
    rowMemory = ShardMemory(bytes: count * MemoryLayout<DeviceRow>.stride)
    rows = rowMemory.start.bindMemory(to: DeviceRow.self, capacity: count)
    rows.initialize(repeating: DeviceRow(), count: count)
  }

  /// Returns the combined size of a block and its label in bytes, rounded up to whole cache lines.
  static func bytes(block: Int) -> Int {
    (MemoryLayout<Label>.stride + block + DeviceOffset.unit - 1) / DeviceOffset.unit * DeviceOffset.unit
  }

  // MARK: Turns

  let devices: Int

  /// The number of ranges of devices.
  var rangeCount: Int { ranges.count }

  /// Starts the devices of a range, and parks each device at its first request.
  func begin(
    range number: Int, of engine: Engine, _ simulator: inout DeviceSimulator, replication: Int,
    on wheel: borrowing TimingWheel
  ) throws(DeviceFailure) {
    var (place, kept) = (ranges[number].place, ranges[number].rows)
    for device in ranges[number].devices.lazy.map(share.device) {
      let cohort = engine.cohort(of: device)
      let keepsRows = engine.keepsRow(of: device)
      label(place).initialize(
        to: Label(
          lines: blockSizes[cohort] / DeviceOffset.unit, rows: keepsRows ? kept : nil,
          group: engine.group(of: device, cohort: cohort)))
      if keepsRows { kept += 1 }
      simulator.useRows(row(of: place), group: label(place).pointee.group)
      let step = try simulator.begin(
        device: device, cohort: cohort, replication: replication, resting: block(place))
      if let step { wheel.park(place, until: step) }
      place = following(place)
    }
  }

  /// A batch of devices whose turns are simulated consecutively on one thread.
  typealias Bunch = UnsafeBufferPointer<DeviceOffset>

  /// The maximum number of devices in a batch.
  static let bunch = 8
  /// The number of devices ahead of the current one whose blocks are prefetched. It is approximately the memory latency
  /// divided by the duration of a turn.
  private static let bodiesAhead = 2

  /// Simulates the devices' turns up to the end of a step, and parks each device at its next request.
  ///
  /// - Parameter next: returns the next batch of devices, or an empty batch if there are no more.
  /// - Returns: the number of turns and the failure of the lowest-numbered failed device.
  @inline(__always)
  func advanceDevices(
    _ simulator: inout DeviceSimulator, until horizon: Instant, then wheel: borrowing TimingWheel, next: () -> Bunch
  ) -> (done: Int, failure: DeviceFailure?) {
    var (done, failure) = (0, DeviceFailure?.none)
    var present = next()
    fetchHeads(of: present)
    for place in 0..<min(Self.bodiesAhead, present.count) { fetchBody(of: present[place]) }
    while !present.isEmpty {
      let following = next()
      fetchHeads(of: following)
      for place in 0..<present.count {
        let ahead = place &+ Self.bodiesAhead
        if ahead < present.count {
          fetchBody(of: present[ahead])
        } else if ahead &- present.count < following.count {
          fetchBody(of: following[ahead &- present.count])
        }
        do throws(DeviceFailure) {
          let device = present[place]
          let step = try simulator.advanceDevice(
            in: block(device), until: horizon, rows: row(of: device), group: label(device).pointee.group)
          if let step { wheel.park(device, until: step) }
        } catch { failure = error.orLower(failure) }
      }
      done &+= present.count
      present = following
    }
    return (done, failure)
  }

  @inline(__always)
  private func label(_ place: DeviceOffset) -> UnsafeMutablePointer<Label> {
    (blocks.start + place.offset).assumingMemoryBound(to: Label.self)
  }

  @inline(__always)
  private func block(_ place: DeviceOffset) -> DeviceBlock {
    DeviceBlock(blocks.start + (place.offset &+ MemoryLayout<Label>.stride))
  }

  private func following(_ place: DeviceOffset) -> DeviceOffset {
    DeviceOffset(offset: place.offset + label(place).pointee.bytes)
  }

  @inline(__always)
  private func row(of place: DeviceOffset) -> UnsafeMutablePointer<DeviceRow>? {
    label(place).pointee.rows.map { rows + $0 &* rowsOfDevice }
  }

  // MARK: Prefetching

  /// Prefetches the first and last cache lines of the devices' blocks.
  ///
  /// The first access to a page waits for an address translation; within a batch, these waits overlap.
  @inline(__always)
  private func fetchHeads(of bunch: Bunch) {
    for place in bunch {
      Prefetch.line(blocks.start + place.offset)
      Prefetch.line(blocks.start + (place.offset &+ lastByte))
    }
    for place in bunch { Prefetch.block(blocks.start + place.offset, bytes: headBytes) }
  }

  /// The maximum number of bytes to prefetch from a block. If a device has many instances, a turn accesses only a small
  /// part of its block.
  private static let maxBytesAhead = 4_096

  /// Prefetches the rest of a device's block and the device's rows.
  @inline(__always)
  private func fetchBody(of place: DeviceOffset) {
    let label = label(place)
    let size = min(label.pointee.bytes, Self.maxBytesAhead)
    Prefetch.block(blocks.start + (place.offset &+ headBytes), bytes: size &- headBytes)
    if let number = label.pointee.rows { Prefetch.block(rows + number &* rowsOfDevice, bytes: rowBytes) }
  }

  // MARK: Files

  /// Delivers the rows of devices.csv at the end of the run, one range at a time.
  ///
  /// - Parameter take: a function that receives the zero-based number of a range and its rows.
  func passOnRows(_ simulator: inout DeviceSimulator, to take: (Int, [DeviceTable.Row]) -> Void) {
    defer { simulator.useRows(nil) }
    for (number, range) in ranges.enumerated() {
      var rows: [DeviceTable.Row] = []
      var place = range.place
      for device in range.devices.lazy.map(share.device) {
        defer { place = following(place) }
        guard let row = row(of: place) else { continue }
        simulator.wake(block(place))
        simulator.useRows(row)
        simulator.appendRows(to: &rows, device: device, cohort: CohortSizes.cohort(of: device, in: cohortSizes))
      }
      take(number, rows)
    }
  }
}

/// Memory for many small blocks that are read in random order, allocated in large pages if the system supports them.
struct ShardMemory: ~Copyable {
  let start: UnsafeMutableRawPointer

  private static let largePage = 2 << 20

  init(bytes: Int) {
    let size = Self.size(of: bytes)
    guard size >= Self.largePage else {
      start = .allocate(byteCount: size, alignment: 64)
      return
    }
    start = .allocate(byteCount: size, alignment: Self.largePage)
    Machine.wantLargePages(start, bytes: size)
  }

  /// Returns the number of bytes to allocate: a multiple of the large page size if at least one such page is needed.
  static func size(of bytes: Int) -> Int {
    bytes < largePage ? max(bytes, 1) : (bytes + largePage - 1) / largePage * largePage
  }

  deinit { start.deallocate() }
}
