package import SimulationKernel

/// The power levels and timings of a radio on one type of network (MODEL.md 7.1).
///
/// The power levels do not include the base power of the phone. Profiles are identified by name.
package struct RadioProfile: RawRepresentable, CaseIterable, Hashable, Sendable {
  /// The name as written in a scenario: `lte-2012`.
  package var rawValue: String
  /// The promotion from the idle state to the active state.
  package var promotion: RadioSpell
  package var active: Power
  /// The energy per received bit.
  package var down: EnergyPerBit
  /// The energy per sent bit.
  package var up: EnergyPerBit
  /// The tails that follow the last flow, in order.
  package var tails: [RadioSpell]
  /// The round-trip time of a request, excluding the server's latency.
  package var roundTrip: TimeAmount
  package var evidence: RadioEvidence

  package static let maxTails = 4

  package init(
    name: String, promotion: RadioSpell, active: Power, down: EnergyPerBit, up: EnergyPerBit, tails: [RadioSpell],
    roundTrip: TimeAmount, evidence: RadioEvidence
  ) {
    rawValue = name
    self.promotion = promotion
    self.active = active
    self.down = down
    self.up = up
    self.tails = tails
    self.roundTrip = roundTrip
    self.evidence = evidence
  }

  /// Creates the built-in profile with this name; `nil` if there is no such profile.
  package init?(rawValue: String) {
    guard let profile = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = profile
  }
}

/// A time span at constant power.
package struct RadioSpell: Hashable, Sendable {
  package var length: TimeAmount
  package var power: Power

  package init(_ length: TimeAmount, _ power: Power) {
    self.length = length
    self.power = power
  }

  package var energy: Energy { power * length }
}

/// The sources of the numbers in a profile.
package struct RadioEvidence: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    /// Huang et al., A close examination of performance and power characteristics of 4G LTE networks, MobiSys 2012,
    /// tables 3 and 4 (HTC Thunderbolt). Quoted from memory.
    case huang2012
    /// Huang et al. 2012, confirmed by `ARO.Core/src/main/resources/lte.conf` of AT&T's VideoOptimizer.
    case huang2012ConfirmedByATT
    /// Narayanan et al., A variegated look at 5G in the wild, SIGCOMM 2021, based on regressions on the published
    /// traces.
    case narayanan2021Traces
    /// Table 2 of Narayanan et al. 2021, quoted from memory; its trace has not been published.
    case narayanan2021Table
    /// A number that was derived indirectly from published traces.
    case derived
    /// A number that was taken from a similar network.
    case borrowed
    /// A judgement that is not based on published data.
    case judged
    /// A number given in the scenario.
    case scenario
  }

  package enum Confidence: Hashable, Sendable {
    case high
    case medium
    case low
  }

  package struct Citation: Hashable, Sendable {
    package var source: Source
    package var confidence: Confidence

    package init(_ source: Source, _ confidence: Confidence) {
      self.source = source
      self.confidence = confidence
    }

    /// The citation for numbers given in the scenario.
    package static let scenario = Citation(.scenario, .medium)
  }

  package var promotionLength: Citation
  package var promotionPower: Citation
  package var active: Citation
  package var perBit: Citation
  package var tailLengths: [Citation]
  package var tailPowers: [Citation]
  package var roundTrip: Citation

  /// Returns the evidence for a profile defined in the scenario.
  package static func scenario(tails: Int) -> RadioEvidence {
    let citations = Array(repeating: Citation.scenario, count: tails)
    return RadioEvidence(
      promotionLength: .scenario, promotionPower: .scenario, active: .scenario, perBit: .scenario,
      tailLengths: citations, tailPowers: citations, roundTrip: .scenario)
  }

  /// Returns the evidence for a radio with a single tail. The same citation applies to all numbers except the round
  /// trip.
  fileprivate static func all(_ citation: Citation) -> RadioEvidence {
    RadioEvidence(
      promotionLength: citation, promotionPower: citation, active: citation, perBit: citation,
      tailLengths: [citation], tailPowers: [citation], roundTrip: Citation(.judged, .low))
  }

  /// Returns the evidence for the networks measured in 2021. The length of the promotion was measured with probes; its
  /// power is uncertain.
  fileprivate static func measured2021(
    active: Citation, perBit: Citation, tailLengths: [Citation], tailPowers: [Citation]
  ) -> RadioEvidence {
    RadioEvidence(
      promotionLength: Citation(.derived, .medium), promotionPower: Citation(.judged, .low), active: active,
      perBit: perBit, tailLengths: tailLengths, tailPowers: tailPowers, roundTrip: Citation(.judged, .low))
  }
}

/// The table of MODEL.md 7.1, which contains published measurements and the source of each number.
///
/// No measurements of an iPhone's radio have been published. The tail power differs by a factor of 40 between networks,
/// so results apply to a single profile, never to phones in general. All round-trip times are assumptions.
extension RadioProfile {
  package static let allCases = [
    wifi, lte2012, lte2021Verizon, lte2021TMobile, nsaLowBand5G, standalone5G, millimetreWave5G,
  ]

  /// The profile of Wi-Fi. The length of the tail agrees with AT&T's `WiFi.conf` (0.25 s).
  package static let wifi = RadioProfile(
    name: "wifi", promotion: .init(.milliseconds(79), .milliwatts(124)), active: .milliwatts(133),
    down: .picojoules(137_010), up: .picojoules(283_170), tails: [.init(.milliseconds(238), .milliwatts(119))],
    roundTrip: .milliseconds(30),
    evidence: .all(.init(.huang2012, .medium)))

