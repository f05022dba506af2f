package import Scenario
package import SimulationKernel

/// One thing that happens on a device, as its diary tells it.
package struct DiaryEntry: Hashable, Sendable {
  package var at: Instant
  package var note: DiaryNote
}

/// What happens; instances by their slot on the device.
package enum DiaryNote: Hashable, Sendable {
  case unlock(until: Instant)
  case lock
  case network(isOnWifi: Bool, isOffline: Bool)
  case charger(isPlugged: Bool)
  case lowPowerMode(isOn: Bool)
  case placed(Int)
  /// A counted view; nil: there is nothing to see yet.
  case view(Int, age: TimeAmount?)
  /// A run starts; of a scheduled one when it was due; what the budget holds after it, nil without a budget.
  case run(Int, Cause, due: Instant?, balance: RunMillionths?)
  /// A run crashed as it started.
  case crash(Int)
  /// Requests that arrive together with the same end.
  case request(Int?, endpoint: Int, failure: FailureReason?, isRetry: Bool)
  /// A run has ended.
  case end(Int, DiaryOutcome)
  /// A scheduled reload that is pending: due, not before, planned (nil: not before the session of then is known).
  case ticket(Int, Cause, due: Instant, eligible: Instant, planned: Instant?)
  /// A reload is withheld; nil: until somebody comes.
  case wait(Int, WaitReason, until: Instant?)
}

/// How a run ended.
package enum DiaryOutcome: Hashable, Sendable {
  case data(since: Instant)
  case nothing
  case failed
}
