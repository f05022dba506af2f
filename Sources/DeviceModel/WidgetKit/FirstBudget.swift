import Scenario
import SimulationKernel

/// The budget of a widget at its placement: of a new one, or of one that has been there for long (MODEL.md 1.2, 1.4).
extension WidgetKitRules {
  static func newAllowance(_ widget: NewWidget, at now: Instant, _ phone: inout PhoneCore) -> BudgetAccount {
    let model = phone.cohort.system.budget.model
    if phone.plan.countsDemand { return .counting }
    if model == .off { return .unlimited }
    let clock = phone.accrualClock
    var account = BudgetAccount(
      capacity: firstCapacity(of: widget, &phone),
      counted: model == .fixed ? clock.renewal(at: now) : clock.tick(at: now))
    account.validUntil = now
    account.balance = firstBalance(of: widget, account, at: now, &phone)
    return account
  }

  private static func firstCapacity(of widget: NewWidget, _ phone: inout PhoneCore) -> RunMillionths {
    switch phone.member(of: widget.slot).capacity {
    case .fixed(let capacity): return capacity
    case .views(let capacity, let byWeek): return widget.week.map { byWeek[min($0, byWeek.count - 1)] } ?? capacity
    case .range(let low, let high):
      let draws = phone.draws(.instance, part: phone.widget(widget.slot).member.place, index: 1)
      return low + (high - low).part(at: draws.first)
    case .drawn(let perDay):
      let runs = perDay.number(at: phone.draws(.capacity, part: phone.kindIndex(of: widget.slot).place).first)
      return RunMillionths(count: Int64((min(runs, Budget.mostCapacity) * 1_000_000).rounded(.down)))
    }
  }

  /// U(0, C), at most what a bucket holds; of a widget that has been there for long a draw from the bucket's own law.
  private static func firstBalance(
    of widget: NewWidget, _ account: BudgetAccount, at now: Instant, _ phone: inout PhoneCore
  ) -> RunMillionths {
    let (budget, member) = (phone.cohort.system.budget, phone.member(of: widget.slot))
    let uniform = phone.draws(.instance, part: phone.widget(widget.slot).member.place).second
    guard budget.model == .bucket else { return account.capacity.part(at: uniform) }
    guard let plan = member.demand, !phone.isNewcomer else {
      return min(account.capacity.part(at: uniform), account.ceiling(budget))
    }
    let own = plan.demand(ofUnlocksPerDay: widget.unlocksPerDay)
    let mean = if case .views = member.capacity { own.capacity } else { account.capacity.runs }
    let local = phone.wall.reading(at: now)
    let swing = plan.swing(at: local.sinceMidnight, capacity: mean, demand: own.demand.mean)
    let floor = leastBalance(phone.cohort.power) + swing.aboveLeast
    let bounds = BalanceBounds(taken: floor + swing.belowMost, carryOver: budget.carryOver)
    var level = StationaryBalance.level(
      room: bounds.room(capacity: mean), drift: mean - own.demand.mean, variance: own.variance, uniform: uniform)
    if case .views(_, let byWeek) = member.capacity, let views = widget.viewsPerDay {
      let days = DaysBefore(slot: widget.slot, byWeek: byWeek, views: views, demand: own.demand, accrued: swing.accrued)
      level = days.level(from: level, until: local.day, bounds, &phone)
    }
    let balance = max(min(floor + level, account.ceiling(budget).runs), -1)
    return RunMillionths(count: Int64((balance * 1_000_000).rounded(.down)))
  }

  /// The least that runs leave on an account, in runs: less on phones that charge over night.
  private static func leastBalance(_ power: PowerPlan) -> Double {
    if case .mains = power { return -1 }
    return power.chargesOvernight ? -1 : 0
  }
}
