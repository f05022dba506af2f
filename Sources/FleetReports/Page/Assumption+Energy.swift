import Scenario
import SimulationKernel

/// What is assumed of radios, processors and batteries (MODEL.md 3.2, 7).
extension Assumption {
  static func energy(_ scenario: Scenario) -> [Assumption] {
    radios(of: scenario).flatMap(radio) + batteries(of: scenario)
  }

  /// Profiles that a cohort's phones may be on, in the table's order, then the scenario's own.
  static func radios(of scenario: Scenario) -> [RadioProfile] {
    let used = scenario.fleet.cohorts.flatMap { cohort -> [RadioProfile] in
      switch cohort.network {
      case .fixed(let radio): [radio]
      case .roaming(let roaming): [.wifi, roaming.cellular]
      }
    }
    return (RadioProfile.allCases + scenario.radios).filter(used.contains)
  }

  private static func radio(_ profile: RadioProfile) -> [Assumption] {
    let name = "Radio " + profile.rawValue + ": "
    let evidence = profile.evidence
    let tails = zip(profile.tails, zip(evidence.tailLengths, evidence.tailPowers))
    return [
      Assumption(
        name + "promotion", text(profile.promotion), mark(evidence.promotionPower),
        sources([("length", evidence.promotionLength), ("power", evidence.promotionPower)])),
      Assumption(
        name + "active, and each bit down and up",
        text(profile.active) + ", " + text(profile.down) + " and " + text(profile.up), mark(evidence.active),
        sources([("power", evidence.active), ("bits", evidence.perBit)])),
    ]
      + tails.map { tail, citations in
        Assumption(
          name + "tail", text(tail), mark(citations.1), sources([("length", citations.0), ("power", citations.1)]))
      }
  }

  /// A judgement is an assumption, whatever else is known.
  private static func mark(_ citation: RadioEvidence.Citation) -> Evidence {
    switch citation.source {
    case .judged, .borrowed, .scenario: .assumed
    case .huang2012, .huang2012ConfirmedByATT, .narayanan2021Traces, .narayanan2021Table, .derived: .measured
    }
  }

  /// Each number's source and how sure it is; said once where they agree.
  private static func sources(_ citations: [(name: String, citation: RadioEvidence.Citation)]) -> String {
    let texts = citations.map { text($0.citation) }
    guard Set(texts).count > 1 else { return texts.first ?? "" }
    return zip(citations, texts).map { $0.name + ": " + $1 }.joined(separator: "; ")
  }

  private static func text(_ citation: RadioEvidence.Citation) -> String {
    if citation.source == .scenario { return text(citation.source) }
    return text(citation.source) + ", " + text(citation.confidence) + " confidence"
  }

  private static func text(_ source: RadioEvidence.Source) -> String {
    switch source {
    case .huang2012: "Huang et al., MobiSys 2012"
    case .huang2012ConfirmedByATT: "Huang et al., MobiSys 2012, confirmed by AT&T's VideoOptimizer"
    case .narayanan2021Traces: "Narayanan et al., SIGCOMM 2021, from the traces"
    case .narayanan2021Table: "Narayanan et al., SIGCOMM 2021, table 2"
    case .derived: "follows from published traces"
    case .borrowed: "of a network nearby"
    case .judged: "a judgement, published nowhere"
    case .scenario: "the scenario"
    }
  }

  private static func text(_ confidence: RadioEvidence.Confidence) -> String {
    switch confidence {
    case .high: "high"
    case .medium: "medium"
    case .low: "low"
    }
  }

  private static func text(_ spell: RadioSpell) -> String { TimeText.span(spell.length) + " at " + text(spell.power) }

  private static func text(_ power: Power) -> String {
    let watts = Double(power.microwatts) / 1e6
    return watts < 0.9995 ? NumberText.text(watts * 1_000) + " mW" : NumberText.text(watts) + " W"
  }

  private static func text(_ bit: EnergyPerBit) -> String {
    NumberText.text(Double(bit.picojoules) / 1_000) + " nJ/bit"
  }
}
