import Scenario
import SimulationKernel

/// A pending scheduled reload of an instance (MODEL.md 4): at most one, merged with whatever else is asked.
struct Ticket: BitwiseCopyable, Equatable {
  var due: Instant
  /// e: not before this instant (MODEL.md 4.4).
  var eligible: Instant
  /// e + D: the start unless withheld (MODEL.md 4.5); `.never` before e fixes it.
  var planned: Instant
  /// nil: there is no ticket.
  var cause: Cause?

  init(due: Instant, cause: Cause?, eligible: Instant, planned: Instant) {
    self.due = due
    self.eligible = eligible
    self.planned = planned
    self.cause = cause
  }

  static let none = Ticket(due: .never, cause: nil, eligible: .never, planned: .never)

  var exists: Bool { cause != nil }

  /// D.
  var delay: TimeAmount { planned - eligible }
}

/// A scheduled request that came while a run was in progress, to be merged with the ticket after it (MODEL.md 4.3).
struct KeptRequest: BitwiseCopyable, Equatable {
  var due: Instant
  /// nil: none came.
  var cause: Cause?

  static let none = KeptRequest(due: .never, cause: nil)

  /// The earlier due with its cause.
  mutating func merge(due newDue: Instant, cause newCause: Cause) {
    guard cause == nil || newDue < due else { return }
    due = newDue
    cause = newCause
  }
}

/// Why and since when a ticket is withheld.
struct Wait: BitwiseCopyable, Equatable {
  var since: Instant
  /// nil: nothing withholds the ticket.
  var reason: WaitReason?

  init(reason: WaitReason?, since: Instant) {
    self.since = since
    self.reason = reason
  }

  static let none = Wait(reason: nil, since: .longAgo)
}
