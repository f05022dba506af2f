import DeviceModel
import Foundation
import Scenario
import ScenarioFiles
import SimulationKernel
import Testing

@testable import FleetEngine

/// Device by device or all in steps: without backend limits, the results are the same (MODEL.md 6.7).
@Suite struct PathTests {
  /// The scenarios whose endpoints have a capacity, a limit or a CDN, which run in steps anyway.
  private static let limited: Set<String> = [
    "api-outage-retry", "autoscale-morning", "bench-storm", "cdn-weather", "market-open-overload", "metastable",
    "planner-news", "planner-push", "weather-launch", "widget-push-herd",
  ]

  @Test(arguments: GoldenFileTests.scenarios.filter { !limited.contains($0) })
  func bothPathsAgree(scenario: String) throws {
    var engine = try Self.engine(scenario)
    #expect(!engine.plan.hasFeedback)
    let alone = try #require(try engine.run(threads: 1, control: RunControl())?.replications.first)
    engine.plan.hasFeedback = true
    var stepped = try #require(try engine.run(threads: 2, control: RunControl())?.replications.first)
    #expect(stepped.backend != nil)
    // These differ between the paths: in steps, arrivals are events and there is a backend state.
    stepped.backend = alone.backend
    stepped.eventCount = alone.eventCount
    let isTheSame = alone == stepped
    #expect(isTheSame, "\(scenario) depends on the path that simulates it")
    #expect(alone.runCount > 0)
  }

  /// A new scenario with limits belongs in the list above.
  @Test(arguments: limited.sorted()) func otherScenariosHaveLimits(scenario: String) throws {
    #expect(try Self.scenario(scenario, []).endpoints.contains { $0.capacity != nil || $0.cdn != nil })
  }

  /// Returns an engine with few devices, long steps, and a single day if the events allow it.
  private static func engine(_ name: String) throws -> Engine {
    let short = ["run.simulate=2", "run.replications=1", "clock.step=10s", "clock.settle=0s", "clock.warmup=2h"]
    let scenario = try (try? Self.scenario(name, short + ["clock.duration=1d"])) ?? Self.scenario(name, short)
    return try Engine(preparing: scenario, zones: zoneTables(for: scenario))
  }

  private static func scenario(_ name: String, _ settings: [String]) throws -> Scenario {
    let file = Trial.scenarioFolder.appending(path: name + ".yaml")
    let outcome = ScenarioReader.read(
      text: Array(try Data(contentsOf: file)), fileName: name + ".yaml", settings: settings.map { SetArgument($0) })
    guard let scenario = outcome.scenario else { throw Unreadable(why: outcome.diagnostics.humanText) }
    return scenario
  }

  private struct Unreadable: Error {
    var why: String
  }
}
