import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

@Suite struct StartRuleTests {
  private static func at(_ minutes: Int64) -> Instant { .start + .minutes(minutes) }
  /// A ticket due at 0, eligible at 5 min, planned at 8 min.
  private static let ticket = Ticket(due: .start, cause: .policy, planned: at(8))
  private static let idle = Idle(after: .minutes(120), giveUp: .minutes(240))
  private static let moment = TimeAmount.milliseconds(1)

  /// Inputs: the current time, the end of the last session, and when the budget is enough; output: the decision.
  @Test(
    arguments: [
      (at(8), .longAgo, .longAgo, .wait(until: at(243), because: .idle)),
      // A phone whose session ended exactly idle.after ago is not idle yet.
      (at(8), at(8) - .minutes(120), .longAgo, .start),
      (at(8), at(8) - .minutes(120) - moment, .longAgo, .wait(until: at(243), because: .idle)),
      // The phone is in a session.
      (at(8), .never, .longAgo, .start),
      // The phone gives up at due + give_up.
      (at(240) - moment, .longAgo, .longAgo, .wait(until: at(243), because: .idle)),
      (at(240), .longAgo, .longAgo, .start),
      (at(243), .longAgo, .longAgo, .start),
      // Idleness is checked before the budget.
      (at(8), .longAgo, at(60), .wait(until: at(243), because: .idle)),
      (at(240), .longAgo, at(300), .wait(until: at(300), because: .budget)),
      (at(8), .never, .never, .wait(until: .never, because: .budget)),
      (at(8), .never, at(8), .start),
      (at(8), .never, at(8) + moment, .wait(until: at(8) + moment, because: .budget)),
    ] as [(Instant, Instant, Instant, StartDecision)])
  func decisions(now: Instant, lastSessionEnd: Instant, sufficesAt: Instant, expected: StartDecision) {
    let rule = StartRule(
      ticket: Self.ticket, eligible: Self.at(5), now: now, isLocked: false, idle: Self.idle,
      lastSessionEnd: lastSessionEnd, lowPowerEnd: .longAgo, budgetSufficesAt: sufficesAt)
    #expect(rule.decision == expected)
  }

  @Test func withoutIdleOnlyTheBudgetWithholds() {
    func decide(_ sufficesAt: Instant) -> StartDecision {
      StartRule(
        ticket: Self.ticket, eligible: Self.at(5), now: Self.at(8), isLocked: false, idle: nil,
        lastSessionEnd: .longAgo, lowPowerEnd: .longAgo, budgetSufficesAt: sufficesAt
      ).decision
    }
    #expect(decide(.longAgo) == .start)
    #expect(decide(Self.at(9)) == .wait(until: Self.at(9), because: .budget))
  }

  /// e = max(due, end of the last run + spacing).
  @Test func eligibleWithinTheSpacing() {
    var world = World()
    world.system.minSpacing = .minutes(5)
    let cohort = world.plan().cohorts.element(at: 0)
    func eligible(after lastEnd: Instant) -> Instant {
      WidgetKitRules.eligible(due: Self.ticket.due, after: lastEnd, cohort)
    }
    #expect(eligible(after: Self.at(-5)) == .start)
    #expect(eligible(after: Self.at(-4)) == Self.at(1))
    #expect(eligible(after: .longAgo) == .start)
    withExtendedLifetime(world) {}
  }

  @Test func keptRequestsKeepTheEarliest() {
    var kept = Ticket.none
    kept.keep(ReloadRequest(due: Self.at(5), cause: .background))
    #expect(kept == Ticket(due: Self.at(5), cause: .background, planned: .never))
    kept.keep(ReloadRequest(due: Self.at(5), cause: .widgetPush))
    kept.keep(ReloadRequest(due: Self.at(6), cause: .widgetPush))
    #expect(kept == Ticket(due: Self.at(5), cause: .background, planned: .never))
    kept.keep(ReloadRequest(due: Self.at(4), cause: .widgetPush))
    #expect(kept == Ticket(due: Self.at(4), cause: .widgetPush, planned: .never))
  }
}