  /// The profile of LTE in 2012.
  ///
  /// Times are rounded to whole milliseconds, so the promotion takes 260 ms instead of 260.1 ms, and 314.782 mJ instead
  /// of 314.903 mJ. AT&T rounds the active power down to 1.2 W and lists a tail of 10 s at 1.09 to 1.12 W.
  package static let lte2012 = RadioProfile(
    name: "lte-2012", promotion: .init(.milliseconds(260), Power(microwatts: 1_210_700)),
    active: Power(microwatts: 1_288_040), down: .picojoules(51_970), up: .picojoules(438_390),
    tails: [.init(.milliseconds(11_576), .milliwatts(1_060))], roundTrip: .milliseconds(70),
    evidence: .all(.init(.huang2012ConfirmedByATT, .high)))

  /// The profile of Verizon's 4G. Probes show a tail of 10.0 s, but the paper's power measurement lasted 10.2 s.
  package static let lte2021Verizon = RadioProfile(
    name: "lte-2021-vz", promotion: .init(.milliseconds(260), .milliwatts(600)), active: .milliwatts(480),
    down: .picojoules(11_500), up: .picojoules(76_700), tails: [.init(.milliseconds(10_200), .milliwatts(178))],
    roundTrip: .milliseconds(60),
    evidence: .measured2021(
      active: .init(.narayanan2021Traces, .medium), perBit: .init(.narayanan2021Traces, .high),
      tailLengths: [.init(.narayanan2021Traces, .medium)], tailPowers: [.init(.narayanan2021Table, .low)]))

  /// The profile of T-Mobile's 4G. The active power and the energy per bit are those of Verizon's network.
  package static let lte2021TMobile = RadioProfile(
    name: "lte-2021-tmo", promotion: .init(.milliseconds(260), .milliwatts(600)), active: .milliwatts(480),
    down: .picojoules(11_500), up: .picojoules(76_700), tails: [.init(.milliseconds(5_000), .milliwatts(66))],
    roundTrip: .milliseconds(60),
    evidence: .measured2021(
      active: .init(.borrowed, .medium), perBit: .init(.borrowed, .medium),
      tailLengths: [.init(.narayanan2021Traces, .high)], tailPowers: [.init(.narayanan2021Table, .low)]))

  package static let nsaLowBand5G = RadioProfile(
    name: "5g-nsa-low", promotion: .init(.milliseconds(260), .milliwatts(900)), active: .milliwatts(700),
    down: .picojoules(11_500), up: .picojoules(32_200), tails: [.init(.milliseconds(10_200), .milliwatts(249))],
    roundTrip: .milliseconds(50),
    evidence: .measured2021(
      active: .init(.narayanan2021Traces, .medium), perBit: .init(.narayanan2021Traces, .high),
      tailLengths: [.init(.narayanan2021Traces, .high)], tailPowers: [.init(.narayanan2021Table, .low)]))

  /// The profile of standalone 5G.
  ///
  /// The second tail is the INACTIVE state, from 10.2 to 15.0 s. The active power and the energy per bit are those of
  /// 5g-nsa-low.
  package static let standalone5G = RadioProfile(
    name: "5g-sa", promotion: .init(.milliseconds(260), .milliwatts(800)), active: .milliwatts(700),
    down: .picojoules(11_500), up: .picojoules(32_200),
    tails: [.init(.milliseconds(10_200), .milliwatts(593)), .init(.milliseconds(4_800), .milliwatts(50))],
    roundTrip: .milliseconds(40),
    evidence: .measured2021(
      active: .init(.borrowed, .low), perBit: .init(.borrowed, .low),
      tailLengths: [.init(.narayanan2021Traces, .high), .init(.narayanan2021Traces, .high)],
      tailPowers: [.init(.narayanan2021Table, .low), .init(.judged, .low)]))

  /// The profile of millimetre-wave 5G. The paper's script plots a tail of 11.2 s.
  package static let millimetreWave5G = RadioProfile(
    name: "5g-mmwave", promotion: .init(.milliseconds(260), .milliwatts(1_700)), active: .milliwatts(2_880),
    down: .picojoules(1_730), up: .picojoules(8_880), tails: [.init(.milliseconds(11_000), .milliwatts(1_092))],
    roundTrip: .milliseconds(30),
    evidence: .measured2021(
      active: .init(.narayanan2021Traces, .medium), perBit: .init(.narayanan2021Traces, .high),
      tailLengths: [.init(.narayanan2021Traces, .high)], tailPowers: [.init(.narayanan2021Table, .low)]))
}

extension Power {
  fileprivate static func milliwatts(_ count: Int64) -> Power { Power(microwatts: count * 1_000) }
}

extension EnergyPerBit {
  fileprivate static func picojoules(_ count: Int64) -> EnergyPerBit { EnergyPerBit(picojoules: count) }
}

/// A component of a widget's energy use (MODEL.md 7.4); raw values are indices into tallies.
package enum EnergyComponent: UInt8, CaseIterable, Sendable {
  case promotion
  case active
  case transfer
  case tail
  case cpu
  case wait

  /// A table with a value for each component, indexed by the component's raw value.
  package typealias Table<Value> = InlineArray<6, Value>

  /// The name used in the `component` column.
  package var name: String { "\(self)" }
}
