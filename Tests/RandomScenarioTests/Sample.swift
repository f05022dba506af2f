import FleetEngine
import RandomScenario
import Scenario
import ScenarioFiles
import Testing

/// A prepared random scenario.
struct Sample {
  let scenario: RandomScenario
  let engine: Engine

  init(seed: UInt64, devices: Int? = nil) throws {
    scenario = RandomScenario(seed: seed, devices: devices)
    engine = try Self.engine(scenario.text, "seed \(seed)")
  }

  static func engine(_ text: String, _ name: String) throws -> Engine {
    let outcome = ScenarioReader.read(text: Array(text.utf8), fileName: "\(name).yaml")
    let scenario = try #require(outcome.scenario, "\(name): \(outcome.diagnostics.humanText)\n\(text)")
    return try Engine(preparing: scenario, zones: zoneTables(for: scenario))
  }

  func result(threads: Int) throws -> RunResult {
    do {
      return try #require(try engine.run(threads: threads, control: RunControl()))
    } catch {
      Issue.record("seed \(scenario.seed): \(error)\n\(scenario.text)")
      throw error
    }
  }
}
