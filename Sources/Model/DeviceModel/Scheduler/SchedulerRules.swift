import Scenario
import SimulationKernel

/// The laws of an operating system for the reloads that widgets ask for: when one may start, at what price, what starts
/// one for nothing (MODEL.md 4).
///
/// The scheduler keeps tickets and waits the same way for all of them. Chosen at compile time: the event path asks no
/// table which rules hold.
protocol SchedulerRules {
  /// What the system remembers of a widget's right to run: a budget, a quota.
  associatedtype Allowance: BitwiseCopyable

  /// The allowance of a widget that is not placed yet.
  static var noAllowance: Allowance { get }

  /// The allowance of a widget that is placed now.
  static func newAllowance(_ widget: NewWidget, at now: Instant, _ phone: inout PhoneCore) -> Allowance

  // MARK: Tickets

  /// e: a ticket that is due does not start before.
  static func eligible(due: Instant, after lastEnd: Instant, _ cohort: Prepared<CohortPlan>) -> Instant

  /// Whether a ticket's delay depends on a session at its eligible instant, so that it is fixed only then.
  static func delayDependsOnSession(of cause: Cause, _ cohort: Prepared<CohortPlan>) -> Bool

  /// D: from the eligible instant to the planned start.
  static func startDelay(of cause: Cause, isInSession: Bool, _ cohort: Prepared<CohortPlan>) -> SpanSampler

  /// Whether a ticket whose planned instant has come may start; brings the allowance up to date.
  static func decide(
    _ pending: PendingTicket, _ allowance: inout Allowance, at now: Instant, _ phone: inout PhoneCore,
    _ power: PowerSupply
  ) -> StartDecision

  /// What a charged run takes from the allowance.
  static func price(_ cohort: Prepared<CohortPlan>) -> RunMillionths

  /// Takes the price of a charged run.
  static func charge(_ price: RunMillionths, to allowance: inout Allowance)

  /// Within which tickets that may start do so together; zero: each for itself.
  static func coalescingWindow(_ cohort: Prepared<CohortPlan>) -> TimeAmount

  /// Whether a ticket that waits for a reason may start once this has happened.
  static func ends(_ reason: WaitReason, with relief: Relief) -> Bool

  // MARK: Other reloads

  /// Whether a ticket is overdue enough for a view to reload its widget for nothing.
  static func mayReloadAtView(due: Instant, at now: Instant, _ cohort: Prepared<CohortPlan>) -> Bool

  /// Whether a view that may reload a widget does.
  static func reloadsAtView(_ view: OverdueView, _ phone: inout PhoneCore) -> Bool

  /// Whether a widget push reloads widgets at all.
  static func takesWidgetPushes(_ cohort: Prepared<CohortPlan>) -> Bool

  /// Whether a silent push that comes to a phone is delivered to its app; counts it if so.
  static func takesSilentPush(_ delivered: PushLog, at now: Instant, _ phone: inout PhoneCore) -> Bool

  /// Chance of a silent push to be delivered at all.
  static func silentPushDelivered(_ cohort: Prepared<CohortPlan>) -> Chance

  /// At most one call of the active app for each kind in this time is let through at once.
  static func foregroundGap(_ cohort: Prepared<CohortPlan>) -> TimeAmount

  /// From a call of the active app to the runs that it starts.
  static func foregroundLatency(_ cohort: Prepared<CohortPlan>) -> SpanSampler

  // MARK: Timelines

  /// When a timeline of one entry has come to its end, after the run that brought it.
  static func atEndGap(_ cohort: Prepared<CohortPlan>) -> TimeAmount

  // MARK: Days

  /// Local midnight: what a widget is allowed may follow from how often it was seen.
  ///
  /// - Parameter week: views of the last seven whole days; nil: there were none.
  /// - Returns: whether a wait for the allowance may end at another time than was foreseen.
  static func passMidnight(
    _ allowance: inout Allowance, of slot: Slot, week: Int?, at now: Instant, _ phone: inout PhoneCore
  ) -> Bool

  /// The end of the phone's life: what is counted of an allowance from time to time is counted up to it.
  static func finish(_ allowance: inout Allowance, of slot: Slot, _ phone: inout PhoneCore)

  // MARK: Fast path

  /// What is the same at every start of a kind's runs on a cohort's phones; nil: its runs are lived step by step.
  static func fastStart(_ kind: Prepared<KindPlan>, _ cohort: Prepared<CohortPlan>) -> FastStart?

  /// Whether the allowance lets a run start where `FastStart.startsFreely`; false: `decide` is to be asked.
  static func startsFreely(_ allowance: Allowance, at now: Instant, _ power: PowerSupply) -> Bool

  // MARK: Checks

  /// What is wrong with an allowance; nil when all is well.
  static func brokenInvariant(_ allowance: Allowance, of slot: Slot, _ phone: borrowing PhoneCore) -> String?
}

extension SchedulerRules {
  static func finish(_ allowance: inout Allowance, of slot: Slot, _ phone: inout PhoneCore) {}
}

/// A widget at its placement.
struct NewWidget {
  let slot: Slot
  /// Views of the last seven whole days; nil: it is new, or nobody uses the phone.
  let week: Int?
  /// Mean views a day, before the days' factors, of a widget that has been there for long; nil for others.
  let viewsPerDay: Double?
  /// Unlocks of its owner, 0 without one.
  let unlocksPerDay: Double
}

/// A ticket that may start, and whose it is.
struct PendingTicket {
  let slot: Slot
  let ticket: Ticket
  /// e of the ticket.
  let eligible: Instant
  /// Number of the run that it asks for.
  let run: UInt32
}

/// A view of a widget whose ticket is due.
struct OverdueView {
  let slot: Slot
  /// Number of the view, which keys its draw.
  let ordinal: UInt32
  /// Views of the last seven whole days; nil before there were seven.
  let week: Int?
}

/// What may end a wait before its time.
enum Relief {
  case unlock
  case charger
}

/// What is the same at every start of a kind's runs.
struct FastStart {
  /// Whether nothing but the allowance and Low Power Mode withholds a run.
  var startsFreely: Bool
  /// D of tickets of the policy.
  var startDelay: SpanSampler
  var minSpacing: TimeAmount
}

/// What the scheduler does with a ticket whose planned instant has come (MODEL.md 4.5).
enum StartDecision: Equatable {
  case start
  /// Look again at `until`, or earlier when the person or the charger changes things.
  case wait(until: Instant, because: WaitReason)
}
