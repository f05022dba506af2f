import BackendModel
import DeviceModel
import SimulationKernel

/// The devices that one thread has for itself, and the wheel that wakes them.
struct RestingShard: ~Copyable {
  private let memory: RestingMemory
  private let wheel: TimingWheel

  init(_ ranges: [Range<Int>], of share: DeviceShare, in engine: Engine, grid: StepGrid) {
    memory = RestingMemory(ranges, of: share, in: engine, grid: grid)
    wheel = TimingWheel(seats: memory.seats)
  }

  /// Begins every device's life and parks it at its first request.
  func begin(_ simulator: inout DeviceSimulator, replication: Int) throws(EndlessInstant) {
    for range in 0..<memory.rangeCount {
      try memory.begin(range: range, &simulator, replication: replication, on: wheel)
    }
  }

  /// Gives every device its turn that has a request in a step.
  ///
  /// - Throws: the failure of the lowest device, once all have had their turns.
  func takeTurns(_ simulator: inout DeviceSimulator, step: Int) throws(EndlessInstant) {
    let horizon = memory.grid.beginning(of: step) + memory.grid.length
    var seat = wheel.take(step)
    var failure: EndlessInstant?
    // Two fingers ahead in the chain: for the heads of blocks, and for the rest of them.
    var (head, body) = (seat, seat)
    for _ in 0..<Self.headsAhead { fetchHead(&head, step) }
    for _ in 0..<Self.bodiesAhead { fetchBody(&body, step) }
    while seat != .none {
      let present = seat
      fetchHead(&head, step)
      fetchBody(&body, step)
      let (next, due) = (self[seat].next, Int(self[seat].step))
      seat = next
      guard due == step else {
        wheel.park(present, until: due)
        continue
      }
      do throws(EndlessInstant) {
        try memory.takeTurn(of: present, &simulator, until: horizon, then: wheel)
      } catch { failure = error.orLower(failure) }
    }
    if let failure { throw failure }
  }

  /// Hands over the rows of devices.csv, range by range, when all is over.
  func handRows(_ simulator: inout DeviceSimulator, to take: (Int, [DeviceTable.Row]) -> Void) {
    memory.handRows(&simulator, to: take)
  }

  private subscript(seat: SeatNumber) -> Seat {
    @inline(__always) _read { yield memory.seats[Int(seat.number)] }
  }

  // MARK: Memory ahead of its use

  /// Devices whose memory is on its way while one has its turn: about as long as memory takes, in turns.
  private static let headsAhead = 5
  private static let bodiesAhead = 2

  /// Asks for the beginning of a device's memory, and goes on to the next.
  @inline(__always)
  private func fetchHead(_ seat: inout SeatNumber, _ step: Int) {
    guard seat != .none else { return }
    let present = seat
    seat = self[present].next
    // By the next turn it has come.
    if seat != .none { Prefetch.line(memory.seats + Int(seat.number)) }
    guard Int(self[present].step) == step else { return }
    memory.fetchHead(of: present)
  }

  /// Asks for the rest of a device's memory, and goes on to the next.
  @inline(__always)
  private func fetchBody(_ seat: inout SeatNumber, _ step: Int) {
    guard seat != .none else { return }
    let present = seat
    seat = self[present].next
    guard Int(self[present].step) == step else { return }
    memory.fetchBody(of: present)
  }
}

extension EndlessInstant {
  /// The failure of the lower device.
  func orLower(_ other: EndlessInstant?) -> EndlessInstant {
    guard let other, other.device < device else { return self }
    return other
  }
}
