import Scenario
package import SimulationKernel

/// The energy account of the current phone: its radio, the flows of its runs, and the payers (MODEL.md 7).
///
/// The simulator uses the account as described below. Each call first brings the radio up to date, and `now` never
/// decreases.
///
/// - `begin` is called for each device when its instances are known; radio indices are the cohort's interface indices.
/// - A request is sent with `beginFlow`, which returns how long the request waits before it goes on the air. The
///   request's arrival and its answer are delayed by the same amount of time. If the end of the request is already
///   known, `extendFlow` follows, once for all requests of the run, with the latest end. Otherwise, `leaveOpen`
///   follows, and then `answer(_:at:)` for each request, no later than its end. An attempt after a backoff is sent in
///   the same way. Failed requests also occupy the radio.
/// - `transferInFlight` is called when the answer to a request is known, with the plan of the interface that sent the
///   request. Requests in the air stay on their interface. `spendProcessor` is called when a run ends, including cache
///   hits, errors and joined flights, but not when a run crashes.
/// - For an unperturbed run, `isFree` is called before the run and `passFlow` after it.
/// - If a run joins another run's flight, `follow` is called immediately, and again whenever the other run sends a
///   request or receives an answer.
/// - `noteAlone` is called for each run that sends requests outside sessions, as soon as the run's length is known. The
///   recorded cost is the baseline for the effect of coalescing.
/// - `startSession` and `endSession` mark sessions, and `changeInterface` marks a change of interface. No call is
///   needed when the phone goes offline.
/// - Calls at the same instant follow the simulator's order (MODEL.md 1.3). Flows that end at that instant end before
///   any call. A request joins a tail that ends at the instant of sending.
/// - `takeFromBattery` is called whenever the battery level is brought up to date; its result excludes the floor power
///   and sessions.
/// - `closePeriod` is called at clock.start, at the end of each day and when the clock ends, before the rows of
///   `ledger` are read. `forgetCharges` is called after they have been read.
/// - When a phone is parked, the ledger is counted, or its costs are computed with `price`. Then `radio` and its
///   `flows` are stored, and `resume` restores them later.
package struct EnergyAccount: ~Copyable {
  /// The flow of each instance slot, in the phone's or the account's memory; it must be the first field (see
  /// `PhoneCore.memory`).
  private(set) var flows: UnsafeMutablePointer<RadioFlow>
  /// Whether energy is counted. If it is not, as in a benchmark of the account's overhead, the radio is always ready.
  let isKept: Bool
  var radio: Radio
  private let ownFlows: UnsafeMutablePointer<RadioFlow>
  package var ledger = EnergyLedger()
  /// The radio plan of each interface.
  var plans: PreparedList<RadioPlan>
  /// The radio plan of the current interface.
  var plan: Prepared<RadioPlan>
  private(set) var periodStart = Instant.longAgo
  private var instances = 0
  /// The mask of the phone's widgets. Requests of the gallery are charged to the user.
  private(set) var widgets = UInt64.max

  /// The sizes in bytes of a parked phone and of each of its instances.
  package static var footprint: (device: Int, instance: Int) {
    (MemoryLayout<Radio>.stride, MemoryLayout<RadioFlow>.stride)
  }

  /// Creates an account that has no phone yet.
  ///
  /// - Parameter plans: the radio plan of each interface; there must be at least one.
  package init(plans: PreparedList<RadioPlan>, isKept: Bool = true) {
    self.isKept = isKept
    self.plans = plans
    plan = plans.element(at: 0)
    radio = Radio(interface: 0, at: .longAgo)
    ownFlows = .allocate(capacity: Slot.maximum)
    ownFlows.initialize(repeating: RadioFlow(), count: Slot.maximum)
    flows = ownFlows
  }

  deinit { ownFlows.deallocate() }

  /// Starts a new phone with its radio asleep.
  ///
  /// - Parameter memory: memory for the flows of the phone's instances; if it is `nil`, the account's memory is used.
  package mutating func begin(
    plans: PreparedList<RadioPlan>, interface: Int, instances: Int, at now: Instant,
    memory: UnsafeMutableRawPointer? = nil
  ) {
    let places = memory?.bindMemory(to: RadioFlow.self, capacity: instances) ?? ownFlows
    places.initialize(repeating: RadioFlow(), count: instances)
    ledger.forgetRuns(instances: instances)
    resume(Radio(interface: interface, at: now), plans: plans, instances: instances, periodStart: now, flows: places)
  }

  /// Resumes a parked phone whose flows have been restored; the ledger starts empty.
  mutating func resume(
    _ radio: Radio, plans: PreparedList<RadioPlan>, instances: Int, periodStart: Instant,
    flows: UnsafeMutablePointer<RadioFlow>? = nil
  ) {
    self.radio = radio
    self.flows = flows ?? ownFlows
    self.plans = plans
    self.instances = instances
    self.periodStart = periodStart
    plan = plans.element(at: Int(radio.interface))
    ledger.reset(instances: instances)
  }

  /// Sets the number of instances that are widgets; the remaining instances belong to the gallery.
  @inline(__always)
  mutating func countWidgets(_ count: Int) {
    widgets = count >= UInt64.bitWidth ? .max : (1 &<< UInt64(count)) &- 1
  }

  // MARK: Periods

  /// Charges the widgets for all energy used up to `now`, as if all flows were paused at that instant.
  mutating func charge(upTo now: Instant) {
    guard isKept else { return }
    advance(to: now)
    settle(at: now)
    if radio.phase == .promotion { payPromotion(upTo: now) }
    price()
  }

  /// Charges all energy used up to `now`, including the phone's base consumption since the last period.
  package mutating func closePeriod(at now: Instant) {
    guard isKept else { return }
    charge(upTo: now)
    ledger.chargeFloor(Battery.floor * (now - periodStart))
    periodStart = now
  }

  // MARK: Instant charges

  /// Charges the bytes of an answer whose flow is in the air; their energy is drawn from the battery when the flow
  /// ends.
  @inline(__always)
  mutating func transferInFlight(
    _ slot: Int, down: ByteCount, up: ByteCount, over plan: Prepared<RadioPlan>, inSession: Bool
  ) {
    guard isKept else { return }
    let energy = EnergyPerBit.transfer(plan.down, down, plan.up, up)
    if plan == self.plan {
      ledger.chargeTransfer(energy, to: slot)
    } else {
      ledger.charge(energy, .transfer, to: bit(slot))
    }
    flows[slot].carry(energy)
    if inSession { ledger.noteInSession(energy, of: slot) }
  }

  @inline(__always)
  package mutating func spendProcessor(_ slot: Int, _ span: TimeAmount, inSession: Bool = false) {
    guard span > .zero, isKept else { return }
    let energy = ProcessorPower.busy * span
    spend(energy, .cpu, by: bit(slot))
    if inSession { ledger.noteInSession(energy, of: slot) }
  }

  /// Whether the widgets' energy not yet drawn from the battery, plus the processor energy of another run, exceeds
  /// `reserve`.
  @inline(__always)
  func owes(_ reserve: Energy, after processor: Energy) -> Bool { radio.undrawn + processor > reserve }

  // MARK: Prices

  /// Clears the charges that have been read, including the widgets' totals, without ending the period.
  @inline(__always)
  mutating func forgetCharges() { ledger.reset(instances: instances) }

  /// Computes the energy that the runs used on the current radio.
  mutating func price() {
    ledger.countEqualRuns()
    while ledger.unpriced != 0 { ledger.price(ledger.unpriced.trailingZeroBitCount, on: plan) }
  }

  /// Returns the mask of one instance.
  @inline(__always)
  func bit(_ slot: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: slot) }

  @inline(__always)
  mutating func spend(_ energy: Energy, _ component: EnergyComponent, by mask: UInt64) {
    ledger.charge(energy, component, to: mask)
    radio.undrawn += energy
  }

  /// Records the cost that a run would have if no other run used the radio, on the interface that its requests used.
  ///
  /// - Parameter airTime: the time from the end of the promotion to the last answer, excluding backoffs.
  @inline(__always)
  mutating func noteAlone(_ slot: Int, airTime: TimeAmount, over plan: Prepared<RadioPlan>) {
    guard isKept else { return }
    if plan == self.plan { return ledger.noteAlone(slot, air: airTime) }
    ledger.noteAlone(
      radio: plan.aroundFlow + plan.active * airTime,
      wait: ProcessorPower.waiting * (plan.promotion.length + airTime), of: slot)
  }

  /// Adds another attempt to the cost that a run would have if no other run used the radio and there were no backoff.
  mutating func noteAlone(_ slot: Int, furtherAirTime airTime: TimeAmount, over plan: Prepared<RadioPlan>) {
    guard isKept else { return }
    ledger.noteAlone(radio: plan.active * airTime, wait: ProcessorPower.waiting * airTime, of: slot)
  }

  // MARK: Battery

  /// Returns the energy drawn by widgets and by the user's tails since the last call, without charging it.
  package mutating func takeFromBattery(at now: Instant) -> Energy {
    guard isKept else { return .zero }
    advance(to: now)
    let unsettled = unsettled(at: now)
    let taken = radio.undrawn + unsettled
    radio.undrawn = .zero - unsettled
    return taken
  }

  /// Returns the energy drawn by widgets and by the user's tails since the last call to `takeFromBattery`, without
  /// resetting it.
  @inline(__always)
  mutating func drawn(at now: Instant) -> Energy {
    guard isKept else { return .zero }
    advance(to: now)
    if radio.isAsleep, radio.detached == 0 { return radio.undrawn }
    return radio.undrawn + unsettled(at: now)
  }

  /// The energy of the request bytes in the air. This energy is already charged, but is drawn from the battery only
  /// when the flow ends.
  var carriedInTheAir: Energy { (0..<instances).reduce(.zero) { $0 + flows[$1].carried } }

  /// The first broken invariant; `nil` if the charges of all owners add up to the integral and no charge is negative.
  var brokenInvariant: String? { ledger.brokenInvariant(on: plan) }

  /// Returns the uncharged energy of the current slice and of the promotion in progress.
  private mutating func unsettled(at now: Instant) -> Energy {
    let span = now - radio.since
    let wait = radio.phase == .held || radio.waiting == 0 ? .zero : ProcessorPower.waiting * span
    switch radio.phase {
    case .idle, .dozing: return wait
    case .promotion: return wait + promotionEnergy(upTo: now)
    case .active: return wait + plan.active * span
    case .tail: return wait + plan.tails[Int(radio.tail)].power * span
    case .held: return .zero
    }
  }

  // MARK: Slices

  package var presentPlan: Prepared<RadioPlan> {
    // This accessor is mutating, like all reads of large values here, because a borrow would copy the value.
    mutating get { plan }
  }

  /// Ends the phases and flows whose ends are no later than `now`.
  @inline(__always)
  package mutating func advance(to now: Instant) {
    if radio.nextChange <= now, !passLoneRun(by: now) { passChanges(to: now) }
  }

  /// Charges the slice that ends now; a promotion is charged in full when it ends.
  @inline(__always)
  mutating func settle(at now: Instant) {
    let span = now - radio.since
    assert(span >= .zero, "time does not go backwards")
    guard span > .zero else { return }
    radio.since = now
    switch radio.phase {
    case .idle: payWait(radio.detached, span)
    case .dozing:
      radio.phase = .idle
      payWait(radio.detached, span)
    case .promotion: payWait(radio.payers | radio.detached, span)
    case .active:
      spend(plan.active * span, .active, by: radio.payers)
      payWait(radio.payers | radio.detached, span)
    case .tail:
      spend(plan.tails[Int(radio.tail)].power * span, .tail, by: radio.payers)
      payWait(radio.detached, span)
    case .held: ledger.chargeSession(Battery.session * span)
    }
  }

  @inline(__always)
  private mutating func payWait(_ mask: UInt64, _ span: TimeAmount) {
    if mask != 0 { spend(ProcessorPower.waiting * span, .wait, by: mask) }
  }
}

