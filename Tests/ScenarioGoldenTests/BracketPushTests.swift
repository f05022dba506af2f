import FleetEngine
import Scenario
import ScenarioFiles
import Studies
import Testing

/// Why budgets run out more often at both ends of the bracket (MODEL.md 4.8).
@Suite struct BracketPushTests {
  private static let text = """
    schema: widgetfleet/v1
    name: push
    clock: {start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 4d, duration: 2d, step: 10s}
    kinds: {score: {reload: {after: 15min}, requests: [{endpoint: api}], taps: {per_day: 6}}}
    fleet:
      devices: 200
      cohorts: [{name: all, zones: {UTC: 100%}, widgets: [{kind: score}]}]
    """

  private func exhausted(_ scenario: Scenario) throws -> Double {
    let engine = try Engine(preparing: scenario, zones: zoneTables(for: scenario))
    let result = try #require(try engine.run(threads: 2, control: RunControl()))
    return try #require(Summary(of: result).value(.budgetExhaustedPerDay, .mean))
  }

  /// For prompt the only cause is the earlier starts, for lazy the smaller cap; neither depends on how the simulation
  /// starts.
  @Test func pushBracketFollowsStartsAndCap() throws {
    let outcome = ScenarioReader.read(text: Array(Self.text.utf8), fileName: "push.yaml", settings: [])
    let scenario = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    let own = try exhausted(scenario)
    for (preset, constant) in [(Preset.prompt, BracketConstant.policyDelay), (.lazy, .budgetCap)] {
      let all = try exhausted(scenario.under(preset))
      let alone = try exhausted(scenario.under(preset, changing: [constant]))
      let others = scenario.constants(of: preset).filter { $0 != constant }
      let rest = try exhausted(scenario.under(preset, changing: others))
      // Each of 400 days is exhausted or not: the deviation is at most 0.025.
      #expect(all > own + 0.2 && alone > own + 0.2, "\(preset): \(own), \(all), \(alone)")
      #expect(abs(rest - own) < 0.1, "\(preset): \(own), \(rest)")
    }
  }
}
