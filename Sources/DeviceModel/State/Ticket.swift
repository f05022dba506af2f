import Scenario
import SimulationKernel

/// A pending scheduled reload of an instance (MODEL.md 4): at most one, merged with whatever else is asked.
///
/// While a run is in progress there is none; in its place stands the request that came meanwhile, to be merged with the
/// ticket after the run (MODEL.md 4.3).
struct Ticket: BitwiseCopyable, Equatable {
  var due: Instant
  /// e + D: the start unless withheld (MODEL.md 4.5); `.never` before e fixes it.
  var planned: Instant
  /// nil: there is no ticket.
  var cause: Cause?

  init(due: Instant, cause: Cause?, planned: Instant) {
    self.due = due
    self.planned = planned
    self.cause = cause
  }

  static let none = Ticket(due: .never, cause: nil, planned: .never)

  var exists: Bool { cause != nil }

  /// e: not before this instant (MODEL.md 4.4).
  ///
  /// It follows from the end of the instance's last run, which stays the same as long as there is a ticket.
  @inline(__always)
  func eligible(after lastEnd: Instant, _ minSpacing: TimeAmount) -> Instant { max(due, lastEnd + minSpacing) }

  /// Keeps a request for the ticket after the run in progress: of several the earliest due with its cause.
  mutating func keep(due newDue: Instant, cause newCause: Cause) {
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
