import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel

@Suite struct BudgetAccountTests {
  let storage = SamplerStorage()

  private func plan(_ model: Budget.Model, carryOver: Int64 = 1_500_000) -> BudgetPlan {
    BudgetPlan(model: model, accrual: .awake, carryOverMillionths: carryOver)
  }

  /// Returns an account with C runs a day, counted up to midnight of a Monday.
  private func account(_ capacity: Int64, balance: Int64, counted: Int64) -> BudgetAccount {
    BudgetAccount(
      capacity: RunMillionths(count: capacity), balance: RunMillionths(count: balance), counted: counted)
  }

  @Test(
    arguments: [
      (64_000_000, .awake, 1_000_000), (50_000_000, .awake, 781_250), (1_000_000, .awake, 15_625),
      (1_000_001, .awake, 15_625), (96_000_000, .even, 1_000_000), (50_000_000, .even, 520_833), (63, .awake, 0),
    ] as [(Int64, Budget.Accrual, Int64)])
  func quantumIsRoundedDown(capacity: Int64, accrual: Budget.Accrual, expected: Int64) {
    let clock = Zone.utc.clock(storage, accrual, offset: .zero)
    #expect(account(capacity, balance: 0, counted: 0).quantum(clock).count == expected)
  }

  @Test(
    arguments: [
      (50_000_000, 1_500_000, 75_000_000), (1, 1_500_000, 1), (1_000_000_000_000, 400_000_000, 400_000_000_000_000),
      (7, 0, 0),
    ] as [(Int64, Int64, Int64)])
  func ceilings(capacity: Int64, carryOver: Int64, expected: Int64) {
    #expect(account(capacity, balance: 0, counted: 0).ceiling(plan(.bucket, carryOver: carryOver)).count == expected)
  }

  /// A bucket has the same balance whether it is read often or rarely: 64 quanta a day awake, 96 even, up to the
  /// ceiling.
  @Test(arguments: [Budget.Accrual.awake, .even], [1, 15, 60, 3 * 1_440])
  func bucketFillIsIndependentOfReads(accrual: Budget.Accrual, minutes: Int64) {
    let clock = Zone.utc.clock(storage, accrual, offset: .seconds(77))
    let plan = plan(.bucket, carryOver: 400_000_000)
    var account = account(50_000_000, balance: -1_000_000, counted: clock.tick(at: .start))
    let last = Instant.start + .days(3) + .seconds(76)
    for minute in stride(from: 0, through: 3 * 1_440, by: Int(minutes)) {
      account.update(at: .start + .minutes(Int64(minute)), plan: plan, clock: clock)
    }
    account.update(at: last, plan: plan, clock: clock)
    #expect(account.balance.count == -1_000_000 + 3 * clock.quartersPerDay * account.quantum(clock).count)
    #expect(last < account.validUntil)
    account.capacity = RunMillionths(count: 1_000_000)
    account.update(at: last + .days(300), plan: self.plan(.bucket), clock: clock)
    #expect(account.balance.count == 1_500_000)
  }

  @Test func zeroBalanceSufficesOnTheCharger() {
    #expect(BudgetAccount.threshold(isCharging: false) == .one)
    #expect(BudgetAccount.threshold(isCharging: true) == .zero)
    let rows: [(Int64, Bool, Bool)] = [
      (1_000_000, false, true), (999_999, false, false), (0, false, false), (0, true, true), (-1, true, false),
      (999_999, true, true), (-1_000_000, true, false),
    ]
    for (balance, isCharging, suffices) in rows {
      let account = account(50_000_000, balance: balance, counted: 0)
      #expect(account.suffices(.bucket, isCharging: isCharging) == suffices, "\(balance), \(isCharging)")
      #expect(account.suffices(.fixed, isCharging: isCharging) == suffices, "\(balance), \(isCharging)")
      #expect(account.suffices(.off, isCharging: isCharging))
    }
  }

