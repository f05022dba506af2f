import SimulationKernel

/// What an instance's runs did on the present radio, in counts that are priced together: a price is linear in each.
struct RunTotals: BitwiseCopyable {
  /// Runs that had the radio for themselves, from its promotion to the end of its tails.
  var lone: Int64 = 0
  /// Of these, on the air.
  var loneAir = TimeAmount.zero
  /// Runs outside sessions: what each would have cost alone is to be known.
  var compared: Int64 = 0
  /// Of these, on the air.
  var comparedAir = TimeAmount.zero
  /// Of all answers.
  var transfer = Energy.zero
  var down = ByteCount(bytes: 0)
  var up = ByteCount(bytes: 0)

  /// What these runs drew from the radio and the processor.
  func energy(on plan: UnsafePointer<RadioPlan>) -> Energy {
    plan.pointee.aroundLone * lone + plan.pointee.lonePower * loneAir + transfer
  }

  /// The same by component.
  func row(on plan: UnsafePointer<RadioPlan>) -> EnergyRow {
    let (promotion, active) = (plan.pointee.promotion.length, plan.pointee.active)
    var row = EnergyRow()
    row.promotion = (plan.pointee.aroundFlow - plan.pointee.tailEnergy) * lone
    row.active = active * loneAir
    row.tail = plan.pointee.tailEnergy * lone
    row.transfer = transfer
    row.wait = ProcessorPower.waiting * (promotion * lone + loneAir)
    row.aloneRadio = plan.pointee.aroundFlow * compared + active * comparedAir
    row.aloneWait = ProcessorPower.waiting * (promotion * compared + comparedAir)
    return row
  }
}
