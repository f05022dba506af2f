package import Scenario

/// Words for how many phones a run is of, where `run.simulate` says so by a word and not all were simulated.
package enum SampleWords {
  /// `; 130 000 of 3 000 000 phones were simulated, as auto chooses (--full takes all)`, after a verdict; empty where all
  /// phones were simulated, or as many as the scenario says.
  static func afterVerdict(_ scenario: Scenario) -> String {
    guard scenario.hasChosenSample else { return "" }
    let phones = phones(scenario)
    return scenario.run.simulate == .quick
      ? "; a first look at \(phones) (--full simulates all)"
      : "; \(phones) were simulated, as auto chooses (--full simulates all)"
  }

  /// `950 000 of 3 000 000 phones are simulated, as auto chooses (--full: all)`, before a study; empty as
  /// above.
  package static func note(_ scenario: Scenario) -> String {
    guard scenario.hasChosenSample else { return "" }
    return "\(phones(scenario)) are simulated, as \(scenario.run.simulate.keyText ?? "") chooses "
      + "(--full: all)\n"
  }

  private static func phones(_ scenario: Scenario) -> String {
    NumberText.whole(Double(scenario.devicesSimulated)) + " of " + NumberText.whole(Double(scenario.fleet.devices))
      + " phones"
  }
}
