import BackendModel
import DeviceModel
import SimulationKernel
import Synchronization

/// The devices that take their turns on one thread, and the wheel that wakes them.
struct ParkedShard: ~Copyable {
  private let memory: ParkedMemory
  private let wheel: TimingWheel
  /// The devices with a turn in the current step.
  private let due: UnsafeMutablePointer<DeviceOffset>
  /// The first step that has not been started by any thread.
  private let unclaimed = Atomic<Int>(StepGrid.birth)

  init(_ ranges: [Range<Int>], of share: DeviceShare, in engine: Engine, grid: StepGrid) {
    memory = ParkedMemory(ranges, of: share, in: engine, grid: grid)
    wheel = TimingWheel(devices: memory.devices)
    due = .allocate(capacity: max(memory.devices, 1))
  }

  deinit { due.deallocate() }

  /// Claims the devices' turns in a step, which may already be over, for the calling thread.
  ///
  /// - Returns: false if another thread has claimed them.
  func claim(_ step: Int) -> Bool {
    unclaimed.compareExchange(expected: step, desired: step + 1, ordering: .relaxed).exchanged
  }

  /// Returns the approximate number of devices with a turn in a step.
  func due(_ step: Int) -> Int { wheel.count(step) }

  /// Starts all devices and parks each at its first request.
  func begin(of engine: Engine, _ simulator: inout DeviceSimulator, replication: Int) throws(EventLivelock) {
    for range in 0..<memory.rangeCount {
      try memory.begin(range: range, of: engine, &simulator, replication: replication, on: wheel)
    }
  }

  /// Simulates the turns of all devices with a request in a step.
  ///
  /// - Throws: the failure of the lowest-numbered device, once all devices have had their turns.
  func advanceDevices(_ simulator: inout DeviceSimulator, step: Int) throws(EventLivelock) {
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

  /// Passes on the rows of devices.csv at the end of the run, range by range.
  func passOnRows(_ simulator: inout DeviceSimulator, to take: (Int, [DeviceTable.Row]) -> Void) {
    memory.passOnRows(&simulator, to: take)
  }
}

/// The shards of all threads; each thread processes its own shard first, then those of threads that are late.
///
/// `@unchecked` is safe because, during a step, a shard belongs to the thread that claimed it, and the end of a step
/// orders the rest.
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
  /// The number that represents the step in which all devices start.
  static let birth = -1
}

extension EventLivelock {
  /// Returns the failure of the device with the lower number.
  func orLower(_ other: EventLivelock?) -> EventLivelock {
    guard let other, other.device < device else { return self }
    return other
  }
}

/// The devices shared by all threads.
///
/// The first thread in a step lays them out, and threads that have finished their own devices take the next shared
/// devices. In each step, some threads' devices take longer than others, and all threads wait for the slowest.
///
/// `@unchecked` is safe because, during a step, the wheels belong to the thread that lays out the devices. Afterwards,
/// a device belongs to the thread that claimed it, and a wheel to its thread; the end of a step orders the rest. A late
/// thread that works on a past step cannot claim devices, because every claim includes its step.
final class SharedShard: @unchecked Sendable {
  private let memory: ParkedMemory
  /// The parked devices, by thread.
  private let wheels: UnsafeMutablePointer<TimingWheel>
  private let threads: Int
  /// The devices with a turn in the step that has been laid out.
  private let due: UnsafeMutablePointer<DeviceOffset>
  /// The step, and the number of its unclaimed devices, which come first.
  private let unclaimed = Atomic<UInt64>(Unclaimed(step: StepGrid.birth, left: 0).word)
  /// The number of ranges whose devices have been started by a thread.
  private let born = Atomic<Int>(0)
  /// The number of steps whose layout has been started by a thread.
  private let begun = Atomic<Int>(0)
  /// The number of times that a thread checks whether another thread has laid out the devices.
  ///
  /// Laying out millions of devices takes longer than these checks, but a running thread has usually finished it while
  /// this thread was simulating its own devices.
  private static let patience = 10_000

  /// A step and a count, packed into one word.
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

  /// The number of ranges in which devices start.
  var ranges: Int { memory.rangeCount }

  /// Starts devices, range by range until none are left, and parks each device at its first request.
  ///
  /// - Parameter failed: receives the failure of a range's lowest device.
  /// - Returns: the number of parts completed.
  func begin(
    of engine: Engine, _ simulator: inout DeviceSimulator, replication: Int, thread: Int,
    failed: (EventLivelock) -> Void
  ) -> Int {
    var done = 0
    while true {
      let range = born.add(1, ordering: .relaxed).oldValue
      guard range < memory.rangeCount else { return done }
      do throws(EventLivelock) {
        try memory.begin(
          range: range, of: engine, &simulator, replication: replication, on: wheels[thread])
      } catch { failed(error) }
      done += 1
    }
  }

  // MARK: Turns

  /// Returns the approximate number of devices with a turn in a step.
  func due(_ step: Int) -> Int { (0..<threads).reduce(0) { $0 + wheels[$1].count(step) } }

  /// Lays out the devices with a turn in a step, unless another thread has started to do so.
  ///
  /// The layout counts as one part of the step and adds one part for each device.
  ///
  /// - Returns: the number of parts of the step completed by this thread, 1 or 0.
  func layOut(_ step: Int, _ open: OpenStep) -> Int {
    guard begun.compareExchange(expected: step, desired: step + 1, ordering: .relaxed).exchanged else { return 0 }
    var count = 0
    for thread in 0..<threads { count += wheels[thread].take(step, into: due + count) }
    open.add(parts: count)
    unclaimed.store(Unclaimed(step: step, left: count).word, ordering: .releasing)
    return 1
  }

  /// Waits until another thread has laid out a step.
  ///
  /// - Returns: whether the step is laid out; if not, that thread is slow and will process all devices, or the step is
  ///   over.
  private func isLaidOut(_ step: Int) -> Bool {
    for _ in 0..<Self.patience where Unclaimed(word: unclaimed.load(ordering: .acquiring)).isOf(step) { return true }
    return false
  }

  /// Simulates the turns of laid-out devices until all have been simulated or claimed by other threads.
  ///
  /// - Parameter failed: receives the failure of the lowest-numbered device, once none are left.
  /// - Returns: the number of completed parts of the step.
  func advanceDevices(
    _ simulator: inout DeviceSimulator, step: Int, thread: Int, failed: (EventLivelock) -> Void
  ) -> Int {
    guard isLaidOut(step) else { return 0 }
    let horizon = memory.grid.beginning(of: step) + memory.grid.length
    let turns = memory.advanceDevices(&simulator, until: horizon, then: wheels[thread]) { claim(step) }
    if let failure = turns.failure { failed(failure) }
    return turns.done
  }

  /// Claims the next unclaimed devices of a step; returns none if all are claimed or the step is over.
  ///
  /// The number of devices claimed decreases with the number left, so that threads do not wait long for each other.
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

  /// Passes on the rows of devices.csv at the end of the run, range by range.
  func passOnRows(_ simulator: inout DeviceSimulator, to take: (Int, [DeviceTable.Row]) -> Void) {
    memory.passOnRows(&simulator, to: take)
  }
}
