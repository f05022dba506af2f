import Scenario
import SimulationKernel

/// An operating system's rules for widget reloads: when they start, their cost, and free triggers (MODEL.md 4).
///
/// The scheduler handles tickets and waits in the same way for all systems. The rules are chosen at compile time, so
/// that the event path needs no lookup.
protocol SchedulerRules {
  /// The system's state for a widget's permission to run, such as a budget or a quota.
  associatedtype Allowance: BitwiseCopyable

  /// The allowance of a widget that is not placed yet.
  static var noAllowance: Allowance { get }

  /// Returns the allowance of a widget that is being placed now.
  static func newAllowance(_ widget: NewWidget, at now: Instant, _ phone: inout PhoneCore) -> Allowance

  // MARK: Tickets

  /// Returns e, before which a due ticket does not start.
  static func eligible(due: Instant, after lastEnd: Instant, _ cohort: Prepared<CohortPlan>) -> Instant

  /// Whether a ticket's delay depends on a session at its eligible instant, so that it is determined only then.
  static func delayDependsOnSession(of cause: Cause, _ cohort: Prepared<CohortPlan>) -> Bool

  /// Returns D, the delay from the eligible instant to the planned start.
  static func startDelay(of cause: Cause, isInSession: Bool, _ cohort: Prepared<CohortPlan>) -> SpanSampler

  /// Decides whether a ticket may start at its planned instant, and brings the allowance up to date.
  static func decide(
    _ pending: PendingTicket, _ allowance: inout Allowance, at now: Instant, _ phone: inout PhoneCore,
    _ power: PowerSupply
  ) -> StartDecision

  /// Returns the cost of a charged run.
  static func price(_ cohort: Prepared<CohortPlan>) -> RunMillionths

  /// Charges the cost of a charged run.
  static func charge(_ price: RunMillionths, to allowance: inout Allowance)

  /// Returns the window within which startable tickets start together; zero if they start separately.
  static func coalescingWindow(_ cohort: Prepared<CohortPlan>) -> TimeAmount

  /// Whether a ticket that waits for a reason may start after this relief.
  static func ends(_ reason: WaitReason, with relief: Relief) -> Bool

  // MARK: Other reloads

  /// Whether a ticket is overdue enough for a free reload on a view.
  static func mayReloadAtView(due: Instant, at now: Instant, _ cohort: Prepared<CohortPlan>) -> Bool

  /// Whether a view that may reload a widget does so.
  static func reloadsAtView(_ view: OverdueView, _ phone: inout PhoneCore) -> Bool

  /// Whether a widget push reloads widgets at all.
  static func takesWidgetPushes(_ cohort: Prepared<CohortPlan>) -> Bool

  /// Whether a silent push that reaches a phone is delivered to its app; it is counted if so.
  static func takesSilentPush(_ delivered: PushLog, at now: Instant, _ phone: inout PhoneCore) -> Bool

  /// Returns the probability that a silent push is delivered at all.
  static func silentPushDelivered(_ cohort: Prepared<CohortPlan>) -> Chance

  /// Returns the span in which at most one of the active app's calls per kind passes immediately.
  static func foregroundGap(_ cohort: Prepared<CohortPlan>) -> TimeAmount

  /// Returns the delay from a call by the active app to the runs that it starts.
  static func foregroundLatency(_ cohort: Prepared<CohortPlan>) -> SpanSampler

  // MARK: Timelines

  /// Returns the time after a run at which a timeline with a single entry ends.
  static func atEndGap(_ cohort: Prepared<CohortPlan>) -> TimeAmount

  // MARK: Days

  /// Handles local midnight, since an allowance may depend on the views.
  ///
  /// - Parameter week: the views of the last seven whole days; `nil` if unknown.
  /// - Returns: whether a wait for the allowance may end at a different time than predicted.
  static func passMidnight(
    _ allowance: inout Allowance, of slot: Slot, week: Int?, at now: Instant, _ phone: inout PhoneCore
  ) -> Bool

  /// Ends the phone's lifetime: periodic counts of an allowance are brought up to date.
  static func finish(_ allowance: inout Allowance, of slot: Slot, _ phone: inout PhoneCore)

  // MARK: Fast path

  /// Returns the constants of a kind's starts on a cohort's phones; `nil` if its runs are simulated step by step.
  static func fastStart(_ kind: Prepared<KindPlan>, _ cohort: Prepared<CohortPlan>) -> FastStart?

  /// Whether the allowance permits a run to start if `FastStart.startsFreely`; if false, `decide` must be called.
  static func startsFreely(_ allowance: Allowance, at now: Instant, _ power: PowerSupply) -> Bool

  // MARK: Checks

  /// Returns a broken invariant of an allowance; `nil` if there is none.
  static func brokenInvariant(_ allowance: Allowance, of slot: Slot, _ phone: borrowing PhoneCore) -> String?
}

extension SchedulerRules {
  static func finish(_ allowance: inout Allowance, of slot: Slot, _ phone: inout PhoneCore) {}
}

/// A widget at the time of its placement.
struct NewWidget {
  let slot: Slot
  /// The views of the last seven whole days; `nil` for a new widget or without a user.
  let week: Int?
  /// The mean views per day of a long-standing widget, before the day factors; `nil` for others.
  let viewsPerDay: Double?
  /// The unlocks of its user; 0 if there is none.
  let unlocksPerDay: Double
}

/// A ticket that may start, with its widget.
struct PendingTicket {
  let slot: Slot
  let ticket: Ticket
  /// The instant e of the ticket, before which it does not start.
  let eligible: Instant
  /// The number of the run that it requests.
  let run: UInt32
}

/// A view of a widget whose ticket is due.
struct OverdueView {
  let slot: Slot
  /// The number of the view, which keys its draw.
  let ordinal: UInt32
  /// The views of the last seven whole days; `nil` until there are seven.
  let week: Int?
}

/// An event that may end a wait early.
enum Relief {
  case unlock
  case charger
}

/// The constants of all starts of a kind's runs.
struct FastStart {
  /// Whether only the allowance and Low Power Mode can withhold a run.
  var startsFreely: Bool
  /// The delay D for tickets of the policy.
  var startDelay: SpanSampler
  var minSpacing: TimeAmount
}

/// The scheduler's decision about a ticket at its planned instant (MODEL.md 4.5).
enum StartDecision: Equatable {
  case start
  /// A new check at `until`, or earlier if the user or the charger changes the state.
  case wait(until: Instant, because: WaitReason)
}
