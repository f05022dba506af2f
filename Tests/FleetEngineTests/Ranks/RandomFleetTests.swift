import Foundation
import RandomScenario
import ScenarioFiles
import SimulationKernel
import Testing

@testable import DeviceModel
@testable import FleetEngine

/// Random scenarios simulated in several ways that must agree.
///
/// A failure names the seed: `RandomScenario(seed:).text` is the file. `make soak` starts from WIDGETFLEET_SOAK_SEED
/// and runs for WIDGETFLEET_SOAK_MINUTES; without these, a few seeds are simulated.
@Suite(.serialized) struct RandomFleetTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let minutes = environment["WIDGETFLEET_SOAK_MINUTES"].flatMap(Double.init)
  private static let firstSeed = environment["WIDGETFLEET_SOAK_SEED"].flatMap(UInt64.init) ?? 30_000

  private static func engine(seed: UInt64, devices: Int? = nil) throws -> Engine {
    let text = RandomScenario(seed: seed, devices: devices).text
    let outcome = ScenarioReader.read(text: Array(text.utf8), fileName: "seed \(seed).yaml")
    let scenario = try #require(outcome.scenario, "seed \(seed): \(outcome.diagnostics.humanText)")
    return try Engine(preparing: scenario, zones: zoneTables(for: scenario))
  }

  @Test func allExecutionModesAgree() throws {
    let end = Date(timeIntervalSinceNow: 60 * (Self.minutes ?? 0))
    var lived: UInt64 = 0
    while Self.minutes == nil ? lived < 8 : Date.now < end {
      let seed = Self.firstSeed + lived
      let engine = try Self.engine(seed: seed)
      let alone = try #require(try engine.run(threads: 1, control: RunControl()), "seed \(seed)")
      Self.ranks(engine, alone, seed)
      if !engine.plan.hasFeedback {
        try Self.inSteps(engine, alone, seed)
        Self.withoutShortWays(engine, alone, seed)
        try Self.twiceTheDevices(seed)
      }
      lived += 1
    }
    print("random fleets: \(lived) from seed \(Self.firstSeed) on")
    #expect(lived > 0)
  }

  /// Checks that two ranks with two threads and three with one give the result of a single process.
  private static func ranks(_ engine: Engine, _ alone: RunResult, _ seed: UInt64) {
    for (ranks, threads) in [(2, 2), (3, 1)] {
      let (answer, _) = ThreadedRank.led(ranks, threads: threads, engine: engine) { control in
        try? engine.run(threads: threads, control: control)
      }
      let isTheSame = (answer ?? nil)?.replications == alone.replications
      #expect(isTheSame, "seed \(seed): \(ranks) ranks on \(threads) threads")
    }
  }

  /// Checks that simulating all devices in clock steps, as with feedback, gives the same as one after another.
  private static func inSteps(_ engine: Engine, _ alone: RunResult, _ seed: UInt64) throws {
    var engine = engine
    engine.plan.hasFeedback = true
    let stepped = try #require(try engine.run(threads: 2, control: RunControl()), "seed \(seed)")
    for (var one, other) in zip(stepped.replications, alone.replications) {
      // These fields differ: in steps, arrivals are events and the backend has a result.
      one.backend = other.backend
      one.eventCount = other.eventCount
      let isTheSame = one == other
      #expect(isTheSame, "seed \(seed): in steps")
    }
    #expect(stepped.replications.count == alone.replications.count)
  }

  /// Checks that observed devices, which take no shortcuts, add up to the fleet.
  private static func withoutShortWays(_ prepared: Engine, _ alone: RunResult, _ seed: UInt64) {
    let engine = prepared.learned(for: 0) ?? prepared
    var sum = engine.blankPart
    for device in 0..<engine.devicesTotal {
      var simulator = DeviceSimulator(plan: engine.plan, shape: engine.tallyShape)
      simulator.observed = []
      simulator.begin(device: device, cohort: engine.cohort(of: device), replication: 0)
      while simulator.step() != nil {}
      simulator.finish()
      var groups = engine.emptyGroupLoad
      groups.take(simulator.tally.arrivals, of: 0)
      sum += PartialResult(result: ReplicationResult(simulator.tally, scenario: engine.scenario), groups: groups)
    }
    let (long, short) = (sum.completed(engine, replication: 0, backend: nil), alone.replications[0])
    #expect(long.load == short.load && long.causeMinutes == short.causeMinutes, "seed \(seed): without short ways")
    #expect(long.groups == short.groups && long.runCount == short.runCount, "seed \(seed): without short ways")
    #expect(long.eventCount >= short.eventCount, "seed \(seed): without short ways")
  }

  /// Checks that twice the devices send twice the requests, up to chance.
  ///
  /// The difference of the means over devices, taken as independent, is within six standard errors.
  private static func twiceTheDevices(_ seed: UInt64) throws {
    let (one, two) = (try mean(seed, devices: 40), try mean(seed, devices: 80))
    let error = (one.variance + two.variance).squareRoot()
    #expect(
      abs(one.mean - two.mean) <= 6 * error + 1e-9, "seed \(seed): \(one.mean) and \(two.mean) requests per device")
  }

  /// Returns the mean number of requests per device, and its variance.
  private static func mean(_ seed: UInt64, devices: Int) throws -> (mean: Double, variance: Double) {
    let engine = try engine(seed: seed, devices: devices)
    let result = try #require(try engine.run(threads: 2, control: RunControl()), "seed \(seed)").replications[0]
    var requests = Array(repeating: 0.0, count: devices)
    for row in 0..<result.devices.rowCount {
      let device = Int(result.devices[row, .device])
      if device < devices { requests[device] += Double(result.devices[row, .requests]) }
    }
    let count = Double(devices)
    let mean = requests.reduce(0, +) / count
    let squares = requests.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (mean, squares / (count - 1) / count)
  }
}
