import Scenario
import ScenarioFiles
import SimulationKernel
import Testing

@testable import FleetEngine

/// Preparing heeds whoever stops it, phone by phone of those that it lives for what widgets ask (MODEL.md 1.4).
@Suite struct StoppedPreparationTests {
  private func scenario(_ clock: String) throws -> Scenario {
    var sample = FleetSample(devices: 20)
    sample.os = "{idle: none, budget: {capacity: 30/day}}"
    sample.clock = "{start: 2027-01-18T00:00:00Z, \(clock), duration: 1h}"
    return try sample.engine().scenario
  }

  /// - Returns: how often the preparation asked.
  private func asked(_ scenario: Scenario, stoppingAfter limit: Int) throws(PreparationError) -> Int {
    var asked = 0
    _ = try Engine(preparing: scenario, zones: zoneTables(for: scenario)) {
      asked += 1
      return asked > limit
    }
    return asked
  }

  @Test func asksBeforeEachPhone() throws {
    let settled = try scenario("warmup: 1d")
    #expect(try asked(settled, stoppingAfter: .max) == DemandPilot.phones)
    // New widgets have no past that would be lived.
    #expect(try asked(scenario("warmup: 1d, settle: 0s"), stoppingAfter: 0) == 0)
  }

  @Test(arguments: [0, 5, DemandPilot.phones - 1]) func endsWhereItIsStopped(after limit: Int) throws {
    let settled = try scenario("warmup: 1d")
    #expect(throws: PreparationError.stopped) { try asked(settled, stoppingAfter: limit) }
  }
}
