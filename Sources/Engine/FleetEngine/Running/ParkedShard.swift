import BackendModel
import DeviceModel
import SimulationKernel
import Synchronization

/// The parked devices that one thread simulates, with the timing wheel that schedules their turns.
struct ParkedShard: ~Copyable {
  private let memory: ParkedMemory
  private let wheel: TimingWheel
  /// The devices that have a turn in the current step.
  private let due: UnsafeMutablePointer<DeviceOffset>
  /// The first step that no thread has claimed yet.
  private let unclaimed = Atomic<Int>(StepGrid.birth)

  init(_ ranges: [Range<Int>], of share: DeviceShare, in engine: Engine, grid: StepGrid) {
    memory = ParkedMemory(ranges, of: share, in: engine, grid: grid)
    wheel = TimingWheel(devices: memory.devices)
    due = .allocate(capacity: max(memory.devices, 1))
  }

  deinit { due.deallocate() }

  /// Claims the turns of all devices in a step for the calling thread; the step may already be complete.
  ///
  /// - Returns: whether the claim succeeded; `false` if another thread has already claimed the turns.
  func claim(_ step: Int) -> Bool {
    unclaimed.compareExchange(expected: step, desired: step + 1, ordering: .relaxed).exchanged
  }

  /// Returns the approximate number of devices with a turn in a step.
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

  /// Delivers the rows of devices.csv at the end of the run, one range at a time.
  func passOnRows(_ simulator: inout DeviceSimulator, to take: (Int, [DeviceTable.Row]) -> Void) {
    memory.passOnRows(&simulator, to: take)
  }
}

/// The shards of all threads. Each thread first simulates its own shard, and then the unclaimed shards of slower
/// threads.
///
/// `@unchecked` is safe because, during a step, a shard belongs to the thread that has claimed it. All other accesses
/// are ordered by the end of the step.
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

  /// Returns the approximate number of devices with a turn in a step.
  func due(_ step: Int) -> Int { (0..<count).reduce(0) { $0 + shards[$1].due(step) } }
}

extension StepGrid {
  /// The step number that represents the initial start of all devices.
  static let birth = -1
}

extension DeviceFailure {
  /// Returns this failure or another one, whichever belongs to the lower-numbered device.
  func orLower(_ other: DeviceFailure?) -> DeviceFailure {
    guard let other, other.device < device else { return self }
    return other
  }
}

/// The devices that are shared by all threads.
///
/// The first thread to reach a step lays out the shared devices. Each thread that has completed its own devices then
/// claims some of the shared devices. Without shared devices, all threads would wait for the slowest thread.
///
/// `@unchecked` is safe because, during a step, the wheels belong to the thread that lays out the devices. Afterwards,
/// a device belongs to the thread that has claimed it, and each wheel to its own thread. All other accesses are ordered
/// by the end of a step. A late thread cannot claim devices of a past step, because each claim includes the step
/// number.
final class SharedShard: @unchecked Sendable {
  private let memory: ParkedMemory
  /// The wheels that contain the parked devices, by thread.
  private let wheels: UnsafeMutablePointer<TimingWheel>
  private let threads: Int
  /// The devices with a turn in the step that is currently laid out.
  private let due: UnsafeMutablePointer<DeviceOffset>
  /// The step that is currently laid out and the number of its unclaimed devices, which are at the start of `due`.
  private let unclaimed = Atomic<UInt64>(Unclaimed(step: StepGrid.birth, left: 0).word)
  /// The number of ranges that threads have claimed in order to start the devices.
  private let born = Atomic<Int>(0)
  /// The number of steps for which a thread has begun to lay out the devices.
  private let begun = Atomic<Int>(0)
  /// The number of times that a thread checks whether another thread has finished laying out the devices.
  ///
  /// Laying out millions of devices takes longer than all of these checks. However, a running thread has usually
  /// finished before this thread completes its own devices.
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

  /// The number of ranges whose devices must be started.
  var ranges: Int { memory.rangeCount }

  /// Starts the devices of one range at a time until no ranges are left, and parks each device at its first request.
  ///
  /// - Parameter failed: a function that receives the failure of the lowest-numbered failed device in a range.
  /// - Returns: the number of parts of the step that this thread has completed.
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

  /// Returns the approximate number of devices with a turn in a step.
  func due(_ step: Int) -> Int { (0..<threads).reduce(0) { $0 + wheels[$1].count(step) } }

  /// Lays out the devices with a turn in a step, unless another thread has already begun to do so.
  ///
  /// Laying out the devices counts as one part of the step, and each device counts as another part.
  ///
  /// - Returns: the number of parts of the step that this thread has completed, either 1 or 0.
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
  /// - Returns: whether the step is laid out. If not, the step is complete, or a slow thread is still laying it out and
  ///   will simulate the devices itself.
  private func isLaidOut(_ step: Int) -> Bool {
    for _ in 0..<Self.patience where Unclaimed(word: unclaimed.load(ordering: .acquiring)).isOf(step) { return true }
    return false
  }

  /// Simulates the turns of laid-out devices until every device is simulated or claimed by another thread.
  ///
  /// - Parameter failed: a function that receives the failure of the lowest-numbered failed device after the last turn.
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

  /// Claims the next unclaimed devices of a step; the batch is empty if all devices are claimed or the step is
  /// complete.
  ///
  /// Batches become smaller as fewer devices are left, so that threads do not wait long for each other.
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

  /// Delivers the rows of devices.csv at the end of the run, one range at a time.
  func passOnRows(_ simulator: inout DeviceSimulator, to take: (Int, [DeviceTable.Row]) -> Void) {
    memory.passOnRows(&simulator, to: take)
  }
}
