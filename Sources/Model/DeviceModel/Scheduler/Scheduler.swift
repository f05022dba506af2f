import Scenario
import SimulationKernel

/// The scheduler of a phone's tickets, which are scheduled reloads that can be merged and withheld (MODEL.md 4.3-4.6).
struct Scheduler<Rules: SchedulerRules>: BitwiseCopyable {
  private let rows: Column<Slot, WidgetRow>

  /// The part of the scheduler's state that is stored with the widget's row.
  typealias State = AllowanceState<Rules.Allowance>

  @inline(__always)
  init(_ rows: Column<Slot, WidgetRow>) { self.rows = rows }

  /// Adds a widget that has not been placed yet.
  func add(_ slot: Slot) { rows[slot, as: State.self] = State(Rules.noAllowance) }

  // MARK: Tickets

  /// Returns the ticket of a widget that is not running, or the request made during the run of a running widget.
  @inline(__always)
  func ticket(of slot: Slot) -> Ticket { rows[slot].scheduling.ticket }

  /// Requests a scheduled reload of a widget that is not running. The request becomes a ticket or is merged with the
  /// current one.
  func request(_ request: ReloadRequest, of slot: Slot, after last: LastRun, at now: Instant, _ phone: inout PhoneCore)
  {
    let ticket = rows[slot].scheduling.ticket
    if ticket.exists {
      guard request.due < ticket.due else { return }
      cancel(slot, &phone)
    }
    setTicket(slot, request, after: last, at: now, &phone)
  }

  /// Stores a request until the current run ends and the next ticket is set.
  func keep(_ request: ReloadRequest, of slot: Slot) { rows[slot].scheduling.ticket.keep(request) }

  /// Returns and removes the request made during a run; the widget must have no ticket.
  @inline(__always)
  func takePending(_ slot: Slot) -> ReloadRequest? {
    let kept = rows[slot].scheduling.ticket
    rows[slot].scheduling.ticket = .none
    return kept.request
  }

  /// Removes a ticket when a run starts or a timeline requests no reload; the queue must no longer contain the ticket's
  /// check.
  @inline(__always)
  func removeTicket(_ slot: Slot) { rows[slot].scheduling.ticket = .none }

  /// Sets the ticket of a widget and schedules the ticket's next check.
  ///
  /// - Parameter uniform: the draw U that determines the start delay; `nil` if it has not been generated yet.
  func setTicket(
    _ slot: Slot, _ request: ReloadRequest, after last: LastRun, uniform: UInt64? = nil, at now: Instant,
    _ phone: inout PhoneCore
  ) {
    rows[slot].scheduling.ticket = Ticket(request, planned: .never)
    let eligible = Rules.eligible(due: request.due, after: last.end, phone.cohort)
    if eligible > now, Rules.delayDependsOnSession(of: request.cause, phone.cohort) {
      phone.schedule(.eligible(slot), at: eligible)
    } else {
      plan(slot, request.cause, eligible: eligible, after: last, uniform: uniform, &phone)
    }
  }

  /// Sets a ticket whose planned start is scheduled by the caller.
  @inline(__always)
  func setPlannedTicket(_ slot: Slot, _ ticket: Ticket) { rows[slot].scheduling.ticket = ticket }

  /// Determines a ticket's start delay, which depends on whether a session is in progress at the eligible instant
  /// (MODEL.md 4.5).
  func becomeEligible(_ slot: Slot, after last: LastRun, _ phone: inout PhoneCore) {
    guard let cause = rows[slot].scheduling.ticket.cause else { return }
    let eligible = eligible(slot, after: last, phone.cohort)
    plan(slot, cause, eligible: eligible, after: last, uniform: nil, &phone)
  }

  /// Returns the eligible instant e of a widget's ticket (MODEL.md 4.4).
  @inline(__always)
  func eligible(_ slot: Slot, after last: LastRun, _ cohort: Prepared<CohortPlan>) -> Instant {
    Rules.eligible(due: rows[slot].scheduling.ticket.due, after: last.end, cohort)
  }

