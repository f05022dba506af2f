import Scenario
import SimulationKernel

/// An operating system's rules for widget reloads: start times, costs, and free triggers (MODEL.md 4).
///
/// The scheduler handles tickets and waits in the same way for all systems. The rules are selected at compile time, so
/// that the event path does not need a lookup.
protocol SchedulerRules {
  /// The system's state for a widget's permission to run, such as a budget or a quota.
  associatedtype Allowance: BitwiseCopyable

  /// The allowance of a widget that has not been placed yet.
  static var noAllowance: Allowance { get }

  /// Returns the allowance of a widget at its placement.
  static func newAllowance(_ widget: NewWidget, at now: Instant, _ phone: inout PhoneCore) -> Allowance

  // MARK: Tickets

  /// Returns the instant e, before which a due ticket does not start.
  static func eligible(due: Instant, after lastEnd: Instant, _ cohort: Prepared<CohortPlan>) -> Instant

  /// Whether a ticket's delay depends on a session at its eligible instant, and is therefore determined only then.
  static func delayDependsOnSession(of cause: Cause, _ cohort: Prepared<CohortPlan>) -> Bool

  /// Returns the delay D from the eligible instant to the planned start.
  static func startDelay(of cause: Cause, isInSession: Bool, _ cohort: Prepared<CohortPlan>) -> SpanSampler

  /// Decides whether a ticket may start at its planned instant, and updates the allowance.
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

  /// Whether this relief may end a ticket's wait for a reason.
  static func ends(_ reason: WaitReason, with relief: Relief) -> Bool

  // MARK: Other reloads

  /// Whether a ticket is overdue enough to allow a free reload on a view.
  static func mayReloadAtView(due: Instant, at now: Instant, _ cohort: Prepared<CohortPlan>) -> Bool

  /// Whether a view that may reload a widget actually does.
  static func reloadsAtView(_ view: OverdueView, _ phone: inout PhoneCore) -> Bool

  /// Whether a widget push reloads widgets at all.
  static func takesWidgetPushes(_ cohort: Prepared<CohortPlan>) -> Bool

  /// Whether a silent push that reaches a phone is delivered to its app; counts it if so.
  static func takesSilentPush(_ delivered: PushLog, at now: Instant, _ phone: inout PhoneCore) -> Bool

  /// Returns the probability that a silent push is delivered at all.
  static func silentPushDelivered(_ cohort: Prepared<CohortPlan>) -> Chance

  /// Returns the span during which at most one of the active app's calls per kind passes immediately.
  static func foregroundGap(_ cohort: Prepared<CohortPlan>) -> TimeAmount

  /// Returns the delay from a call by the active app to the runs that it starts.
  static func foregroundLatency(_ cohort: Prepared<CohortPlan>) -> SpanSampler

  // MARK: Timelines

  /// Returns the time after a run at which a timeline with a single entry ends.
  static func atEndGap(_ cohort: Prepared<CohortPlan>) -> TimeAmount

  /// Returns the time after which a crashed run is due again.
  static func crashRetry(_ cohort: Prepared<CohortPlan>) -> TimeAmount

  // MARK: Days

  /// Handles local midnight, because an allowance may depend on the views.
  ///
  /// - Parameter week: the number of views in the last seven whole days; `nil` if unknown.
  /// - Returns: whether a wait for the allowance may end at a different time than predicted.
  static func passMidnight(
    _ allowance: inout Allowance, of slot: Slot, week: Int?, at now: Instant, _ phone: inout PhoneCore
  ) -> Bool

  /// Ends the phone's lifetime and updates the periodic counts of an allowance.
  static func finish(_ allowance: inout Allowance, of slot: Slot, _ phone: inout PhoneCore)

  // MARK: Fast path

  /// Returns the constants for starts of a kind on a cohort's phones; `nil` if its runs are simulated step by step.
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
  /// The number of views in the last seven whole days; `nil` for a new widget or without a user.
  let week: Int?
  /// The mean views per day of an established widget, before the day factors; `nil` for other widgets.
  let viewsPerDay: Double?
  /// The unlocks per day of the widget's user; 0 if there is none.
  let unlocksPerDay: Double
}

/// A ticket that may start, with its widget.
struct PendingTicket {
  let slot: Slot
  let ticket: Ticket
  /// The instant e of the ticket, its earliest start.
  let eligible: Instant
  /// The number of the run requested by the ticket.
  let run: UInt32
}

/// A view of a widget whose ticket is due.
struct OverdueView {
  let slot: Slot
  /// The number of the view, used as the key of its draw.
  let ordinal: UInt32
  /// The number of views in the last seven whole days; `nil` until there are seven.
  let week: Int?
}

/// An event that may end a wait early.
enum Relief {
  case unlock
  case charger
}

/// The constants for all starts of a kind's runs.
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
  /// Another check at `until`, or earlier if the user or the charger changes the state.
  case wait(until: Instant, because: WaitReason)
}
