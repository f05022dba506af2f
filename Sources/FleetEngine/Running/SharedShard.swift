import BackendModel
import DeviceModel
import SimulationKernel
import Synchronization

/// The devices that no thread has for itself: who is through with its own in a step takes the next of these.
///
/// In a step some threads' devices need longer than others', and all wait for the last.
///
/// Unchecked: in a step the wheels belong to the thread that lays out the devices, then a device to the thread that
/// claimed it and a wheel to its thread; the barrier between the steps orders the rest.
final class SharedShard: @unchecked Sendable {
  private let memory: RestingMemory
  /// By thread: the devices that it parked.
  private let wheels: UnsafeMutablePointer<TimingWheel>
  private let threads: Int
  /// Devices with a turn in the present step.
  private let due: UnsafeMutablePointer<SeatNumber>
  private var dueCount = 0
  private let claimed = Atomic<Int>(0)
  /// Steps whose devices somebody lays out or has laid out, and those for which it is done.
  private let begun = Atomic<Int>(0)
  private let laidOut = Atomic<Int>(0)
  /// How often a thread looks whether another has laid out the devices: longer than it takes one that is running.
  private static let patience = 10_000

  init(_ ranges: [Range<Int>], of share: DeviceShare, in engine: Engine, grid: StepGrid, threads: Int) {
    memory = RestingMemory(ranges, of: share, in: engine, grid: grid)
    self.threads = threads
    due = .allocate(capacity: max(ranges.reduce(0) { $0 + $1.count }, 1))
    wheels = .allocate(capacity: threads)
    for thread in 0..<threads { (wheels + thread).initialize(to: TimingWheel(seats: memory.seats)) }
  }

  deinit {
    wheels.deinitialize(count: threads)
    wheels.deallocate()
    due.deallocate()
  }

  /// Begins the lives of a thread's part of the devices and parks each at its first request.
  func begin(_ simulator: inout DeviceSimulator, replication: Int, thread: Int) throws(EndlessInstant) {
    for range in stride(from: thread, to: memory.rangeCount, by: threads) {
      try memory.begin(range: range, &simulator, replication: replication, on: wheels[thread])
    }
  }

  /// Lays out the devices with a turn in a step, if no other thread has begun to.
  ///
  /// - Returns: whether they are laid out; else the one that began takes its time, and has them all.
  private func prepare(_ step: Int) -> Bool {
    guard begun.compareExchange(expected: step, desired: step + 1, ordering: .relaxed).exchanged else {
      for _ in 0..<Self.patience where laidOut.load(ordering: .acquiring) > step { return true }
      return false
    }
    dueCount = 0
    for thread in 0..<threads {
      var seat = wheels[thread].take(step)
      while seat != .none {
        let (present, turn) = (seat, Int(memory.seats[Int(seat.number)].step))
        seat = memory.seats[Int(seat.number)].next
        guard turn == step else {
          wheels[thread].park(present, until: turn)
          continue
        }
        due[dueCount] = present
        dueCount += 1
      }
    }
    claimed.store(0, ordering: .relaxed)
    laidOut.store(step + 1, ordering: .releasing)
    return true
  }

  /// Gives devices their turns until all have had theirs or have them on other threads.
  ///
  /// - Throws: the failure of the lowest device, once there are none left.
  func takeTurns(_ simulator: inout DeviceSimulator, step: Int, thread: Int) throws(EndlessInstant) {
    guard prepare(step) else { return }
    let horizon = memory.grid.beginning(of: step) + memory.grid.length
    var failure: EndlessInstant?
    // One is claimed while the one before has its turn: about as long as its memory takes.
    var next = claim()
    while let present = next {
      next = claim()
      do throws(EndlessInstant) {
        try memory.takeTurn(of: present, &simulator, until: horizon, then: wheels[thread])
      } catch { failure = error.orLower(failure) }
    }
    if let failure { throw failure }
  }

  /// The next device that nobody has claimed, all of whose memory is on its way; nil: there are none left.
  private func claim() -> SeatNumber? {
    let place = claimed.add(1, ordering: .relaxed).oldValue
    guard place < dueCount else { return nil }
    memory.fetchHead(of: due[place])
    memory.fetchBody(of: due[place])
    return due[place]
  }

  /// Hands over the rows of devices.csv, range by range, when all is over.
  func handRows(_ simulator: inout DeviceSimulator, to take: (Int, [DeviceTable.Row]) -> Void) {
    memory.handRows(&simulator, to: take)
  }
}