  @inline(__always)
  private func plan(
    _ slot: Slot, _ cause: Cause, eligible: Instant, after last: LastRun, uniform: UInt64?, _ phone: inout PhoneCore
  ) {
    let delay = Rules.startDelay(of: cause, isInSession: phone.presence.isInSession, phone.cohort)
    let delayed =
      delay.isConstant
      ? delay.span(at: 0) : delay.span(at: uniform ?? phone.scheduleDraws(slot, run: last.number).first)
    let planned = eligible + delayed
    rows[slot].scheduling.ticket.planned = planned
    let event = DeviceEvent.start(slot)
    phone.queue.scheduleInPlace(event, at: planned, rank: event.rank)
  }

  /// Removes a ticket's next check from the queue.
  func cancel(_ slot: Slot, _ phone: inout PhoneCore) {
    if rows[slot].scheduling.ticket.planned == .never {
      phone.queue.cancelSoonest { if case .eligible(slot) = $0 { true } else { false } }
    } else {
      phone.queue.cancelSoonest { if case .start(slot) = $0 { true } else { false } }
    }
  }

  // MARK: The next view

  /// Records a location change, so that the next view reloads the widget (MODEL.md 2.7).
  func reloadAtNextView(_ slot: Slot) { rows[slot].scheduling.reloadsAtNextView = true }
  func reloadsAtNextView(_ slot: Slot) -> Bool { rows[slot].scheduling.reloadsAtNextView }

  // MARK: Decisions to start

  /// Returns whether the rules allow a widget's ticket to start now.
  @inline(__always)
  func decide(
    _ slot: Slot, after last: LastRun, at now: Instant, _ phone: inout PhoneCore, _ power: PowerSupply
  ) -> StartDecision {
    let pending = PendingTicket(
      slot: slot, ticket: rows[slot].scheduling.ticket, eligible: eligible(slot, after: last, phone.cohort),
      run: last.number)
    return Rules.decide(pending, &rows[slot, as: State.self].allowance, at: now, &phone, power)
  }

  /// Whether a ticket may start now without checking most of the rules; if `false`, the rules must decide.
  @inline(__always)
  func startsFreely(_ slot: Slot, at now: Instant, _ power: PowerSupply) -> Bool {
    Rules.startsFreely(rows[slot, as: State.self].allowance, at: now, power)
  }

  /// Whether a ticket starts together with another ticket that is starting now (MODEL.md 4.6).
  func coalesces(
    _ slot: Slot, after last: LastRun, at now: Instant, _ phone: inout PhoneCore, _ power: PowerSupply
  ) -> Bool {
    let ticket = rows[slot].scheduling.ticket
    let window = Rules.coalescingWindow(phone.cohort)
    guard now >= eligible(slot, after: last, phone.cohort), ticket.isPlanned(after: now, within: window) else {
      return false
    }
    return decide(slot, after: last, at: now, &phone, power) == .start
  }

  // MARK: Waits

  /// Returns the reason why a widget's ticket is waiting; `nil` if it is not waiting.
  @inline(__always)
  func waitReason(_ slot: Slot) -> WaitReason? { rows[slot].scheduling.waitReason }

  /// Starts a wait for the given reason, or continues the current wait if it has the same reason.
  func withhold(_ slot: Slot, because reason: WaitReason, at now: Instant, _ phone: inout PhoneCore) {
    guard rows[slot].scheduling.waitReason != reason else { return }
    endWait(slot, at: now, &phone)
    rows[slot].scheduling.wait = Wait(reason: reason, since: now)
    if reason == .budget { noteExhaustion(slot, at: now, &phone) }
  }

  /// Counts the first time on a local day that the budget withholds a widget's run.
  private func noteExhaustion(_ slot: Slot, at now: Instant, _ phone: inout PhoneCore) {
    let local = phone.wall.reading(at: now)
    let day = Int32(truncatingIfNeeded: local.day.number)
    guard day != rows[slot, as: State.self].exhaustedDay else { return }
    rows[slot, as: State.self].exhaustedDay = day
    if phone.plan.isMeasured(now) { phone.tally.recordExhaustion(at: local, now, phone.group(of: slot)) }
  }

