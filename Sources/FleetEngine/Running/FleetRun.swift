import DeviceModel
import Scenario
import SimulationKernel
import Synchronization

/// One replication: shards of devices handed to threads, and the sum of what the threads counted.
final class FleetRun: Sendable {
  private let engine: Engine
  private let replication: Int
  private let control: RunControl
  private let nextShard = Atomic<Int>(0)
  private let collected: Guarded<Collected>

  /// What the threads hand in.
  private struct Collected {
    var result: ReplicationResult?
    /// Rows of devices.csv by shard.
    var rows: [[Int64]]
    /// Of the lowest device number that a thread has come upon.
    var failure: EndlessInstant?
  }

  init(_ engine: Engine, replication: Int, control: RunControl) {
    self.engine = engine
    self.replication = replication
    self.control = control
    let shards = (engine.devicesSimulated + Engine.shardSize - 1) / Engine.shardSize
    collected = Guarded(Collected(result: nil, rows: Array(repeating: [], count: shards)))
  }

  /// - Returns: nil when cancelled.
  func result(threads: Int) throws(SimulationError) -> ReplicationResult? {
    Workers.run(atMost: threads) { _ in { _ in self.work() } }
    if let failure = collected.withLock({ $0.failure }) { throw SimulationError(failure) }
    guard !control.isCancelled.load(ordering: .relaxed) else { return nil }
    return collected.withLock { collected in
      var result = collected.result
      result?.complete(rows: collected.rows)
      return result
    }
  }

  /// One thread's part: shards until there are none, then its tallies into the sum.
  private func work() {
    var simulator = DeviceSimulator(plan: engine.plan, shape: engine.tallyShape)
    let shards = collected.withLock { $0.rows.count }
    while !control.isCancelled.load(ordering: .relaxed) {
      let shard = nextShard.add(1, ordering: .relaxed).oldValue
      guard shard < shards else { break }
      do {
        let rows = try simulate(shard: shard, &simulator)
        collected.withLock { $0.rows[shard] = rows }
      } catch {
        fail(error, shards: shards)
      }
    }
    let part = ReplicationResult(simulator.tally, scenario: engine.scenario)
    collected.withLock { collected in
      if collected.result == nil { collected.result = part } else { collected.result? += part }
    }
  }

  /// Keeps the failure of the lowest device and hands out no more shards.
  ///
  /// Lower shards have been handed out and are simulated to their end: which failure is kept hangs on no thread.
  private func fail(_ failure: EndlessInstant, shards: Int) {
    nextShard.store(shards, ordering: .relaxed)
    collected.withLock { collected in
      guard collected.failure.map({ failure.device < $0.device }) ?? true else { return }
      collected.failure = failure
    }
  }

  /// Simulates the devices of a shard and returns their rows.
  private func simulate(
    shard: Int, _ simulator: inout DeviceSimulator
  ) throws(EndlessInstant) -> [Int64] {
    let devices = shard * Engine.shardSize..<min((shard + 1) * Engine.shardSize, engine.devicesSimulated)
    var rows: [Int64] = []
    for device in devices {
      let cohort = engine.cohort(of: device)
      try simulator.simulate(device: device, cohort: cohort, replication: replication)
      if engine.keepsRow(of: device) { simulator.appendRows(to: &rows, device: device, cohort: cohort) }
    }
    control.devicesDone.add(devices.count, ordering: .relaxed)
    return rows
  }
}

extension Engine {
  /// Devices of which devices.csv keeps rows; beyond these, every so-manieth (PRODUCT.md).
  static let mostDeviceRows = 100_000

  var keepsEveryRow: Bool { devicesSimulated <= Self.mostDeviceRows }

  func keepsRow(of device: Int) -> Bool {
    let stride = (devicesSimulated + Self.mostDeviceRows - 1) / Self.mostDeviceRows
    return device % max(stride, 1) == 0
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

extension DeviceSimulator {
  /// Appends the present device's rows of devices.csv: one per kind that it has.
  mutating func appendRows(to rows: inout [Int64], device: Int, cohort: Int) {
    let (zone, phone) = choices
    for kind in 0..<tally.shape.kinds {
      let row = tally.rows[kind]
      guard row.instances > 0 || row.requests > 0 || row.failures > 0 else { continue }
      rows += [
        Int64(device), Int64(cohort), Int64(kind), Int64(zone), Int64(phone), Int64(row.instances),
        Int64(row.charged), Int64(row.requests), Int64(row.failures), row.bytesUp, row.bytesDown,
        Int64(row.cacheHits), Int64(row.views), Int64(row.staleViews), row.nanojoules,
      ]
      for cause in row.runs.indices { rows.append(Int64(row.runs[cause])) }
      for reason in row.waits.indices { rows.append(Int64(row.waits[reason])) }
    }
  }
}

extension ReplicationResult {
  /// Puts the rows of devices.csv in, given in parts, and leaves out groups that have nothing.
  mutating func complete(rows: [[Int64]]) {
    devices.values.reserveCapacity(rows.reduce(0) { $0 + $1.count })
    for part in rows { devices.values += part }
    groups.removeAll { $0.isEmpty }
  }
}

extension GroupResult {
  /// Whether a cohort has nothing of a kind, not even its snapshots in the gallery.
  fileprivate var isEmpty: Bool {
    instances == 0 && traffic.joined().allSatisfy { $0.requests == 0 && $0.failures.allSatisfy { $0 == 0 } }
  }
}
