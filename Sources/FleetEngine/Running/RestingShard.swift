import BackendModel
import DeviceModel
import SimulationKernel

/// The devices of one thread, which rest between their turns in one piece of memory, and the wheel that wakes them.
struct RestingShard: ~Copyable {
  private let ranges: [Range<Int>]
  private let engine: Engine
  private let map: TurnMap
  private let headBytes = DeviceSimulator.headBytes
  private let instanceBytes = TurnMemory.instanceBytes
  private let dayBytes = TurnMemory.dayBytes
  /// Of a device's rows of devices.csv.
  private let rowBytes: Int
  private let grid: StepGrid
  private let blocks: ShardMemory
  private let rowMemory: ShardMemory
  private let rows: UnsafeMutablePointer<DeviceRow>
  /// By device, in the order of the ranges.
  private let seats: UnsafeMutablePointer<Seat>
  private let wheel: StepWheel

  /// - Parameters:
  ///   - map: of the simulator that gives the devices their turns.
  ///   - blockSizes: by cohort.
  init(_ ranges: [Range<Int>], of engine: Engine, grid: StepGrid, map: TurnMap, blockSizes: [Int]) {
    self.map = map
    self.ranges = ranges
    self.engine = engine
    rowBytes = engine.scenario.kinds.count * MemoryLayout<DeviceRow>.stride
    self.grid = grid
    seats = .allocate(capacity: max(ranges.reduce(0) { $0 + $1.count }, 1))
    var (seat, bytes, kept) = (0, 0, 0)
    for device in ranges.joined() {
      let row = engine.keepsRow(of: device) ? kept : nil
      (seats + seat).initialize(to: Seat(place: DevicePlace(offset: bytes), row: row))
      seat += 1
      bytes += Self.aligned(blockSizes[engine.cohort(of: device)])
      if row != nil { kept += engine.scenario.kinds.count }
    }
    wheel = StepWheel(seats: seats)
    blocks = ShardMemory(bytes: bytes)
    rowMemory = ShardMemory(bytes: max(kept, 1) * MemoryLayout<DeviceRow>.stride)
    rows = rowMemory.start.bindMemory(to: DeviceRow.self, capacity: max(kept, 1))
    rows.initialize(repeating: DeviceRow(), count: max(kept, 1))
  }

  deinit { seats.deallocate() }

  /// Bytes of a block in a shard: whole cache lines.
  static func aligned(_ bytes: Int) -> Int {
    (bytes + DevicePlace.unit - 1) / DevicePlace.unit * DevicePlace.unit
  }

  /// Bytes for a device beside its block and its rows.
  static var bytesOfSeat: Int { MemoryLayout<Seat>.stride }

  /// Begins every device's life and parks it at its first request.
  func begin(_ simulator: inout DeviceSimulator, replication: Int) throws(EndlessInstant) {
    var seat = SeatNumber(number: 0)
    for device in ranges.joined() {
      simulator.tally.useRows(row(of: seat))
      let request = try simulator.begin(
        device: device, cohort: engine.cohort(of: device), replication: replication, resting: block(of: seat))
      if let request { wheel.park(seat, until: grid.step(containing: request)) }
      seat.number += 1
    }
  }

  /// Gives every device its turn that has a request in a step.
  func takeTurns(_ simulator: inout DeviceSimulator, step: Int) throws(EndlessInstant) {
    let horizon = grid.beginning(of: step) + grid.length
    var seat = wheel.take(step)
    // Two fingers ahead in the chain: what the first has read tells what the second needs.
    var (head, instance) = (seat, seat)
    for _ in 0..<Self.headsAhead { fetchHead(&head, step) }
    for _ in 0..<Self.instancesAhead { fetchInstance(&instance, step) }
    while seat != .none {
      let present = seat
      fetchHead(&head, step)
      fetchInstance(&instance, step)
      let (next, due) = (self[seat].next, Int(self[seat].step))
      seat = next
      guard due == step else {
        wheel.park(present, until: due)
        continue
      }
      simulator.tally.useRows(row(of: present))
      let request = try simulator.takeTurn(in: block(of: present), until: horizon)
      if let request { wheel.park(present, until: grid.step(containing: request)) }
    }
  }

  private subscript(seat: SeatNumber) -> Seat {
    @inline(__always) _read { yield seats[Int(seat.number)] }
  }

  @inline(__always)
  private func block(of seat: SeatNumber) -> DeviceBlock { DeviceBlock(blocks.start + self[seat].place.offset) }

  @inline(__always)
  private func row(of seat: SeatNumber) -> UnsafeMutablePointer<DeviceRow>? { self[seat].row.map { rows + $0 } }

  // MARK: Memory ahead of its use

  /// Devices whose memory is on its way while one has its turn: about as long as memory takes, in turns.
  private static let headsAhead = 5
  private static let instancesAhead = 2

  /// Asks for what every turn of a device touches, and goes on to the next.
  @inline(__always)
  private func fetchHead(_ seat: inout SeatNumber, _ step: Int) {
    guard seat != .none else { return }
    let present = seats + Int(seat.number)
    seat = present.pointee.next
    // By the next turn it has come.
    if seat != .none { Prefetch.line(seats + Int(seat.number)) }
    guard Int(present.pointee.step) == step else { return }
    Prefetch.block(blocks.start + present.pointee.place.offset, bytes: headBytes)
  }

  /// Asks for what the turn of a device's instance touches beside the head, and goes on to the next.
  @inline(__always)
  private func fetchInstance(_ seat: inout SeatNumber, _ step: Int) {
    guard seat != .none else { return }
    let present = seats + Int(seat.number)
    seat = present.pointee.next
    guard Int(present.pointee.step) == step else { return }
    let memory = map.memory(in: blocks.start + present.pointee.place.offset)
    Prefetch.block(memory.instance, bytes: instanceBytes)
    Prefetch.line(memory.flow)
    Prefetch.block(memory.day, bytes: dayBytes)
    if let row = present.pointee.row { Prefetch.block(rows + row, bytes: rowBytes) }
  }

  // MARK: Files

  /// The rows of devices.csv by range, when all is over.
  func deviceRows(_ simulator: inout DeviceSimulator) -> [[Int64]] {
    var seat = SeatNumber(number: 0)
    defer { simulator.tally.useRows(nil) }
    return ranges.map { range in
      var values: [Int64] = []
      for device in range {
        defer { seat.number += 1 }
        guard let row = row(of: seat) else { continue }
        simulator.wake(block(of: seat))
        simulator.tally.useRows(row)
        simulator.appendRows(to: &values, device: device, cohort: engine.cohort(of: device))
      }
      return values
    }
  }
}
