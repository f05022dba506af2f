package import Scenario
package import Studies

/// Words for how many phones a run is of, where not all were simulated.
package enum SampleWords {
  /// What makes known what a sample does not know.
  static let more = "simulate more devices (run.simulate)"

  /// `; 130 000 of 3 000 000 phones were simulated (--full: all)`, after a verdict; empty where all phones were simulated.
  static func afterVerdict(_ scenario: Scenario) -> String {
    guard scenario.devicesSimulated < scenario.fleet.devices else { return "" }
    let isFirstLook = scenario.run.simulate == .quick
    return isFirstLook
      ? "; a first look at \(phones(scenario)) (--full simulates all)"
      : "; \(phones(scenario)) were simulated (--full: all)"
  }

  /// `950 000 of 3 000 000 phones are simulated (--full: all)`, before a study; empty where all are, or as many as the
  /// scenario says.
  package static func note(_ scenario: Scenario) -> String {
    scenario.hasChosenSample ? note(scenario.devicesSimulated, of: scenario) : ""
  }

  /// `120 000 of 3 000 000 phones are simulated (--full: all)`, before a search; empty as above.
  package static func note(_ scenario: Scenario, searching effort: CapacityEffort) -> String {
    let isOpen = scenario.run.simulate.count == nil && effort.devices < scenario.fleet.devices
    return isOpen ? note(effort.devices, of: scenario) : ""
  }

  private static func note(_ devices: Int, of scenario: Scenario) -> String {
    "\(NumberText.whole(Double(devices))) of \(NumberText.whole(Double(scenario.fleet.devices))) phones are simulated "
      + "(--full: all)\n"
  }

  private static func phones(_ scenario: Scenario) -> String {
    NumberText.whole(Double(scenario.devicesSimulated)) + " of " + NumberText.whole(Double(scenario.fleet.devices))
      + " phones"
  }
}