  /// Starting at 0 with quanta of 0.4, a balance of 1 is reached in the third quarter hour of the morning.
  @Test func instantAtWhichABucketSuffices() {
    let clock = Zone.utc.clock(storage, .awake, offset: .seconds(5))
    let account = account(25_600_000, balance: 0, counted: clock.tick(at: .start))
    func reached(_ threshold: Int64, carryOver: Int64 = 1_500_000) -> Instant {
      account.instant(
        reaching: RunMillionths(count: threshold), plan: plan(.bucket, carryOver: carryOver), clock: clock)
    }
    let morning = Instant.start + .hours(7) + .seconds(5)
    #expect(reached(1_000_000) == morning + .minutes(30))
    #expect(reached(800_000) == morning + .minutes(15))
    #expect(reached(800_001) == morning + .minutes(30))
    #expect(reached(64 * 400_000) == morning + .minutes(63 * 15))
    #expect(reached(64 * 400_000 + 1) == morning + .days(1))
    #expect(reached(1_000_000, carryOver: 39_000) == .never)
    #expect(
      self.account(63, balance: 0, counted: 0).instant(reaching: .one, plan: plan(.bucket), clock: clock) == .never)
  }

  /// A fixed budget is reset to C at the night's first hour, dropping debts and leftovers; a day without readings still
  /// renews it once.
  @Test func fixedBudgetsAreRenewed() {
    let clock = Zone.utc.clock(storage, .awake, offset: .seconds(5), nightHour: 9)
    var account = account(2_000_000, balance: -1_000_000, counted: clock.renewal(at: .start))
    let renewal = Instant.start + .hours(9) + .seconds(5)
    account.update(at: renewal - .milliseconds(1), plan: plan(.fixed), clock: clock)
    #expect(account.balance.count == -1_000_000)
    #expect(account.instant(reaching: .one, plan: plan(.fixed), clock: clock) == renewal)
    account.update(at: renewal, plan: plan(.fixed), clock: clock)
    #expect(account.balance.count == 2_000_000)
    account.charge(BudgetAccount.price(.fixed))
    account.update(at: renewal + .days(3), plan: plan(.fixed), clock: clock)
    #expect(account.balance.count == 2_000_000)
    #expect(account.validUntil == renewal + .days(4))
    account.capacity = RunMillionths(count: 999_999)
    #expect(account.instant(reaching: .one, plan: plan(.fixed), clock: clock) == .never)
  }

  @Test func disabledBudgetIsNeverCharged() {
    let clock = Zone.utc.clock(storage, .awake, offset: .zero)
    var account = account(0, balance: 0, counted: 0)
    account.charge(BudgetAccount.price(.off))
    account.update(at: .start + .days(2), plan: plan(.off), clock: clock)
    #expect(account.balance == .zero)
    #expect(account.instant(reaching: .one, plan: plan(.off), clock: clock) == .longAgo)
  }

  /// An account without a budget lets every run start, which is clear without its plan.
  @Test func unlimited() {
    let account = BudgetAccount.unlimited
    let isUpToDate = account.isUpToDate(at: .start + .days(100_000))
    #expect(isUpToDate)
    #expect(account.balance >= BudgetAccount.threshold(isCharging: false))
  }

  @Test func partsOfAnAmount() {
    #expect(RunMillionths(count: 10).part(at: 0).count == 0)
    #expect(RunMillionths(count: 10).part(at: .max).count == 9)
    #expect(RunMillionths(count: 10).part(at: 1 << 63).count == 5)
    #expect(RunMillionths.zero.part(at: .max).count == 0)
  }

  /// A bucket that shrinks loses the excess; a fixed budget stays as it is until renewed.
  @Test(arguments: [(Budget.Model.bucket, 30_000_000), (.fixed, 38_000_000)] as [(Budget.Model, Int64)])
  func otherCapacities(model: Budget.Model, balance: Int64) {
    let plan = BudgetPlan(model: model, accrual: .awake, carryOverMillionths: 1_500_000)
    var account = BudgetAccount(
      capacity: RunMillionths(count: 40_000_000), balance: RunMillionths(count: 38_000_000))
    account.change(capacity: RunMillionths(count: 20_000_000), plan: plan)
    #expect(account.capacity.count == 20_000_000 && account.balance.count == balance)
    account.change(capacity: RunMillionths(count: 70_000_000), plan: plan)
    #expect(account.capacity.count == 70_000_000 && account.balance.count == balance)
  }
}