  /// Ends the wait of a widget whose run is starting, and clears a recorded location change.
  @inline(__always)
  func beginRun(_ slot: Slot, at now: Instant, _ phone: inout PhoneCore) {
    endWait(slot, at: now, &phone)
    rows[slot].scheduling.reloadsAtNextView = false
  }

  /// Ends the current wait, if any, and counts it if it ends in the measured period.
  @inline(__always)
  private func endWait(_ slot: Slot, at now: Instant, _ phone: inout PhoneCore) {
    if let reason = rows[slot].scheduling.waitReason { endWait(slot, for: reason, at: now, &phone) }
  }

  @inline(never)
  private func endWait(_ slot: Slot, for reason: WaitReason, at now: Instant, _ phone: inout PhoneCore) {
    if phone.plan.isMeasured(now) {
      let length = now - rows[slot].scheduling.wait.since
      phone.tally.recordWait(reason, length: length, phone.group(of: slot))
    }
    if phone.isFollowed { followWait(slot, upTo: now, &phone) }
    rows[slot].scheduling.wait = .none
  }

  /// Adds the current wait of a followed widget, if any, to the breakdown of the widget's time.
  func followWait(_ slot: Slot, upTo now: Instant, _ phone: inout PhoneCore) {
    let wait = rows[slot].scheduling.wait
    guard let reason = wait.reason else { return }
    let length = phone.measuredMilliseconds(from: wait.since, to: now)
    phone.tally.followed(phone.group(of: slot)).add(AskedPart(reason), length)
  }

  /// Ends the waits that an event such as an unlock can end early. Their tickets are checked after all other events at
  /// this instant.
  func endWaits(with relief: Relief, at now: Instant, _ phone: inout PhoneCore) {
    for slot in phone.slots {
      if let reason = rows[slot].scheduling.waitReason, Rules.ends(reason, with: relief) {
        recheck(slot, at: now, &phone)
      }
    }
  }

  private func recheck(_ slot: Slot, at now: Instant, _ phone: inout PhoneCore) {
    phone.queue.cancel(.start(slot))
    phone.schedule(.start(slot), at: now)
  }

  // MARK: The allowance

  /// Creates the allowance of a widget at its placement.
  func open(_ widget: NewWidget, at now: Instant, _ phone: inout PhoneCore) {
    rows[widget.slot, as: State.self].allowance = Rules.newAllowance(widget, at: now, &phone)
  }

  /// Charges the cost of a charged run to the allowance.
  @inline(__always)
  func charge(_ slot: Slot, _ price: RunMillionths) { Rules.charge(price, to: &rows[slot, as: State.self].allowance) }

  func allowance(of slot: Slot) -> Rules.Allowance { rows[slot, as: State.self].allowance }

  /// Updates a widget's allowance at the end of the phone's lifetime.
  func finish(_ slot: Slot, _ phone: inout PhoneCore) {
    Rules.finish(&rows[slot, as: State.self].allowance, of: slot, &phone)
  }

  /// Handles local midnight, when an allowance may change because of the views in the last week.
  func passMidnight(_ slot: Slot, week: Int?, at now: Instant, _ phone: inout PhoneCore) {
    let changes = Rules.passMidnight(&rows[slot, as: State.self].allowance, of: slot, week: week, at: now, &phone)
    if changes, rows[slot].scheduling.waitReason == .budget { recheck(slot, at: now, &phone) }
  }

  // MARK: Snapshots and checks

  /// Returns the reason why a ticket waits, and when the wait started.
  func wait(of slot: Slot) -> Wait { rows[slot].scheduling.wait }

