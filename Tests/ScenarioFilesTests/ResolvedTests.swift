import Scenario
import SimulationKernel
import Testing

@testable import ScenarioFiles

@Suite struct ResolvedTests {
  @Test(arguments: [Samples.minimal, Samples.rich]) func readsBackTheSame(_ text: String) throws {
    let scenario = try #require(Samples.read(text).scenario, "\(Samples.read(text).diagnostics.humanText)")
    let again = Samples.read(scenario.resolvedText)
    #expect(again.diagnostics.humanText == "")
    #expect(again.scenario == scenario)
    #expect(again.scenario?.resolvedText == scenario.resolvedText)
  }

  /// The reference reads back the same, including the endpoint limits that the reader still refuses.
  @Test func theReferenceReadsBackTheSame() throws {
    let scenario = try build(Samples.reference)
    #expect(scenario.events.count == 8)
    #expect(scenario.endpoints.map(\.hasFeedback) == [true, true])
    let again = try build(scenario.resolved.json())
    #expect(again == scenario)
    #expect(again.resolved == scenario.resolved)
  }

  private func build(_ text: String) throws -> Scenario {
    var problems = ProblemList(file: SourceText(name: "a.yaml", bytes: Array(text.utf8)))
    let root = try #require(TreeReader.read(source: 0, problems: &problems))
    let isFit = TreeCheck.check(root, problems: &problems)
    #expect(isFit)
    let builder = ScenarioBuilder(root, problems: problems)
    let scenario = builder.build()
    #expect(builder.problems.diagnostics.humanText == "")
    return scenario
  }

  @Test func everyDefaultIsWritten() throws {
    let text = try #require(Samples.read(Samples.minimal).scenario).resolvedText
    let clock =
      #""clock": {"start": "2027-01-18T00:00:00Z", "settle": "1d", "warmup": "1d", "duration": "1d", "step": "1s"}"#
    let error = #""on_error": {"after": "15min"}"#
    let delay = #""policy": {"uniform": "0s..15min"}"#
    for part in [clock, error, delay] { #expect(text.contains(part)) }
  }

  @Test func unsimulatedValuesAreOmitted() throws {
    let text = try #require(Samples.read(Samples.minimal).scenario).resolvedText
    #expect(!text.contains("sweep"))
    let zero = #""unlocks_per_day": 0"#
    #expect(text.contains(zero))
  }

  @Test func cohortPresetSurvivesResolving() throws {
    let scenario = try #require(Samples.read(Samples.rich).scenario)
    let east = try #require(scenario.fleet.cohorts[1].os)
    #expect(east.preset == .lazy)
    #expect(east.startDelay.inUse == .uniform(from: .zero, to: .minutes(15)))
    #expect(east.startDelay.policy == .uniform(from: .zero, to: .minutes(15)))
    #expect(east.startDelay.background == .constant(.zero))
    #expect(east.staleViewReloadRare == Share(fraction: 0.9))
    #expect(east.budget.cap == 40)
    #expect(scenario.os.startDelay.policy == .uniform(from: .zero, to: .minutes(1)))
    #expect(scenario.os.budget.capacity == .range(RunMillionths(count: 40_000_000), RunMillionths(count: 70_500_000)))
  }
}
