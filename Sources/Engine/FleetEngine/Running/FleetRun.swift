import DeviceModel
import Scenario
import SimulationKernel
import Synchronization

/// One replication on one rank, whose threads simulate shards of devices and add up their counts.
final class FleetRun: Sendable {
  private let engine: Engine
  private let replication: Int
  private let control: RunControl
  private let journal: (any Journal)?
  private let share: DeviceShare
  private let nextShard = Atomic<Int>(0)
  private let collected: Locked<Collected>

  /// The counts collected from all threads.
  private struct Collected {
    var result: ReplicationResult?
    /// The rows of devices.csv; each part contains the rows of one shard.
    var rows: RowAssembly
    var groups: GroupLoad
    /// The shards whose counts are included in the result.
    var shards = ShardSet()
    /// The failure of the lowest-numbered device that has failed so far.
    var failure: DeviceFailure?
  }

  /// The counts of one thread that are not yet part of the collected counts.
  private struct Counts: ~Copyable {
    var simulator: DeviceSimulator
    /// The device group that the counted requests belong to.
    var group = 0
    var shards: [Int] = []
    /// The rows of the current shard.
    var rows: [DeviceTable.Row] = []
  }

  init(_ engine: Engine, _ order: ReplicationOrder, control: RunControl) {
    self.engine = engine
    replication = order.replication
    self.control = control
    journal = engine.journal(of: control)
    share = DeviceShare(
      ofDevices: engine.devicesTotal, for: control.collective, without: order.finished)
    collected = Locked(
      Collected(result: nil, rows: RowAssembly(expecting: engine.expectedRows), groups: engine.emptyGroupLoad))
  }

  /// Simulates the devices of this rank on the given number of threads.
  func outcome(threads: Int) -> RankOutcome {
    Workers.run(atMost: threads) { count in
      let round = CheckpointBarrier(threads: count)
      return { _ in self.work(round) }
    }
    let isCancelled = control.isCancelled.load(ordering: .relaxed)
    if isCancelled { keep() }
    return collected.withLock { collected in
      if let failure = collected.failure { return .failed(SimulationError(failure)) }
      guard !isCancelled, var result = collected.result else { return .cancelled }
      result.devices.rows = collected.rows.rows
      return .counted(PartialResult(result: result, groups: collected.groups))
    }
  }

  /// Simulates shards until none are left, and then adds this thread's tallies to the collected counts.
  private func work(_ round: CheckpointBarrier) {
    var counts = Counts(simulator: newSimulator)
    while !control.isCancelled.load(ordering: .relaxed) {
      let index = nextShard.add(1, ordering: .relaxed).oldValue
      guard index < share.shards else { break }
      do {
        try simulate(shard: index, &counts)
      } catch {
        fail(error)
      }
      if let journal, journal.isDue {
        passOn(&counts)
        counts.simulator = newSimulator
        round.waitForAll { keep() }
      }
    }
    passOn(&counts)
    round.leave { keep() }
  }

  private var newSimulator: DeviceSimulator { DeviceSimulator(plan: engine.plan, shape: engine.tallyShape) }

  /// Adds all counts of a thread to the collected counts.
  private func passOn(_ counts: inout Counts) {
    passOn(counts.simulator.arrivals, of: counts.group)
    let part = ReplicationResult(counts.simulator.tally, scenario: engine.scenario)
    let shards = counts.shards
    collected.withLock { collected in
      for shard in shards { collected.shards.insert(shard) }
      if collected.result == nil { collected.result = part } else { collected.result? += part }
    }
    counts.shards = []
  }

  /// Adds the arrivals that a thread has counted for a device group since the last call.
  private func passOn(_ arrivals: UnsafeMutablePointer<UInt32>, of group: Int) {
    collected.withLock { $0.groups.take(arrivals, of: group) }
  }

  /// Stores the completed work while no thread is simulating a shard.
  private func keep() {
    guard let journal else { return }
    let part: SavedPart? = collected.withLock { collected in
      guard collected.failure == nil, var result = collected.result, !collected.shards.isEmpty else { return nil }
      result.devices.rows = collected.rows.all
      return SavedPart(shards: collected.shards, PartialResult(result: result, groups: collected.groups))
    }
    if let part { journal.keep(part) }
    if journal.failure != nil { control.isCancelled.store(true, ordering: .relaxed) }
  }

  /// Records the failure of the lowest-numbered failed device, and stops assigning shards to threads.
  ///
  /// Lower-numbered shards have already been assigned and are simulated to the end, so the reported failure does not
  /// depend on the threads.
  private func fail(_ failure: DeviceFailure) {
    nextShard.store(share.shards, ordering: .relaxed)
    collected.withLock { collected in
      guard collected.failure.map({ failure.device < $0.device }) ?? true else { return }
      collected.failure = failure
    }
  }

  /// Simulates the devices of a shard, and passes on the shard's rows.
  private func simulate(shard index: Int, _ counts: inout Counts) throws(DeviceFailure) {
    let devices = share.devices(ofShard: index)
    counts.rows.removeAll(keepingCapacity: true)
    for device in devices {
      let cohort = engine.cohort(of: device)
      let group = engine.group(of: device, cohort: cohort)
      if group != counts.group { passOn(counts.simulator.arrivals, of: counts.group) }
      counts.group = group
      let before = counts.simulator.tally.eventCount
      try counts.simulator.simulate(device: device, cohort: cohort, replication: replication)
      // A run with an event limit is not stored in a journal, because stored shards must be complete.
      guard control.maxEvents == nil || control.mayContinue(after: counts.simulator.tally.eventCount - before) else {
        return
      }
      if engine.keepsRow(of: device) { counts.simulator.appendRows(to: &counts.rows, device: device, cohort: cohort) }
    }
    counts.shards.append(share.shard(index))
    let rows = counts.rows
    collected.withLock { $0.rows.add(rows, number: index) }
    control.devicesDone.add(devices.count, ordering: .relaxed)
  }
}

extension Engine {
  func cohort(of device: Int) -> Int { CohortSizes.cohort(of: device, in: cohortSizes) }
}

/// The division of devices among threads: each thread has its own ranges, and threads share the remaining ranges.
struct WorkPartition {
  let threads: Int
  private let devices: Int

  /// The total number of ranges, chosen small enough for every thread to get ranges from each cohort.
  static let ranges = 64
  /// The distance between shared ranges. It is chosen so that the total work of shared ranges is twice the usual
  /// difference between two threads in a step.
  private static let sharedEvery = 4

  /// The maximum number of threads for which every thread has at least one unshared range.
  static let maxThreads = ranges / 2

  init(devices: Int, threads: Int) {
    precondition((1...Self.maxThreads).contains(threads), "each thread has a range for itself")
    self.devices = devices
    self.threads = threads
  }

  /// The numbers of the ranges shared by all threads; empty if there is only one thread.
  var shared: [Int] { threads == 1 ? [] : (0..<Self.ranges).filter(Self.isSharable) }

  /// Returns the numbers of the ranges that belong only to the given thread.
  func own(of thread: Int) -> [Int] {
    let own = (0..<Self.ranges).filter { threads == 1 || !Self.isSharable($0) }
    return stride(from: thread, to: own.count, by: threads).map { own[$0] }
  }

  func devices(ofRange number: Int) -> Range<Int> {
    devices * number / Self.ranges..<devices * (number + 1) / Self.ranges
  }

  private static func isSharable(_ range: Int) -> Bool { range % sharedEvery == sharedEvery - 1 }
}