  /// Returns the first broken invariant of a widget's ticket; `nil` if all invariants hold.
  ///
  /// - Parameter looks: the number of pending checks of the widget's ticket.
  func brokenInvariant(
    of slot: Slot, after last: LastRun, isRunning: Bool, looks: Int, at now: Instant, _ phone: borrowing PhoneCore
  ) -> String? {
    let (ticket, wait) = (rows[slot].scheduling.ticket, rows[slot].scheduling.wait)
    if let broken = Rules.brokenInvariant(rows[slot, as: State.self].allowance, of: slot, phone) { return broken }
    if isRunning { return ticket.planned != .never || looks > 0 ? "a ticket during a run" : nil }
    guard ticket.exists else {
      return looks > 0 || wait.reason != nil ? "a start or a wait without a ticket" : nil
    }
    let eligible = eligible(slot, after: last, phone.cohort)
    if ticket.due > eligible || eligible > ticket.planned { return "due, e and planned are out of order" }
    if eligible < Rules.eligible(due: .longAgo, after: last.end, phone.cohort) { return "e within the spacing" }
    if wait.reason == nil, looks != 1 || ticket.planned < now { return "a ticket without an event" }
    if wait.reason != nil, looks > 1 || wait.since < ticket.planned || wait.since > now {
      return "a wait at another time"
    }
    return nil
  }
}

/// The scheduler's state for a widget.
///
/// The fields are ordered so that there are few gaps between them.
struct TicketState: BitwiseCopyable {
  private var waitsSince = Instant.longAgo
  /// The ticket or, during a run, the request made since the run started.
  fileprivate var ticket = Ticket.none
  fileprivate private(set) var waitReason: WaitReason?
  /// Whether the next view of the widget starts a free run.
  fileprivate var reloadsAtNextView = false

  fileprivate var wait: Wait {
    get { Wait(reason: waitReason, since: waitsSince) }
    set {
      waitReason = newValue.reason
      waitsSince = newValue.since
    }
  }
}

/// The scheduler's state for a widget's allowance.
struct AllowanceState<Allowance: BitwiseCopyable>: BitwiseCopyable {
  fileprivate var allowance: Allowance
  /// The most recent local day on which the budget withheld a run.
  fileprivate var exhaustedDay: Int32 = .min

  fileprivate init(_ allowance: Allowance) { self.allowance = allowance }
}

/// A request for a scheduled reload.
struct ReloadRequest: BitwiseCopyable {
  var due: Instant
  var cause: Cause
}

/// The last run of a widget, from which the widget's ticket is computed.
struct LastRun: BitwiseCopyable {
  /// The number of runs started so far, which is also the number of the next run.
  let number: UInt32
  let end: Instant
}

/// The pending scheduled reload of a widget (MODEL.md 4). A widget has at most one ticket; further requests are merged
/// with it.
///
/// There is no ticket during a run. Instead, a request made during the run is stored here and is merged with the ticket
/// that follows the run (MODEL.md 4.3).
struct Ticket: BitwiseCopyable, Equatable {
  var due: Instant
  /// The planned start e + D, at which the ticket starts unless it is withheld (MODEL.md 4.5). The value is `.never`
  /// until the delay D is determined at e.
  var planned: Instant
  /// The cause of the ticket; `nil` if there is no ticket.
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

  /// The request that the ticket fulfils; `nil` if there is no ticket.
  var request: ReloadRequest? { cause.map { ReloadRequest(due: due, cause: $0) } }

  /// Whether the planned start is later than `now`, by at most `span`.
  func isPlanned(after now: Instant, within span: TimeAmount) -> Bool { now < planned && planned <= now + span }

  /// Returns the eligible instant e under a system that requires a minimum time between the end of a run and the next
  /// scheduled start (MODEL.md 4.4).
  @inline(__always)
  static func eligible(due: Instant, after lastEnd: Instant, minSpacing: TimeAmount) -> Instant {
    max(due, lastEnd + minSpacing)
  }

  /// Stores a request for the ticket after the current run; only the request with the earliest due date is kept.
  mutating func keep(_ request: ReloadRequest) {
    guard cause == nil || request.due < due else { return }
    due = request.due
    cause = request.cause
  }
}

/// The reason why a ticket waits, and when the wait started.
struct Wait: BitwiseCopyable, Equatable {
  var since: Instant
  /// The reason for the wait; `nil` if the ticket is not withheld.
  var reason: WaitReason?

  init(reason: WaitReason?, since: Instant) {
    self.since = since
    self.reason = reason
  }

  static let none = Wait(reason: nil, since: .longAgo)
}
