import SimulationKernel

/// Counts of the activity of an instance's runs on the current radio; the energy cost is linear in each count.
struct RunTotals: BitwiseCopyable {
  /// The number of runs that had the radio to themselves, from its promotion to the end of its tails.
  var lone: Int64 = 0
  /// The total time on the air of the lone runs.
  var loneAir = TimeAmount.zero
  /// The number of runs outside sessions, for which the cost of exclusive use of the radio is computed.
  var compared: Int64 = 0
  /// The total time on the air of the runs in `compared`.
  var comparedAir = TimeAmount.zero
  /// The energy of all transfers.
  var transfer = Energy.zero

  /// Returns the radio and processor energy of the counted runs.
  func energy(on plan: Prepared<RadioPlan>) -> Energy {
    plan.aroundLone * lone + plan.lonePower * loneAir + transfer
  }

  /// Returns the energy of the counted runs by component, and the exclusive-use cost of the runs in `compared`.
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

/// The unperturbed runs of an instance on one radio. Each run has the radio to itself, and all have the same number of
/// bytes.
struct EqualRuns: BitwiseCopyable {
  // The counts are not adjacent, because the compiler would then vectorize them, which takes three times as many
  // instructions.
  private var count: Int64 = 0
  /// The plan that all counted runs share; `nil` if there are no runs.
  private(set) var plan: Prepared<UnperturbedPlan>?
  /// The total time on the air of the counted runs.
  private var air = TimeAmount.zero

  init() {}

  /// Creates the counts for a plan, without any runs yet.
  init(_ run: Prepared<UnperturbedPlan>) { plan = run }

  @inline(__always)
  mutating func add(air span: TimeAmount) {
    count &+= 1
    air += span
  }

  /// The totals of the counted runs, in the same form as for other runs.
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
