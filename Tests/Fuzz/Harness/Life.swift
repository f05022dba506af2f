import FleetEngine
import RandomScenario
import Scenario
import ScenarioFiles

/// Fleets described by bytes: each byte is a choice made by the author of random scenarios.
enum Life {
  private static let phones = 20

  static func text(of seed: UInt64) -> String { RandomScenario(seed: seed, devices: phones).text }

  /// Checks every device's invariants after each event (in debug builds), and all counts after the run.
  static func broken(_ choices: [UInt8]) -> String? {
    let text = RandomScenario(choices: choices, devices: phones).text
    let outcome = ScenarioReader.read(text: Array(text.utf8), fileName: "life.yaml")
    guard let scenario = outcome.scenario else { return "refused:\n\(outcome.diagnostics.humanText)\n\(text)" }
    do {
      let engine = try Engine(preparing: scenario, zones: zoneTables(for: scenario))
      _ = try engine.run(threads: 1, control: RunControl())
      return nil
    } catch { return "\(error):\n\(text)" }
  }
}
