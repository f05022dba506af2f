import Scenario
import SimulationKernel

/// A pending scheduled reload of a widget (MODEL.md 4): at most one, merged with whatever else is asked.
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

  init(_ request: ReloadRequest, planned: Instant) {
    self.init(due: request.due, cause: request.cause, planned: planned)
  }

  static let none = Ticket(due: .never, cause: nil, planned: .never)

  var exists: Bool { cause != nil }

  /// What it asks for; nil: there is no ticket.
  var request: ReloadRequest? { cause.map { ReloadRequest(due: due, cause: $0) } }

  /// Whether it would start by itself after `now`, and no later than `span` after it.
  func isPlanned(after now: Instant, within span: TimeAmount) -> Bool { now < planned && planned <= now + span }

  /// e where a system keeps a least distance between a run's end and the next scheduled start (MODEL.md 4.4).
  @inline(__always)
  static func eligible(due: Instant, after lastEnd: Instant, minSpacing: TimeAmount) -> Instant {
    max(due, lastEnd + minSpacing)
  }

  /// Keeps a request for the ticket after the run in progress: of several the earliest due with its cause.
  mutating func keep(_ request: ReloadRequest) {
    guard cause == nil || request.due < due else { return }
    due = request.due
    cause = request.cause
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
