import Scenario
import SimulationKernel

/// The reload budget of an instance, updated on access (MODEL.md 4.7).
struct BudgetAccount: BitwiseCopyable, Equatable {
  /// The capacity C, in runs per day.
  var capacity: RunMillionths = .zero
  var balance: RunMillionths = .zero
  /// The instant of the next accrual or reset; before this instant, only charges change the balance.
  var validUntil: Instant = .longAgo
  /// The number of the last counted quarter hour; 32 bits are sufficient for 60 000 years after 1970.
  private var countedInFewBits: Int32 = 0

  init(capacity: RunMillionths = .zero, balance: RunMillionths = .zero, counted: Int64 = 0) {
    self.capacity = capacity
    self.balance = balance
    self.counted = counted
  }

  /// The account that is used if there are no budgets. The account permits every run and is never charged.
  static var unlimited: BudgetAccount {
    var account = BudgetAccount(balance: .one)
    account.validUntil = .never
    return account
  }

  /// The account that is used to measure demand. The account permits every run, and its balance is the sum of the
  /// charges.
  static var counting: BudgetAccount {
    var account = BudgetAccount(balance: RunMillionths(count: 1 << 60))
    account.validUntil = .never
    return account
  }

  /// The number of the last accrual or reset included in the balance.
  var counted: Int64 {
    get { Int64(countedInFewBits) }
    set { countedInFewBits = Int32(truncatingIfNeeded: newValue) }
  }

  /// Returns the amount that is added at each accrual, rounded down.
  func quantum(_ clock: AccrualClock) -> RunMillionths {
    RunMillionths(count: capacity.count / clock.quartersPerDay)
  }

  /// Returns the maximum balance.
  func ceiling(_ plan: BudgetPlan) -> RunMillionths {
    let product = capacity.count.multipliedFullWidth(by: plan.carryOverMillionths)
    let millionths = Int128(product.high) << 64 | Int128(product.low)
    return RunMillionths(count: Int64(millionths / 1_000_000))
  }

  /// Changes the capacity of an up-to-date account; any balance above the new maximum is lost.
  mutating func change(capacity newCapacity: RunMillionths, plan: BudgetPlan) {
    capacity = newCapacity
    if plan.model == .bucket { balance = min(balance, ceiling(plan)) }
  }

  /// Whether no accruals have occurred since the last update.
  @inline(__always)
  func isUpToDate(at now: Instant) -> Bool { now < validUntil }

  /// Adds all accruals since the last update, or resets a fixed budget.
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

  /// Returns the balance required to start a charged run.
  static func threshold(isCharging: Bool) -> RunMillionths { isCharging ? .zero : .one }

  /// Whether an up-to-date account permits a charged run to start now.
  func suffices(_ model: Budget.Model, isCharging: Bool) -> Bool {
    if case .off = model { return true }
    return balance >= Self.threshold(isCharging: isCharging)
  }

  /// Returns the instant at which the balance reaches `threshold` if there are no further charges; `.never` if the
  /// balance never reaches it.
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

  /// Returns the cost that is charged at the start of a run, regardless of the run's outcome.
  static func price(_ model: Budget.Model) -> RunMillionths { model == .off ? .zero : .one }

  /// Subtracts the cost of a charged run from the balance.
  mutating func charge(_ price: RunMillionths) {
    // The subtraction cannot overflow, because balances are far from the limits of 64-bit integers.
    balance = RunMillionths(count: balance.count &- price.count)
  }
}

extension RunMillionths {
  /// Returns the fraction `uniform` / 2^64 of a nonnegative amount, rounded down.
  func part(at uniform: UInt64) -> RunMillionths {
    RunMillionths(count: Int64(bitPattern: UInt64(bitPattern: count).multipliedFullWidth(by: uniform).high))
  }
}

