import Scenario
import Testing

@testable import ScenarioFiles

/// A capacity is per second, so a lint's advice must not depend on the simulation's time step.
struct StepLintTests {
  private static let hourly = "kinds.weather.reload.after={every: 1h}"
  private static let zones = "fleet.cohorts.all.zones={America/New_York: 100%}"

  /// The scenarios whose lints name loads, with the rule of each.
  private static let cases: [(rule: Code, settings: [String])] = [
    (.baseLoadElsewhere, [hourly, zones, "backend.endpoints.api={capacity: 2k/s, base_load: 100/s}"]),
    (.sampleTooSmall, ["kinds.weather.reload.after=1h", "run.simulate=90"]),
  ]

  private func lints(_ settings: [String], step: String) throws -> [Lint] {
    let base = [
      "os.idle=none", "os.budget={capacity: 50/day}", "fleet.devices=900k", "kinds.weather.requests=[{endpoint: api}]",
    ]
    let outcome = ScenarioReader.read(
      text: Array(Samples.minimal.utf8), fileName: "a.yaml",
      settings: (base + settings + ["clock.step=\(step)"]).map { SetArgument($0) })
    _ = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    return outcome.lints
  }

  @Test(arguments: cases.indices) func theStepChangesNoLint(index: Int) throws {
    let (rule, settings) = Self.cases[index]
    let expected = try lints(settings, step: "1s")
    #expect(expected.contains { $0.rule == rule }, "\(expected.map(\.rule))")
    for step in ["100ms", "10s"] { #expect(try lints(settings, step: step) == expected, "\(step)") }
  }
}
