import Foundation
import Scenario
import ScenarioFiles
import Testing

/// The scenario in README.md is valid.
@Test func theScenarioInTheReadmeIsValid() throws {
  let readme = try String(
    contentsOf: Trial.scenarioFolder.deletingLastPathComponent().appending(path: "README.md"), encoding: .utf8)
  let lines = readme.split(separator: "\n", omittingEmptySubsequences: false)
  let begin = try #require(lines.firstIndex { $0.hasPrefix("    schema: widgetfleet/v1") })
  let text = lines[begin...].prefix { $0.hasPrefix("    ") }.map { $0.dropFirst(4) }.joined(separator: "\n")
  let outcome = ScenarioReader.read(text: Array(text.utf8), fileName: "README.md")
  #expect(outcome.scenario?.fleet.devices == 1_000_000, "\(outcome.diagnostics.humanText)")
}