/// The times at which budgets accrue: the local quarter hours, shifted by the device's offset (MODEL.md 4.7).
struct AccrualClock: BitwiseCopyable {
  var wall: WallClock
  /// The offset of the device, drawn uniformly from 0 to 15 minutes.
  var offset: TimeAmount
  /// The local hour, shifted by the offset, at which the night begins and a fixed budget resets.
  var nightHour: Int64
  var accrual: Budget.Accrual

  static var quarter: TimeAmount { .milliseconds(ModelConstants.accrualStepMilliseconds) }

  /// The local time at which the night ends.
  private var morning: TimeAmount { .hours((nightHour + Int64(ModelConstants.nightHours)) % 24) }

  /// The number of accruals in a regular day, which together add a full day's capacity.
  var quartersPerDay: Int64 {
    switch accrual {
    case .awake: ModelConstants.awakeAccruals
    case .even: ModelConstants.accrualsPerDay
    }
  }

  /// Returns the number of the last accrual that is no later than `now`.
  ///
  /// A quarter hour that the local clock skips has no number; a quarter hour that it repeats has two numbers.
  func tick(at now: Instant) -> Int64 {
    let shifted = now - offset
    switch accrual {
    case .even:
      // Zones differ from UTC by multiples of a quarter hour, so every local quarter hour is also a UTC quarter hour.
      let sinceEpoch = shifted.millisecondsSinceStart + wall.startUnixMilliseconds
      return sinceEpoch.floorDivided(by: Self.quarter.milliseconds)
    case .awake:
      var index = 0
      var changes: Int64 = 0
      while index + 1 < wall.segments.count, wall.segments[index + 1].from <= shifted {
        index += 1
        changes += ticksOfChange(index)
      }
      return awakeTicks(upTo: shown(at: shifted, segment: index)) + changes
    }
  }

  /// Returns the instant of the accrual with this number.
  func instant(ofTick tick: Int64) -> Instant {
    switch accrual {
    case .even:
      return Instant(millisecondsSinceStart: tick * Self.quarter.milliseconds - wall.startUnixMilliseconds) + offset
    case .awake:
      var index = 0
      var number = tick
      var instant = awakeInstant(ofTick: number, segment: index)
      while index + 1 < wall.segments.count, instant >= wall.segments[index + 1].from {
        index += 1
        number -= ticksOfChange(index)
        instant = awakeInstant(ofTick: number, segment: index)
      }
      return instant + offset
    }
  }

  /// Returns the number of the last quarter hour, shifted by the offset, that is no later than `now`; hours of sleep
  /// are included.
  func quarterNumber(at now: Instant) -> Int64 {
    let sinceEpoch = (now - offset).millisecondsSinceStart + wall.startUnixMilliseconds
    return sinceEpoch.floorDivided(by: Self.quarter.milliseconds)
  }

  /// Returns the first instant after `now` that is a quarter hour shifted by the offset.
  func quarter(after now: Instant) -> Instant {
    let number = quarterNumber(at: now) + 1
    return Instant(millisecondsSinceStart: number * Self.quarter.milliseconds - wall.startUnixMilliseconds) + offset
  }

  /// Returns the first instant after `now` that is a whole UTC hour shifted by the offset.
  func hour(after now: Instant) -> Instant {
    let sinceEpoch = (now - offset).millisecondsSinceStart + wall.startUnixMilliseconds
    let hour = sinceEpoch.floorDivided(by: TimeAmount.hour.milliseconds) + 1
    return Instant(millisecondsSinceStart: hour * TimeAmount.hour.milliseconds - wall.startUnixMilliseconds) + offset
  }

  /// Returns the local time at an instant, based on the UTC offset of a segment.
  private func shown(at instant: Instant, segment: Int) -> LocalTime {
    LocalTime(
      unixMilliseconds: instant.millisecondsSinceStart + wall.startUnixMilliseconds
        + wall.segments[segment].offset.milliseconds)
  }

