import BackendModel
import DeviceModel
import SimulationKernel
import Synchronization

/// The devices that have their turns on one thread, and the wheel that wakes them.
struct RestingShard: ~Copyable {
  private let memory: RestingMemory
  private let wheel: TimingWheel
  /// Devices with a turn in the present step.
  private let due: UnsafeMutablePointer<DevicePlace>
  /// The first step that no thread has begun.
  private let unclaimed = Atomic<Int>(StepGrid.birth)

  init(_ ranges: [Range<Int>], of share: DeviceShare, in engine: Engine, grid: StepGrid) {
    memory = RestingMemory(ranges, of: share, in: engine, grid: grid)
    wheel = TimingWheel(devices: memory.devices)
    due = .allocate(capacity: max(memory.devices, 1))
  }

  deinit { due.deallocate() }

  /// Takes the devices' turns in a step for the calling thread, unless another has; the open one or one that is over.
  func claim(_ step: Int) -> Bool {
    unclaimed.compareExchange(expected: step, desired: step + 1, ordering: .relaxed).exchanged
  }

  /// How many devices have their turns in a step, about.
  func due(_ step: Int) -> Int { wheel.count(step) }

  /// Begins every device's life and parks it at its first request.
  func begin(of engine: Engine, _ simulator: inout DeviceSimulator, replication: Int) throws(EndlessInstant) {
    for range in 0..<memory.rangeCount {
      try memory.begin(range: range, of: engine, &simulator, replication: replication, on: wheel)
    }
  }

  /// Gives every device its turn that has a request in a step.
  ///
  /// - Throws: the failure of the lowest device, once all have had their turns.
  func takeTurns(_ simulator: inout DeviceSimulator, step: Int) throws(EndlessInstant) {
    let horizon = memory.grid.beginning(of: step) + memory.grid.length
    let count = wheel.take(step, into: due)
    var begun = 0
    let failure = memory.takeTurns(&simulator, until: horizon, then: wheel) {
      let bunch = RestingMemory.Bunch(start: due + begun, count: min(RestingMemory.bunch, count &- begun))
      begun &+= bunch.count
      return bunch
    }.failure
    if let failure { throw failure }
  }

  /// Hands over the rows of devices.csv, range by range, when all is over.
  func handRows(_ simulator: inout DeviceSimulator, to take: (Int, [DeviceTable.Row]) -> Void) {
    memory.handRows(&simulator, to: take)
  }
}

/// The shards of all threads: a thread has its own before any other, then those whose threads are late.
///
/// Unchecked: in a step a shard belongs to the thread that claimed it; the end of a step orders the rest.
final class RestingShards: @unchecked Sendable {
  private let shards: UnsafeMutablePointer<RestingShard>
  let count: Int

  init(_ deal: WorkPartition, of share: DeviceShare, in engine: Engine, grid: StepGrid) {
    count = deal.threads
    shards = .allocate(capacity: count)
    for thread in 0..<count {
      (shards + thread).initialize(
        to: RestingShard(deal.own(of: thread).map(deal.devices), of: share, in: engine, grid: grid))
    }
  }

  deinit {
    shards.deinitialize(count: count)
    shards.deallocate()
  }

  subscript(thread: Int) -> RestingShard { @inline(__always) _read { yield shards[thread] } }

  /// How many devices have their turns in a step, about.
  func due(_ step: Int) -> Int { (0..<count).reduce(0) { $0 + shards[$1].due(step) } }
}

extension StepGrid {
  /// In place of a step: the lives of all devices begin.
  static let birth = -1
}

extension EndlessInstant {
  /// The failure of the lower device.
  func orLower(_ other: EndlessInstant?) -> EndlessInstant {
    guard let other, other.device < device else { return self }
    return other
  }
}

