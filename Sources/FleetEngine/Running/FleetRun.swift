import DeviceModel
import Scenario
import SimulationKernel
import Synchronization

/// One replication at a rank: shards of devices handed to threads, and the sum of what the threads counted.
final class FleetRun: Sendable {
  private let engine: Engine
  private let replication: Int
  private let control: RunControl
  private let share: DeviceShare
  private let nextShard = Atomic<Int>(0)
  private let collected: Guarded<Collected>

  /// What the threads hand in.
  private struct Collected {
    var result: ReplicationResult?
    /// Rows of devices.csv; parts are shards.
    var rows: RowAssembly
    var groups: GroupLoad
    /// Failure of the device with the lowest number that a thread has come upon.
    var failure: EndlessInstant?
  }

  init(_ engine: Engine, replication: Int, control: RunControl) {
    self.engine = engine
    self.replication = replication
    self.control = control
    share = DeviceShare(ofDevices: engine.devicesSimulated, for: control.collective)
    collected = Guarded(
      Collected(result: nil, rows: RowAssembly(expecting: engine.expectedRows), groups: engine.emptyGroupLoad))
  }

  /// What this rank's devices did, lived by so many threads.
  func outcome(threads: Int) -> RankOutcome {
    Workers.run(atMost: threads) { _ in { _ in self.work() } }
    return collected.withLock { collected in
      if let failure = collected.failure { return .failed(SimulationError(failure)) }
      guard !control.isCancelled.load(ordering: .relaxed), var result = collected.result else { return .cancelled }
      result.devices.rows = collected.rows.rows
      return .counted(PartialResult(result: result, groups: collected.groups))
    }
  }

  /// One thread's part: shards until there are none, then its tallies into the sum.
  private func work() {
    var simulator = DeviceSimulator(plan: engine.plan, shape: engine.tallyShape)
    var rows: [DeviceTable.Row] = []
    var group = 0
    while !control.isCancelled.load(ordering: .relaxed) {
      let shard = nextShard.add(1, ordering: .relaxed).oldValue
      guard shard < share.shards else { break }
      do {
        rows.removeAll(keepingCapacity: true)
        try simulate(shard: shard, &simulator, &rows, &group)
        collected.withLock { $0.rows.add(rows, number: shard) }
      } catch {
        fail(error)
      }
    }
    handIn(simulator.arrivals, of: group)
    let part = ReplicationResult(simulator.tally, scenario: engine.scenario)
    collected.withLock { collected in
      if collected.result == nil { collected.result = part } else { collected.result? += part }
    }
  }

  /// Hands in what a thread has counted of a group's devices since it last did.
  private func handIn(_ arrivals: UnsafeMutablePointer<UInt32>, of group: Int) {
    collected.withLock { $0.groups.take(arrivals, of: group) }
  }

  /// Keeps the failure of the lowest device and hands out no more shards.
  ///
  /// Lower shards have been handed out and are simulated to their end: which failure is kept depends on no thread.
  private func fail(_ failure: EndlessInstant) {
    nextShard.store(share.shards, ordering: .relaxed)
    collected.withLock { collected in
      guard collected.failure.map({ failure.device < $0.device }) ?? true else { return }
      collected.failure = failure
    }
  }

  /// Simulates the devices of a shard and appends their rows.
  ///
  /// - Parameter group: of the devices whose requests are counted.
  private func simulate(
    shard: Int, _ simulator: inout DeviceSimulator, _ rows: inout [DeviceTable.Row], _ group: inout Int
  ) throws(EndlessInstant) {
    let devices = share.devices(ofShard: shard)
    for device in devices {
      let cohort = engine.cohort(of: device)
      let next = engine.group(of: device, cohort: cohort)
      if next != group { handIn(simulator.arrivals, of: group) }
      group = next
      try simulator.simulate(device: device, cohort: cohort, replication: replication)
      if engine.keepsRow(of: device) { simulator.appendRows(to: &rows, device: device, cohort: cohort) }
    }
    control.devicesDone.add(devices.count, ordering: .relaxed)
  }
}

extension Engine {
  /// The cohort that a device number falls in.
  func cohort(of device: Int) -> Int {
    var last = 0
    for (index, size) in cohortSizes.enumerated() {
      last += size
      if device < last { return index }
    }
    return cohortSizes.count - 1
  }
}
