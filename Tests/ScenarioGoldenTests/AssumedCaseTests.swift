import FleetEngine
import Foundation
import Scenario
import ScenarioFiles
import Studies
import Testing

/// Goals whose verdict is nothing but an assumption, which the screen finds (MODEL.md 4.8).
@Suite struct AssumedCaseTests {
  private static let pushed = """
    schema: widgetfleet/v1
    name: pushed
    clock: {start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1h, duration: 1h}
    kinds: {score: {reload: never, requests: [{endpoint: api}]}}
    fleet:
      devices: 200
      cohorts:
        - {name: fans, zones: {UTC: 100%}, person: {unlocks_per_day: 0}, network: wifi, widgets: [{kind: score}]}
    os: {idle: none, budget: {model: off}}
    """

  private static func looked(_ after: String, _ page: Int, unlocks: Int, limit: String) -> String {
    """
    schema: widgetfleet/v1
    name: looked
    clock: {start: 2027-01-18T00:00:00Z, warmup: 1d, duration: 2d, step: 10s}
    kinds: {news: {reload: {after: \(after)}, requests: [{endpoint: api}], stale_after: 2h}}
    fleet:
      devices: 200
      cohorts:
        - name: all
          zones: {UTC: 100%}
          person: {unlocks_per_day: \(unlocks)}
          widgets: [{kind: news, page: \(page)}]
    goals: [{id: limit, assert: "stale_views <= \(limit)"}]
    """
  }

  private static func event(_ type: String, _ goal: String) -> String {
    pushed + """

      events: [{name: goal, at: 2027-01-18T00:20:00Z, push: {type: \(type), over: 0s\(type == "silent" ? ", kinds: all" : "")}}]
      goals: [{id: limit, assert: "\(goal)"}]
      """
  }

  private func result(_ text: String) throws -> (goal: GoalResult, word: RunVerdict.Word) {
    let outcome = ScenarioReader.read(text: Array(text.utf8), fileName: "case.yaml")
    let scenario = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    let summary = try screened(scenario)
    let goal = GoalResult(scenario.goals[0], summary, nil)
    return (goal, RunVerdict(scenario, summary, [goal]).word)
  }

  /// Returns the figures with the effects of assumptions.
  private func screened(_ scenario: Scenario) throws -> Summary {
    let zones = zoneTables(for: scenario)
    let engine = try Engine(preparing: scenario, zones: zones)
    let summary = Summary(of: try #require(try engine.run(threads: 2, control: RunControl())))
    let variants = VariantRuns(of: engine, zones: zones, threads: 2, control: RunControl())
    let screen = Screen(of: scenario, by: variants, devices: engine.devicesSimulated)
    return summary.assuming(try #require(try screen.effects(on: screen.figures(summary), of: summary)))
  }

  /// Exp(5s) or U(0,5s) has 36 or 40 of 200 phones in a second, Exp(10min) or U(0,10min) a third of one on average.
  @Test(arguments: [("push-fanout", "os.start_delay.widget_push"), ("dragon", "os.start_delay.background")])
  func peakOfAPushDependsOnItsDelay(_ name: String, _ key: String) throws {
    let file = Trial.scenarioFolder.appending(path: name + ".yaml")
    let outcome = ScenarioReader.read(text: [UInt8](try Data(contentsOf: file)), fileName: name)
    var scenario = try #require(outcome.scenario)
    scenario.run.simulate = .count(200)
    let peak = FigureName(.peakRPS, .max, Labels().with(\.window, "1s"))
    let row = try #require(try screened(scenario).figure(peak))
    let span = try #require(row.assumedSpans.first)
    #expect(span.range.key == key && span.highEnd == "5 s" && span.lowEnd == "10 min")
    #expect(span.high > 5 * span.low)
    let together = row.effects.filter(\.isSudden).map(\.value.approximate)
    #expect(together.count >= 2)
  }

  /// A half of 200 phones behind a CDN shows the effects of assumptions only on those figures that it misses by at most
  /// a tenth; a peak of some phones a second varies more by chance.
  @Test func effectsBehindABackendNeedAPartThatIsWithinATenth() throws {
    let text =
      Self.event("widget", "origin_peak_rps{window=1s} <= 100/s\"}, {id: total, assert: \"requests >= 1")
      + "\nbackend: {endpoints: {api: {cdn: {keys: 1k, ttl: 1min}}}}\n"
    let outcome = ScenarioReader.read(text: Array(text.utf8), fileName: "case.yaml")
    var scenario = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    let own = try screened(scenario)
    scenario.run.simulate = .count(Screen.minimum)
    let engine = try Engine(preparing: scenario, zones: zoneTables(for: scenario))
    let part = Summary(of: try #require(try engine.run(threads: 1, control: RunControl())))
    var misses: [Double] = []
    for name in scenario.goals.map(\.figure) {
      let (whole, found) = (own.figure(name), part.figure(name))
      let miss = abs(try #require(found?.value).approximate / (try #require(whole?.value).approximate) - 1)
      misses.append(miss)
      #expect(whole?.effects.isEmpty == (miss > 0.1), "\(name.text): \(miss)")
    }
    #expect(misses.contains { $0 > 0.1 } && misses.contains { $0 <= 0.1 })
  }

  /// Of 200 phones that start U(0,60s) or Exp(60s) after a push, 3 a second do so on average, of Exp(5s) 36 in the
  /// first second and of U(0,5s) 40 in each; half of the pushes wake 100 of them.
  @Test(
    arguments: [
      (event("widget", "peak_rps{window=1s} <= 16/s"), "os.start_delay.widget_push", "5 s to 10 min"),
      (
        event("widget", "server_peak_rps{endpoint=api, window=1s} <= 16/s"), "os.start_delay.widget_push",
        "5 s to 10 min"
      ),
      (event("silent", "peak_rps{window=1s} <= 22/s"), "os.start_delay.background", "5 s to 10 min"),
      (event("silent", "requests >= 150"), "os.silent_push.delivered", "50 %"),
    ]) func pushHangsOnWhatIosDoesWithIt(_ text: String, _ key: String, _ span: String) throws
  {
    let (goal, word) = try result(text)
    #expect(word == .depends && goal.dependsOn == [key], "\(goal.explanation)")
    #expect(goal.flips.first?.range?.span == span)
  }

  /// A widget on the second page gets its views' budget, 8 a day: hourly reloads need Apple's 40, and reloads every 10
  /// minutes are twice as stale if the budget comes once a day.
  @Test(
    arguments: [
      (looked("1h", 2, unlocks: 15, limit: "10%"), "os.budget.capacity"),
      (looked("10min", 2, unlocks: 15, limit: "28%"), "os.budget.model"),
    ]) func staleViewsHangOnTheBudgetsRule(_ text: String, _ key: String) throws
  {
    let (goal, word) = try result(text)
    #expect(word == .depends && goal.dependsOn.first == key, "\(goal.explanation)")
  }
}
