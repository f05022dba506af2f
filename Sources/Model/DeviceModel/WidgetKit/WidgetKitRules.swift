import Scenario
import SimulationKernel

/// The iOS rules for widget reloads (MODEL.md 4): spacing, budget, idle phones, Low Power Mode and stale views.
enum WidgetKitRules: SchedulerRules {
  static var noAllowance: BudgetAccount { BudgetAccount() }

  // MARK: Tickets

  @inline(__always)
  static func eligible(due: Instant, after lastEnd: Instant, _ cohort: Prepared<CohortPlan>) -> Instant {
    Ticket.eligible(due: due, after: lastEnd, minSpacing: cohort.system.minSpacing)
  }

  @inline(__always)
  static func delayDependsOnSession(of cause: Cause, _ cohort: Prepared<CohortPlan>) -> Bool {
    cohort.system.delayDependsOnSession && cause.isDelayedBySession
  }

  /// Returns the delay D, which depends on the class of the cause (MODEL.md 4.5).
  @inline(__always)
  static func startDelay(of cause: Cause, isInSession: Bool, _ cohort: Prepared<CohortPlan>) -> SpanSampler {
    switch cause {
    case .background: cohort.system.backgroundDelay
    case .widgetPush: cohort.system.widgetPushDelay
    default: isInSession ? cohort.system.inUseDelay : cohort.system.policyDelay
    }
  }

  @inline(__always)
  static func decide(
    _ pending: PendingTicket, _ account: inout BudgetAccount, at now: Instant, _ phone: inout PhoneCore,
    _ power: PowerSupply
  ) -> StartDecision {
    let lowPowerEnd = lowPowerEnd(of: pending, &phone, power)
    let sufficesAt = budgetSuffices(&account, of: pending.slot, at: now, &phone, power)
    return StartRule(
      ticket: pending.ticket, eligible: pending.eligible, now: now, isLocked: isLocked(pending.slot, &phone),
      idle: phone.cohort.system.idle, lastSessionEnd: phone.presence.lastSessionEnd, lowPowerEnd: lowPowerEnd,
      budgetSufficesAt: sufficesAt
    ).decision
  }

  @inline(__always)
  static func price(_ cohort: Prepared<CohortPlan>) -> RunMillionths { BudgetAccount.price(cohort.system.budget.model) }

  @inline(__always)
  static func charge(_ price: RunMillionths, to account: inout BudgetAccount) { account.charge(price) }

  @inline(__always)
  static func coalescingWindow(_ cohort: Prepared<CohortPlan>) -> TimeAmount { cohort.system.coalescingWindow }

  static func ends(_ reason: WaitReason, with relief: Relief) -> Bool {
    switch (reason, relief) {
    case (.idle, .unlock), (.locked, .unlock): true
    // A balance of 0 is sufficient while the phone is charging.
    case (.budget, .charger): true
    case (.idle, .charger), (.locked, .charger), (.lowPower, _), (.budget, .unlock): false
    }
  }

  /// Whether data protection withholds the scheduled runs of a widget (MODEL.md 3.3, 4.5).
  @inline(__always)
  private static func isLocked(_ slot: Slot, _ phone: inout PhoneCore) -> Bool {
    phone.kind(of: slot).isProtected && !phone.presence.isInSession
  }

  /// Returns the time until which Low Power Mode withholds a ticket; in the past if Low Power Mode is off or the phone
  /// is charging.
  @inline(__always)
  private static func lowPowerEnd(of pending: PendingTicket, _ phone: inout PhoneCore, _ power: PowerSupply) -> Instant
  {
    guard power.isSaving, !power.isCharging else { return .longAgo }
    // The ticket waits for low_power_wait x (0.9 + 0.1 U).
    let wait = phone.cohort.system.lowPowerWait
    let variation = TimeAmount.milliseconds(wait.milliseconds / 100 * ModelConstants.lowPowerVariation)
    let spread = SpanSampler.part(of: variation, at: phone.scheduleDraws(pending.slot, run: pending.run).first)
    return pending.eligible + (wait - variation) + spread
  }

  // MARK: Budget

  /// Returns the instant at which the budget allows a charged run to start; it is no earlier than `now`.
  @inline(__always)
  private static func budgetSuffices(
    _ account: inout BudgetAccount, of slot: Slot, at now: Instant, _ phone: inout PhoneCore, _ power: PowerSupply
  ) -> Instant {
    if !account.isUpToDate(at: now) { bring(&account, of: slot, upTo: now, &phone) }
    if account.suffices(phone.cohort.system.budget.model, isCharging: false) { return now }
    return chargingSuffices(account, at: now, &phone, power)
  }

