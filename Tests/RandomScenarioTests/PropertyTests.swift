import Foundation
import RandomScenario
import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel
@testable import FleetEngine

/// Laws of MODEL.md that hold in every scenario; a failure names the seed, and `RandomScenario(seed:).text` is the
/// file.
@Suite struct PropertyTests {
  static let blocks = 8
  /// The number of scenarios: set WIDGETFLEET_RANDOM_SCENARIOS for 1 000 or more; each takes half a second in a debug
  /// build.
  static let scenarios =
    ProcessInfo.processInfo.environment["WIDGETFLEET_RANDOM_SCENARIOS"].flatMap { Int($0) } ?? 80

  /// Counts add up, no scheduled run starts before it is due, and charges stay within the budget.
  ///
  /// Devices simulated separately, in any partition, add up to the fleet.
  @Test(arguments: 0..<blocks) func partialRunsAddUpToTheWhole(_ block: Int) throws {
    let size = Self.scenarios / Self.blocks
    for seed in block * size..<(block + 1) * size {
      let sample = try Sample(seed: UInt64(seed))
      let whole = try sample.result(threads: 1).replications[0]
      // With feedback, devices cannot be simulated separately.
      guard !sample.engine.plan.hasFeedback else { continue }
      var audit = LifeAudit()
      let sum = Self.sumOfParts(sample.engine, cut: seed % 7 + 1, &audit)
      #expect(audit.faults == [], "seed \(seed)")
      #expect(sum.load == whole.load, "seed \(seed)")
      #expect(sum.causeMinutes == whole.causeMinutes, "seed \(seed)")
      #expect(sum.groups == whole.groups, "seed \(seed)")
      #expect(sum.eventCount == whole.eventCount && sum.runCount == whole.runCount, "seed \(seed)")
    }
  }

  /// Returns the sum of devices in ranges of `cut`, with each range counted separately and added from last to first.
  private static func sumOfParts(_ prepared: Engine, cut: Int, _ audit: inout LifeAudit) -> ReplicationResult {
    let engine = prepared.learned(for: 0) ?? prepared
    var sum = engine.blankPart
    for first in stride(from: 0, to: max(engine.devicesTotal, 1), by: cut).reversed() {
      var simulator = DeviceSimulator(plan: engine.plan, shape: engine.tallyShape)
      for device in first..<min(first + cut, engine.devicesTotal) {
        audit.live(device, cohort: engine.cohort(of: device), &simulator)
      }
      var groups = engine.emptyGroupLoad
      groups.take(simulator.tally.arrivals, of: 0)
      sum += PartialResult(result: ReplicationResult(simulator.tally, scenario: engine.scenario), groups: groups)
    }
    return sum.completed(engine, replication: 0, backend: nil)
  }

  /// One thread and two give the same results with more than one shard, including rows.
  @Test(arguments: 0..<4) func anyNumberOfThreads(_ block: Int) throws {
    for seed in [20_000 + block, 20_100 + block] {
      let sample = try Sample(seed: UInt64(seed), devices: 66)
      #expect(try sample.result(threads: 1).replications == sample.result(threads: 2).replications, "seed \(seed)")
    }
  }

  /// A widget that is never viewed and whose dates do not depend on failures has a proportion s of failed runs, the
  /// network's.
  ///
  /// The runs of a device share its spells, so devices are the independent samples.
  @Test(arguments: 0..<9) func offlineShareOfRunsFails(_ seed: Int) throws {
    let share = Double(10 + 5 * (seed % 9)) / 100
    let (mean, period) = ([5, 20, 90, 240][seed % 4], [6, 15, 40, 75, 130][seed % 5])
    let text = """
      schema: widgetfleet/v1
      name: offline
      clock: {start: 2027-01-18T00:00:00Z, settle: 0s, duration: 2d}
      run: {seed: \(seed)}
      kinds:
        k: {reload: {after: \(period)min}, on_error: {after: \(period)min}, requests: [{endpoint: api}], cpu: 0s}
      fleet:
        devices: 80
        cohorts:
          - name: all
            zones: {UTC: 100%}
            person: {unlocks_per_day: 0}
            network: {offline: {share: \(Int(share * 100))%, mean: \(mean)min}}
            widgets: [{kind: k}]
      os: {idle: none, budget: {model: off}}
      """
    let engine = try Sample.engine(text, "offline \(seed)")
    let devices = try #require(try engine.run(threads: 2, control: RunControl())).replications[0].devices
    let excess = (0..<devices.rowCount).map { row in
      Double(devices[row, .failures]) - share * Double(devices[row, .charged])
    }
    let average = excess.reduce(0, +) / 80
    let variance = excess.reduce(0) { $0 + ($1 - average) * ($1 - average) } / 79
    #expect(devices.rowCount == 80)
    #expect(abs(average) <= 4.5 * (variance / 80).squareRoot(), "seed \(seed): \(average), \(variance)")
  }

  /// A date beyond the simulated calendar gives no ticket: there is no such day after Friday.
  @Test func datesBeyondTheCalendarGiveNoTicket() throws {
    let engine = try Sample.engine(
      """
      schema: widgetfleet/v1
      name: friday
      clock: {start: 2027-01-18T00:00:00Z, settle: 0s}
      kinds: {k: {reload: {after: {at: "14:00", days: fri}}}}
      fleet: {devices: 1, cohorts: [{name: all, zones: {UTC: 100%}, person: {unlocks_per_day: 0}, widgets: [{kind: k}]}]}
      """, "friday")
    let result = try #require(try engine.run(threads: 1, control: RunControl()))
    #expect(result.replications[0].runCount == 1)
  }
}
