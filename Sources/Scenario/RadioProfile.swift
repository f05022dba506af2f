package import SimulationKernel

/// A radio on one kind of network: what it draws and how long it waits (MODEL.md 7.1).
///
/// Powers are what the radio adds to the phone's floor. Profiles are told apart by their names.
package struct RadioProfile: RawRepresentable, CaseIterable, Hashable, Sendable {
  /// As written in a scenario: `lte-2012`.
  package var rawValue: String
  /// From idle to active.
  package var promotion: RadioSpell
  package var active: Power
  /// Energy per bit of what is received.
  package var down: EnergyPerBit
  /// Energy per bit of what is sent.
  package var up: EnergyPerBit
  /// After the last flow, in order.
  package var tails: [RadioSpell]
  /// Round trip of a request, without the server's latency.
  package var roundTrip: TimeAmount
  package var evidence: RadioEvidence

  /// Tails that a radio may have.
  package static let mostTails = 4

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

  /// One of the table's profiles.
  package init?(rawValue: String) {
    guard let profile = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = profile
  }
}

/// A length of time at one power.
package struct RadioSpell: Hashable, Sendable {
  package var length: TimeAmount
  package var power: Power

  package init(_ length: TimeAmount, _ power: Power) {
    self.length = length
    self.power = power
  }

  package var energy: Energy { power * length }
}

/// Where each number of a profile comes from.
package struct RadioEvidence: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    /// Huang et al., A close examination of performance and power characteristics of 4G LTE networks, MobiSys 2012,
    /// tables 3 and 4 (HTC Thunderbolt), quoted from memory of the paper.
    case huang2012
    /// Huang et al. 2012, confirmed by `ARO.Core/src/main/resources/lte.conf` of AT&T's VideoOptimizer.
    case huang2012ConfirmedByATT
    /// Narayanan et al., A variegated look at 5G in the wild, SIGCOMM 2021: regressions over the published traces.
    case narayanan2021Traces
    /// Table 2 of Narayanan et al. 2021, quoted from memory; its trace is not published.
    case narayanan2021Table
    /// Follows from published traces by an argument.
    case derived
    /// Number taken from a network nearby.
    case borrowed
    /// A judgement; published nowhere.
    case judged
    /// The scenario's own.
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

    /// A number that the scenario gives.
    package static let scenario = Citation(.scenario, .medium)
  }

  package var promotionLength: Citation
  package var promotionPower: Citation
  package var active: Citation
  package var perBit: Citation
  package var tailLengths: [Citation]
  package var tailPowers: [Citation]
  package var roundTrip: Citation

  /// All numbers are the scenario's.
  package static func scenario(tails: Int) -> RadioEvidence {
    let citations = Array(repeating: Citation.scenario, count: tails)
    return RadioEvidence(
      promotionLength: .scenario, promotionPower: .scenario, active: .scenario, perBit: .scenario,
      tailLengths: citations, tailPowers: citations, roundTrip: .scenario)
  }

  package init(
    promotionLength: Citation, promotionPower: Citation, active: Citation, perBit: Citation, tailLengths: [Citation],
    tailPowers: [Citation], roundTrip: Citation
  ) {
    self.promotionLength = promotionLength
    self.promotionPower = promotionPower
    self.active = active
    self.perBit = perBit
    self.tailLengths = tailLengths
    self.tailPowers = tailPowers
    self.roundTrip = roundTrip
  }
}
