import Testing

@testable import ScenarioFiles

@Suite struct ReaderTests {
  @Test func theMinimalScenarioIsValid() {
    let outcome = Samples.read(Samples.minimal)
    #expect(outcome.diagnostics.humanText == "")
    #expect(outcome.scenario?.kinds.map(\.name) == ["weather"])
  }

  /// The reference scenario is valid, including its studies.
  @Test func theReferenceIsValid() {
    let outcome = ScenarioReader.read(
      text: Array(Samples.reference.utf8), fileName: "a.yaml", checksStudies: true)
    #expect(outcome.diagnostics.humanText == "")
  }
}
