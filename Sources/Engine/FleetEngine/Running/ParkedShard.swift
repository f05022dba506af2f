import BackendModel
import DeviceModel
import SimulationKernel
import Synchronization

/// The devices whose turns are simulated on one thread, and the timing wheel that wakes them.
struct ParkedShard: ~Copyable {
  private let memory: ParkedMemory
  private let wheel: TimingWheel
  /// The devices that have a turn in the current step.
  private let due: UnsafeMutablePointer<DeviceOffset>
  /// The first step that no thread has claimed.
  private let unclaimed = Atomic<Int>(StepGrid.birth)

  init(_ ranges: [Range<Int>], of share: DeviceShare, in engine: Engine, grid: StepGrid) {
    memory = ParkedMemory(ranges, of: share, in: engine, grid: grid)
    wheel = TimingWheel(devices: memory.devices)
    due = .allocate(capacity: max(memory.devices, 1))
  }

  deinit { due.deallocate() }

  /// Claims the turns of all devices in a step for the calling thread; the step may already be over.
  ///
  /// - Returns: whether this succeeded; false if another thread has already claimed the turns.
  func claim(_ step: Int) -> Bool {
    unclaimed.compareExchange(expected: step, desired: step + 1, ordering: .relaxed).exchanged
  }

  /// Returns the approximate number of devices that have a turn in a step.
  func due(_ step: Int) -> Int { wheel.count(step) }

  /// Starts all devices, and parks each of them at its first request.
  func begin(of engine: Engine, _ simulator: inout DeviceSimulator, replication: Int) throws(DeviceFailure) {
    for range in 0..<memory.rangeCount {
      try memory.begin(range: range, of: engine, &simulator, replication: replication, on: wheel)
    }
  }

  /// Simulates the turns of all devices that have a request in a step.
  ///
  /// - Throws: the failure of the lowest-numbered device, after the turns of all devices.
  func advanceDevices(_ simulator: inout DeviceSimulator, step: Int) throws(DeviceFailure) {
    let horizon = memory.grid.beginning(of: step) + memory.grid.length
    let count = wheel.take(step, into: due)
    var begun = 0
    let failure = memory.advanceDevices(&simulator, until: horizon, then: wheel) {
      let bunch = ParkedMemory.Bunch(start: due + begun, count: min(ParkedMemory.bunch, count &- begun))
      begun &+= bunch.count
      return bunch
    }.failure
    if let failure { throw failure }
  }

  /// Passes on the rows of devices.csv when the run ends, one range after another.
  func passOnRows(_ simulator: inout DeviceSimulator, to take: (Int, [DeviceTable.Row]) -> Void) {
    memory.passOnRows(&simulator, to: take)
  }
}

/// The shards of all threads; each thread simulates its own shard first, and then the shards of threads that are late.
///
/// `@unchecked` is safe because, during a step, a shard belongs to the thread that has claimed it. The end of the step
/// orders all other accesses.
final class ParkedShards: @unchecked Sendable {
  private let shards: UnsafeMutablePointer<ParkedShard>
  let count: Int

  init(_ deal: WorkPartition, of share: DeviceShare, in engine: Engine, grid: StepGrid) {
    count = deal.threads
    shards = .allocate(capacity: count)
    for thread in 0..<count {
      (shards + thread).initialize(
        to: ParkedShard(deal.own(of: thread).map(deal.devices), of: share, in: engine, grid: grid))
    }
  }

  deinit {
    shards.deinitialize(count: count)
    shards.deallocate()
  }

  subscript(thread: Int) -> ParkedShard { @inline(__always) _read { yield shards[thread] } }

  /// Returns the approximate number of devices that have a turn in a step.
  func due(_ step: Int) -> Int { (0..<count).reduce(0) { $0 + shards[$1].due(step) } }
}

extension StepGrid {
  /// The step number that stands for the start of all devices.
  static let birth = -1
}

extension DeviceFailure {
  /// Returns this failure or another one, whichever belongs to the lower-numbered device.
  func orLower(_ other: DeviceFailure?) -> DeviceFailure {
    guard let other, other.device < device else { return self }
    return other
  }
}

/// The devices that all threads share.
///
/// The first thread in a step lays out the devices, and each thread that has finished its own devices takes some of
/// them. Without this, all threads would wait for the thread whose devices take longest.
///
/// `@unchecked` is safe because, during a step, the wheels belong to the thread that lays out the devices. Afterwards,
/// a device belongs to the thread that has claimed it, and each wheel to its thread. The end of a step orders all other
/// accesses. A late thread that works on a past step cannot claim devices, because each claim includes its step.
final class SharedShard: @unchecked Sendable {
  private let memory: ParkedMemory
  /// The wheels with the parked devices, by thread.
  private let wheels: UnsafeMutablePointer<TimingWheel>
  private let threads: Int
  /// The devices that have a turn in the step that is laid out.
  private let due: UnsafeMutablePointer<DeviceOffset>
  /// The step that is laid out and the number of its unclaimed devices, which come first in `due`.
  private let unclaimed = Atomic<UInt64>(Unclaimed(step: StepGrid.birth, left: 0).word)
  /// The number of ranges in which a thread has started the devices.
  private let born = Atomic<Int>(0)
  /// The number of steps that a thread has started to lay out.
  private let begun = Atomic<Int>(0)
  /// The number of times a thread checks whether another thread has finished laying out the devices.
  ///
  /// Laying out millions of devices takes longer than these checks. A running thread, however, has usually finished it
  /// while this thread was simulating its own devices.
  private static let patience = 10_000

