package import Scenario
package import SimulationKernel

/// The radio of one phone as far as its energy goes (MODEL.md 7.1): what a phone must remember of it, 48 bytes.
///
/// It is driven by `EnergyAccount`, lazily: it stands as it was at the last call, and what ended since then ends, at its
/// own instant, in the next one.
struct Radio: BitwiseCopyable {
  enum Phase: UInt8 {
    /// IDLE.
    case idle
    /// IDLE since this very instant, at which a request still joins the tail that ends.
    case dozing
    /// PROMOTION: `payers` wait for it.
    case promotion
    /// ACTIVE: `payers` are on the air.
    case active
    /// TAIL 1..k: `payers` started it; nobody: it is the person's.
    case tail
    /// In a session the person has the radio; `payers` are on the air and pay their bytes alone.
    case held
  }

  /// Where the present slice began: nothing changed since then.
  var since: Instant
  /// The first known change to come; `.never` when none is known.
  var nextChange: Instant = .never
  /// Instances of the present flows, or of those that started the tail; bits by slot.
  var payers: UInt64 = 0
  /// Instances that wait for answers of which the radio knows no flow: sent on an interface that is no more, or joined
  /// to another instance's flight.
  var strays: UInt64 = 0
  /// Charged, but not yet taken from the battery; negative: taken before its slice was charged.
  var owed = Energy.zero
  /// The low half of the end of the promotion or tail in progress.
  private var phaseEndBits: UInt32 = 0
  var phase = Phase.idle
  /// Number of the tail in progress, from 0.
  var tail: UInt8 = 0
  /// Index of the present interface's plan.
  var interface: UInt8

  /// The end of a promotion or tail is kept in 32 bits, relative to its beginning.
  static let longestSpell = TimeAmount.days(49)

  /// A radio that sleeps.
  init(interface: Int, at now: Instant) {
    self.interface = UInt8(truncatingIfNeeded: interface)
    since = now
  }

  /// The end of the promotion or tail in progress; without meaning in other phases.
  @inline(__always)
  var phaseEnd: Instant {
    get {
      let low = UInt32(truncatingIfNeeded: since.millisecondsSinceStart)
      return Instant(millisecondsSinceStart: since.millisecondsSinceStart &+ Int64(phaseEndBits &- low))
    }
    set { phaseEndBits = UInt32(truncatingIfNeeded: newValue.millisecondsSinceStart) }
  }

  /// The end of the promotion or tail in progress; `.never` in other phases.
  @inline(__always)
  var spellEnd: Instant { phase == .promotion || phase == .tail ? phaseEnd : .never }

  /// Something ends at an instant that nobody knew of before.
  @inline(__always)
  mutating func expectChange(at instant: Instant) { if instant < nextChange { nextChange = instant } }

  /// Neither waking nor awake.
  @inline(__always)
  var isAsleep: Bool { phase == .idle || phase == .dozing }

  /// Instances with a flow: on the air or waiting for the promotion.
  @inline(__always)
  var flowing: UInt64 { phase == .tail ? 0 : payers }

  /// Instances that wait for answers.
  @inline(__always)
  var waiting: UInt64 { flowing | strays }

  /// How long a request sent at `now` waits until it is on the air, on a radio that is up to date.
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

/// The requests of one instance's run that are in the air: how many have no known end, the latest known end, and what
/// their bytes cost.
///
/// 16 bytes: the end in 48 bits (4 459 years in milliseconds), the count in 16, the energy in 64.
struct RadioFlow: BitwiseCopyable, Equatable {
  private var bits = Int64.min
  /// Energy of the bytes carried so far: charged, and drawn from the battery when the flow ends.
  private(set) var carried = Energy.zero

  /// The latest end told so far; long ago when none was.
  @inline(__always)
  var end: Instant { Instant(millisecondsSinceStart: bits >> 16) }

  /// Requests whose end is not known yet.
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

  /// A request ends at `instant`; the latest counts.
  @inline(__always)
  mutating func extend(to instant: Instant) {
    bits = max(bits, instant.millisecondsSinceStart << 16 | bits & 0xFFFF)
  }

  /// An answer of the flow has its bytes.
  @inline(__always)
  mutating func carry(_ energy: Energy) { carried += energy }

  /// The flow has come to its end: what it carried is somebody else's now.
  @inline(__always)
  mutating func unload() -> Energy {
    defer { carried = .zero }
    return carried
  }

  /// As another's flow whose answers are awaited, without its bytes.
  @inline(__always)
  mutating func follow(_ other: RadioFlow) { bits = other.bits }

  /// The known end of the flow; `.never` while a request's is open.
  @inline(__always)
  var knownEnd: Instant { open == 0 ? end : .never }
}

/// A radio profile prepared for the event path: no arrays, nothing to divide by.
///
/// Hot code reads its fields in place and calls none of its methods: they would copy it.
package struct RadioPlan: BitwiseCopyable {
  /// Tails that a plan has room for.
  package static let mostTails = RadioProfile.mostTails

  package struct Spell: BitwiseCopyable {
    package var length: TimeAmount
    package var power: Power
  }

  package let promotion: Spell
  package let active: Power
  let down: EnergyPerBit
  let up: EnergyPerBit
  /// From sending a request on an active radio to its arrival: half the round trip.
  package let outbound: TimeAmount
  /// From the server's answer to the device: the other half.
  package let inbound: TimeAmount
  /// Tails that last.
  package let tailCount: Int
  private(set) var tails: InlineArray<4, Spell>
  /// All tails together.
  let tailLength: TimeAmount
  let tailEnergy: Energy
  /// Promotion and all tails: what a flow alone pays however short it is.
  let aroundFlow: Energy
  /// What a run with the radio for itself pays before and after it is on the air, its wait for the promotion included.
  let aroundLone: Energy
  /// What it draws on the air: the radio's active power, and the processor's that waits.
  let lonePower: Power

  /// - Parameter profile: with at most `mostTails` tails, none of its spells longer than 49 days.
  package init(_ profile: RadioProfile) {
    let lasting = profile.tails.filter { $0.length > .zero }
    precondition(lasting.count <= Self.mostTails, "a radio has at most \(Self.mostTails) tails")
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

  /// What an answer costs by its bytes, at any rate of transfer (MODEL.md 7.1).
  package func transfer(down received: ByteCount, up sent: ByteCount) -> Energy {
    EnergyPerBit.transfer(down, received, up, sent)
  }
}

/// What a widget's code draws beside the radio (MODEL.md 7.2); assumptions.
enum ProcessorPower {
  /// Per second of processor time.
  static var busy: Power { Power(microwatts: ModelConstants.processorMicrowatts) }
  /// Awake for answers, shared by all runs that wait.
  static var waiting: Power { Power(microwatts: ModelConstants.waitingMicrowatts) }
}