  /// Returns the number of accruals counted before a clock change in excess of the number implied by the clock reading
  /// after it.
  private func ticksOfChange(_ segment: Int) -> Int64 {
    let last = wall.segments[segment].from - .milliseconds(1)
    return awakeTicks(upTo: shown(at: last, segment: segment - 1))
      - awakeTicks(upTo: shown(at: last, segment: segment))
  }

  /// Returns the number of awake quarter hours from 1970-01-01 up to and including a local time, on a clock without any
  /// changes.
  private func awakeTicks(upTo local: LocalTime) -> Int64 {
    let sinceMorning = local.unixMilliseconds - morning.milliseconds
    let day = sinceMorning.floorDivided(by: TimeAmount.day.milliseconds)
    let quarter = (sinceMorning - day * TimeAmount.day.milliseconds) / Self.quarter.milliseconds
    return day * ModelConstants.awakeAccruals + min(quarter + 1, ModelConstants.awakeAccruals)
  }

  /// Returns the instant of an awake quarter hour on a clock that always has the UTC offset of a segment.
  private func awakeInstant(ofTick tick: Int64, segment: Int) -> Instant {
    let day = (tick - 1).floorDivided(by: ModelConstants.awakeAccruals)
    let quarter = tick - 1 - day * ModelConstants.awakeAccruals
    let local = LocalTime(day: LocalDay(number: day), morning + Self.quarter * quarter)
    return Instant(millisecondsSinceStart: local.unixMilliseconds - wall.startUnixMilliseconds)
      - wall.segments[segment].offset
  }

  /// Returns the number of a fixed budget's last reset up to and including `now`, which is the number of its local
  /// date.
  func renewal(at now: Instant) -> Int64 {
    let local = wall.reading(at: now - offset)
    let shown = (local.unixMilliseconds - nightHour * TimeAmount.hour.milliseconds)
      .floorDivided(by: TimeAmount.day.milliseconds)
    // During a repeated hour, the clock may show a time before a reset that has already happened.
    return instant(ofRenewal: shown + 1) <= now ? shown + 1 : shown
  }

  func instant(ofRenewal renewal: Int64) -> Instant {
    wall.instant(of: LocalTime(day: LocalDay(number: renewal), .hours(nightHour))) + offset
  }
}

/// The bounds of a balance at the time of placement. The bounds differ between days only if C does (MODEL.md 1.4).
struct BalanceBounds {
  /// The part of the range between the bounds that is needed for the variation within a day, in runs.
  let taken: Double
  let carryOver: Double

  /// Returns the size of the range between the lowest and the highest balance, in runs.
  func room(capacity: Double) -> Double { max(carryOver * capacity - taken, 0) }
}

/// The long-run distribution of a balance, modelled as a random walk between its bounds (MODEL.md 1.4).
///
/// Source: Harrison, "Brownian motion and stochastic flow systems", 1985, section 5.6.
enum StationaryBalance {
  /// Draws from the truncated exponential distribution on 0...1, whose density is proportional to exp(`tilt` x).
  static func share(tilt: Double, uniform: UInt64) -> Double {
    let size = min(abs(tilt), 1e9)
    let part = (Double(uniform >> 11) + 0.5) * 0x1p-53
    guard size > 1e-6 else { return part }
    // The inversion starts from the end at which most of the probability is concentrated.
    let share = 1 + SteadyMath.log(part + (1 - part) * SteadyMath.exp(-size)) / size
    return tilt > 0 ? share : 1 - share
  }

  /// Returns the level of a balance that changes freely between its bounds.
  ///
  /// - Parameters:
  ///   - room: the size of the range between the bounds, in runs.
  ///   - drift: the mean daily change, in runs.
  ///   - variance: the variance of the daily change, in runs squared.
  static func level(room: Double, drift: Double, variance: Double, uniform: UInt64) -> Double {
    let tilt = drift == 0 ? 0 : 2 * drift * room / max(variance, 1e-9)
    return share(tilt: tilt, uniform: uniform) * room
  }
}
