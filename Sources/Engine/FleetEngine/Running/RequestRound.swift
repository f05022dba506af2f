package import BackendModel
import DeviceModel
package import Scenario
package import SimulationKernel
import Synchronization

/// A receiver for the requests of a fleet, which arrive from any thread and in any order.
package protocol RequestReceiver: Sendable {
  /// Returns the number of requests that a thread collects before delivering them.
  func blockSize(threads: Int) -> Int

  /// Takes all requests out of an array, leaving it empty.
  ///
  /// - Returns: whether the receiver needs more requests.
  func take(_ requests: inout [SentRequest]) -> Bool
}

extension Engine {
  /// Simulates the devices of a replication again, and delivers each request that reaches a backend in the measured
  /// period.
  ///
  /// Because the backend conditions are known, the devices behave as in the original run. The fast path is not used.
  ///
  /// - Parameter conditions: the result of `conditions(of:)` for the original run.
  /// - Returns: whether all requests were delivered; `false` if `control` was cancelled or the receiver needed no more
  ///   requests.
  package func repeatRequests(
    of replication: Int, _ conditions: ConditionsTrajectory, sortedBy order: SentRequest.Order, threads: Int,
    control: RunControl, to receiver: some RequestReceiver
  ) throws(SimulationError) -> Bool {
    let isCancelled = { !control.mayContinue(after: $0) }
    guard let engine = learned(for: replication, isStopped: isCancelled) else { return false }
    let storage = SamplerStorage()
    let known = plan.hasFeedback ? conditions.prepared(in: storage) : nil
    let round = RequestRound(
      engine: engine, replication: replication, order: order, control: control, conditions: known, receiver: receiver)
    return try withExtendedLifetime(storage) { () throws(SimulationError) in try round.run(threads: threads) }
  }
}

/// A second simulation of a fleet's devices on several threads, which collects the requests.
private final class RequestRound<Receiver: RequestReceiver>: Sendable {
  private let engine: Engine
  private let replication: Int
  private let order: SentRequest.Order
  private let control: RunControl
  /// The backend conditions; `nil` if there is no feedback.
  private let conditions: ConditionsTable?
  private let receiver: Receiver
  private let nextShard = Atomic<Int>(0)
  private let isRefused = Atomic<Bool>(false)
  private let failure = Locked<DeviceFailure?>(nil)

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

  /// Simulates shards on one thread until none are left.
  private func work(blockSize: Int) {
    var simulator = DeviceSimulator(plan: engine.plan, shape: engine.tallyShape)
    simulator.backend = conditions.map { .trajectory($0) }
    var requests: [SentRequest] = []
    let share = DeviceShare(ofDevices: engine.devicesTotal, for: SingleRank())
    while !isOver {
      let index = nextShard.add(1, ordering: .relaxed).oldValue
      guard index < share.shards else { break }
      let devices = share.devices(ofShard: index)
      do {
        for device in devices {
          try live(device, &simulator, &requests)
          if requests.count >= blockSize { passOn(&requests) }
        }
      } catch {
        nextShard.store(share.shards, ordering: .relaxed)
        failure.withLock { $0 = error }
      }
      control.devicesDone.add(devices.count, ordering: .relaxed)
    }
    if !requests.isEmpty { passOn(&requests) }
  }

  private func live(
    _ device: Int, _ simulator: inout DeviceSimulator, _ requests: inout [SentRequest]
  ) throws(DeviceFailure) {
    try simulator.simulate(device: device, cohort: engine.cohort(of: device), replication: replication) {
      requests.append(SentRequest($0, dueMinute: $1.map(minute), device: device, order: order))
    }
  }

  /// Returns the number of whole minutes from 1970 to an instant.
  private func minute(of instant: Instant) -> Int64 {
    (engine.scenario.clock.startUnixMilliseconds + instant.millisecondsSinceStart)
      .floorDivided(by: TimeAmount.minute.milliseconds)
  }

  private func passOn(_ requests: inout [SentRequest]) {
    if !receiver.take(&requests) { isRefused.store(true, ordering: .relaxed) }
  }
}

