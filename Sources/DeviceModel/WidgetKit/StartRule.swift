import Scenario
import SimulationKernel

/// The reasons that withhold a scheduled run, asked in the order of MODEL.md 4.5.
struct StartRule {
  let ticket: Ticket
  /// e of the ticket.
  let eligible: Instant
  let now: Instant
  /// The kind is protected and the phone locked.
  let isLocked: Bool
  /// nil: an idle phone withholds nothing.
  let idle: Idle?
  /// `.never` during a session.
  let lastSessionEnd: Instant
  /// Until when Low Power Mode holds the ticket; in the past: not at all.
  let lowPowerEnd: Instant
  /// When the balance lets the run start; not after `now`: at once.
  let budgetSufficesAt: Instant

  @inline(__always)
  var decision: StartDecision {
    if isLocked { return .wait(until: .never, because: .locked) }
    if let idle, isIdle(idle) {
      return .wait(until: ticket.due + idle.giveUp + (ticket.planned - eligible), because: .idle)
    }
    if now < lowPowerEnd { return .wait(until: lowPowerEnd, because: .lowPower) }
    return budgetSufficesAt <= now ? .start : .wait(until: budgetSufficesAt, because: .budget)
  }

  /// Whether the phone has lain unused for so long that runs are withheld, and patience is not yet at its end.
  @inline(__always)
  private func isIdle(_ idle: Idle) -> Bool { lastSessionEnd + idle.after < now && now < ticket.due + idle.giveUp }
}
