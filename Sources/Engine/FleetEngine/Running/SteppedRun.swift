import BackendModel
import DeviceModel
internal import Platform
import Scenario
import SimulationKernel
import Synchronization

/// One replication on one rank, divided into steps. In each step, all devices take their turns, and then the backend
/// takes its turn (MODEL.md 6.1).
final class SteppedRun: Sendable {
  private let engine: Engine
  private let replication: Int
  private let control: RunControl
  private let share: DeviceShare
  private let deal: WorkPartition
  private let grid: StepGrid
  private let open: OpenStep
  private let backend: BackendStep
  private let shards: ParkedShards
  /// The devices shared by all threads; `nil` if there is only one thread.
  private let shared: SharedShard?
  private let collected: Locked<Collected>
  /// Whether any device has failed.
  private let hasFailed = Atomic(false)

  /// The counts collected from all threads.
  private struct Collected {
    var result: ReplicationResult?
    /// The rows of devices.csv, by range of devices.
    var rows: RowAssembly
    /// The failure of the lowest-numbered device that failed.
    var failure: DeviceFailure?
  }

  /// Simulates the devices of this rank and the backend, on at most the given number of threads.
  static func outcome(
    of order: ReplicationOrder, _ engine: Engine, control: RunControl, threads: Int
  ) -> (RankOutcome, BackendResult?) {
    var run: SteppedRun?
    // The threads wait for each other, so the division of work depends on the number of threads.
    Workers.run(atMost: min(threads, WorkPartition.maxThreads)) { count in
      let laidOut = SteppedRun(engine, order, control: control, threads: count)
      run = laidOut
      return { laidOut.work($0) }
    }
    return (run?.outcome ?? .cancelled, run?.backend.result)
  }

  private init(_ engine: Engine, _ order: ReplicationOrder, control: RunControl, threads: Int) {
    self.engine = engine
    replication = order.replication
    self.control = control
    let share = DeviceShare(ofDevices: engine.devicesTotal, for: control.collective)
    self.share = share
    let deal = WorkPartition(devices: share.count, threads: threads)
    self.deal = deal
    let grid = engine.scenario.clock.grid
    self.grid = grid
    backend = BackendStep(engine, order, threads: deal.threads, control: control)
    shards = ParkedShards(deal, of: share, in: engine, grid: grid)
    shared =
      deal.shared.isEmpty
      ? nil
      : SharedShard(
        deal.shared.map(deal.devices), of: share, in: engine, grid: grid, threads: deal.threads)
    open = OpenStep(
      StepGrid.birth, parts: deal.threads + (shared?.ranges ?? 0), threads: deal.threads, ranks: control.ranksHere,
      sharesAll: control.sharesAllSteps.load(ordering: .relaxed))
    collected = Locked(Collected(result: nil, rows: RowAssembly(expecting: engine.expectedRows)))
  }

  /// The sum of all threads' counts, available after all threads have finished.
  private var outcome: RankOutcome {
    if let error = backend.parted { return .failed(.parted(error)) }
    return collected.withLock { collected in
      if let failure = collected.failure { return .failed(SimulationError(failure)) }
      guard !control.isCancelled.load(ordering: .relaxed), !backend.isStopped, var result = collected.result else {
        return .cancelled
      }
      result.devices.rows = collected.rows.rows
      return .counted(PartialResult(result: result, groups: backend.groupLoad))
    }
  }

  /// Performs one thread's work in all steps, and then adds this thread's tallies to the collected counts.
  private func work(_ thread: Int) {
    var simulator = DeviceSimulator(plan: engine.plan, shape: engine.tallyShape)
    simulator.backend = .step(backend.view(from: thread))
    var step = StepGrid.birth
    while step != OpenStep.ended {
      let before = simulator.tally.eventCount
      let done = takePart(in: step, &simulator, thread)
      if control.maxEvents != nil { _ = control.mayContinue(after: simulator.tally.eventCount - before + 1) }
      if done > 0 {
        backend.hand(simulator.groupArrivals, from: thread)
        if open.finish(parts: done) { finish(step) }
      }
      step = open.next(after: step)
    }
    // After a failure on any rank, some devices may not have been started.
    guard !backend.isStopped else { return }
    let own = deal.own(of: thread)
    shards[thread].passOnRows(&simulator) { passOn($1, of: own[$0]) }
    if thread == 0 { shared?.passOnRows(&simulator) { passOn($1, of: deal.shared[$0]) } }
    passOn(ReplicationResult(simulator.tally, scenario: engine.scenario))
  }

  /// Simulates the unclaimed devices of a step (or starts the unclaimed devices initially).
  ///
  /// - Returns: the number of parts of the step that this thread has completed.
  private func takePart(in step: Int, _ simulator: inout DeviceSimulator, _ thread: Int) -> Int {
    let isBirth = step == StepGrid.birth
    // The shared devices are laid out first, so that they are available to other threads as soon as those have
    // completed their own devices.
    var parts = isBirth ? 0 : shared?.layOut(step, open) ?? 0
    parts += live(shard: thread, step, &simulator)
    if let shared {
      parts +=
        isBirth
        ? shared.begin(of: engine, &simulator, replication: replication, thread: thread, failed: keep)
        : shared.advanceDevices(&simulator, step: step, thread: thread, failed: keep)
    }
    // The unclaimed devices of slower threads are simulated last.
    for other in 1..<shards.count { parts += live(shard: (thread + other) % shards.count, step, &simulator) }
    return parts
  }

