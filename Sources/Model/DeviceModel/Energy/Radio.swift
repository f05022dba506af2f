package import Scenario
package import SimulationKernel

/// The energy state of a phone's radio (MODEL.md 7.1), which occupies 48 bytes.
///
/// `EnergyAccount` updates the state lazily, so it is the state as of the last call. The next call handles all changes
/// since then, each at the instant at which it occurred.
struct Radio: BitwiseCopyable {
  enum Phase: UInt8 {
    /// The IDLE state.
    case idle
    /// The IDLE state, entered at the current instant, so that a request can still join the tail that is ending.
    case dozing
    /// The PROMOTION state; `payers` are the instances that wait for it to end.
    case promotion
    /// The ACTIVE state; `payers` are the instances whose flows are on the air.
    case active
    /// The states TAIL 1..k; `payers` are the instances that started the tail, or empty if the user did.
    case tail
    /// The state in which the radio is kept active by a session; `payers` are on the air and pay only for their bytes.
    case held
  }

  /// The start of the current time slice, during which nothing has changed.
  var since: Instant
  /// The earliest known future change of the radio; `.never` if no change is known.
  var nextChange: Instant = .never
  /// The instances of the current flows, or the instances that started the tail, as bits by slot.
  var payers: UInt64 = 0
  /// The instances that are waiting for answers but have no flow on the current radio, as bits by slot.
  ///
  /// These instances sent requests on a previous interface, or joined another instance's flight.
  var detached: UInt64 = 0
  /// The charges not yet drawn from the battery; negative if energy was drawn before its time slice was charged.
  var undrawn = Energy.zero
  /// The low 32 bits of the instant at which the current promotion or tail ends.
  private var phaseEndBits: UInt32 = 0
  var phase = Phase.idle
  /// The zero-based number of the current tail.
  var tail: UInt8 = 0
  /// The index of the plan of the current interface.
  var interface: UInt8

  /// The maximum length of a promotion or tail, because its end is stored in 32 bits relative to its start.
  static let longestSpell = TimeAmount.days(49)

  /// Creates a radio that is asleep.
  init(interface: Int, at now: Instant) {
    self.interface = UInt8(truncatingIfNeeded: interface)
    since = now
  }

  /// The end of the current promotion or tail; it has no meaning in other phases.
  @inline(__always)
  var phaseEnd: Instant {
    get {
      let low = UInt32(truncatingIfNeeded: since.millisecondsSinceStart)
      return Instant(millisecondsSinceStart: since.millisecondsSinceStart &+ Int64(phaseEndBits &- low))
    }
    set { phaseEndBits = UInt32(truncatingIfNeeded: newValue.millisecondsSinceStart) }
  }

  /// The end of the current promotion or tail; it is `.never` in other phases.
  @inline(__always)
  var spellEnd: Instant { phase == .promotion || phase == .tail ? phaseEnd : .never }

  /// Records that a phase or a flow ends at `instant`.
  @inline(__always)
  mutating func expectChange(at instant: Instant) { if instant < nextChange { nextChange = instant } }

  /// Whether the radio is neither active nor in a promotion or tail.
  @inline(__always)
  var isAsleep: Bool { phase == .idle || phase == .dozing }

  /// The instances with a flow that is on the air or waiting for the promotion.
  @inline(__always)
  var flowing: UInt64 { phase == .tail ? 0 : payers }

  /// The instances that are waiting for answers, on any interface.
  @inline(__always)
  var waiting: UInt64 { flowing | detached }

  /// Returns how long a request sent at `now` waits before it goes on the air; the radio must be up to date.
  @inline(__always)
  func delay(at now: Instant, promotion: TimeAmount) -> TimeAmount {
    switch phase {
    case .idle: promotion
    case .dozing: now == since ? .zero : promotion
    case .promotion: phaseEnd - now
    case .active, .tail, .held: .zero
    }
  }
}

/// The requests in the air for one instance's run: the number without a known end, the latest known end, and the
/// energy.
///
/// A flow occupies 16 bytes: 48 bits for the end (4 459 years in ms), 16 bits for the count and 64 bits for the energy.
struct RadioFlow: BitwiseCopyable, Equatable {
  private var bits = Int64.min
  /// The energy of the bytes so far. This energy is already charged, but is drawn from the battery only when the flow
  /// ends.
  private(set) var carried = Energy.zero

  /// The latest known end of a request; `.longAgo` if no end is known.
  @inline(__always)
  var end: Instant { Instant(millisecondsSinceStart: bits >> 16) }

  /// The number of requests whose end is not known yet.
  @inline(__always)
  var open: Int { Int(bits & 0xFFFF) }

