import SimulationKernel

/// What the widgets of one kind in one cohort did on one interface in the measured period, in counts: every price is
/// linear in them.
package struct RadioUse: BitwiseCopyable {
  /// As in `RunTotals`; times in milliseconds, energy in nanojoules.
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

extension EnergyTally {
  /// Adds what runs spent on a radio.
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
