import Scenario
import Testing

@testable import ScenarioFiles

/// The max length of a calendar, and the rules for its steps and shares.
@Suite struct ScenarioSizeTests {
  private func read(clock: String, more: String = "") -> ScenarioReader.Outcome {
    Samples.read(Samples.minimal.replacing("clock: {", with: "clock: {\(clock), ") + more)
  }

  /// The settle, warmup and duration keys add up to at most 400 d.
  @Test(arguments: [
    ("settle: 0s, warmup: 1d, duration: 399d", nil), ("settle: 10d, warmup: 90d, duration: 300d", nil),
    ("settle: 0s, warmup: 1d1s, duration: 399d", "settle, warmup and duration together are longer than 400 d"),
    ("settle: 1s, warmup: 1d, duration: 399d", "settle, warmup and duration together are longer than 400 d"),
  ])
  func aCalendarHas400Days(_ clock: String, _ sentence: String?) {
    let outcome = read(clock: clock)
    #expect(outcome.diagnostics.filter { $0.severity == .error }.map(\.sentence) == [sentence].compactMap { $0 })
    #expect((outcome.scenario == nil) == (sentence != nil))
  }

  /// A 400 d calendar has 34 560 000 steps of 1 s and 69 120 000 of 0.5 s: more than 50 million.
  @Test(arguments: [("1s", true), ("800ms", true), ("500ms", false)])
  func aCalendarHas50MillionSteps(_ step: String, _ isRead: Bool) {
    let outcome = read(clock: "settle: 0s, warmup: 1d, duration: 399d, step: \(step)")
    let errors = outcome.diagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.code) == (isRead ? [] : [.tooBig]), "\(errors.humanText)")
    if !isRead { #expect(errors.first?.note == "too fine for this duration") }
  }

  /// The durations of a CDN are at least ten steps long: the help names the longest round step that fits them and
  /// divides the calendar.
  @Test(arguments: [
    ("100s", "15s", "10s"), ("10min", "2min", "10s"), ("99s", "15s", "5s"), ("49s", "10s", "2s"),
    ("9999ms", "1s", "500ms"), ("1s", "1s", "100ms"),
  ])
  func helpSuggestsARoundStep(_ span: String, _ step: String, _ round: String) throws {
    let outcome = read(
      clock: "step: \(step)", more: "backend: {endpoints: {api: {cdn: {keys: 1, ttl: \(span)}}}}\n")
    let problem = try #require(outcome.diagnostics.first { $0.sentence.hasPrefix("'ttl'") })
    #expect(problem.code == .stepTooLong)
    #expect(problem.help?.contains("clock.step: \(round)") == true, "\(problem.help ?? "")")
  }

  /// A single cohort may omit its share or have 100 %; several cohorts each need one, and they must add up.
  @Test(
    arguments: [
      (["name: a"], []), (["name: a, share: 100%"], []), (["name: a, share: 50%"], [.sharesDoNotAddUp]),
      (["name: a, share: 50%", "name: b, share: 50%"], []),
      (["name: a, share: 50%", "name: b, share: 40%"], [.sharesDoNotAddUp]),
      (["name: a", "name: b, share: 50%"], [.missingKey]), (["name: a, share: 100%", "name: b"], [.missingKey]),
      (["name: a", "name: b"], [.missingKey, .missingKey]),
    ] as [([String], [Code])])
  func sharesOfCohorts(_ cohorts: [String], _ codes: [Code]) throws {
    let items = cohorts.map {
      "    - {\($0), zones: {UTC: 100%}, network: wifi, widgets: [{kind: weather}]}\n"
    }
    let start = try #require(Samples.minimal.firstRange(of: "    - name: all"))
    let outcome = Samples.read(String(Samples.minimal[..<start.lowerBound]) + items.joined())
    #expect(outcome.diagnostics.filter { $0.severity == .error }.map(\.code) == codes)
  }
}
