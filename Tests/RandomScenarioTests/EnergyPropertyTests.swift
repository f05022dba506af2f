import RandomScenario
import Scenario
import ScenarioFiles
import Testing

@testable import FleetEngine

/// The energy accounts of any scenario balance to the nanojoule (MODEL.md 7.3, 9).
extension PropertyTests {
  /// Owners' charges add up to the integral of power, batteries and chargers to the energy used, and no charge is
  /// negative.
  @Test(arguments: 0..<blocks) func energyChargesBalance(_ block: Int) throws {
    let size = Self.scenarios / Self.blocks
    for seed in block * size..<(block + 1) * size {
      let sample = try Sample(seed: UInt64(seed))
      for replication in try sample.result(threads: 1).replications {
        let energy = replication.energy
        let widgets = replication.groups.reduce(Int128(0)) { $0 + $1.energy.total }
        #expect(widgets + energy.person + energy.system == energy.integral, "seed \(seed)")
        #expect(energy.fromBattery + energy.fromCharger + energy.undrawn == energy.lifelong, "seed \(seed)")
        let entries =
          [energy.person, energy.system, energy.fromBattery, energy.fromCharger, energy.undrawn]
          + replication.groups.flatMap { $0.energy.spent + [$0.energy.inSessions] }
        #expect(entries.allSatisfy { $0 >= 0 }, "seed \(seed): \(entries)")
      }
    }
  }

  /// Without widgets, only users and systems use energy.
  @Test(arguments: 0..<blocks) func withoutWidgetsOnlyUsersAndSystemsUseEnergy(_ block: Int) throws {
    let size = Self.scenarios / Self.blocks / 4
    for seed in block * size..<(block + 1) * size {
      let text = RandomScenario(seed: UInt64(seed)).text
      let outcome = ScenarioReader.read(text: Array(text.utf8), fileName: "seed \(seed)")
      var scenario = try #require(outcome.scenario, "seed \(seed)")
      for cohort in scenario.fleet.cohorts.indices { scenario.fleet.cohorts[cohort].widgets = [] }
      let engine = try Engine(preparing: scenario, zones: zoneTables(for: scenario))
      let result = try #require(try engine.run(threads: 1, control: RunControl()), "seed \(seed)")
      let energy = result.replications[0].energy
      #expect(result.replications[0].groups.allSatisfy { $0.energy.total == 0 }, "seed \(seed)")
      #expect(energy.person + energy.system == energy.integral, "seed \(seed)")
      #expect(energy.system > 0, "seed \(seed)")
    }
  }
}
