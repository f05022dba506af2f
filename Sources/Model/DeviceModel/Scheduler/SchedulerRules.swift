import Scenario
import SimulationKernel

/// The rules of an operating system for widget reloads, including start times, costs and free triggers (MODEL.md 4).
///
/// The scheduler handles tickets and waits in the same way for all systems. The rules are selected at compile time, so
/// that no lookup is needed on the event path.
protocol SchedulerRules {
  /// The state that determines a widget's permission to run, such as a budget or a quota.
  associatedtype Allowance: BitwiseCopyable

  /// The allowance of a widget that has not been placed yet.
  static var noAllowance: Allowance { get }

  /// Returns the allowance of a widget at its placement.
  static func newAllowance(_ widget: NewWidget, at now: Instant, _ phone: inout PhoneCore) -> Allowance

  // MARK: Tickets

  /// Returns the eligible instant e, before which a ticket does not start even if it is already due.
  static func eligible(due: Instant, after lastEnd: Instant, _ cohort: Prepared<CohortPlan>) -> Instant

  /// Whether a ticket's delay depends on a session at the eligible instant, so that the delay is determined only at
  /// that instant.
  static func delayDependsOnSession(of cause: Cause, _ cohort: Prepared<CohortPlan>) -> Bool

  /// Returns the delay D from the eligible instant to the planned start.
  static func startDelay(of cause: Cause, isInSession: Bool, _ cohort: Prepared<CohortPlan>) -> SpanSampler

  /// Decides whether a ticket may start at its planned instant, and updates the widget's allowance.
  static func decide(
    _ pending: PendingTicket, _ allowance: inout Allowance, at now: Instant, _ phone: inout PhoneCore,
    _ power: PowerSupply
  ) -> StartDecision

  /// Returns the cost of a run that is charged to the allowance.
  static func price(_ cohort: Prepared<CohortPlan>) -> RunMillionths

  /// Subtracts the cost of a charged run from the allowance.
  static func charge(_ price: RunMillionths, to allowance: inout Allowance)

  /// Returns the window within which eligible tickets start together; zero if tickets start separately.
  static func coalescingWindow(_ cohort: Prepared<CohortPlan>) -> TimeAmount

  /// Whether an event such as an unlock can end the wait of a ticket that is withheld for this reason.
  static func ends(_ reason: WaitReason, with relief: Relief) -> Bool

  // MARK: Other reloads

  /// Whether a ticket is so long overdue that a view may start a free reload.
  static func mayReloadAtView(due: Instant, at now: Instant, _ cohort: Prepared<CohortPlan>) -> Bool

  /// Whether a view that may reload a widget actually does so.
  static func reloadsAtView(_ view: OverdueView, _ phone: inout PhoneCore) -> Bool

  /// Whether widget pushes can reload widgets on this system.
  static func takesWidgetPushes(_ cohort: Prepared<CohortPlan>) -> Bool

  /// Returns whether a silent push that reaches a phone is delivered to the app; if so, also counts the push.
  static func takesSilentPush(_ delivered: PushLog, at now: Instant, _ phone: inout PhoneCore) -> Bool

  /// Returns the probability that a silent push is delivered.
  static func silentPushDelivered(_ cohort: Prepared<CohortPlan>) -> Chance

  /// Returns the interval in which the active app gets at most one immediate reload per kind.
  static func foregroundGap(_ cohort: Prepared<CohortPlan>) -> TimeAmount

  /// Returns the delay between a call by the active app and the runs that the call starts.
  static func foregroundLatency(_ cohort: Prepared<CohortPlan>) -> SpanSampler

  // MARK: Timelines

  /// Returns the time from a run to the end of its timeline, for timelines with a single entry.
  static func atEndGap(_ cohort: Prepared<CohortPlan>) -> TimeAmount

  /// Returns the time after which a crashed run is due again.
  static func crashRetry(_ cohort: Prepared<CohortPlan>) -> TimeAmount

  // MARK: Days

  /// Handles local midnight, when an allowance may change because of the number of views.
  ///
  /// - Parameter week: the number of views in the last seven whole days; `nil` if this number is unknown.
  /// - Returns: whether a wait for the allowance may end at a different time than predicted.
  static func passMidnight(
    _ allowance: inout Allowance, of slot: Slot, week: Int?, at now: Instant, _ phone: inout PhoneCore
  ) -> Bool

  /// Updates the periodic counts of an allowance at the end of the phone's lifetime.
  static func finish(_ allowance: inout Allowance, of slot: Slot, _ phone: inout PhoneCore)

  // MARK: Fast path

  /// Returns the constants for starting a kind's runs on a cohort's phones; `nil` if starts must be simulated step by
  /// step.
  static func fastStart(_ kind: Prepared<KindPlan>, _ cohort: Prepared<CohortPlan>) -> FastStart?

  /// Whether the allowance permits a run to start, assuming that `FastStart.startsFreely` is `true`. If the result is
  /// `false`, `decide` must be called.
  static func startsFreely(_ allowance: Allowance, at now: Instant, _ power: PowerSupply) -> Bool

  // MARK: Checks

  /// Returns the first broken invariant of an allowance; `nil` if all invariants hold.
  static func brokenInvariant(_ allowance: Allowance, of slot: Slot, _ phone: borrowing PhoneCore) -> String?
}

extension SchedulerRules {
  static func finish(_ allowance: inout Allowance, of slot: Slot, _ phone: inout PhoneCore) {}
}

/// A widget at the time of its placement.
struct NewWidget {
  let slot: Slot
  /// The number of views in the last seven whole days; `nil` if the widget is new or the phone has no user.
  let week: Int?
  /// The mean number of views per day of an established widget, before day factors are applied; `nil` for other
  /// widgets.
  let viewsPerDay: Double?
  /// The number of times per day that the widget's user unlocks the phone; 0 if the phone has no user.
  let unlocksPerDay: Double
}

/// A ticket that may be able to start, together with its widget.
struct PendingTicket {
  let slot: Slot
  let ticket: Ticket
  /// The eligible instant e of the ticket, which is its earliest start.
  let eligible: Instant
  /// The number of the run requested by the ticket.
  let run: UInt32
}

/// A view of a widget whose ticket is already due.
struct OverdueView {
  let slot: Slot
  /// The number of the view, used as the key of its draw.
  let ordinal: UInt32
  /// The number of views in the last seven whole days; `nil` until seven whole days have passed.
  let week: Int?
}

/// An event that may end a wait before its planned end.
enum Relief {
  case unlock
  case charger
}

/// The constants for starting any run of a kind.
struct FastStart {
  /// Whether only the allowance and Low Power Mode can withhold a run.
  var startsFreely: Bool
  /// The start delay D of policy tickets.
  var startDelay: SpanSampler
  var minSpacing: TimeAmount
}

/// The scheduler's decision about a ticket at its planned instant (MODEL.md 4.5).
enum StartDecision: Equatable {
  case start
  /// A decision to check again at `until`, or earlier if the user or the charger changes the state.
  case wait(until: Instant, because: WaitReason)
}
