import DeviceModel
import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine

/// Each replication learns widgets' demand on their budgets from its own phones (MODEL.md 1.4).
@Suite struct LearnedDemandTests {
  private func engine(_ clock: String) throws -> Engine {
    var sample = FleetSample(devices: 20)
    sample.os = "{idle: none, budget: {capacity: 30/day}}"
    sample.clock = "{start: 2027-01-18T00:00:00Z, \(clock), duration: 1h}"
    return try sample.engine()
  }

  private func demand(_ engine: Engine, _ replication: Int) throws -> DailyDemand {
    let learned = try #require(engine.learned(for: replication))
    return try withExtendedLifetime(learned) {
      try #require(learned.plan.cohorts[0].members[0].demand).classes[0].demand
    }
  }

  @Test func replicationsLearnDemandSeparately() throws {
    let engine = try engine("warmup: 1d")
    let first = try demand(engine, 0)
    #expect(try first == demand(self.engine("warmup: 1d"), 0))
    #expect(try first != demand(engine, 1))
    #expect(try first == demand(engine, 0))
    // Cycles are 15 min + U(0, 15 min): a day of n has variance n (s / m)^2; each of the 128 phones has 7 days.
    let deviation = (64 * (15 * 15 / 12) / (22.5 * 22.5)).squareRoot()
    #expect(abs(first.mean - 64) < 4.5 * deviation / (128.0 * 7).squareRoot(), "\(first)")
  }

  /// Returns the number of checks for a stop; `nil` if it was stopped.
  private func asked(_ engine: Engine, stoppingAfter limit: Int) -> Int? {
    var asked = 0
    let learned = engine.learned(for: 0) { _ in
      asked += 1
      return asked > limit
    }
    return learned == nil ? nil : asked
  }

  @Test func learningChecksForStopsBeforeEachPhone() throws {
    #expect(try asked(engine("warmup: 1d"), stoppingAfter: .max) == DemandPilot.phones)
    // New widgets have no simulated past.
    #expect(try asked(engine("warmup: 1d, settle: 0s"), stoppingAfter: 0) == 0)
  }

  @Test(arguments: [0, 5, DemandPilot.phones - 1]) func stoppedLearningEnds(after limit: Int) throws {
    #expect(try asked(engine("warmup: 1d"), stoppingAfter: limit) == nil)
  }
}
