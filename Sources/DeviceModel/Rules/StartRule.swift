import Scenario
import SimulationKernel

/// What the scheduler does with a ticket whose planned instant has come (MODEL.md 4.5).
enum StartDecision: Equatable {
  case start
  /// Look again at `until`, or earlier when the person or the charger changes things.
  case wait(until: Instant, because: WaitReason)
}

/// The reasons that withhold a scheduled run, asked in the order of MODEL.md 4.5; what most never need is asked for late.
enum StartRule {
  /// - Parameters:
  ///   - eligible: e of the ticket.
  ///   - isLocked: the kind is protected and the device locked.
  ///   - idle: nil: an idle phone withholds nothing.
  ///   - lastSessionEnd: `.never` during a session.
  ///   - lowPowerEnd: until when Low Power Mode holds the ticket; in the past: not at all.
  ///   - budgetSufficesAt: when the balance lets the run start; not after `now`: at once.
  @inline(__always)
  static func decide(
    _ ticket: @autoclosure () -> Ticket, eligible: @autoclosure () -> Instant, at now: Instant, isLocked: Bool,
    idle: Idle?, lastSessionEnd: @autoclosure () -> Instant, lowPowerEnd: Instant, budgetSufficesAt: Instant
  ) -> StartDecision {
    if isLocked { return .wait(until: .never, because: .locked) }
    if let idle {
      let ticket = ticket()
      if isIdle(idle, ticket, at: now, lastSessionEnd: lastSessionEnd()) {
        return .wait(until: ticket.due + idle.giveUp + (ticket.planned - eligible()), because: .idle)
      }
    }
    if now < lowPowerEnd { return .wait(until: lowPowerEnd, because: .lowPower) }
    return budgetSufficesAt <= now ? .start : .wait(until: budgetSufficesAt, because: .budget)
  }

  /// Whether the phone has lain unused for so long that runs are withheld, and patience is not yet at its end.
  static func isIdle(_ idle: Idle, _ ticket: Ticket, at now: Instant, lastSessionEnd: Instant) -> Bool {
    lastSessionEnd + idle.after < now && now < ticket.due + idle.giveUp
  }
}
