import Foundation
import Scenario
import Testing

@testable import ScenarioFiles

/// The origins of values shown by a dry run.
struct ResolvedOriginTests {
  /// Returns the origin of each path in a scenario.
  private func origins(_ text: String, set settings: [String] = []) throws -> [String: ValueOrigin] {
    let outcome = ScenarioReader.read(
      text: Array(text.utf8), fileName: "a.yaml", settings: settings.map { SetArgument($0) })
    let scenario = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    let values = ResolvedWalk(scenario, writtenAs: outcome.root).values
    let pairs = values.map { ($0.path.map(\.text).joined(separator: "."), $0.origin) }
    #expect(Set(pairs.map(\.0)).count == pairs.count)
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  @Test func originsDistinguishFileDefaultPresetAndAssignment() throws {
    let found = try origins(
      Samples.minimal, set: ["run.seed=3", "os.preset=lazy", "kinds.weather.jitter.up_to=5min"])
    #expect(found["schema"] == .line(1))
    #expect(found["clock.start"] == .line(3))
    #expect(found["clock.warmup"] == .standard)
    #expect(found["kinds.weather.reload.after"] == .line(6))
    #expect(found["kinds.weather.jitter.up_to"] == .assignment(2))
    #expect(found["kinds.weather.jitter.per"] == .standard)
    #expect(found["run.seed"] == .assignment(0))
    #expect(found["run.replications"] == .standard)
    #expect(found["os.preset"] == .assignment(1))
    #expect(found["os.budget.cap"] == .preset("lazy"))
    #expect(found["os.budget.carry_over"] == .standard)
    #expect(found["fleet.cohorts.0.network"] == .line(13))
    #expect(found["fleet.cohorts.0.widgets.0.kind"] == .line(14))
    #expect(found["fleet.cohorts.0.widgets.0.page"] == .standard)
  }

  @Test func theLastAssignmentWins() throws {
    let found = try origins(Samples.minimal, set: ["run.seed=3", "run={seed: 4}"])
    #expect(found["run.seed"] == .assignment(1))
  }

  @Test func shorthandsKeepTheirLineNumbers() throws {
    let text =
      Samples.minimal.replacing("    reload: {after: 15min}", with: "    phases: [{reload: at-end}]")
      + "app:\n  reloads:\n    - {when: open, kinds: all}\n"
    let found = try origins(text)
    #expect(found["kinds.weather.reload"] == .line(6))
    #expect(found["app.reloads.0.kinds"] == .line(17))
    #expect(found["app.reloads.0.restarts"] == .standard)
  }

  /// The printed text reads back as the same scenario, with every value written out.
  @Test(arguments: [Samples.minimal, Samples.rich]) func printedScenarioReadsBackTheSame(_ text: String) throws {
    let outcome = Samples.read(text)
    let printed = try #require(outcome.explainedText(assignments: []))
    let again = Samples.read(printed)
    #expect(again.scenario == outcome.scenario, "\(again.diagnostics.humanText)\(printed)")
    #expect(printed.split(separator: "\n").allSatisfy { $0.contains("# ") || $0.hasSuffix(":") })
  }

  @Test func theDocumentIsJSON() throws {
    let text = try #require(Samples.read(Samples.rich).explainedDocument(assignments: []))
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let origins = try #require(document?["origins"] as? [[String: Any]])
    #expect(Set(origins.compactMap { $0["origin"] as? String }) == ["file", "default", "preset prompt", "preset lazy"])
    #expect(origins.allSatisfy { ($0["origin"] as? String == "file") == ($0["line"] != nil) })
    #expect(document?["scenario"] is [String: Any])
  }
}
