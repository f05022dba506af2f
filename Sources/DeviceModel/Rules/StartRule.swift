import Scenario
import SimulationKernel

/// What the scheduler does with a ticket whose planned instant has come (MODEL.md 4.5).
enum StartDecision: Equatable {
  case start
  /// Look again at `until`, or earlier when the person or the charger changes things.
  case wait(until: Instant, because: WaitReason)
}

/// What the scheduler sees when it decides on a start.
struct StartCircumstances {
  /// End of the last session; `.never` during one.
  var lastSessionEnd: Instant
  var isCharging: Bool
  /// The next time the phone is plugged in.
  var nextPlug: Instant
  /// Up to date.
  var account: BudgetAccount
}

/// The reasons that withhold a scheduled run, asked in the order of MODEL.md 4.5.
enum StartRule {
  static func decide(
    _ ticket: Ticket, at now: Instant, system: SystemPlan, clock: AccrualClock, circumstances: StartCircumstances
  ) -> StartDecision {
    if let idle = system.idle, isIdle(idle, ticket, at: now, lastSessionEnd: circumstances.lastSessionEnd) {
      let delay = ticket.planned - ticket.eligible
      return .wait(until: ticket.due + idle.giveUp + delay, because: .idle)
    }
    if !circumstances.account.suffices(plan: system.budget, isCharging: circumstances.isCharging) {
      return .wait(until: budgetInstant(system.budget, clock, circumstances), because: .budget)
    }
    return .start
  }

  /// Whether the phone has lain unused for so long that runs are withheld, and patience is not yet at its end.
  static func isIdle(_ idle: Idle, _ ticket: Ticket, at now: Instant, lastSessionEnd: Instant) -> Bool {
    lastSessionEnd + idle.after < now && now < ticket.due + idle.giveUp
  }

  /// When the balance suffices, or the phone is plugged in, which lowers what is needed.
  private static func budgetInstant(
    _ budget: BudgetPlan, _ clock: AccrualClock, _ circumstances: StartCircumstances
  ) -> Instant {
    let threshold = BudgetAccount.threshold(isCharging: circumstances.isCharging)
    let reached = circumstances.account.instant(reaching: threshold, plan: budget, clock: clock)
    return min(reached, circumstances.nextPlug)
  }
}
