import SimulationKernel

/// What an instance's runs did on the present radio, in counts that are priced together: a price is linear in each.
struct RunTotals: BitwiseCopyable {
  /// Runs that had the radio for themselves, from its promotion to the end of its tails.
  var lone: Int64 = 0
  /// Time that the lone runs were on the air.
  var loneAir = TimeAmount.zero
  /// Runs outside sessions: what each would have cost alone is to be known.
  var compared: Int64 = 0
  /// Time that the compared runs were on the air.
  var comparedAir = TimeAmount.zero
  /// Energy of all transfers.
  var transfer = Energy.zero

  /// What these runs drew from the radio and the processor.
  func energy(on plan: Prepared<RadioPlan>) -> Energy {
    plan.aroundLone * lone + plan.lonePower * loneAir + transfer
  }

  /// What these runs drew by component, and what the compared ones would have drawn alone.
  func row(on plan: Prepared<RadioPlan>) -> EnergyRow {
    let (promotion, active) = (plan.promotion.length, plan.active)
    var row = EnergyRow()
    row.promotion = (plan.aroundFlow - plan.tailEnergy) * lone
    row.active = active * loneAir
    row.tail = plan.tailEnergy * lone
    row.transfer = transfer
    row.wait = ProcessorPower.waiting * (promotion * lone + loneAir)
    row.aloneRadio = plan.aroundFlow * compared + active * comparedAir
    row.aloneWait = ProcessorPower.waiting * (promotion * compared + comparedAir)
    return row
  }

  static func += (left: inout RunTotals, right: RunTotals) {
    left.lone += right.lone
    left.loneAir += right.loneAir
    left.compared += right.compared
    left.comparedAir += right.comparedAir
    left.transfer += right.transfer
  }
}

/// Unperturbed runs of an instance on one radio: each had it for itself and brought the same bytes.
struct EqualRuns: BitwiseCopyable {
  // The counts apart: side by side the compiler would make vectors of them, which take three times as many instructions.
  private var count: Int64 = 0
  /// Which runs; nil: none yet.
  private(set) var plan: Prepared<UnperturbedPlan>?
  /// Time that all of them were on the air.
  private var air = TimeAmount.zero

  init() {}

  /// None yet of such runs.
  init(_ run: Prepared<UnperturbedPlan>) { plan = run }

  @inline(__always)
  mutating func add(air span: TimeAmount) {
    count &+= 1
    air += span
  }

  /// Totals of these runs, in the counts that any runs have.
  var totals: RunTotals {
    var totals = RunTotals()
    guard let run = plan else { return totals }
    totals.lone = count
    totals.loneAir = air
    totals.compared = count
    totals.comparedAir = air
    totals.transfer = run.transfer * count
    return totals
  }
}
