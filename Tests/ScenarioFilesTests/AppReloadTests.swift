import Scenario
import Testing

@testable import ScenarioFiles

/// Reloads requested by the app: the keys for each occasion (MODEL.md 2.8).
@Suite struct AppReloadTests {
  private func read(_ reload: String) -> ScenarioReader.Outcome {
    Samples.read(Samples.minimal + "app: {opens_per_day: 4, reloads: [{kinds: [weather], \(reload)}]}\n")
  }

  @Test(arguments: [
    ("when: open", AppReload.Occasion.open), ("when: close", .close), ("when: change, per_day: 3", .change(perDay: 3)),
    ("when: profile-switch, per_day: 2", .profileSwitch(perDay: 2)),
    ("when: background-refresh, per_day: 5", .backgroundRefresh(perDay: 5)),
    ("when: audio, every: 3min", .audio(every: .minutes(3))),
  ])
  func everyOccasion(_ reload: String, _ occasion: AppReload.Occasion) {
    let outcome = read(reload)
    #expect(outcome.scenario?.app.reloads.map(\.occasion) == [occasion], "\(outcome.diagnostics.humanText)")
  }

  /// Missing keys, and keys that do not apply to the occasion, are reported where they are.
  @Test(arguments: [
    ("when: open, per_day: 3", Code.conflictingKeys, "'per_day' cannot be combined with when: open"),
    ("when: close, every: 3min", .conflictingKeys, "'every' cannot be combined with when: close"),
    ("when: change", .missingKey, "a reload with when: change lacks the key 'per_day'"),
    ("when: background-refresh", .missingKey, "a reload with when: background-refresh lacks the key 'per_day'"),
    (
      "when: profile-switch, per_day: 3, every: 1h", .conflictingKeys,
      "'every' cannot be combined with when: profile-switch"
    ),
    ("when: audio", .missingKey, "a reload with when: audio lacks the key 'every'"),
    ("when: audio, every: 3min, per_day: 1", .conflictingKeys, "'per_day' cannot be combined with when: audio"),
  ])
  func keysOfOtherOccasions(_ reload: String, _ code: Code, _ sentence: String) {
    let outcome = read(reload)
    #expect(outcome.scenario == nil)
    #expect(outcome.diagnostics.map(\.code) == [code], "\(outcome.diagnostics.humanText)")
    #expect(outcome.diagnostics.first?.sentence == sentence)
  }
}