  /// Returns the instant at which a balance below 1 becomes sufficient. While the phone is charging, a balance of 0 is
  /// sufficient.
  private static func chargingSuffices(
    _ account: BudgetAccount, at now: Instant, _ phone: inout PhoneCore, _ power: PowerSupply
  ) -> Instant {
    let (budget, isCharging) = (phone.cohort.system.budget, power.isCharging)
    if account.suffices(budget.model, isCharging: isCharging) { return now }
    let threshold = BudgetAccount.threshold(isCharging: isCharging)
    return account.instant(reaching: threshold, plan: budget, clock: phone.accrualClock)
  }

  private static func bring(
    _ account: inout BudgetAccount, of slot: Slot, upTo now: Instant, _ phone: inout PhoneCore
  ) {
    let isFollowed = phone.isFollowed && phone.cohort.system.budget.model != .off
    if isFollowed { lookEachHour(&account, of: slot, upTo: now, &phone) }
    account.update(at: now, plan: phone.cohort.system.budget, clock: phone.accrualClock)
    if isFollowed { account.validUntil = min(account.validUntil, phone.accrualClock.hour(after: now)) }
  }

  /// Sets the capacity of a budget based on the views of a week (MODEL.md 4.7).
  static func passMidnight(
    _ account: inout BudgetAccount, of slot: Slot, week: Int?, at now: Instant, _ phone: inout PhoneCore
  ) -> Bool {
    guard case .views(_, let byWeek) = phone.member(of: slot).capacity, let week, !phone.plan.countsDemand else {
      return false
    }
    bring(&account, of: slot, upTo: now, &phone)
    account.change(capacity: byWeek[min(week, byWeek.count - 1)], plan: phone.cohort.system.budget)
    return true
  }

  /// Counts the balance of a followed widget at each hourly reading since the last update of the account.
  private static func lookEachHour(
    _ account: inout BudgetAccount, of slot: Slot, upTo now: Instant, _ phone: inout PhoneCore
  ) {
    let (clock, last) = (phone.accrualClock, min(now, phone.life.end - .milliseconds(1)))
    var look = clock.hour(after: max(account.validUntil, .start) - .milliseconds(1))
    while look <= last {
      account.update(at: look, plan: phone.cohort.system.budget, clock: clock)
      let hour = clock.wall.reading(at: look).hour
      phone.tally.followed(phone.group(of: slot)).recordBalance(account.balance, hour: hour)
      look = look + .hour
    }
  }

  static func finish(_ account: inout BudgetAccount, of slot: Slot, _ phone: inout PhoneCore) {
    if phone.isFollowed, phone.cohort.system.budget.model != .off {
      lookEachHour(&account, of: slot, upTo: phone.life.end, &phone)
    }
  }

  // MARK: Views

  /// Returns whether a view starts a reload. The probability depends on the mean number of views in the last week or,
  /// if it is not known yet, on the estimate (MODEL.md 4.2).
  static func reloadsAtView(_ view: OverdueView, _ phone: inout PhoneCore) -> Bool {
    let week = view.week ?? phone.member(of: view.slot).estimatedWeek
    let isRare = week < .init(7 * ModelConstants.rareViewsPerDay)
    let chance = isRare ? phone.cohort.system.staleViewRare : phone.cohort.system.staleViewFrequent
    let draws = phone.draws(.view, part: phone.widget(view.slot).member.place, index: Int(view.ordinal))
    return chance.happens(at: draws.first)
  }

  @inline(__always)
  static func mayReloadAtView(due: Instant, at now: Instant, _ cohort: Prepared<CohortPlan>) -> Bool {
    now - due >= cohort.system.staleViewGrace
  }

  // MARK: Pushes

  /// Whether widget pushes have an effect (systems before iOS 26 ignore them).
  static func takesWidgetPushes(_ cohort: Prepared<CohortPlan>) -> Bool { cohort.system.takesWidgetPushes }

  /// Whether the number of pushes delivered in the last 60 min is below the limit (MODEL.md 4.2).
  static func takesSilentPush(_ delivered: PushLog, at now: Instant, _ phone: inout PhoneCore) -> Bool {
    delivered.admit(at: now, limit: phone.cohort.system.silentPushesPerHour, window: ModelConstants.silentPushWindow)
  }

  static func silentPushDelivered(_ cohort: Prepared<CohortPlan>) -> Chance { cohort.system.silentPushDelivered }

  // MARK: The app and its timelines

