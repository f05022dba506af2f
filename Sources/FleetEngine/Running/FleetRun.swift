import DeviceModel
import Scenario
import SimulationKernel
import Synchronization

/// One replication: shards of devices handed to threads, and the sum of what the threads counted.
final class FleetRun: Sendable {
  private let engine: Engine
  private let replication: Int
  private let control: RunControl
  private let shards: Int
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
    shards = (engine.devicesSimulated + Engine.shardSize - 1) / Engine.shardSize
    collected = Guarded(
      Collected(result: nil, rows: RowAssembly(expecting: engine.expectedRows), groups: engine.emptyGroupLoad))
  }

  /// - Returns: nil when cancelled.
  func result(threads: Int) throws(SimulationError) -> ReplicationResult? {
    Workers.run(atMost: threads) { _ in { _ in self.work() } }
    if let failure = collected.withLock({ $0.failure }) { throw SimulationError(failure) }
    guard !control.isCancelled.load(ordering: .relaxed) else { return nil }
    return collected.withLock { collected in
      var result = collected.result
      result?.complete(rows: collected.rows.rows)
      result?.takeLoad(collected.groups, engine.scenario.clock)
      return result
    }
  }

  /// One thread's part: shards until there are none, then its tallies into the sum.
  private func work() {
    var simulator = DeviceSimulator(plan: engine.plan, shape: engine.tallyShape)
    var rows: [DeviceTable.Row] = []
    var group = 0
    while !control.isCancelled.load(ordering: .relaxed) {
      let shard = nextShard.add(1, ordering: .relaxed).oldValue
      guard shard < shards else { break }
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
    nextShard.store(shards, ordering: .relaxed)
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
    let devices = shard * Engine.shardSize..<min((shard + 1) * Engine.shardSize, engine.devicesSimulated)
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
  /// Devices of which devices.csv keeps rows; beyond these, every n-th.
  static let mostDeviceRows = 100_000

  var keepsEveryRow: Bool { devicesSimulated <= Self.mostDeviceRows }

  func keepsRow(of device: Int) -> Bool {
    let stride = (devicesSimulated + Self.mostDeviceRows - 1) / Self.mostDeviceRows
    return device % max(stride, 1) == 0
  }

  /// How many rows devices.csv will have; more where devices without widgets of a kind ask for it, fewer where a widget
  /// is not on every device.
  var expectedRows: Int {
    let all = zip(scenario.fleet.cohorts, cohortSizes).reduce(0.0) { sum, part in
      let kinds = Set(part.0.widgets.flatMap { $0.members.map(\.kind) })
      return sum + Double(part.1) * Double(kinds.count)
    }
    let kept = min(1, Double(Self.mostDeviceRows) / Double(max(devicesSimulated, 1)))
    return Int(all * kept)
  }

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

extension ReplicationResult {
  /// Puts the rows of devices.csv in, and leaves out groups that have nothing.
  mutating func complete(rows: [DeviceTable.Row]) {
    devices.rows = rows
    groups.removeAll { $0.isEmpty }
  }

  /// Puts in the load of devices that lived one after the other, by group.
  mutating func takeLoad(_ groups: GroupLoad, _ clock: Clock) {
    for endpoint in load.indices { load[endpoint].arrivals = groups.arrivals(endpoint: endpoint) }
    spreads = groups.spreads(clock)
  }
}

extension GroupResult {
  /// Whether a cohort has nothing of a kind, not even its snapshots in the gallery.
  fileprivate var isEmpty: Bool {
    instances == 0 && traffic.joined().allSatisfy { $0.requests == 0 && $0.failures.allSatisfy { $0 == 0 } }
  }
}
