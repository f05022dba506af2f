package import Scenario
package import SimulationKernel

/// The energy that each owner of the current phone used in the counted period (MODEL.md 7.3).
///
/// The ledger is a thread's scratch memory. Once its rows have been counted, it does not contain any part of a phone's
/// state.
package struct EnergyLedger: ~Copyable {
  /// The row of each instance slot, followed by the user's row; it must be the first field (see `PhoneCore.memory`).
  private let rows: UnsafeMutablePointer<EnergyRow>
  /// The part of each row's energy that was spent during sessions, when the user already keeps the radio active.
  private let inSessions: UnsafeMutablePointer<Energy>
  private var instances = 0
  /// The totals of each instance slot that have not been added to the rows yet.
  private let totals: UnsafeMutablePointer<RunTotals>
  /// The runs of each instance slot that have not been added to the totals yet.
  private let equalRuns: UnsafeMutablePointer<EqualRuns>
  /// The instances that have runs in `equalRuns`, as bits by slot.
  private var uncounted: UInt64 = 0
  /// The instances with non-zero energy in `rows` or `inSessions`, as bits by slot.
  private(set) var touched: UInt64 = 0
  /// The instances with non-zero totals, as bits by slot.
  private(set) var unpriced: UInt64 = 0
  /// Whether anything was charged to the system, or anything other than requests was charged to the user.
  private var hasOthers = false
  /// The user's energy that results from the additional power during sessions, above the floor.
  private(set) var session = Energy.zero
  /// The energy used by the system, at the floor power.
  private(set) var floor = Energy.zero
  /// The integral of power over time plus all instant charges, summed before any energy is divided among owners.
  private(set) var integral = Energy.zero

  /// The index of the user's row, which is charged if a mask of payers is empty.
  private static let userRow = UInt64.bitWidth

  init() {
    rows = .allocate(capacity: Self.userRow + 1)
    rows.initialize(repeating: EnergyRow(), count: Self.userRow + 1)
    inSessions = .allocate(capacity: Self.userRow)
    inSessions.initialize(repeating: .zero, count: Self.userRow)
    totals = .allocate(capacity: Self.userRow)
    totals.initialize(repeating: RunTotals(), count: Self.userRow)
    equalRuns = .allocate(capacity: Self.userRow)
    equalRuns.initialize(repeating: EqualRuns(), count: Self.userRow)
  }

  deinit {
    rows.deallocate()
    inSessions.deallocate()
    totals.deallocate()
    equalRuns.deallocate()
  }

  /// Prepares the ledger for another phone, whose runs have a different number of bytes.
  mutating func forgetRuns(instances count: Int) {
    equalRuns.update(repeating: EqualRuns(), count: count)
    uncounted = 0
  }

  /// Starts a new period for a phone with `count` instances.
  mutating func reset(instances count: Int) {
    while touched != 0 {
      let slot = touched.trailingZeroBitCount
      rows[slot] = EnergyRow()
      inSessions[slot] = .zero
      touched &= touched &- 1
    }
    while unpriced != 0 {
      totals[unpriced.trailingZeroBitCount] = RunTotals()
      unpriced &= unpriced &- 1
    }
    instances = count
    integral = .zero
    if hasOthers { forgetOthers() }
  }

  private mutating func forgetOthers() {
    rows[Self.userRow] = EnergyRow()
    session = .zero
    floor = .zero
    hasOthers = false
  }

  package subscript(slot: Int) -> EnergyRow { rows[slot] }

  /// The user's row, which excludes sessions but includes the radio tails after them.
  package var user: EnergyRow { rows[Self.userRow] }

  /// Charges energy to the instances of a mask in equal parts; the remainder goes to the first of them. If the mask is
  /// empty, the user is charged.
  @inline(__always)
  mutating func charge(_ energy: Energy, _ component: EnergyComponent, to mask: UInt64) {
    integral += energy
    touched |= mask
    if mask == 0 { hasOthers = true }
    if mask & (mask &- 1) == 0 {
      add(energy, component, at: mask.trailingZeroBitCount)
    } else {
      share(energy, component, among: mask)
    }
  }

  // MARK: Unpriced

  /// Charges a run that had the radio to itself and cost `energy` in total.
  @inline(__always)
  mutating func chargeLone(_ slot: Int, air: TimeAmount, energy: Energy) {
    integral += energy
    unpriced |= Self.bit(slot)
    totals[slot].lone &+= 1
    totals[slot].loneAir += air
  }

  /// Charges an unperturbed run, which had the radio to itself, including the run's bytes.
  ///
  /// The integral is updated only when the run is counted.
  @inline(__always)
  mutating func chargeUnperturbed(_ slot: Int, air: TimeAmount, of run: Prepared<UnperturbedPlan>) {
    let runs = equalRuns + slot
    if runs.pointee.plan != run {
      runs.pointee = EqualRuns(run)
      uncounted |= Self.bit(slot)
    }
    runs.pointee.add(air: air)
  }

  /// Adds unperturbed runs to the totals of their instances.
  @inline(__always)
  mutating func countEqualRuns() {
    while uncounted != 0 {
      let slot = uncounted.trailingZeroBitCount
      let counted = equalRuns[slot].totals
      if let run = equalRuns[slot].plan { integral += counted.energy(on: run.radio) }
      totals[slot] += counted
      equalRuns[slot] = EqualRuns()
      unpriced |= Self.bit(slot)
      uncounted &= uncounted &- 1
    }
  }

  /// Charges one instance for bytes on the current radio.
  @inline(__always)
  mutating func chargeTransfer(_ energy: Energy, to slot: Int) {
    integral += energy
    unpriced |= Self.bit(slot)
    totals[slot].transfer += energy
  }

  /// Records how long a run would be on the air if no other run used the current radio; nothing is charged.
  @inline(__always)
  mutating func noteAlone(_ slot: Int, air: TimeAmount) {
    unpriced |= Self.bit(slot)
    totals[slot].compared &+= 1
    totals[slot].comparedAir += air
  }

  /// Returns the totals of an instance that are not yet in its row.
  func totals(of slot: Int) -> RunTotals { totals[slot] }

  /// Moves the energy of an instance's runs on a radio to the instance's row.
  mutating func price(_ slot: Int, on plan: Prepared<RadioPlan>) {
    unpriced &= ~Self.bit(slot)
    touched |= Self.bit(slot)
    rows[slot] += totals[slot].row(on: plan)
    totals[slot] = RunTotals()
  }

  @inline(__always)
  private static func bit(_ slot: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: slot) }

  // MARK: Priced

  @inline(never)
  private func share(_ energy: Energy, _ component: EnergyComponent, among mask: UInt64) {
    let others = mask & (mask &- 1)
    assert(others != 0, "a single component cannot share")
    // There are usually two instances; in this case, a shift replaces the division.
    let count: Int64 = others & (others &- 1) == 0 ? 2 : Int64(mask.nonzeroBitCount)
    let part = count == 2 ? energy.nanojoules / 2 : energy.nanojoules / count
    add(Energy(nanojoules: energy.nanojoules - part * count), component, at: mask.trailingZeroBitCount)
    var left = mask
    while left != 0 {
      add(Energy(nanojoules: part), component, at: left.trailingZeroBitCount)
      left &= left &- 1
    }
  }

  /// Adds energy to one component of a row; after inlining, the component is a constant.
  @inline(__always)
  private func add(_ energy: Energy, _ component: EnergyComponent, at row: Int) {
    switch component {
    case .promotion: rows[row].promotion += energy
    case .active: rows[row].active += energy
    case .transfer: rows[row].transfer += energy
    case .tail: rows[row].tail += energy
    case .cpu: rows[row].cpu += energy
    case .wait: rows[row].wait += energy
    }
  }

  mutating func chargeSession(_ energy: Energy) {
    hasOthers = true
    integral += energy
    session += energy
  }

  mutating func chargeFloor(_ energy: Energy) {
    hasOthers = true
    integral += energy
    floor += energy
  }

  /// Records the cost that a run would have if no other run used the radio; nothing is charged.
  @inline(__always)
  mutating func noteAlone(radio: Energy, wait: Energy, of slot: Int) {
    touched |= Self.bit(slot)
    rows[slot].aloneRadio += radio
    rows[slot].aloneWait += wait
  }

  /// Records the part of an instance's charges that occurred during a session.
  @inline(__always)
  mutating func noteInSession(_ energy: Energy, of slot: Int) {
    touched |= Self.bit(slot)
    inSessions[slot] += energy
  }

  func spentInSessions(_ slot: Int) -> Energy { inSessions[slot] }

  /// Whether the system or the user was charged.
  @inline(__always)
  func hasOthers(beyond widgets: Int) -> Bool { hasOthers || instances > widgets }

  /// Returns the energy charged to the user: sessions, the tails after them, and requests that do not belong to a
  /// widget.
  func energyOfPerson(beyond widgets: Int, on plan: Prepared<RadioPlan>) -> Energy {
    let others = hasOthers ? user.total + session : .zero
    guard instances > widgets else { return others }
    return (widgets..<instances).reduce(others) { $0 + rows[$1].total + totals[$1].energy(on: plan) }
  }

  /// The sum of all charges in all rows, including the system and the user.
  package var total: Energy {
    (0..<instances).reduce(user.total + session + floor) { $0 + rows[$1].total }
  }

  /// Returns the first broken invariant; `nil` if the charges of all owners add up to the integral and no charge is
  /// negative.
  ///
  /// - Parameter plan: the radio for which the totals are computed.
  func brokenInvariant(on plan: Prepared<RadioPlan>) -> String? {
    let total = (0..<instances).reduce(total) { $0 + totals[$1].energy(on: plan) }
    if total != integral { return "owners were charged \(total.nanojoules) nJ of \(integral.nanojoules)" }
    for slot in 0..<instances where rows[slot].hasNegative {
      return "a negative entry for instance \(slot)"
    }
    return user.hasNegative || session < .zero || floor < .zero ? "a negative entry for the user or the floor" : nil
  }
}

