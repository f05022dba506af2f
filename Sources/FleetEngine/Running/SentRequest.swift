import DeviceModel
package import Scenario
package import SimulationKernel

/// One try of a request that reached a backend, in 32 bytes.
package struct SentRequest: BitwiseCopyable, Sendable {
  /// When it counts in the order of a log, in milliseconds since the start: see `isTimedByEnd`.
  private let time: Int64
  /// Number of the phone within the fleet.
  package let device: UInt32
  /// Milliseconds from its arrival until the backend was through with it, or the client gave up; no timeout is longer
  /// than what has room.
  private let durationInFewBits: UInt32
  /// Ordinal of the widget's run, or of the kind's snapshot for the gallery, from the beginning of the world.
  package let run: UInt32
  /// In minutes since 1970; `noDue`: the run had no ticket.
  private let dueInFewBits: Int32
  private let kindInFewBits: UInt16
  private let numberInFewBits: UInt16
  private let slotInFewBits: UInt8
  private let attemptInFewBits: UInt8
  /// Cause in 4 bits, failure in 3, the CDN's answer in 3, family in 2, `isTimedByEnd` in 1.
  private let packed: UInt16

  private static let noDue = Int32.min
  private static let noSlot = UInt8.max

  /// - Parameter dueMinute: when the ticket of its run was due, in minutes since 1970; nil: it had none.
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

  /// What the lines of a log are sorted by.
  package enum Order: Sendable {
    /// When requests came.
    case arrival
    /// When they were through.
    case end
  }

  package var arrival: Instant {
    Instant(millisecondsSinceStart: isTimedByEnd ? time - Int64(durationInFewBits) : time)
  }
  package var end: Instant {
    Instant(millisecondsSinceStart: isTimedByEnd ? time : time + Int64(durationInFewBits))
  }
  package var duration: TimeAmount { .milliseconds(Int64(durationInFewBits)) }
  /// The minute since 1970 in which the ticket was due that its run has answered or replaced; nil: it had none.
  package var dueMinute: Int64? { dueInFewBits == Self.noDue ? nil : Int64(dueInFewBits) }
  /// Index into the scenario's kinds.
  package var kind: Int { Int(kindInFewBits) }
  /// Its number among the requests of the run.
  package var number: Int { Int(numberInFewBits) }
  /// The widget on its phone; nil: a snapshot for the gallery.
  package var slot: Int? { slotInFewBits == Self.noSlot ? nil : Int(slotInFewBits) }
  /// Tries before this one.
  package var attempt: Int { Int(attemptInFewBits) }
  package var cause: Cause { Cause(rawValue: UInt8(packed & 15)) ?? .policy }
  package var failure: FailureReason? { FailureReason(rawValue: UInt8(packed >> 4 & 7) &- 1) }
  package var edge: EdgeAnswer { EdgeAnswer(rawValue: UInt8(packed >> 7 & 7)) ?? .none }
  package var family: Family { Family(rawValue: Int(packed >> 10 & 3)) ?? .small }

  private var isTimedByEnd: Bool { packed >> 12 & 1 == 1 }

  /// By time, then device, then what tells the requests of a phone apart: no two are alike.
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
