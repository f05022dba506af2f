import Testing

@testable import FleetEngine
@testable import Studies
@testable import SyntheticResults

/// The probability that a step of a fleet exceeds the capacity, estimated from a sample (MODEL.md 8.1.7).
struct OverloadChanceTests {
  /// Returns the probability for a tenth of the fleet with one request per step: the fleet's requests are Poisson with
  /// mean 10.
  private func chance(capacity: Double, base: Double = 0) throws -> Double {
    let steps = 2_000
    var run = SyntheticRun()
    (run.fleetDevices, run.simulated) = (1_000, 100)
    run.cohorts = ["all"]
    run.endpoints = ["api"]
    var replication = SyntheticRun.replication(arrivals: [Array(repeating: 1, count: steps)])
    // Requests are independent of each other.
    replication.spreads = [LoadSpread(windows: [])]
    let step = SyntheticStep(arrivals: 1, reached: 10, base: base, capacity: capacity)
    run.replications = [replication.with([Array(repeating: step, count: steps)])]
    let result = run.result
    let chances = try #require(OverloadChance(result.replications[0], endpoint: 0, result)).chances
    #expect(chances.count == steps)
    return chances[7].value
  }

  /// Tables of the Poisson distribution with mean 10: P(N > 10) = 0.4170, P(N > 15) = 0.0487, P(N > 20) = 0.00159, P(N
  /// > 4) = 0.9707.
  @Test(arguments: [(4.0, 0.9707), (10, 0.4170), (15, 0.0487), (20, 0.001588), (60, 0), (500, 0)])
  func overloadChanceFollowsThePoissonDistribution(capacity: Double, expected: Double) throws {
    // The Wilson–Hilferty root approximates the distribution.
    #expect(abs(try chance(capacity: capacity) - expected) < 0.03 * expected + 1e-4)
  }

  /// A base load always takes its share of the capacity, and all of it if it is larger.
  @Test(arguments: [(30.0, 15.0, 0.0487), (30, 30.5, 1)])
  func baseLoadTakesCapacityFirst(capacity: Double, base: Double, expected: Double) throws {
    #expect(abs(try chance(capacity: capacity, base: base) - expected) < 0.03 * expected)
  }
}