/// The devices that no thread has for itself: who is first in a step lays them out, and who is through with its own takes
/// the next of these.
///
/// In a step some threads' devices need longer than others', and all wait for the last.
///
/// Unchecked: in a step the wheels belong to the thread that lays out the devices, then a device to the thread that
/// claimed it and a wheel to its thread; the end of a step orders the rest. A thread that is late, and works on a step
/// that is over, claims nothing: every claim names its step.
final class SharedShard: @unchecked Sendable {
  private let memory: RestingMemory
  /// By thread: the devices that it parked.
  private let wheels: UnsafeMutablePointer<TimingWheel>
  private let threads: Int
  /// Devices with a turn in the step that is laid out.
  private let due: UnsafeMutablePointer<DevicePlace>
  /// That step and how many of these nobody has claimed: the first so many.
  private let unclaimed = Atomic<UInt64>(Unclaimed(step: StepGrid.birth, left: 0).word)
  /// Ranges whose devices' lives somebody begins or has begun.
  private let born = Atomic<Int>(0)
  /// Steps whose devices somebody lays out or has laid out.
  private let begun = Atomic<Int>(0)
  /// How often a thread looks whether another has laid out the devices, which takes longer than this where there are
  /// millions of them: one that is running has mostly done so while this one had its own.
  private static let patience = 10_000

  /// A step and a count in one word.
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
    memory = RestingMemory(ranges, of: share, in: engine, grid: grid)
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

  // MARK: Beginning

  /// Parts of the birth.
  var ranges: Int { memory.rangeCount }

  /// Begins the lives of devices of ranges until there are none left, and parks each at its first request.
  ///
  /// - Parameter failed: is given the failure of a range's lowest device.
  /// - Returns: how many parts it did.
  func begin(
    of engine: Engine, _ simulator: inout DeviceSimulator, replication: Int, thread: Int,
    failed: (EndlessInstant) -> Void
  ) -> Int {
    var done = 0
    while true {
      let range = born.add(1, ordering: .relaxed).oldValue
      guard range < memory.rangeCount else { return done }
      do throws(EndlessInstant) {
        try memory.begin(
          range: range, of: engine, &simulator, replication: replication, on: wheels[thread])
      } catch { failed(error) }
      done += 1
    }
  }

  // MARK: Turns

  /// How many devices have their turns in a step, about.
  func due(_ step: Int) -> Int { (0..<threads).reduce(0) { $0 + wheels[$1].count(step) } }

  /// Lays out the devices with a turn in a step, if no other thread has begun to: a part of the step, which adds one for
  /// each of them.
  ///
  /// - Returns: how many parts of the step this thread did: 1 or 0.
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
  /// - Returns: whether it has; else it takes its time, and has all devices, or the step is over.
  private func isLaidOut(_ step: Int) -> Bool {
    for _ in 0..<Self.patience where Unclaimed(word: unclaimed.load(ordering: .acquiring)).isOf(step) { return true }
    return false
  }

  /// Gives devices that are laid out their turns until all have had theirs or have them on other threads.
  ///
  /// - Parameter failed: is given the failure of the lowest device, once there are none left.
  /// - Returns: how many parts of the step it did.
  func takeTurns(
    _ simulator: inout DeviceSimulator, step: Int, thread: Int, failed: (EndlessInstant) -> Void
  ) -> Int {
    guard isLaidOut(step) else { return 0 }
    let horizon = memory.grid.beginning(of: step) + memory.grid.length
    let turns = memory.takeTurns(&simulator, until: horizon, then: wheels[thread]) { claim(step) }
    if let failure = turns.failure { failed(failure) }
    return turns.done
  }

  /// The next devices of a step that nobody has claimed; none: there are none left, or the step is over.
  ///
  /// The fewer are left, the fewer are claimed, so that no thread waits long for another.
  private func claim(_ step: Int) -> RestingMemory.Bunch {
    var seen = Unclaimed(word: unclaimed.load(ordering: .acquiring))
    while seen.isOf(step), seen.left > 0 {
      let count = min(max(seen.left / (4 * threads), 2), RestingMemory.bunch, seen.left)
      let (isMine, found) = unclaimed.weakCompareExchange(
        expected: seen.word, desired: seen.word - UInt64(count), ordering: .acquiring)
      if isMine { return RestingMemory.Bunch(start: due + (seen.left - count), count: count) }
      seen = Unclaimed(word: found)
    }
    return RestingMemory.Bunch(start: nil, count: 0)
  }

  /// Hands over the rows of devices.csv, range by range, when all is over.
  func handRows(_ simulator: inout DeviceSimulator, to take: (Int, [DeviceTable.Row]) -> Void) {
    memory.handRows(&simulator, to: take)
  }
}