  @inline(__always)
  mutating func addOpen() {
    assert(open < 0xFFFF, "a run has at most 65 535 requests in the air")
    bits &+= 1
  }

  @inline(__always)
  mutating func removeOpen() {
    assert(open > 0, "an answer belongs to a request")
    bits &-= 1
  }

  /// Sets the end of a request to `instant`; the flow keeps the latest of all ends.
  @inline(__always)
  mutating func extend(to instant: Instant) {
    bits = max(bits, instant.millisecondsSinceStart << 16 | bits & 0xFFFF)
  }

  /// Adds the bytes of an answer to the flow.
  @inline(__always)
  mutating func carry(_ energy: Energy) { carried += energy }

  /// Ends the flow and returns its energy.
  @inline(__always)
  mutating func unload() -> Energy {
    defer { carried = .zero }
    return carried
  }

  /// Copies the ends, but not the bytes, of another flow whose answers this run waits for.
  @inline(__always)
  mutating func follow(_ other: RadioFlow) { bits = other.bits }

  /// The end of the flow; it is `.never` while the end of any of its requests is unknown.
  @inline(__always)
  var knownEnd: Instant { open == 0 ? end : .never }
}

/// A radio profile prepared for the event path, without arrays or divisions.
///
/// Performance-critical code reads its fields directly and does not call its methods, because a call would copy the
/// plan.
package struct RadioPlan: BitwiseCopyable {
  package static let maxTails = RadioProfile.maxTails

  package struct Spell: BitwiseCopyable {
    package var length: TimeAmount
    package var power: Power
  }

  package let promotion: Spell
  package let active: Power
  let down: EnergyPerBit
  let up: EnergyPerBit
  /// The time from sending a request on an active radio until it arrives at the server, which is half the round trip.
  package let outbound: TimeAmount
  /// The time from the server's answer to its arrival on the device, which is half the round trip.
  package let inbound: TimeAmount
  /// The number of nonempty tails.
  package let tailCount: Int
  private(set) var tails: InlineArray<4, Spell>
  /// The total length of all tails (`tailLength`) and their total energy (`tailEnergy`).
  let tailLength: TimeAmount
  let tailEnergy: Energy
  /// The energy of the promotion and all tails, which a single flow uses regardless of its length.
  let aroundFlow: Energy
  /// The energy that a lone run uses before and after its time on the air, including the wait for the promotion.
  let aroundLone: Energy
  /// The power drawn while a lone run is on the air: the radio's active power plus the power of the waiting processor.
  let lonePower: Power

  /// Creates a plan for a profile.
  ///
  /// - Parameter profile: a profile with at most `maxTails` tails and no spell longer than 49 days.
  package init(_ profile: RadioProfile) {
    let lasting = profile.tails.filter { $0.length > .zero }
    precondition(lasting.count <= Self.maxTails, "a radio has at most \(Self.maxTails) tails")
    precondition((lasting + [profile.promotion]).allSatisfy { $0.length <= Radio.longestSpell }, "a spell is short")
    promotion = Spell(length: profile.promotion.length, power: profile.promotion.power)
    active = profile.active
    down = profile.down
    up = profile.up
    outbound = .milliseconds(profile.roundTrip.milliseconds / 2)
    inbound = profile.roundTrip - outbound
    tailCount = lasting.count
    tails = InlineArray<4, Spell>(repeating: Spell(length: .zero, power: Power(microwatts: 0)))
    for (index, tail) in lasting.enumerated() { tails[index] = Spell(length: tail.length, power: tail.power) }
    tailLength = lasting.reduce(.zero) { $0 + $1.length }
    tailEnergy = lasting.reduce(.zero) { $0 + $1.energy }
    aroundFlow = profile.promotion.energy + tailEnergy
    aroundLone = aroundFlow + ProcessorPower.waiting * profile.promotion.length
    lonePower = Power(microwatts: profile.active.microwatts + ProcessorPower.waiting.microwatts)
  }

  /// Returns the energy cost of an answer's bytes, which does not depend on the transfer rate (MODEL.md 7.1).
  package func transfer(down received: ByteCount, up sent: ByteCount) -> Energy {
    EnergyPerBit.transfer(down, received, up, sent)
  }
}

/// The power drawn by a widget's code, excluding the radio; these values are assumptions (MODEL.md 7.2).
enum ProcessorPower {
  /// The power drawn while the code is running.
  static var busy: Power { Power(microwatts: ModelConstants.processorMicrowatts) }
  /// The power drawn while waiting for answers, which all waiting runs share.
  static var waiting: Power { Power(microwatts: ModelConstants.waitingMicrowatts) }
}