/// The current day of a phone's energy account: the warm-up, or one of the 24-hour days after the clock starts.
struct EnergyDay: BitwiseCopyable {
  /// The end of the day, or the end of the clock if it is earlier.
  private(set) var end: Instant
  /// The energy counted so far on this day for all of the phone's widgets.
  var spent = Energy.zero

  /// Creates the day in which the simulation starts.
  ///
  /// - Parameter clockEnd: the end of the measured period.
  init(beginning: Instant, clockEnd: Instant) { end = beginning < .start ? .start : min(.start + .day, clockEnd) }

  func next(end clockEnd: Instant) -> EnergyDay {
    var day = self
    day.end = min(end + .day, clockEnd)
    day.spent = .zero
    return day
  }

  /// Returns the start of the day in a simulation that starts at `beginning`.
  func start(beginning: Instant) -> Instant { isMeasured ? measuredStart : beginning }

  /// The start of the day, which is a whole number of days after the clock starts.
  private var measuredStart: Instant {
    let day = TimeAmount.day.milliseconds
    return Instant(millisecondsSinceStart: (end.millisecondsSinceStart - 1) / day * day)
  }

  var isMeasured: Bool { end > .start }
  /// Whether the day has its full length of 24 hours; the last day may be shorter.
  var isWhole: Bool { isMeasured && end - measuredStart == .day }
}