/// The energy of one owner in the counted period, broken down by component.
package struct EnergyRow: BitwiseCopyable, Equatable {
  package var promotion = Energy.zero
  package var active = Energy.zero
  package var transfer = Energy.zero
  package var tail = Energy.zero
  package var cpu = Energy.zero
  package var wait = Energy.zero
  /// The cost that the runs would have if each had the radio to itself: the radio without transfers, and the wait for
  /// answers.
  package var aloneRadio = Energy.zero
  package var aloneWait = Energy.zero

  package init() {}

  package subscript(component: EnergyComponent) -> Energy {
    switch component {
    case .promotion: promotion
    case .active: active
    case .transfer: transfer
    case .tail: tail
    case .cpu: cpu
    case .wait: wait
    }
  }

  package var total: Energy { radio + transfer + cpu + wait }

  /// The energy of the promotion, the active state and the tails.
  package var radio: Energy { promotion + active + tail }

  static func += (left: inout EnergyRow, right: EnergyRow) {
    left.promotion += right.promotion
    left.active += right.active
    left.transfer += right.transfer
    left.tail += right.tail
    left.cpu += right.cpu
    left.wait += right.wait
    left.aloneRadio += right.aloneRadio
    left.aloneWait += right.aloneWait
  }

  package var hasNegative: Bool { EnergyComponent.allCases.contains { self[$0] < .zero } }
}
