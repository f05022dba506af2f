import Scenario
package import SimulationKernel

/// The energy of the present phone: its radio, the flows of its runs, and the payers (MODEL.md 7).
///
/// The simulator uses it as follows; every call brings the radio up to date first, and `now` never decreases:
///
/// - `begin` with the device, once its instances are known; radios 0.. are the cohort's interfaces.
/// - A request is sent with `beginFlow`, which returns the delay until it is on the air (arrival and answer shift with
///   it). If its length is known at once, `extendFlow` to its end follows, once for all requests of the run with the
///   latest end. Otherwise `leaveOpen` follows, and `answer(slot, at:)` once for each, when its end is known, at the
///   latest at that end. A try after a backoff is sent like any other. Failed requests are in the air, too.
/// - `transferInFlight` is called when the answer to a request is known, with the plan of the interface on which it was
///   sent: requests in the air end as they began. `spendProcessor` is called when a run ends: for hits, errors and
///   joiners, too, never for crashes.
/// - An unperturbed run has `isFree` before it and `passFlow` after it.
/// - A run that joins another's flight calls `follow`, and again whenever that one sends a request or gets an answer.
/// - `noteAlone` is called for each run that sends outside sessions, when its length is known; it is the base for the
///   effect of coalescing.
/// - `startSession`, `endSession`; `changeInterface` when the drawn interface differs. Going offline needs no call.
/// - At one instant the order is the simulator's (MODEL.md 1.3). Flows that end at that instant have ended before any
///   call; a request joins a tail that ends as it is sent.
/// - `takeFromBattery` is called whenever the battery's level is brought up to date; it excludes the floor and
///   sessions.
/// - `closePeriod` is called at clock.start, at each end of a day and at the end of the clock, before the rows of
///   `ledger` are read; then `forgetCharges`.
/// - For a parked phone: count or `price` the ledger, store `radio` and its `flows`, and restore them with `resume`.
package struct EnergyAccount: ~Copyable {
  /// The flows by instance slot, in the phone's own memory or in the account's; first, as `PhoneCore.memory`.
  private(set) var flows: UnsafeMutablePointer<RadioFlow>
  /// Whether energy is counted; else the radio is always ready. The benchmark measures the account's cost with it.
  let isKept: Bool
  var radio: Radio
  private let ownFlows: UnsafeMutablePointer<RadioFlow>
  package var ledger = EnergyLedger()
  /// The radio plans, by interface.
  var plans: PreparedList<RadioPlan>
  /// The radio plan of the present interface.
  var plan: Prepared<RadioPlan>
  private(set) var periodStart = Instant.longAgo
  private var instances = 0
  /// The mask of the phone's widgets; the gallery's requests are the person's.
  private(set) var widgets = UInt64.max

  /// The bytes of a parked phone, and of each of its instances.
  package static var footprint: (device: Int, instance: Int) {
    (MemoryLayout<Radio>.stride, MemoryLayout<RadioFlow>.stride)
  }

  /// Creates an account without a phone.
  ///
  /// - Parameter plans: not empty.
  package init(plans: PreparedList<RadioPlan>, isKept: Bool = true) {
    self.isKept = isKept
    self.plans = plans
    plan = plans.element(at: 0)
    radio = Radio(interface: 0, at: .longAgo)
    ownFlows = .allocate(capacity: Slot.most)
    ownFlows.initialize(repeating: RadioFlow(), count: Slot.most)
    flows = ownFlows
  }

  deinit { ownFlows.deallocate() }

  /// Starts a new phone with its radio asleep.
  ///
  /// - Parameter memory: memory for the flows of its instances; `nil` for the account's own.
  package mutating func begin(
    plans: PreparedList<RadioPlan>, interface: Int, instances: Int, at now: Instant,
    memory: UnsafeMutableRawPointer? = nil
  ) {
    let places = memory?.bindMemory(to: RadioFlow.self, capacity: instances) ?? ownFlows
    places.initialize(repeating: RadioFlow(), count: instances)
    ledger.forgetRuns(instances: instances)
    resume(Radio(interface: interface, at: now), plans: plans, instances: instances, periodStart: now, flows: places)
  }

  /// Resumes a parked phone, whose flows have been restored; the ledger starts empty.
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

  /// Sets the number of instances that are widgets; those after them are the gallery's.
  @inline(__always)
  mutating func countWidgets(_ count: Int) {
    widgets = count >= UInt64.bitWidth ? .max : (1 &<< UInt64(count)) &- 1
  }

  // MARK: Periods

  /// Charges everything up to `now`, as if all flows paused there.
  package mutating func closePeriod(at now: Instant) {
    guard isKept else { return }
    advance(to: now)
    settle(at: now)
    if radio.phase == .promotion { payPromotion(upTo: now) }
    price()
    ledger.chargeFloor(Battery.floor * (now - periodStart))
    periodStart = now
  }

  // MARK: Instant charges

  /// Charges the bytes of an answer whose flow is in the air; the battery is charged when the flow ends.
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

  /// Charges the processor time of a run.
  @inline(__always)
  package mutating func spendProcessor(_ slot: Int, _ span: TimeAmount, inSession: Bool = false) {
    guard span > .zero, isKept else { return }
    let energy = ProcessorPower.busy * span
    spend(energy, .cpu, by: bit(slot))
    if inSession { ledger.noteInSession(energy, of: slot) }
  }

  /// Whether widgets' energy not yet taken from the battery exceeds `reserve`, with another run's processor time.
  @inline(__always)
  func owes(_ reserve: Energy, after processor: Energy) -> Bool { radio.owed + processor > reserve }

  // MARK: Prices

  /// Clears the charges that have been read, the totals of widgets included; the period continues.
  @inline(__always)
  mutating func forgetCharges() { ledger.reset(instances: instances) }

  /// Prices the runs on the present radio.
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
    radio.owed += energy
  }

  /// Notes the cost of a run on its own, on the interface that its requests took.
  ///
  /// - Parameter airTime: from the end of the promotion to the last answer, without backoffs.
  @inline(__always)
  mutating func noteAlone(_ slot: Int, airTime: TimeAmount, over plan: Prepared<RadioPlan>) {
    guard isKept else { return }
    if plan == self.plan { return ledger.noteAlone(slot, air: airTime) }
    ledger.noteAlone(
      radio: plan.aroundFlow + plan.active * airTime,
      wait: ProcessorPower.waiting * (plan.promotion.length + airTime), of: slot)
  }

  /// Adds a further try to the cost of a run on its own, as if it followed the previous one without a backoff.
  mutating func noteAlone(_ slot: Int, furtherAirTime airTime: TimeAmount, over plan: Prepared<RadioPlan>) {
    guard isKept else { return }
    ledger.noteAlone(radio: plan.active * airTime, wait: ProcessorPower.waiting * airTime, of: slot)
  }

  // MARK: Battery

  /// Returns the energy that widgets and the person's tails drew since the last call, without settling.
  package mutating func takeFromBattery(at now: Instant) -> Energy {
    guard isKept else { return .zero }
    advance(to: now)
    let unsettled = unsettled(at: now)
    let taken = radio.owed + unsettled
    radio.owed = .zero - unsettled
    return taken
  }

  /// Returns the energy that widgets and the person's tails drew since the last `takeFromBattery`, without taking it.
  @inline(__always)
  mutating func drawn(at now: Instant) -> Energy {
    guard isKept else { return .zero }
    advance(to: now)
    if radio.isAsleep, radio.strays == 0 { return radio.owed }
    return radio.owed + unsettled(at: now)
  }

  /// The energy of requests' bytes in the air: charged, and drawn from the battery when the flow ends.
  var carriedInTheAir: Energy { (0..<instances).reduce(.zero) { $0 + flows[$1].carried } }

  /// The first broken invariant; `nil` if the owners add up to the integral and no charge is negative.
  var brokenInvariant: String? { ledger.brokenInvariant(on: plan) }

  /// Returns the uncharged energy of the present slice, and of the promotion in progress.
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

  /// The plan of the present interface.
  package var presentPlan: Prepared<RadioPlan> {
    // It is mutating like all reads of a large value here: a borrow would copy it.
    mutating get { plan }
  }

  /// Ends the phases and flows whose end is at or before `now`.
  @inline(__always)
  package mutating func advance(to now: Instant) {
    if radio.nextChange <= now, !passLoneRun(by: now) { passChanges(to: now) }
  }

  /// Charges the slice that ends now; a promotion is charged as a whole at its end.
  @inline(__always)
  mutating func settle(at now: Instant) {
    let span = now - radio.since
    assert(span >= .zero, "time does not go back")
    guard span > .zero else { return }
    radio.since = now
    switch radio.phase {
    case .idle: payWait(radio.strays, span)
    case .dozing:
      radio.phase = .idle
      payWait(radio.strays, span)
    case .promotion: payWait(radio.payers | radio.strays, span)
    case .active:
      spend(plan.active * span, .active, by: radio.payers)
      payWait(radio.payers | radio.strays, span)
    case .tail:
      spend(plan.tails[Int(radio.tail)].power * span, .tail, by: radio.payers)
      payWait(radio.strays, span)
    case .held: ledger.chargeSession(Battery.session * span)
    }
  }

  @inline(__always)
  private mutating func payWait(_ mask: UInt64, _ span: TimeAmount) {
    if mask != 0 { spend(ProcessorPower.waiting * span, .wait, by: mask) }
  }
}

