import Scenario
package import SimulationKernel

/// The energy of the present phone: its radio, the flows of its runs, and who pays (MODEL.md 7).
///
/// How the simulator drives it; every call brings the radio up to date first, and `now` never goes back:
///
/// - `begin` with the device, once its instances are known; radios 0.. are the cohort's interfaces.
/// - A request leaves: `beginFlow`, which tells the delay until it is on the air (arrival and answer move with it), and,
///   its length being known at once, `extendFlow` to its end, once for all requests of the run with the latest; else
///   `leaveOpen`, and `answer(slot, at:)` once for each, as soon as its end is known, at the latest at that end.
///   A try after a backoff is sent like any other. Failed requests are in the air too.
/// - `transferInFlight` when it is known whether a request is answered, with the plan of the interface on which it was sent
///   (what is in the air ends as it began). `spendProcessor` when a run ends: hits, errors and joiners too, never crashes.
/// - An unperturbed run: `isFree` before it, `passFlow` once it is over.
/// - A run that joins another's flight: `follow`, again whenever that one sends or hears of an answer.
/// - `noteAlone` for each run that sends outside sessions, when its length is known: what coalescing is measured by.
/// - `startSession`, `endSession`; `changeInterface` when the drawn interface differs. Going offline: nothing.
/// - At one instant the order is the simulator's (MODEL.md 1.3); what ends at that instant has ended before any call;
///   a request joins a tail that ends as it is sent.
/// - The battery: `takeFromBattery` whenever its level is brought up to date; the floor and sessions are not in it.
/// - The measured period: `closePeriod` at clock.start, at each end of a day and at the end of the clock, before the rows
///   of `ledger` are read; then `forgetCharges`.
/// - A parked phone: count or `price` what is in the ledger, keep `radio` and its `flows`, give them back with `resume`.
package struct EnergyAccount: ~Copyable {
  /// By instance slot: in the phone's own memory, or in the account's; first, as `PhoneCore.memory`.
  private(set) var flows: UnsafeMutablePointer<RadioFlow>
  /// Without it the radio is always ready and nothing is charged: the benchmark tells by it what the account costs.
  let isKept: Bool
  var radio: Radio
  private let ownFlows: UnsafeMutablePointer<RadioFlow>
  package var ledger = EnergyLedger()
  /// By interface.
  var plans: PreparedList<RadioPlan>
  /// Radio plan of the present interface.
  var plan: Prepared<RadioPlan>
  private(set) var periodStart = Instant.longAgo
  private var instances = 0
  /// The mask of the phone's widgets; the gallery's requests are the person's.
  private(set) var widgets = UInt64.max

  /// Bytes of a parked phone, and of each of its instances.
  package static var footprint: (device: Int, instance: Int) {
    (MemoryLayout<Radio>.stride, MemoryLayout<RadioFlow>.stride)
  }

  /// An account without a phone yet.
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

  /// A new phone, its radio asleep.
  ///
  /// - Parameter memory: room for the flows of its instances; nil: the account's own.
  package mutating func begin(
    plans: PreparedList<RadioPlan>, interface: Int, instances: Int, at now: Instant,
    memory: UnsafeMutableRawPointer? = nil
  ) {
    let places = memory?.bindMemory(to: RadioFlow.self, capacity: instances) ?? ownFlows
    places.initialize(repeating: RadioFlow(), count: instances)
    ledger.forgetRuns(instances: instances)
    resume(Radio(interface: interface, at: now), plans: plans, instances: instances, periodStart: now, flows: places)
  }

  /// A phone that was parked, its flows back in place; the ledger begins empty.
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

  /// The first `count` instances are widgets; those after them are the gallery's.
  @inline(__always)
  mutating func countWidgets(_ count: Int) {
    widgets = count >= UInt64.bitWidth ? .max : (1 &<< UInt64(count)) &- 1
  }

  // MARK: Periods

  /// Charges everything up to `now`, as if all that goes on paused there.
  package mutating func closePeriod(at now: Instant) {
    guard isKept else { return }
    advance(to: now)
    settle(at: now)
    if radio.phase == .promotion { payPromotion(upTo: now) }
    price()
    ledger.chargeFloor(Battery.floor * (now - periodStart))
    periodStart = now
  }

  // MARK: What comes at once

  /// Charges the bytes of an answer whose flow is in the air; the battery gives them when the flow ends.
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

  /// Whether widgets have drawn more than `reserve` that was not taken from the battery, once another run's processor
  /// time is added.
  @inline(__always)
  func owes(_ reserve: Energy, after processor: Energy) -> Bool { radio.owed + processor > reserve }

  // MARK: Prices

  /// Forgets what was charged and has been read, the totals of widgets too; the period goes on.
  @inline(__always)
  mutating func forgetCharges() { ledger.reset(instances: instances) }

  /// Prices what runs did on the present radio.
  mutating func price() {
    ledger.countEqualRuns()
    while ledger.unpriced != 0 { ledger.price(ledger.unpriced.trailingZeroBitCount, on: plan) }
  }

  /// The mask of one instance.
  @inline(__always)
  func bit(_ slot: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: slot) }

  @inline(__always)
  mutating func spend(_ energy: Energy, _ component: EnergyComponent, by mask: UInt64) {
    ledger.charge(energy, component, to: mask)
    radio.owed += energy
  }

  /// Notes what a run would have cost alone, on the interface that its requests took.
  ///
  /// - Parameter airTime: from the end of the promotion to the last answer, backoffs left out.
  @inline(__always)
  mutating func noteAlone(_ slot: Int, airTime: TimeAmount, over plan: Prepared<RadioPlan>) {
    guard isKept else { return }
    if plan == self.plan { return ledger.noteAlone(slot, air: airTime) }
    ledger.noteAlone(
      radio: plan.aroundFlow + plan.active * airTime,
      wait: ProcessorPower.waiting * (plan.promotion.length + airTime), of: slot)
  }

  /// Adds a further try to what a run would have cost alone, as if it followed the one before without a backoff.
  mutating func noteAlone(_ slot: Int, furtherAirTime airTime: TimeAmount, over plan: Prepared<RadioPlan>) {
    guard isKept else { return }
    ledger.noteAlone(radio: plan.active * airTime, wait: ProcessorPower.waiting * airTime, of: slot)
  }

  // MARK: Battery

  /// What widgets and the person's tails drew since the last call; nothing is settled by it.
  package mutating func takeFromBattery(at now: Instant) -> Energy {
    guard isKept else { return .zero }
    advance(to: now)
    let unsettled = unsettled(at: now)
    let taken = radio.owed + unsettled
    radio.owed = .zero - unsettled
    return taken
  }

  /// What widgets and the person's tails drew since `takeFromBattery` was last called, without taking it.
  @inline(__always)
  mutating func drawn(at now: Instant) -> Energy {
    guard isKept else { return .zero }
    advance(to: now)
    if radio.isAsleep, radio.strays == 0 { return radio.owed }
    return radio.owed + unsettled(at: now)
  }

  /// The bytes of requests that are still in the air: charged, and drawn from the battery when the flow ends.
  var carriedInTheAir: Energy { (0..<instances).reduce(.zero) { $0 + flows[$1].carried } }

  /// The first thing that is wrong with the accounts; nil when owners add up to the integral and nobody earns.
  var brokenInvariant: String? { ledger.brokenInvariant(on: plan) }

  /// The energy of the present slice, and of the promotion in progress, that nobody was charged yet.
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
    // Mutating like whatever reads a large value here: a borrow would copy it.
    mutating get { plan }
  }

  /// Ends what ended before or at `now`.
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

/// The day in which a phone's energy is counted at present: the warm-up, then 24 h each from the start of the clock.
struct EnergyDay: BitwiseCopyable {
  /// The end of the day, or of the clock.
  private(set) var end: Instant
  /// By all widgets of the phone, as far as it has been counted.
  var spent = Energy.zero

  /// The day in which the world begins.
  ///
  /// - Parameter clockEnd: of the measured period.
  init(beginning: Instant, clockEnd: Instant) { end = beginning < .start ? .start : min(.start + .day, clockEnd) }

  /// The day after this one.
  func next(end clockEnd: Instant) -> EnergyDay {
    var day = self
    day.end = min(end + .day, clockEnd)
    day.spent = .zero
    return day
  }

  /// The beginning of the day, in a world that begins at `beginning`.
  func start(beginning: Instant) -> Instant { isMeasured ? measuredStart : beginning }

  /// Whole days from the start of the clock lie before it.
  private var measuredStart: Instant {
    let day = TimeAmount.day.milliseconds
    return Instant(millisecondsSinceStart: (end.millisecondsSinceStart - 1) / day * day)
  }

  var isMeasured: Bool { end > .start }
  /// The last day may be shorter.
  var isWhole: Bool { isMeasured && end - measuredStart == .day }
}
