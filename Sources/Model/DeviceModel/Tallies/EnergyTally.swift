package import Scenario
import SimulationKernel

/// The energy used by one kind's instances in one cohort during the measured period, in nanojoules.
package struct EnergyTally: BitwiseCopyable {

  /// The energy by `EnergyComponent`, in the order of its cases.
  package private(set) var spent = EnergyComponent.Table<Int128>(repeating: 0)
  /// The part of the energy spent in sessions.
  package private(set) var inSessions: Int128 = 0
  /// The cost that the same runs would have individually: the radio's energy without transfers, and the energy of the
  /// wait.
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

/// The energy used by whole phones in the measured period, in nanojoules, for balancing the accounts (MODEL.md 7.3).
///
/// The energy of all owners adds up to the integral of power.
package struct PhoneEnergy: BitwiseCopyable, Hashable, Sendable {
  /// The integral of power over time plus all instant charges.
  package var integral: Int128 = 0
  /// The user's energy, from sessions, the tails after them, and gallery snapshots.
  package var person: Int128 = 0
  /// The system's energy, from the floor power.
  package var system: Int128 = 0
  /// The energy used by phones with a battery over their lifetimes, including the warm-up: the integral of power, and
  /// the part drawn from the battery.
  ///
  /// Neither includes the outstanding energy of requests still in the air at the end.
  package var lifelong: Int128 = 0
  package var fromBattery: Int128 = 0
  package var fromCharger: Int128 = 0
  package var undrawn: Int128 = 0

  package init() {}

  /// Adds the charges of a phone.
  ///
  /// - Parameter widgets: the number of owners that are instances; other owners belong to the user.
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

/// The share of the battery that all widgets of a phone use per day, over the phones of a cohort.
package struct BatteryShareTally: BitwiseCopyable {
  /// The number of phones with a battery.
  package internal(set) var phones: Int64 = 0
  /// The total time for which these phones exist in the measured period.
  package internal(set) var milliseconds: Int128 = 0
  /// The sum of the shares over all days, including a shorter last day, in billionths of a battery.
  package private(set) var billionths: Int128 = 0
  /// The number of whole days in each `ShareHistogram` bin.
  package let days: UnsafeMutablePointer<Int64>

  init() { days = zeroed(ShareHistogram.binCount) }

  func free() { days.deallocate() }

  mutating func record(_ spent: Energy, of capacity: Energy, isWhole: Bool) {
    let share = Self.billionths(of: capacity, spent)
    billionths += share
    if isWhole { days[ShareHistogram.bin(ofBillionths: Int64(clamping: share))] &+= 1 }
  }

  /// Returns an energy as billionths of a capacity, rounded down.
  ///
  /// This takes one processor division if the quotient fits in 64 bits, which is always the case in practice; a 128-bit
  /// division takes ten times as long.
  static func billionths(of capacity: Energy, _ energy: Energy) -> Int128 {
    let divisor = UInt64(max(capacity.nanojoules, 1))
    let product = UInt64(max(energy.nanojoules, 0)).multipliedFullWidth(by: 1_000_000_000)
    guard product.high < divisor else { return Int128(energy.nanojoules) * 1_000_000_000 / Int128(divisor) }
    return Int128(divisor.dividingFullWidth(product).quotient)
  }
}

/// The radio activity of one kind's widgets in one cohort and on one interface during the measured period.
///
/// All energy costs are linear in these counts.
package struct RadioUse: BitwiseCopyable {
  /// The same counts as in `RunTotals`, with times in milliseconds and energy in nanojoules.
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
