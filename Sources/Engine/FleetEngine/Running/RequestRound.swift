package import BackendModel
import DeviceModel
package import Scenario
package import SimulationKernel
import Synchronization

/// A receiver that takes the requests of a fleet from any thread and in any order.
package protocol RequestReceiver: Sendable {
  /// Returns how many requests a thread collects before it passes them on.
  func blockSize(threads: Int) -> Int

  /// Takes all requests from an array, which is empty afterwards.
  ///
  /// - Returns: whether the receiver can use more requests.
  func take(_ requests: inout [SentRequest]) -> Bool
}

extension Engine {
  /// Simulates the devices of a replication again, and passes on each request to a backend in the measured period.
  ///
  /// The devices behave as in the original run, because the conditions of the backend are known, but they do not use
  /// the fast path.
  ///
  /// - Parameter conditions: the conditions that `conditions(of:)` returns for the result of the run.
  /// - Returns: whether all requests were passed on; false if `control` was cancelled or the receiver needs no more.
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

/// The devices of a fleet, which several threads simulate again in order to obtain the requests.
private final class RequestRound<Receiver: RequestReceiver>: Sendable {
  private let engine: Engine
  private let replication: Int
  private let order: SentRequest.Order
  private let control: RunControl
  /// The conditions of the backend; `nil` if there is no feedback.
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

/// One attempt of a request that has reached a backend, stored in 32 bytes.
package struct SentRequest: BitwiseCopyable, Sendable {
  /// The time that determines the order in a log, in milliseconds since the start; see `isTimedByEnd`.
  private let time: Int64
  /// The phone's number within the fleet.
  package let device: UInt32
  /// The time from the arrival until the backend has finished or the client has timed out, in milliseconds.
  ///
  /// This type is large enough for any timeout.
  private let durationInFewBits: UInt32
  /// The number of the widget's run or of the kind's gallery snapshot, counted from the start of the simulation.
  package let run: UInt32
  /// The due date of the run in minutes since 1970; it is `noDue` if the run had no ticket.
  private let dueInFewBits: Int32
  private let kindInFewBits: UInt16
  private let numberInFewBits: UInt16
  private let slotInFewBits: UInt8
  private let attemptInFewBits: UInt8
  /// The packed fields, which are cause (4 bits), failure (3), CDN answer (3), family (2) and `isTimedByEnd` (1).
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
    /// The lines are sorted by the time of arrival.
    case arrival
    /// The lines are sorted by the time at which requests end.
    case end
  }

  package var arrival: Instant {
    Instant(millisecondsSinceStart: isTimedByEnd ? time - Int64(durationInFewBits) : time)
  }
  package var end: Instant {
    Instant(millisecondsSinceStart: isTimedByEnd ? time : time + Int64(durationInFewBits))
  }
  package var duration: TimeAmount { .milliseconds(Int64(durationInFewBits)) }
  /// The due date of the ticket that the run has fulfilled or replaced, in minutes since 1970; `nil` if the run had no
  /// ticket.
  package var dueMinute: Int64? { dueInFewBits == Self.noDue ? nil : Int64(dueInFewBits) }
  /// The index of the kind within the scenario.
  package var kind: Int { Int(kindInFewBits) }
  /// The number of the request within its run.
  package var number: Int { Int(numberInFewBits) }
  /// The slot that the widget occupies on its phone; `nil` for a gallery snapshot.
  package var slot: Int? { slotInFewBits == Self.noSlot ? nil : Int(slotInFewBits) }
  /// The number of earlier attempts of the same request.
  package var attempt: Int { Int(attemptInFewBits) }
  package var cause: Cause { Cause(rawValue: UInt8(packed & 15)) ?? .policy }
  package var failure: FailureReason? { FailureReason(rawValue: UInt8(packed >> 4 & 7) &- 1) }
  package var edge: EdgeAnswer { EdgeAnswer(rawValue: UInt8(packed >> 7 & 7)) ?? .none }
  package var family: Family { Family(rawValue: Int(packed >> 10 & 3)) ?? .small }

  private var isTimedByEnd: Bool { packed >> 12 & 1 == 1 }

  /// Whether one request precedes another, by time, then by device, then by the other fields; no two requests are
  /// equal.
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