  static func foregroundGap(_ cohort: Prepared<CohortPlan>) -> TimeAmount { cohort.system.foregroundGap }
  static func foregroundLatency(_ cohort: Prepared<CohortPlan>) -> SpanSampler { cohort.system.foregroundLatency }
  @inline(__always)
  static func atEndGap(_ cohort: Prepared<CohortPlan>) -> TimeAmount { cohort.system.atEndGap }
  static func crashRetry(_ cohort: Prepared<CohortPlan>) -> TimeAmount { cohort.system.crashRetry }

  // MARK: Fast path

  static func fastStart(_ kind: Prepared<KindPlan>, _ cohort: Prepared<CohortPlan>) -> FastStart? {
    FastStart(
      startsFreely: cohort.system.idle == nil && !kind.isProtected, startDelay: cohort.system.policyDelay,
      minSpacing: cohort.system.minSpacing)
  }

  @inline(__always)
  static func startsFreely(_ account: BudgetAccount, at now: Instant, _ power: PowerSupply) -> Bool {
    !power.isSaving && account.isUpToDate(at: now) && account.balance >= BudgetAccount.threshold(isCharging: false)
  }

  // MARK: Checks

  static func brokenInvariant(_ account: BudgetAccount, of slot: Slot, _ phone: borrowing PhoneCore) -> String? {
    let budget = phone.cohort.system.budget
    if phone.plan.countsDemand { return nil }
    // The capacity of a fixed budget that depends on views may have been larger at the last reset.
    let maximum: RunMillionths? =
      switch (budget.model, phone.member(of: slot).capacity) {
      case (.bucket, _): account.ceiling(budget)
      case (.fixed, .fixed), (.fixed, .range), (.fixed, .drawn): account.capacity
      case (.fixed, .views), (.off, _): nil
      }
    guard budget.model != .off, account.balance.count < -1_000_000 || account.balance > maximum ?? account.balance
    else {
      return nil
    }
    return "the balance is \(account.balance.count) millionths"
  }
}

extension PhoneCore {
  /// The accrual clock of the phone's budgets, which also determines the times of the quarter-hourly battery checks.
  var accrualClock: AccrualClock {
    let budget = cohort.system.budget
    return AccrualClock(wall: wall, offset: accrualOffset, nightHour: budget.nightHour, accrual: budget.accrual)
  }
}

/// The possible reasons for withholding a scheduled run, which are checked in the order given in MODEL.md 4.5.
struct StartRule {
  let ticket: Ticket
  /// The eligible instant e of the ticket, which is its earliest start.
  let eligible: Instant
  let now: Instant
  /// Whether data protection withholds the run because the kind is protected and the phone is locked.
  let isLocked: Bool
  /// The rule for idle phones; `nil` if an idle phone does not withhold runs.
  let idle: Idle?
  /// The end of the last session; `.never` during a session.
  let lastSessionEnd: Instant
  /// The end of the wait for Low Power Mode; in the past if there is no such wait.
  let lowPowerEnd: Instant
  /// The instant at which the balance permits the run to start; no later than `now` if the run may start now.
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

  /// Whether the phone has been idle for long enough to withhold runs, but not for long enough to end the wait.
  @inline(__always)
  private func isIdle(_ idle: Idle) -> Bool { lastSessionEnd + idle.after < now && now < ticket.due + idle.giveUp }
}

/// The most recent silent pushes that a phone has delivered to its app; only as many as the limit requires are stored
/// (MODEL.md 4.2).
struct PushLog: BitwiseCopyable {
  /// An index into the ring buffer of the most recent deliveries.
  struct Place: PlanIndex {
    let place: Int

    init(_ place: Int) { self.place = place }
  }

  /// The instants of the most recent deliveries, in a ring buffer whose length is the limit.
  fileprivate let places: Column<Place, Instant>
  fileprivate let count: Cell<UInt32>

  init(places: Column<Place, Instant>, count: Cell<UInt32>) {
    self.places = places
    self.count = count
  }

  func begin() { count.initialize(to: 0) }

  /// Returns whether fewer than `limit` pushes were delivered within the last `window`; if so, also counts this push.
  func admit(at now: Instant, limit: Int, window: TimeAmount) -> Bool {
    guard limit > 0 else { return false }
    let delivered = Int(count.value)
    // The entry that is overwritten next belongs to the oldest of the last `limit` deliveries.
    let place = Place(delivered % limit)
    if delivered >= limit, places[place] + window > now { return false }
    places[place] = now
    count.value &+= 1
    return true
  }
}