/// The present day of a phone's energy account: the warm-up, then 24 h each from the start of the clock.
struct EnergyDay: BitwiseCopyable {
  /// The end of the day, or of the clock.
  private(set) var end: Instant
  /// The energy of all widgets of the phone, as far as counted.
  var spent = Energy.zero

  /// Creates the day in which the world starts.
  ///
  /// - Parameter clockEnd: the end of the measured period.
  init(beginning: Instant, clockEnd: Instant) { end = beginning < .start ? .start : min(.start + .day, clockEnd) }

  func next(end clockEnd: Instant) -> EnergyDay {
    var day = self
    day.end = min(end + .day, clockEnd)
    day.spent = .zero
    return day
  }

  /// Returns the start of the day, in a world that starts at `beginning`.
  func start(beginning: Instant) -> Instant { isMeasured ? measuredStart : beginning }

  /// The start of the day, at a multiple of whole days from the start of the clock.
  private var measuredStart: Instant {
    let day = TimeAmount.day.milliseconds
    return Instant(millisecondsSinceStart: (end.millisecondsSinceStart - 1) / day * day)
  }

  var isMeasured: Bool { end > .start }
  /// Whether the day has its full length; the last day may be shorter.
  var isWhole: Bool { isMeasured && end - measuredStart == .day }
}
