import Scenario
import SimulationKernel
import Testing

@testable import ScenarioFiles

/// The keys `reload.provider` and `reload.version`, which name code of the program.
@Suite struct ProviderKeyTests {
  private struct Never: SimulatedTimelineProvider {
    var version: String { "2.1" }

    func timeline(in context: TimelineContext, memory: inout NoMemory) -> SimulatedTimeline {
      SimulatedTimeline(policy: .never)
    }
  }

  private static let table: ProviderTable = {
    var table = ProviderTable()
    table.add(Never(), named: "flight")
    table.add(Never(), named: "sports")
    return table
  }()

  private func read(_ kind: String, _ providers: ProviderTable? = table) -> ScenarioReader.Outcome {
    let text = Samples.minimal.replacing("reload: {after: 15min}", with: kind)
    return ScenarioReader.read(text: Array(text.utf8), fileName: "a.yaml", files: .only(providers))
  }

  @Test func providerIsReadAndWritten() throws {
    for kind in ["reload: {provider: flight}", "reload: {provider: flight, version: \"2.1\"}"] {
      let scenario = try #require(read(kind).scenario)
      #expect(scenario.kinds[0].provider == ProviderName("flight", version: "2.1"))
      #expect(scenario.providers == Self.table && scenario.providers.obstacle(among: scenario.kinds) == nil)
      let again = ScenarioReader.read(
        text: Array(scenario.resolvedText.utf8), fileName: "b.json", files: .only(Self.table))
      #expect(again.scenario == scenario)
    }
  }

  private func message(_ kind: String, _ providers: ProviderTable? = table) -> String {
    read(kind, providers).diagnostics.map { "\($0.sentence) | \($0.advice?.text ?? "")" }.joined(separator: "\n")
  }

  @Test func unknownProviderIsRefusedAtItsPlace() {
    let kind = "reload: {provider: fligt}"
    #expect(message(kind, ProviderTable()) == "there is no provider 'fligt' | this program has no providers")
    #expect(message(kind).hasPrefix("there is no provider 'fligt'") && message(kind).contains("flight"))
    #expect(
      message("reload: {provider: weather}")
        == "there is no provider 'weather' | this program has 'flight', 'sports'")
    let other = read("reload: {provider: flight, version: \"3\"}").diagnostics
    #expect(other.map(\.sentence) == ["provider 'flight' has version '2.1' in this program"])
    #expect(other.first?.line == 6)
  }

  /// A reader without a table accepts every name; the scenario is refused when it is prepared.
  @Test func anyProviderIsReadBeforeItIsRegistered() throws {
    let scenario = try #require(read("reload: {provider: later}", nil).scenario)
    #expect(scenario.kinds[0].provider == ProviderName("later"))
    #expect(
      scenario.providers.obstacle(among: scenario.kinds)?.reason
        == "there is no provider 'later': this program has no providers")
  }

  /// The code decides what these keys say.
  @Test func keysOfAPolicyAreRefusedBesidesAProvider() {
    let keys = [
      "reload: {provider: flight, after: 1h}", "reload: {provider: flight, at_least: 1h}",
      "reload: {provider: flight}\n    entries: 3", "reload: {provider: flight}\n    on_error: 1h",
      "reload: {provider: flight}\n    when: [{from: \"10:00\", reload: 1h}]", "reload: {after: 1h, version: \"1\"}",
    ]
    for kind in keys { #expect(message(kind).contains("cannot be combined with"), "\(kind)") }
    #expect(message("reload: {}").contains("'reload' lacks the key 'after'"))
    #expect(message("phases: [{reload: {provider: flight}}]").contains("unknown key 'provider'"))
  }
}
