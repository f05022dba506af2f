import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine

/// The engine without its energy account, for comparison in the benchmark.
@Suite struct EnergySwitchTests {
  /// Phones on mains with a radio that wakes instantly, so that the account does not affect their behaviour.
  private var sample: FleetSample {
    var sample = FleetSample(devices: 30)
    sample.kinds = """
      {plain: {reload: {after: {exponential: 20min}}, attempts: {count: 3}, on_error: retry-after,
        requests: [{endpoint: api, count: 2, up: 1kB, down: 20kB}]},
       shared: {reload: {after: 30min}, cache: {ttl: 10min, single_flight: true}, requests: [{endpoint: api}]}}
      """
    sample.cohorts = """
      [{name: all, zones: {UTC: 100%}, network: ready, power: mains,
        widgets: [{kind: plain}, {kind: shared}, {kind: shared, page: 2}]}]
      """
    sample.endpoints = "{api: {latency: {p50: 300ms, p99: 40s}}}"
    return sample
  }

  private func engine() throws -> Engine {
    let radio = """
      radios:
        ready:
          {promotion: {length: 0s, power: 1W}, active: 1W, down: 100mW/Mbps, up: 200mW/Mbps,
            tails: [{length: 5s, power: 0.5W}], round_trip: 60ms}

      """
    return try sample.engine(adding: radio)
  }

  @Test(arguments: [false, true]) func energyAccountDoesNotChangeOtherResults(inSteps: Bool) throws {
    var engine = try engine()
    engine.plan.hasFeedback = inSteps
    let with = try #require(try engine.run(threads: 1, control: RunControl())?.replications.first)
    let without = try #require(try engine.withoutEnergy.run(threads: 1, control: RunControl())?.replications.first)
    #expect(with.requests > 3_000)
    #expect(with.load == without.load)
    #expect(with.eventCount == without.eventCount)
    for (with, without) in zip(with.groups, without.groups) {
      #expect(with.energy.total > 0)
      #expect(without.energy.total == 0)
      #expect(with.runs == without.runs)
      #expect(with.staleViews == without.staleViews)
    }
  }
}
