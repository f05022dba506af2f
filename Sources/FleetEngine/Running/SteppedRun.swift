import BackendModel
import DeviceModel
import Scenario
import SimulationKernel

/// One replication in steps: in each, devices have their turns on every thread, then the backend has its own (MODEL.md
/// 6.1).
final class SteppedRun: Sendable {
  private let engine: Engine
  private let replication: Int
  private let control: RunControl
  private let threads: Int
  private let grid: StepGrid
  private let barrier: StepBarrier
  private let backend: BackendTurn
  private let collected: Guarded<Collected>

  /// What the threads hand in.
  private struct Collected {
    var result: ReplicationResult?
    /// Rows of devices.csv by range.
    var rows: [[Int64]]
    /// Of the lowest device number that was stopped in a step.
    var failure: EndlessInstant?
  }

  /// Ranges of devices, dealt out to the threads in turn so that each has some of every cohort.
  private static let ranges = 32

  init(_ engine: Engine, replication: Int, control: RunControl, threads: Int) {
    self.engine = engine
    self.replication = replication
    self.control = control
    self.threads = max(min(threads, Self.ranges), 1)
    grid = engine.scenario.clock.grid
    barrier = StepBarrier(threads: self.threads)
    backend = BackendTurn(engine, grid: grid, threads: self.threads)
    collected = Guarded(Collected(result: nil, rows: Array(repeating: [], count: Self.ranges)))
  }

  /// - Returns: nil when cancelled.
  func result() throws(SimulationError) -> ReplicationResult? {
    Workers.run(threads) { self.work($0) }
    if let failure = collected.withLock({ $0.failure }) { throw SimulationError(failure) }
    guard !control.isCancelled.load(ordering: .relaxed) else { return nil }
    return collected.withLock { collected in
      var result = collected.result
      result?.complete(rows: collected.rows)
      result?.backend = backend.result
      return result
    }
  }

  /// One thread's part: its devices through all steps, then its tallies into the sum.
  private func work(_ thread: Int) {
    var simulator = DeviceSimulator(plan: engine.plan, shape: engine.tallyShape)
    let numbers = Array(stride(from: thread, to: Self.ranges, by: threads))
    let shard = RestingShard(
      numbers.map(devices), of: engine, grid: grid, map: simulator.turnMap, blockSizes: simulator.blockSizes)
    simulator.backend = .step(UnsafePointer(backend.conditions))
    attempt { () throws(EndlessInstant) in try shard.begin(&simulator, replication: replication) }
    barrier.wait {}
    for step in 0..<grid.count {
      guard !backend.isStopped else { break }
      attempt { () throws(EndlessInstant) in try shard.takeTurns(&simulator, step: step) }
      backend.hand(simulator.tally.stepArrivals, from: thread)
      barrier.wait { finish(step) }
    }
    handIn(&simulator, shard, numbers)
  }

  /// The backend's turn, and what else one thread does for all.
  private func finish(_ step: Int) {
    let hasFailed = collected.withLock { $0.failure != nil }
    backend.take(step, stops: hasFailed || control.isCancelled.load(ordering: .relaxed))
    let devices = engine.devicesSimulated
    control.devicesDone.add(
      devices * (step + 1) / grid.count - devices * step / grid.count, ordering: .relaxed)
  }

  private func handIn(_ simulator: inout DeviceSimulator, _ shard: borrowing RestingShard, _ numbers: [Int]) {
    let rows = shard.deviceRows(&simulator)
    let part = ReplicationResult(simulator.tally, scenario: engine.scenario)
    collected.withLock { collected in
      for (number, rows) in zip(numbers, rows) { collected.rows[number] = rows }
      if collected.result == nil { collected.result = part } else { collected.result? += part }
    }
  }

  /// Keeps the failure of the lowest device; the others go on to the end of the step, so that it hangs on no thread.
  private func attempt(_ turns: () throws(EndlessInstant) -> Void) {
    do { try turns() } catch {
      collected.withLock { collected in
        guard collected.failure.map({ error.device < $0.device }) ?? true else { return }
        collected.failure = error
      }
    }
  }

  /// The devices of a range.
  private func devices(ofRange number: Int) -> Range<Int> {
    let devices = engine.devicesSimulated
    return devices * number / Self.ranges..<devices * (number + 1) / Self.ranges
  }
}
