import BackendModel
import DeviceModel
import SimulationKernel

/// Devices that rest between their turns in one piece of memory, each on a seat.
struct RestingMemory: ~Copyable {
  let grid: StepGrid
  private let share: DeviceShare
  /// Among the devices of the share.
  private let ranges: [Range<Int>]
  private let cohortSizes: [Int]
  private let headBytes = DeviceSimulator.headBytes
  /// Rows of devices.csv that a device may have, and their bytes.
  private let rowsOfDevice: Int
  private let rowBytes: Int
  private let blocks: ShardMemory
  private let rowMemory: ShardMemory
  private let rows: UnsafeMutablePointer<DeviceRow>
  private let seatMemory: ShardMemory
  /// By device, in the order of the ranges; then the end.
  private let seats: UnsafeMutablePointer<Seat>

  init(_ ranges: [Range<Int>], of share: DeviceShare, in engine: Engine, grid: StepGrid) {
    self.share = share
    self.ranges = ranges
    cohortSizes = engine.cohortSizes
    rowsOfDevice = engine.scenario.kinds.count
    rowBytes = rowsOfDevice * MemoryLayout<DeviceRow>.stride
    self.grid = grid
    devices = ranges.reduce(0) { $0 + $1.count }
    seatMemory = ShardMemory(bytes: (devices + 1) * MemoryLayout<Seat>.stride)
    seats = seatMemory.start.bindMemory(to: Seat.self, capacity: devices + 1)
    let blockSizes = DeviceSimulator.blockSizes(engine.plan)
    var (seat, bytes, kept) = (0, 0, 0)
    for index in ranges.joined() {
      let device = share.device(index)
      let keepsRows = engine.keepsRow(of: device)
      let cohort = engine.cohort(of: device)
      let group = engine.group(of: device, cohort: cohort)
      let place = DevicePlace(offset: bytes)
      (seats + seat).initialize(to: Seat(place: place, rows: keepsRows ? kept : nil, group: group))
      seat += 1
      bytes += Self.aligned(blockSizes[cohort])
      if keepsRows { kept += 1 }
    }
    (seats + seat).initialize(to: Seat(place: DevicePlace(offset: bytes), rows: nil, group: 0))
    blocks = ShardMemory(bytes: bytes)
    let count = max(kept * rowsOfDevice, 1)
    rowMemory = ShardMemory(bytes: count * MemoryLayout<DeviceRow>.stride)
    rows = rowMemory.start.bindMemory(to: DeviceRow.self, capacity: count)
    rows.initialize(repeating: DeviceRow(), count: count)
  }

  /// Bytes of a block: whole cache lines.
  static func aligned(_ bytes: Int) -> Int {
    (bytes + DevicePlace.unit - 1) / DevicePlace.unit * DevicePlace.unit
  }

  /// Bytes for a device beside its block and its rows: its seat, and its place on a wheel.
  static var bytesOfSeat: Int { MemoryLayout<Seat>.stride + TimingWheel.bytesPerDevice }

  // MARK: Turns

  let devices: Int

  /// How many ranges of devices there are.
  var rangeCount: Int { ranges.count }

  /// Begins the lives of a range's devices and parks each at its first request.
  func begin(
    range number: Int, _ simulator: inout DeviceSimulator, replication: Int, on wheel: borrowing TimingWheel
  ) throws(EndlessInstant) {
    var seat = SeatNumber(number: UInt32(ranges[..<number].reduce(0) { $0 + $1.count }))
    for index in ranges[number] {
      let device = share.device(index)
      simulator.useRows(row(of: seat), group: seats[Int(seat.number)].group)
      let cohort = CohortSizes.cohort(of: device, in: cohortSizes)
      let request = try simulator.begin(
        device: device, cohort: cohort, replication: replication, resting: block(of: seat))
      if let request { wheel.park(seat, until: grid.step(containing: request)) }
      seat.number += 1
    }
  }

  /// Devices that have their turns one after the other on one thread.
  typealias Bunch = UnsafeBufferPointer<SeatNumber>

  /// Devices of a bunch.
  static let bunch = 8
  /// Devices whose blocks are on their way while one has its turn: about as long as memory takes, in turns.
  private static let bodiesAhead = 2

  /// Gives devices their turns, up to the end of a step, and parks each at its next request.
  ///
  /// - Parameter next: the bunch that follows, empty after the last.
  /// - Returns: how many had their turns, and the failure of the lowest that failed.
  @inline(__always)
  func takeTurns(
    _ simulator: inout DeviceSimulator, until horizon: Instant, then wheel: borrowing TimingWheel, next: () -> Bunch
  ) -> (done: Int, failure: EndlessInstant?) {
    var (done, failure) = (0, EndlessInstant?.none)
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
        do throws(EndlessInstant) {
          let seat = present[place]
          let request = try simulator.takeTurn(
            in: block(of: seat), until: horizon, rows: row(of: seat), group: seats[Int(seat.number)].group)
          if let request { wheel.park(seat, until: grid.step(containing: request)) }
        } catch { failure = error.orLower(failure) }
      }
      done &+= present.count
      present = following
    }
    return (done, failure)
  }

  @inline(__always)
  private func block(of seat: SeatNumber) -> DeviceBlock {
    DeviceBlock(blocks.start + seats[Int(seat.number)].place.offset)
  }

  @inline(__always)
  private func row(of seat: SeatNumber) -> UnsafeMutablePointer<DeviceRow>? {
    seats[Int(seat.number)].rows.map { rows + $0 &* rowsOfDevice }
  }

  // MARK: Memory ahead of its use

  /// Asks for what the turns of devices touch first, and for the last line of their blocks: whoever asks for the first line
  /// of a page waits for its address, and of a bunch these waits go on together.
  @inline(__always)
  private func fetchHeads(of bunch: Bunch) {
    for seat in bunch {
      let here = seats + Int(seat.number)
      Prefetch.line(blocks.start + here[1].place.offset - 1)
      Prefetch.block(block(of: seat).start, bytes: headBytes)
    }
  }

  /// Beyond it, a block is fetched when it is used: what many instances have, a turn touches the least part of.
  private static let mostBytesAhead = 4_096

  /// Asks for the rest of a device's block, and its rows.
  @inline(__always)
  private func fetchBody(of seat: SeatNumber) {
    let here = seats + Int(seat.number)
    let size = min(here[1].place.offset &- here.pointee.place.offset, Self.mostBytesAhead)
    Prefetch.block(block(of: seat).start + headBytes, bytes: size &- headBytes)
    if let number = here.pointee.rows { Prefetch.block(rows + number &* rowsOfDevice, bytes: rowBytes) }
  }

  // MARK: Files

  /// Hands over the rows of devices.csv, range by range, when all is over.
  ///
  /// - Parameter take: is given the range's number, counted from 0, and its rows.
  func handRows(_ simulator: inout DeviceSimulator, to take: (Int, [DeviceTable.Row]) -> Void) {
    var seat = SeatNumber(number: 0)
    defer { simulator.useRows(nil) }
    for (number, range) in ranges.enumerated() {
      var rows: [DeviceTable.Row] = []
      for index in range {
        defer { seat.number += 1 }
        guard let row = row(of: seat) else { continue }
        simulator.wake(block(of: seat))
        simulator.useRows(row)
        let device = share.device(index)
        simulator.appendRows(to: &rows, device: device, cohort: CohortSizes.cohort(of: device, in: cohortSizes))
      }
      take(number, rows)
    }
  }
}