  /// A step and a device count, packed into one word.
  private struct Unclaimed {
    var word: UInt64

    init(word: UInt64) { self.word = word }

    init(step: Int, left: Int) {
      word = UInt64(UInt32(truncatingIfNeeded: step)) << 32 | UInt64(UInt32(truncatingIfNeeded: left))
    }

    var left: Int { Int(UInt32(truncatingIfNeeded: word)) }
    func isOf(_ step: Int) -> Bool { word >> 32 == UInt64(UInt32(truncatingIfNeeded: step)) }
  }

  init(_ ranges: [Range<Int>], of share: DeviceShare, in engine: Engine, grid: StepGrid, threads: Int) {
    memory = ParkedMemory(ranges, of: share, in: engine, grid: grid)
    self.threads = threads
    due = .allocate(capacity: max(memory.devices, 1))
    wheels = .allocate(capacity: threads)
    for thread in 0..<threads { (wheels + thread).initialize(to: TimingWheel(devices: memory.devices)) }
  }

  deinit {
    wheels.deinitialize(count: threads)
    wheels.deallocate()
    due.deallocate()
  }

  // MARK: Start

  /// The number of ranges of devices to start.
  var ranges: Int { memory.rangeCount }

  /// Starts devices, one range after another until none are left, and parks each device at its first request.
  ///
  /// - Parameter failed: a function that receives the failure of the lowest-numbered device in a range.
  /// - Returns: the number of parts that this thread has completed.
  func begin(
    of engine: Engine, _ simulator: inout DeviceSimulator, replication: Int, thread: Int,
    failed: (DeviceFailure) -> Void
  ) -> Int {
    var done = 0
    while true {
      let range = born.add(1, ordering: .relaxed).oldValue
      guard range < memory.rangeCount else { return done }
      do throws(DeviceFailure) {
        try memory.begin(
          range: range, of: engine, &simulator, replication: replication, on: wheels[thread])
      } catch { failed(error) }
      done += 1
    }
  }

  // MARK: Turns

  /// Returns the approximate number of devices that have a turn in a step.
  func due(_ step: Int) -> Int { (0..<threads).reduce(0) { $0 + wheels[$1].count(step) } }

  /// Lays out the devices that have a turn in a step, unless another thread has already started to do so.
  ///
  /// Laying out counts as one part of the step, and each device that is laid out adds another part.
  ///
  /// - Returns: the number of parts of the step that this thread has completed, which is 1 or 0.
  func layOut(_ step: Int, _ open: OpenStep) -> Int {
    guard begun.compareExchange(expected: step, desired: step + 1, ordering: .relaxed).exchanged else { return 0 }
    var count = 0
    for thread in 0..<threads { count += wheels[thread].take(step, into: due + count) }
    open.add(parts: count)
    unclaimed.store(Unclaimed(step: step, left: count).word, ordering: .releasing)
    return 1
  }

  /// Waits for a short time until a step is laid out.
  ///
  /// - Returns: whether the step is laid out. If it is not, the thread that lays it out is slow and will simulate all
  ///   devices itself, or the step is over.
  private func isLaidOut(_ step: Int) -> Bool {
    for _ in 0..<Self.patience where Unclaimed(word: unclaimed.load(ordering: .acquiring)).isOf(step) { return true }
    return false
  }

  /// Simulates the turns of laid-out devices until all are simulated or claimed by other threads.
  ///
  /// - Parameter failed: a function that receives the failure of the lowest-numbered device after the last turn.
  /// - Returns: the number of parts of the step that this thread has completed.
  func advanceDevices(
    _ simulator: inout DeviceSimulator, step: Int, thread: Int, failed: (DeviceFailure) -> Void
  ) -> Int {
    guard isLaidOut(step) else { return 0 }
    let horizon = memory.grid.beginning(of: step) + memory.grid.length
    let turns = memory.advanceDevices(&simulator, until: horizon, then: wheels[thread]) { claim(step) }
    if let failure = turns.failure { failed(failure) }
    return turns.done
  }

  /// Claims the next unclaimed devices of a step; returns an empty bunch if all are claimed or the step is over.
  ///
  /// The fewer devices are left, the fewer are claimed at a time, so that threads do not wait long for each other.
  private func claim(_ step: Int) -> ParkedMemory.Bunch {
    var seen = Unclaimed(word: unclaimed.load(ordering: .acquiring))
    while seen.isOf(step), seen.left > 0 {
      let count = min(max(seen.left / (4 * threads), 2), ParkedMemory.bunch, seen.left)
      let (isMine, found) = unclaimed.weakCompareExchange(
        expected: seen.word, desired: seen.word - UInt64(count), ordering: .acquiring)
      if isMine { return ParkedMemory.Bunch(start: due + (seen.left - count), count: count) }
      seen = Unclaimed(word: found)
    }
    return ParkedMemory.Bunch(start: nil, count: 0)
  }

  /// Passes on the rows of devices.csv when the run ends, one range after another.
  func passOnRows(_ simulator: inout DeviceSimulator, to take: (Int, [DeviceTable.Row]) -> Void) {
    memory.passOnRows(&simulator, to: take)
  }
}
