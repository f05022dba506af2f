import Testing

@testable import ScenarioFiles

@Suite struct ReaderTests {
  @Test func theMinimalScenarioIsValid() {
    let outcome = Samples.read(Samples.minimal)
    #expect(outcome.diagnostics.humanText == "")
    #expect(outcome.scenario?.kinds.map(\.name) == ["weather"])
  }

  @Test func theReferenceIsValidButForWhatIsNotSupportedYet() {
    let codes = Set(Samples.read(Samples.reference).diagnostics.map(\.code))
    #expect(codes == [.notSupportedYet])
  }
}