/// One attempt of a request that reached a backend, stored in 32 bytes.
package struct SentRequest: BitwiseCopyable, Sendable {
  /// The time by which requests are sorted in a log, in milliseconds since the start; see `isTimedByEnd`.
  private let time: Int64
  /// The fleet-wide number of the phone.
  package let device: UInt32
  /// The time from arrival until the backend finished or the client timed out, in milliseconds.
  ///
  /// The type can represent any timeout.
  private let durationInFewBits: UInt32
  /// The number of the widget's run or of the kind's gallery snapshot, counted from the start of the simulation.
  package let run: UInt32
  /// The run's due date in minutes since 1970, or `noDue` if the run had no ticket.
  private let dueInFewBits: Int32
  private let kindInFewBits: UInt16
  private let numberInFewBits: UInt16
  private let slotInFewBits: UInt8
  private let attemptInFewBits: UInt8
  /// The packed fields: cause (4 bits), failure (3), CDN answer (3), family (2) and `isTimedByEnd` (1).
  private let packed: UInt16

  private static let noDue = Int32.min
  private static let noSlot = UInt8.max

  /// Packs the fields of a request.
  ///
  /// - Parameter dueMinute: the due date of the run's ticket, in minutes since 1970; `nil` if the run had no ticket.
  init(_ request: ObservedRequest, dueMinute: Int64?, device: Int, order: Order) {
    let isTimedByEnd = order == .end
    let instant = isTimedByEnd ? request.arrival + request.duration : request.arrival
    time = instant.millisecondsSinceStart
    self.device = UInt32(truncatingIfNeeded: device)
    durationInFewBits = UInt32(clamping: request.duration.milliseconds)
    run = request.run
    dueInFewBits = dueMinute.map { Int32(clamping: $0) } ?? Self.noDue
    kindInFewBits = UInt16(truncatingIfNeeded: request.kind.place)
    numberInFewBits = UInt16(truncatingIfNeeded: request.number)
    slotInFewBits = request.slot.map { UInt8(truncatingIfNeeded: $0.place) } ?? Self.noSlot
    attemptInFewBits = UInt8(truncatingIfNeeded: request.attempt)
    packed =
      UInt16(request.cause.rawValue) | UInt16(request.failure.map { $0.rawValue + 1 } ?? 0) << 4
      | UInt16(request.edge.rawValue) << 7 | UInt16(truncatingIfNeeded: request.family.rawValue) << 10
      | (isTimedByEnd ? 1 << 12 : 0)
  }

  /// The order of the lines in a log.
  package enum Order: Sendable {
    /// The lines are sorted by arrival time.
    case arrival
    /// The lines are sorted by the time at which each request ended.
    case end
  }

  package var arrival: Instant {
    Instant(millisecondsSinceStart: isTimedByEnd ? time - Int64(durationInFewBits) : time)
  }
  package var end: Instant {
    Instant(millisecondsSinceStart: isTimedByEnd ? time : time + Int64(durationInFewBits))
  }
  package var duration: TimeAmount { .milliseconds(Int64(durationInFewBits)) }
  /// The due date of the ticket that the run fulfilled or replaced, in minutes since 1970; `nil` if the run had no
  /// ticket.
  package var dueMinute: Int64? { dueInFewBits == Self.noDue ? nil : Int64(dueInFewBits) }
  /// The index of the kind within the scenario.
  package var kind: Int { Int(kindInFewBits) }
  /// The number of the request within its run.
  package var number: Int { Int(numberInFewBits) }
  /// The slot of the widget on its phone; `nil` for a gallery snapshot.
  package var slot: Int? { slotInFewBits == Self.noSlot ? nil : Int(slotInFewBits) }
  /// The number of earlier attempts of this request.
  package var attempt: Int { Int(attemptInFewBits) }
  package var cause: Cause { Cause(rawValue: UInt8(packed & 15)) ?? .policy }
  package var failure: FailureReason? { FailureReason(rawValue: UInt8(packed >> 4 & 7) &- 1) }
  package var edge: EdgeAnswer { EdgeAnswer(rawValue: UInt8(packed >> 7 & 7)) ?? .none }
  package var family: Family { Family(rawValue: Int(packed >> 10 & 3)) ?? .small }

  private var isTimedByEnd: Bool { packed >> 12 & 1 == 1 }

  /// Whether one request is sorted before another, by time, then by device, then by the remaining fields. No two
  /// requests are equal.
  package static func precedes(_ one: SentRequest, _ other: SentRequest) -> Bool {
    if one.time != other.time { return one.time < other.time }
    if one.device != other.device { return one.device < other.device }
    return one.withinDevice < other.withinDevice
  }

  private var withinDevice: UInt128 {
    UInt128(slotInFewBits) << 96 | UInt128(kindInFewBits) << 80 | UInt128(run) << 48 | UInt128(numberInFewBits) << 16
      | UInt128(attemptInFewBits)
  }
}
