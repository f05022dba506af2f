import Scenario
import Studies
import Testing

/// The comparison of radios in the report against new simulations: the bound that it states is kept.
@Suite struct RadioSensitivityTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var scenario: String
    var devices: Int
    var cohorts: [String]
    var settings: [String] = []

    var testDescription: String { ([scenario] + settings).joined(separator: " ") }
  }

  static let cases = [
    Case(scenario: "battery-lte-tail", devices: 40, cohorts: ["everyone"]),
    Case(
      scenario: "battery-lte-tail", devices: 40, cohorts: ["everyone"], settings: ["os.coalescing_window=0s"]),
    Case(scenario: "weather-hourly", devices: 40, cohorts: ["everyone"]),
    Case(scenario: "bench-city", devices: 20, cohorts: ["west", "east"]),
  ]
  private static let radios = ["wifi", "lte-2012", "lte-2021-tmo", "5g-sa"]

  /// People, networks and luck are the same in both, so what differs is the method.
  @Test(arguments: cases) func aNewSimulationIsNear(_ sample: Case) throws {
    let base = try Trial(sample.scenario, devices: sample.devices, settings: sample.settings)
    let rows = RadioSensitivity(StoredRun(of: base.result)).rows
    for radio in Self.radios {
      let networks = sample.cohorts.map { "fleet.cohorts.\($0).network=\(radio)" }
      let other = try Trial(sample.scenario, devices: sample.devices, settings: sample.settings + networks)
      let row = try #require(rows.first { $0.radio.rawValue == radio })
      let priced = row.always.total + base.nanojoules(.cpu)
      let simulated = other.nanojoules(nil)
      #expect(
        abs(priced / simulated - 1) <= RadioSensitivity.bound,
        "\(sample.testDescription), \(radio): \(priced / simulated - 1)")
    }
  }

  /// On the radio that carried it the record gives the simulation's own figures, but for the bins and the clock's ends.
  @Test(arguments: cases) func theRecordItselfIsRight(_ sample: Case) throws {
    let trial = try Trial(sample.scenario, devices: sample.devices, settings: sample.settings)
    let price = RadioSensitivity(StoredRun(of: trial.result)).asRecorded
    for component in EnergyComponent.allCases where component != .cpu {
      let simulated = trial.nanojoules(component)
      #expect(
        abs(price[component] - simulated) <= 0.01 * simulated,
        "\(sample.testDescription), \(component.name): \(price[component]) for \(simulated)")
    }
  }
}

extension Trial {
  /// Of all widgets in the measured period; nil: of all components.
  fileprivate func nanojoules(_ component: EnergyComponent?) -> Double {
    result.replications.reduce(0) { sum, replication in
      sum
        + replication.groups.reduce(0) { sum, group in
          sum + Double(component.map { group.energy[$0] } ?? group.energy.total)
        }
    }
  }
}
