import Scenario
import SimulationKernel

/// The budget of a new or established widget at its placement (MODEL.md 1.2, 1.4).
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
      return RunMillionths(count: Int64((min(runs, Budget.maxCapacity) * 1_000_000).rounded(.down)))
    }
  }

  /// Returns the first balance, up to the maximum balance. For an established widget, the balance is drawn from the
  /// stationary distribution; otherwise, it is drawn from U(0, C).
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
    let floor = minBalance(phone.cohort.power) + swing.aboveMin
    let bounds = BalanceBounds(taken: floor + swing.belowMax, carryOver: budget.carryOver)
    var level = StationaryBalance.level(
      room: bounds.room(capacity: mean), drift: mean - own.demand.mean, variance: own.variance, uniform: uniform)
    if case .views(_, let byWeek) = member.capacity, let views = widget.viewsPerDay {
      let days = DaysBefore(slot: widget.slot, byWeek: byWeek, views: views, demand: own.demand, accrued: swing.accrued)
      level = days.level(from: level, until: local.day, bounds, &phone)
    }
    let balance = max(min(floor + level, account.ceiling(budget).runs), -1)
    return RunMillionths(count: Int64((balance * 1_000_000).rounded(.down)))
  }

  /// Returns the lowest balance, in runs, that charged runs can leave; it is lower on phones that charge overnight.
  private static func minBalance(_ power: PowerPlan) -> Double {
    if case .mains = power { return -1 }
    return power.chargesOvernight ? -1 : 0
  }
}

/// The days before a placement, which are simulated for budgets whose capacity C depends on the views (MODEL.md 1.4).
struct DaysBefore {
  /// The number of simulated dates: the week that determines C, and the following four weeks.
  static let dates = 35

  let slot: Slot
  /// The capacity C for each number of views in a week.
  let byWeek: PreparedList<RunMillionths>
  /// The mean number of views per day before the day factors are applied.
  let views: Double
  let demand: DailyDemand
  /// The fraction of a day's capacity that accrues between midnight and the time of placement.
  let accrued: Double

  /// Returns the level of the balance at the time of placement, given its level four weeks earlier.
  ///
  /// - Parameter today: the date of the placement.
  func level(from first: Double, until today: LocalDay, _ bounds: BalanceBounds, _ phone: inout PhoneCore) -> Double {
    var week = InlineArray<7, Int>(repeating: 0)
    var (sum, level, before) = (0, first, 0.0)
    for day in 0..<Self.dates {
      let date = LocalDay(number: today.number - Int64(Self.dates - day))
      let seen = Int(Views.earlier(slot, on: date, mean: views, &phone))
      sum += seen - week[day % 7]
      week[day % 7] = seen
      guard day >= 6 else { continue }
      let capacity = byWeek[min(sum, byWeek.count - 1)].runs
      if day > 6 {
        let added = before + (capacity - before) * accrued
        level = min(max(level + added - asked(day, seen: seen, &phone), 0), bounds.room(capacity: capacity))
      }
      before = capacity
    }
    return level
  }

  /// Draws the number of charged runs on a day with `seen` views, based on the mean and the variance of this number.
  private func asked(_ day: Int, seen: Int, _ phone: inout PhoneCore) -> Double {
    let draws = phone.draws(.pastDemand, part: phone.widget(slot).member.place, index: day / 4)
    let word =
      switch day % 4 {
      case 0: draws.word0
      case 1: draws.word1
      case 2: draws.word2
      default: draws.word3
      }
    // A uniform draw has a variance of 1/12. Uniform draws are sufficient, because the balance is a sum over several
    // days and is therefore nearly normal.
    let chance = (12 * demand.rest).squareRoot() * ((Double(word) + 0.5) * 0x1p-32 - 0.5)
    return demand.mean + demand.perView * (Double(seen) - views) + chance
  }
}
