import FleetEngine
import Foundation
import Scenario
import ScenarioFiles
import Studies
import Testing

/// A scenario written in a test, for studies that simulate it many times.
struct StudySample {
  let scenario: Scenario
  private let zones: [String: ZoneTable]

  /// Whether to run the long form of studies: `make studies`.
  static let isLong = ProcessInfo.processInfo.environment["WIDGETFLEET_STUDIES"] != nil

  init(_ text: String, _ settings: String...) throws { try self.init(text, settings: settings) }

  init(_ text: String, settings: [String]) throws {
    let outcome = ScenarioReader.read(
      text: Array(text.utf8), fileName: "study.yaml", settings: settings.map { SetArgument($0) })
    scenario = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    zones = zoneTables(for: scenario)
  }

  func summary(seed: UInt64, replications: Int) throws -> Summary {
    var scenario = scenario
    (scenario.run.seed, scenario.run.replications) = (seed, replications)
    let engine = try Engine(preparing: scenario, zones: zones)
    return Summary(of: try #require(try engine.run(threads: 2, control: RunControl())))
  }
}

/// Returns the unbiased variance.
func variance(_ values: [Double]) -> Double {
  let mean = values.reduce(0, +) / Double(values.count)
  return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)
}
