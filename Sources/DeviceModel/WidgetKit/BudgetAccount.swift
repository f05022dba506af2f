import Scenario
import SimulationKernel

/// An instance's reload budget, brought up to date when it is looked at (MODEL.md 4.7).
struct BudgetAccount: BitwiseCopyable, Equatable {
  /// C per day.
  var capacity: RunMillionths = .zero
  var balance: RunMillionths = .zero
  /// The instant of the next accrual or renewal: until then the balance changes by charges only.
  var validUntil: Instant = .longAgo
  /// Quarter hours since 1970 fit 32 bits for 60 000 years.
  private var countedInFewBits: Int32 = 0

  init(capacity: RunMillionths = .zero, balance: RunMillionths = .zero, counted: Int64 = 0) {
    self.capacity = capacity
    self.balance = balance
    self.counted = counted
  }

  /// Where there are no budgets: enough for every run, and never charged.
  static var unlimited: BudgetAccount {
    var account = BudgetAccount(balance: .one)
    account.validUntil = .never
    return account
  }

  /// Where demand is counted: enough for every run, and what is left tells how many were charged.
  static var counting: BudgetAccount {
    var account = BudgetAccount(balance: RunMillionths(count: 1 << 60))
    account.validUntil = .never
    return account
  }

  /// The last accrual or renewal that the balance includes, by its number.
  var counted: Int64 {
    get { Int64(countedInFewBits) }
    set { countedInFewBits = Int32(truncatingIfNeeded: newValue) }
  }

  /// What each accrual adds, rounded down.
  func quantum(_ clock: AccrualClock) -> RunMillionths {
    RunMillionths(count: capacity.count / clock.quartersPerDay)
  }

  /// The most that the balance holds.
  func ceiling(_ plan: BudgetPlan) -> RunMillionths {
    let product = capacity.count.multipliedFullWidth(by: plan.carryOverMillionths)
    let millionths = Int128(product.high) << 64 | Int128(product.low)
    return RunMillionths(count: Int64(millionths / 1_000_000))
  }

  /// Takes another capacity on an account that is up to date; what a bucket no longer holds is lost.
  mutating func change(capacity newCapacity: RunMillionths, plan: BudgetPlan) {
    capacity = newCapacity
    if plan.model == .bucket { balance = min(balance, ceiling(plan)) }
  }

  /// Whether nothing accrued since the last look.
  @inline(__always)
  func isUpToDate(at now: Instant) -> Bool { now < validUntil }

  /// Adds what accrued since the last look, or renews a fixed budget.
  mutating func update(at now: Instant, plan: BudgetPlan, clock: AccrualClock) {
    switch plan.model {
    case .off: validUntil = .never
    case .fixed:
      let renewal = clock.renewal(at: now)
      if renewal > counted { balance = capacity }
      counted = max(renewal, counted)
      validUntil = clock.instant(ofRenewal: counted + 1)
    case .bucket:
      let tick = clock.tick(at: now)
      if tick > counted {
        balance = min(balance + RunMillionths(count: quantum(clock).count * (tick - counted)), ceiling(plan))
      }
      counted = max(tick, counted)
      validUntil = clock.instant(ofTick: counted + 1)
    }
  }

  /// The least balance that lets a charged run start.
  static func threshold(isCharging: Bool) -> RunMillionths { isCharging ? .zero : .one }

  /// Whether a charged run may start now, on an account that is up to date.
  func suffices(_ model: Budget.Model, isCharging: Bool) -> Bool {
    if case .off = model { return true }
    return balance >= Self.threshold(isCharging: isCharging)
  }

  /// The instant at which the balance reaches `threshold` if nothing else is charged; `.never` if it cannot.
  func instant(reaching threshold: RunMillionths, plan: BudgetPlan, clock: AccrualClock) -> Instant {
    switch plan.model {
    case .off: return .longAgo
    case .fixed: return capacity >= threshold ? clock.instant(ofRenewal: counted + 1) : .never
    case .bucket:
      let quantum = quantum(clock).count
      guard quantum > 0, ceiling(plan) >= threshold else { return .never }
      let missing = threshold.count - balance.count
      return clock.instant(ofTick: counted + (missing + quantum - 1) / quantum)
    }
  }

  /// What a charged run takes at its start, whatever its outcome.
  static func price(_ model: Budget.Model) -> RunMillionths { model == .off ? .zero : .one }

  /// Takes the price of a charged run.
  mutating func charge(_ price: RunMillionths) {
    // A balance is far from what 64 bits hold.
    balance = RunMillionths(count: balance.count &- price.count)
  }
}

extension RunMillionths {
  /// The share `uniform` / 2^64 of an amount that is not negative, rounded down.
  func part(at uniform: UInt64) -> RunMillionths {
    RunMillionths(count: Int64(bitPattern: UInt64(bitPattern: count).multipliedFullWidth(by: uniform).high))
  }
}
