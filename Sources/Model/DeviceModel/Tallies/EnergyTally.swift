package import Scenario
import SimulationKernel

/// The energy in nanojoules that one kind's instances in one cohort used during the measured period.
package struct EnergyTally: BitwiseCopyable {

  /// The energy of each `EnergyComponent`, in the order of its cases.
  package private(set) var spent = EnergyComponent.Table<Int128>(repeating: 0)
  /// The part of the energy that was spent during sessions.
  package private(set) var inSessions: Int128 = 0
  /// The energy that the same runs would cost if each had the radio to itself: the radio without transfers, and the
  /// wait for answers.
  package private(set) var aloneRadio: Int128 = 0
  package private(set) var aloneWait: Int128 = 0

  mutating func add(_ row: EnergyRow, inSessions spentInSessions: Energy) {
    spent[0] += Int128(row.promotion.nanojoules)
    spent[1] += Int128(row.active.nanojoules)
    spent[2] += Int128(row.transfer.nanojoules)
    spent[3] += Int128(row.tail.nanojoules)
    spent[4] += Int128(row.cpu.nanojoules)
    spent[5] += Int128(row.wait.nanojoules)
    inSessions += Int128(spentInSessions.nanojoules)
    aloneRadio += Int128(row.aloneRadio.nanojoules)
    aloneWait += Int128(row.aloneWait.nanojoules)
  }

  mutating func add(promotion: Int128, active: Int128, transfer: Int128, tail: Int128) {
    spent[0] += promotion
    spent[1] += active
    spent[2] += transfer
    spent[3] += tail
  }

  mutating func add(wait: Int128) { spent[5] += wait }

  mutating func add(aloneRadio radio: Int128, aloneWait wait: Int128) {
    aloneRadio += radio
    aloneWait += wait
  }

  /// Adds the energy used by runs on a radio.
  package mutating func add(_ use: RadioUse, on plan: RadioPlan) {
    let (lone, compared) = (Int128(use.lone), Int128(use.compared))
    let (loneAir, comparedAir) = (Int128(use.loneAir), Int128(use.comparedAir))
    let (promotion, active) = (Int128(plan.promotion.length.milliseconds), Int128(plan.active.microwatts))
    let (around, tail) = (Int128(plan.aroundFlow.nanojoules), Int128(plan.tailEnergy.nanojoules))
    let waiting = Int128(ProcessorPower.waiting.microwatts)
    add(promotion: (around - tail) * lone, active: active * loneAir, transfer: use.transfer, tail: tail * lone)
    add(wait: waiting * (promotion * lone + loneAir))
    add(
      aloneRadio: around * compared + active * comparedAir, aloneWait: waiting * (promotion * compared + comparedAir))
  }
}

/// The energy in nanojoules that whole phones used in the measured period, used to check that the accounts balance
/// (MODEL.md 7.3).
///
/// The energy of all owners adds up to the integral of power over time.
package struct PhoneEnergy: BitwiseCopyable, Hashable, Sendable {
  /// The integral of power over time plus all instant charges.
  package var integral: Int128 = 0
  /// The energy of the user: sessions, the radio tails after them, and gallery snapshots.
  package var person: Int128 = 0
  /// The energy of the system, which is drawn at the floor power.
  package var system: Int128 = 0
  /// The energy that phones with a battery used during their lifetimes, including the warm-up: first the integral of
  /// power, then the part drawn from the battery.
  ///
  /// Requests that are still in the air at the end are excluded from both values.
  package var lifelong: Int128 = 0
  package var fromBattery: Int128 = 0
  package var fromCharger: Int128 = 0
  package var undrawn: Int128 = 0

  package init() {}

  /// Adds the charges of a phone.
  ///
  /// - Parameter widgets: the number of instances; all other owners belong to the user.
  @inline(__always)
  mutating func add(_ ledger: borrowing EnergyLedger, widgets: Int, on plan: Prepared<RadioPlan>) {
    integral += Int128(ledger.integral.nanojoules)
    guard ledger.hasOthers(beyond: widgets) else { return }
    person += Int128(ledger.energyOfPerson(beyond: widgets, on: plan).nanojoules)
    system += Int128(ledger.floor.nanojoules)
  }

  mutating func addLifelong(_ ledger: borrowing EnergyLedger) { lifelong += Int128(ledger.integral.nanojoules) }

  mutating func supply(_ energy: Energy, fromCharger isCharging: Bool) {
    if isCharging { fromCharger += Int128(energy.nanojoules) } else { fromBattery += Int128(energy.nanojoules) }
  }

  mutating func addUndrawn(_ energy: Energy) { undrawn += Int128(energy.nanojoules) }
}

/// The fraction of the battery that all widgets of a phone use per day, summed over the phones of a cohort.
package struct BatteryShareTally: BitwiseCopyable {
  /// The number of phones with a battery.
  package internal(set) var phones: Int64 = 0
  /// The total time for which these phones exist during the measured period.
  package internal(set) var milliseconds: Int128 = 0
  /// The sum of the daily fractions in billionths of a battery, including a last day that is shorter.
  package private(set) var billionths: Int128 = 0
  /// The number of whole days in each bin of a `ShareHistogram`.
  package let days: UnsafeMutablePointer<Int64>

  init() { days = zeroed(ShareHistogram.binCount) }

  func free() { days.deallocate() }

  mutating func record(_ spent: Energy, of capacity: Energy, isWhole: Bool) {
    let share = Self.billionths(of: capacity, spent)
    billionths += share
    if isWhole { days[ShareHistogram.bin(ofBillionths: Int64(clamping: share))] &+= 1 }
  }

  /// Returns an energy as a number of billionths of a capacity, rounded down.
  ///
  /// A single processor division is sufficient if the quotient fits in 64 bits, which is always the case in practice. A
  /// 128-bit division takes ten times as long.
  static func billionths(of capacity: Energy, _ energy: Energy) -> Int128 {
    let divisor = UInt64(max(capacity.nanojoules, 1))
    let product = UInt64(max(energy.nanojoules, 0)).multipliedFullWidth(by: 1_000_000_000)
    guard product.high < divisor else { return Int128(energy.nanojoules) * 1_000_000_000 / Int128(divisor) }
    return Int128(divisor.dividingFullWidth(product).quotient)
  }
}

/// The radio activity of one kind's widgets in one cohort, on one interface, during the measured period.
///
/// All energy costs are linear functions of these counts.
package struct RadioUse: BitwiseCopyable {
  /// Counts as in `RunTotals`, with times in milliseconds and energy in nanojoules.
  private(set) var lone: Int64 = 0
  private(set) var loneAir: Int64 = 0
  private(set) var compared: Int64 = 0
  private(set) var comparedAir: Int64 = 0
  private(set) var transfer: Int128 = 0

  @inline(__always)
  mutating func add(_ totals: RunTotals) {
    lone &+= totals.lone
    loneAir &+= totals.loneAir.milliseconds
    compared &+= totals.compared
    comparedAir &+= totals.comparedAir.milliseconds
    transfer += Int128(totals.transfer.nanojoules)
  }
}
