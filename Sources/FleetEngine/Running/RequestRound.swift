package import BackendModel
import DeviceModel
import SimulationKernel
import Synchronization

/// Whoever is handed the requests of a fleet, on any thread and in any order.
package protocol RequestReceiver: Sendable {
  /// How many requests a thread collects before it hands them in.
  func blockSize(threads: Int) -> Int

  /// Takes requests and leaves none.
  ///
  /// - Returns: whether there is any use in more.
  func take(_ requests: inout [SentRequest]) -> Bool
}

extension Engine {
  /// Lives the devices of a replication again and hands on every request that reached a backend in the measured period.
  ///
  /// They live as in the run, for what the backend did is known, but take no short ways.
  ///
  /// - Parameter conditions: as `conditions(of:)` says of the run's result.
  /// - Returns: false when `control` was cancelled, or the receiver wants no more.
  package func repeatRequests(
    of replication: Int, _ conditions: ConditionsTrajectory, sortedBy order: SentRequest.Order, threads: Int,
    control: RunControl, to receiver: some RequestReceiver
  ) throws(SimulationError) -> Bool {
    let isCancelled = { control.isCancelled.load(ordering: .relaxed) }
    guard let engine = learned(for: replication, isStopped: isCancelled) else { return false }
    let storage = SamplerStorage()
    let known = plan.hasFeedback ? conditions.prepared(in: storage) : nil
    let round = RequestRound(
      engine: engine, replication: replication, order: order, control: control, conditions: known, receiver: receiver)
    return try withExtendedLifetime(storage) { () throws(SimulationError) in try round.run(threads: threads) }
  }
}

/// The devices of a fleet lived once more by some threads, for the requests that they send.
private final class RequestRound<Receiver: RequestReceiver>: Sendable {
  private let engine: Engine
  private let replication: Int
  private let order: SentRequest.Order
  private let control: RunControl
  /// nil without feedback.
  private let conditions: ConditionsTable?
  private let receiver: Receiver
  private let nextShard = Atomic<Int>(0)
  private let isRefused = Atomic<Bool>(false)
  private let failure = Guarded<EndlessInstant?>(nil)

  init(
    engine: Engine, replication: Int, order: SentRequest.Order, control: RunControl, conditions: ConditionsTable?,
    receiver: Receiver
  ) {
    self.engine = engine
    self.replication = replication
    self.order = order
    self.control = control
    self.conditions = conditions
    self.receiver = receiver
  }

  func run(threads: Int) throws(SimulationError) -> Bool {
    Workers.run(atMost: threads) { count in
      let size = receiver.blockSize(threads: count)
      return { _ in self.work(blockSize: size) }
    }
    if let failure = failure.withLock({ $0 }) { throw SimulationError(failure) }
    return !isOver
  }

  private var isOver: Bool {
    control.isCancelled.load(ordering: .relaxed) || isRefused.load(ordering: .relaxed)
  }

  /// One thread's part: shards until there are none.
  private func work(blockSize: Int) {
    var simulator = DeviceSimulator(plan: engine.plan, shape: engine.tallyShape)
    simulator.backend = conditions.map { .trajectory($0) }
    var requests: [SentRequest] = []
    let share = DeviceShare(ofDevices: engine.devicesLived, for: Alone())
    while !isOver {
      let index = nextShard.add(1, ordering: .relaxed).oldValue
      guard index < share.shards else { break }
      let devices = share.devices(ofShard: index)
      do {
        for device in devices {
          try live(device, &simulator, &requests)
          if requests.count >= blockSize { handIn(&requests) }
        }
      } catch {
        nextShard.store(share.shards, ordering: .relaxed)
        failure.withLock { $0 = error }
      }
      control.devicesDone.add(devices.count, ordering: .relaxed)
    }
    if !requests.isEmpty { handIn(&requests) }
  }

  private func live(
    _ device: Int, _ simulator: inout DeviceSimulator, _ requests: inout [SentRequest]
  ) throws(EndlessInstant) {
    try simulator.simulate(device: device, cohort: engine.cohort(of: device), replication: replication) {
      requests.append(SentRequest($0, dueMinute: $1.map(minute), device: device, order: order))
    }
  }

  /// Whole minutes since 1970.
  private func minute(of instant: Instant) -> Int64 {
    (engine.scenario.clock.startUnixMilliseconds + instant.millisecondsSinceStart)
      .floorDivided(by: TimeAmount.minute.milliseconds)
  }

  private func handIn(_ requests: inout [SentRequest]) {
    if !receiver.take(&requests) { isRefused.store(true, ordering: .relaxed) }
  }
}
