import Scenario
import SimulationKernel

/// How a placed widget begins: as a new one, or as one that has been there for long (MODEL.md 1.2, 1.4).
extension DeviceSimulator {
  /// The budget at the placement.
  mutating func openAccount(of slot: Int, at now: Instant) {
    let budget = cohort.pointee.system.budget
    if plan.countsDemand || budget.model == .off {
      instances[slot].account = plan.countsDemand ? .counting : .unlimited
      return
    }
    let capacity = firstCapacity(of: slot)
    var account = BudgetAccount(
      capacity: capacity, counted: budget.model == .fixed ? accrualClock.renewal(at: now) : accrualClock.tick(at: now))
    account.balance = firstBalance(of: slot, account, at: now)
    instances[slot].account = account
  }

  private mutating func firstCapacity(of slot: Int) -> RunMillionths {
    let member = Int(instances[slot].member)
    switch cohort.pointee.members[member].capacity {
    case .fixed(let capacity): return capacity
    case .views(let capacity, let byWeek):
      guard cohort.pointee.hasPeople else { return capacity }
      return views[slot].week.map { byWeek[min($0, byWeek.count - 1)] } ?? capacity
    case .range(let low, let high):
      return low + (high - low).part(at: stream.block(.instance, part: member, index: 1).first)
    }
  }

  /// U(0, C), at most what a bucket holds; of a widget that has been there for long a draw from the bucket's own law.
  private mutating func firstBalance(of slot: Int, _ account: BudgetAccount, at now: Instant) -> RunMillionths {
    let (budget, member) = (cohort.pointee.system.budget, Int(instances[slot].member))
    let uniform = stream.block(.instance, part: member).second
    guard budget.model == .bucket else { return account.capacity.part(at: uniform) }
    guard let plan = cohort.pointee.members[member].demand else {
      return min(account.capacity.part(at: uniform), account.ceiling(budget))
    }
    let own = plan.demand(ofUnlocksPerDay: unlocksPerDay)
    let perDay = account.capacity.runs
    let mean = if case .views = cohort.pointee.members[member].capacity { own.capacity } else { perDay }
    let swing = plan.swing(at: wall.reading(at: now).sinceMidnight, capacity: mean, demand: own.demand)
    let (floor, ceiling) = (leastBalance, account.ceiling(budget).runs)
    let room = max(ceiling - swing.belowMost - floor - swing.aboveLeast, 0)
    let level = StationaryBalance.level(
      room: room, drift: mean - own.demand, variance: own.variance, uniform: uniform)
    let balance = max(min(floor + swing.aboveLeast + level, ceiling), -1)
    return RunMillionths(count: Int64((balance * 1_000_000).rounded(.down)))
  }

  /// The least that runs leave on the account, in runs: less on phones that charge over night.
  private var leastBalance: Double {
    if case .mains = cohort.pointee.power { return -1 }
    return cohort.pointee.power.chargesOvernight ? -1 : 0
  }

  /// The views of the days before the placement, which a new widget has none of.
  mutating func beginViews(of slot: Int, at now: Instant) {
    let local = wall.reading(at: now)
    guard let plan = cohort.pointee.members[Int(instances[slot].member)].demand else {
      // Placed at midnight, the first day is whole.
      if local.sinceMidnight == .zero { views[slot].passMidnight() }
      return
    }
    let rate = person.unlocksPerDay * plan.demand(ofUnlocksPerDay: person.unlocksPerDay).views
    views[slot].passMidnight()
    for day in local.day.number - 7..<local.day.number {
      views[slot].today = earlierViews(of: slot, on: LocalDay(number: day), rate: rate)
      views[slot].passMidnight()
    }
    let midnight = wall.instant(of: LocalTime(day: local.day, .zero))
    let passed = cohort.pointee.person.hours[device.zone].day(local.day).share(at: now - midnight)
    views[slot].today = earlierViews(of: slot, on: local.day, rate: rate * passed)
  }

  /// A Poisson draw of the views on a date.
  ///
  /// - Parameter rate: per day, before the day's factor.
  private mutating func earlierViews(of slot: Int, on date: LocalDay, rate: Double) -> UInt16 {
    let draws = stream.block(.history, part: Int(instances[slot].member), index: Int(date.number))
    return UInt16(min(PoissonDraw.count(mean: rate * dayFactor(on: date), draws), Double(UInt16.max)))
  }
}

extension RunMillionths {
  var runs: Double { Double(count) / 1_000_000 }
}