  /// Simulates the devices of one thread, and returns the same result as `takePart`.
  private func live(shard number: Int, _ step: Int, _ simulator: inout DeviceSimulator) -> Int {
    guard shards[number].claim(step) else { return 0 }
    do throws(DeviceFailure) {
      if step == StepGrid.birth {
        try shards[number].begin(of: engine, &simulator, replication: replication)
      } else {
        try shards[number].advanceDevices(&simulator, step: step)
      }
    } catch { keep(error) }
    return 1
  }

  /// Simulates the backend's turn, performs the remaining single-threaded work, and opens the next step.
  private func finish(_ step: Int) {
    backend.take(after: step, stops: hasFailed.load(ordering: .relaxed) || control.isCancelled.load(ordering: .relaxed))
    if step != StepGrid.birth {
      let devices = share.count
      control.devicesDone.add(
        devices * (step + 1) / grid.count - devices * step / grid.count, ordering: .relaxed)
    }
    let next = step + 1
    guard next < grid.count, !backend.isStopped else { return open.end() }
    open.open(
      next, parts: shards.count + (shared == nil ? 0 : 1), due: shards.due(next) + (shared?.due(next) ?? 0))
  }

  private func passOn(_ rows: [DeviceTable.Row], of range: Int) {
    collected.withLock { $0.rows.add(rows, number: range) }
  }

  private func passOn(_ part: ReplicationResult) {
    collected.withLock { collected in
      if collected.result == nil { collected.result = part } else { collected.result? += part }
    }
  }

  /// Stores the failure of the lowest-numbered device. All other devices finish the step, so the result does not depend
  /// on the threads.
  private func keep(_ failure: DeviceFailure) {
    collected.withLock { collected in
      collected.failure = failure.orLower(collected.failure)
    }
    hasFailed.store(true, ordering: .relaxed)
  }
}

/// The step that all threads are working on, which is complete when all of its parts are completed.
///
/// A late thread finds no parts left, and continues with the step that is open by then. A thread without a processor
/// delays other threads only if it has started a part.
final class OpenStep: Sendable {
  /// The step number that represents the state after the last step.
  static let ended = Int.max

  private let number: Atomic<Int>
  /// The number of parts of the step that are not completed yet.
  private let parts: Atomic<Int>
  /// The approximate number of devices with a turn in the step.
  private let due = Atomic<Int>(Int.max)
  private let asleep = Atomic<Int>(0)
  private let awake = ConditionVariable()

  /// The number of times that a thread checks for another open step before it sleeps. These checks take a few
  /// hundredths of a millisecond.
  ///
  /// Waking a thread takes longer than most waits. The number is 0 if other threads may need the processor.
  private let patience: Int
  /// The thresholds for waking threads and for keeping them awake, in devices per step. With fewer devices, one thread
  /// finishes the step before another thread could start.
  private let (few, many): (Int, Int)
  /// The number of steps after which all threads are woken unconditionally, because processors may have become idle.
  private static let wakingInterval = 256

  /// Opens the first step.
  ///
  /// - Parameters:
  ///   - first: the number of the first step; `parts` is the number of its parts.
  ///   - ranks: the number of ranks on this machine, each of which has the same number of threads.
  ///   - sharesAll: whether threads share the work of a step even if there is very little of it.
  init(_ first: Int, parts: Int, threads: Int, ranks: Int, sharesAll: Bool) {
    number = Atomic(first)
    self.parts = Atomic(parts)
    patience = threads * ranks <= Machine.processors ? 30_000 : 0
    (few, many) = sharesAll ? (0, 0) : (8, 64)
  }

  /// Adds parts to the open step, in which at least one part must not be completed yet.
  func add(parts more: Int) { parts.add(more, ordering: .relaxed) }

  /// Marks parts of the open step as completed.
  ///
  /// - Returns: whether all parts are completed, in which case the caller must open the next step.
  func finish(parts done: Int) -> Bool { parts.subtract(done, ordering: .acquiringAndReleasing).newValue == 0 }

  /// Opens the next step.
  ///
  /// - Parameter due: the approximate number of devices with a turn in the step.
  func open(_ step: Int, parts: Int, due: Int) {
    self.parts.store(parts, ordering: .relaxed)
    self.due.store(due, ordering: .relaxed)
    number.store(step, ordering: .releasing)
    guard asleep.load(ordering: .relaxed) > 0, due >= many || step % Self.wakingInterval == 0 else { return }
    awake.broadcast()
  }

  /// Closes the last step so that all threads can finish.
  func end() {
    number.store(Self.ended, ordering: .releasing)
    awake.broadcast()
  }

  /// Waits for an open step that this thread has not yet taken part in.
  func next(after step: Int) -> Int {
    // A sleeping thread is always woken, because any thread with parts of a step is awake and will complete them.
    for _ in 0..<(due.load(ordering: .relaxed) < few ? 1 : max(patience, 1)) {
      let present = number.load(ordering: .acquiring)
      if present != step { return present }
    }
    asleep.add(1, ordering: .relaxed)
    awake.wait { number.load(ordering: .acquiring) != step }
    asleep.subtract(1, ordering: .relaxed)
    return number.load(ordering: .acquiring)
  }
}
