package import Scenario
package import SimulationKernel

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

  /// What a run would cost if nothing else used the phone, but for its processor time (MODEL.md 7.4).
  ///
  /// - Parameters:
  ///   - airTime: from the end of the promotion to the last answer.
  ///   - received, sent: bytes of all its answers.
  /// - Returns: promotion, active power and all tails; the transfer; the wait for the answers.
  package func alone(airTime: TimeAmount, down received: ByteCount, up sent: ByteCount) -> RunAlone {
    RunAlone(
      radio: aroundFlow + active * airTime, transfer: transfer(down: received, up: sent),
      wait: ProcessorPower.waiting * (promotion.length + airTime))
  }
}

/// The energy of one run in isolation: what coalescing is measured against (MODEL.md 7.4).
package struct RunAlone: BitwiseCopyable, Hashable {
  /// Promotion, active, tails.
  package var radio: Energy
  package var transfer: Energy
  package var wait: Energy
}

/// What a widget's code draws beside the radio (MODEL.md 7.2); assumptions.
enum ProcessorPower {
  /// Per second of processor time.
  static var busy: Power { Power(microwatts: ModelConstants.processorMicrowatts) }
  /// Awake for answers, shared by all runs that wait.
  static var waiting: Power { Power(microwatts: ModelConstants.waitingMicrowatts) }
}
