import FleetEngine
package import Scenario

/// What the same bursts would have cost on each radio: MODEL.md 7, "one number would mislead".
package struct RadioSensitivity: Sendable {
  /// One radio in place of those that carried the widgets' requests.
  package struct Row: Sendable {
    package var radio: RadioProfile
    /// Whether some phones of the scenario were on it.
    package var isUsed: Bool
    /// Everything on this radio, and, where cohorts change between wifi and another, only what was not on wifi.
    package var always: RadioPrice
    package var offWifi: RadioPrice?
  }

  /// How far new simulations were from it at most, as a share of all that a widget uses; a test holds it.
  package static let bound = 0.03
  /// The scenarios and radios of that test, in words.
  package static let checkedOn = "four scenarios on four radios each"

  /// The built-in radios in the table's order, then the scenario's own.
  package var rows: [Row] = []
  /// The record priced on the radios that really carried it: how far the pricing itself is off.
  package var asRecorded = RadioPrice()

  /// Over all replications.
  package init(_ run: StoredRun) {
    let cohorts = run.scenario.fleet.cohorts.map(\.network.radios)
    var records: [(use: RadioResult, own: RadioProfile)] = []
    for (uses, radios) in zip(run.radios, cohorts) {
      for (use, radio) in zip(uses, radios) where use.bursts > 0 { records.append((use, radio)) }
    }
    let roams = cohorts.contains { $0.count > 1 }
    for (use, own) in records { asRecorded += RadioPricing(use: use, own: own).price(on: own) }
    rows = (RadioProfile.allCases + run.scenario.radios).map { radio in
      var row = Row(
        radio: radio, isUsed: cohorts.contains { $0.contains(radio) }, always: RadioPrice(),
        offWifi: roams && radio != .wifi ? RadioPrice() : nil)
      for (use, own) in records {
        let pricing = RadioPricing(use: use, own: own)
        row.always += pricing.price(on: radio)
        row.offWifi? += pricing.price(on: own == .wifi ? own : radio)
      }
      return row
    }
  }
}
