import Scenario

/// What is known of the phones' batteries (MODEL.md 7.4).
extension Assumption {
  /// One row for each source, with the models of the scenario's cohorts that it speaks of.
  static func batteries(of scenario: Scenario) -> [Assumption] {
    let used = Set(scenario.fleet.cohorts.flatMap { $0.phones.map(\.value) })
    let phones = (Phone.all + scenario.phones).filter { used.contains($0.name) }
    return phones.map(\.evidence).withoutRepetitions.map { source in
      let models = phones.filter { $0.evidence == source }
      return Assumption(
        models.count == 1 ? "Battery" : "Batteries",
        models.map { $0.name + " " + wattHours($0.centiwattHours) }.joined(separator: ", "),
        source == .scenario ? .assumed : .measured, text(source))
    }
  }

  private static func text(_ evidence: PhoneEvidence) -> String {
    switch evidence {
    case .listed: "9to5mac.com, capacities by model, high confidence"
    case .disputed(let other):
      "9to5mac.com, capacities by model, medium confidence: others list " + wattHours(other)
    case .recalled: "quoted from memory, low confidence"
    case .scenario: "the scenario"
    }
  }

  private static func wattHours(_ centiwattHours: Int) -> String {
    let hundredths = centiwattHours % 100
    return "\(centiwattHours / 100)." + (hundredths < 10 ? "0" : "") + "\(hundredths)\u{A0}Wh"
  }
}
