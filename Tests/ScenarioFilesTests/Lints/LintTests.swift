import Scenario
import Testing

@testable import ScenarioFiles

/// Each lint has the numbers given by MODEL.md's formulas, and scenarios just outside have no lint.
@Suite struct LintTests {
  /// Settings without the idle rule and with a fixed budget, so that each test shows only what it changes.
  private static let calm = ["os.idle=none", "os.budget={capacity: 50/day}"]

  private func lints(_ settings: [String], from text: String = Samples.minimal) throws -> [Lint] {
    let outcome = ScenarioReader.read(
      text: Array(text.utf8), fileName: "a.yaml", settings: (LintTests.calm + settings).map { SetArgument($0) })
    _ = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    #expect(outcome.lints.allSatisfy { $0.rule.isLint })
    #expect(outcome.warnings.map(\.code.rawValue).sorted() == outcome.lints.map(\.rule.rawValue).sorted())
    #expect(outcome.warnings.allSatisfy { $0.severity == .warning && $0.line != nil })
    return outcome.lints
  }

  private func number(_ name: String, of rule: Code, _ settings: [String]) throws -> Double {
    let lint = try #require(try lints(settings).first { $0.rule == rule }, "\(rule) does not fire")
    return try #require(lint.numbers.first { $0.name == name }).value
  }

  private func rules(_ settings: String...) throws -> [Code] { try lints(settings).map(\.rule) }

  /// The policy after(15 min) with a mean delay of 7.5 min gives 86 400 / 1 350 = 64 a day; 96 are requested, 50
  /// granted.
  @Test func demandBeyondTheBudgetIsReported() throws {
    #expect(try number("asked", of: .beyondBudget, []) == 96)
    #expect(abs(try number("demand", of: .beyondBudget, []) - 64) < 1e-9)
    #expect(try number("granted", of: .beyondBudget, []) == 50)
  }

  @Test func demandWithinTheBudgetIsNotReported() throws {
    #expect(try rules("kinds.weather.reload.after=25min") == [])
    #expect(try rules("os.budget.model=off") == [])
    #expect(try rules("os.budget.capacity=60/day") == [])
    #expect(try rules("kinds.weather.reload.after={exponential: 25min}") == [])
    // Six hours of one every 5 min give 28.8, and the rest of the day requests one per hour.
    #expect(
      try rules(
        "kinds.weather.reload.after=1h", "kinds.weather.when=[{from: \"10:00\", to: \"16:00\", reload: {after: 5min}}]")
        == [])
  }

  @Test func windowsAddUp() throws {
    let window = "kinds.weather.when=[{from: \"08:00\", to: \"20:00\", reload: {after: 5min}}]"
    // Half a day is at 86 400 / 750 = 115.2 a day, the other half at 86 400 / 4 050 = 21.33.
    let demand = try number("demand", of: .beyondBudget, ["kinds.weather.reload.after=1h", window])
    #expect(abs(demand - (115.2 + 86_400 / 4_050) / 2) < 0.01)
  }

  @Test func aBackgroundSessionIsChargedTwice() throws {
    let settings = ["kinds.weather.reload.after=30min", "kinds.weather.background_session=true"]
    // There are 30 + 7.5 + 5 + 0.5 min between downloads, with two runs for each.
    #expect(abs(try number("demand", of: .beyondBudget, settings) - 2 * 1_440 / 43) < 1e-9)
  }

  @Test func restartedPhasesAreNotReported() throws {
    let phases = "kinds.weather.phases=[{reload: never}, {reload: {after: 15min}}]"
    let text = Samples.minimal.replacing("reload: {after: 15min}", with: "cpu: 1s")
    #expect(try lints([phases], from: text).map(\.rule) == [.beyondBudget])
    let restart = "app.reloads=[{when: background-refresh, per_day: 1, kinds: all, restarts: true}]"
    #expect(try lints([phases, restart], from: text).map(\.rule) == [])
  }

  @Test func spacing() throws {
    let settings = ["kinds.weather.reload.after=2min", "os.budget.model=off"]
    #expect(try number("asked", of: .intervalBelowSpacing, settings) == 720)
    #expect(try number("most", of: .intervalBelowSpacing, settings) == 288)
    #expect(try rules("kinds.weather.reload.after=5min", "os.budget.model=off") == [])
    #expect(try rules("kinds.weather.on_error.after=1min", "os.budget.model=off") == [.intervalBelowSpacing])
  }

  /// Entries are at 0, 1, ..., 5 h; the reload is due after 2 h and starts up to 15 min later, so those at 3, 4 and 5 h
  /// are never shown.
  @Test func entriesNeverShown() throws {
    let settings = ["kinds.weather.entries={count: 6}", "kinds.weather.reload.after=2h"]
    #expect(try number("never_shown", of: .entriesNeverShown, settings) == 3)
    #expect(try number("replaced_after", of: .entriesNeverShown, settings) == 8_100)
    // An idle phone may delay the reload by 4 h and another 15 min: 6.5 h.
    #expect(
      try rules("kinds.weather.entries={count: 6}", "kinds.weather.reload.after=2h", "os.idle={}") == [.neverUnlocked])
    #expect(try rules("kinds.weather.entries={count: 3}", "kinds.weather.reload.after=2h") == [])
    #expect(try rules("kinds.weather.entries={count: 6}", "kinds.weather.reload=at-end") == [])
  }

  @Test func entriesOnTheClock() throws {
    // The reload is due at 01:00 with the second of 4 entries and starts by 01:15, so those of 02:00 and 03:00 are
    // never shown.
    let aligned = ["kinds.weather.entries={count: 4, align: wall}", "kinds.weather.reload.after={every: 1h}"]
    #expect(try number("never_shown", of: .entriesNeverShown, aligned) == 2)
    // The reload comes an hour after any time: entries may come at once and after an hour, the fourth after two.
    let apart = ["kinds.weather.entries={count: 4, align: wall}", "kinds.weather.reload.after=1h"]
    #expect(try number("never_shown", of: .entriesNeverShown, apart) == 1)
  }

  @Test func errors() throws {
    let offline = "fleet.cohorts.all.network={offline: {share: 5%, mean: 20min}}"
    let request = "kinds.weather.requests=[{endpoint: api}]"
    let settings = [offline, request, "kinds.weather.reload.after=1h", "kinds.weather.on_error.after=5min"]
    #expect(abs(try number("tries", of: .errorsOutrunBudget, settings) - 115.2) < 1e-9)
    #expect(abs(try number("spent_after", of: .errorsOutrunBudget, settings) - 86_400 * 50 / 115.2) < 1e-6)
    #expect(try rules(request, "kinds.weather.reload.after=1h", "kinds.weather.on_error.after=5min") == [])
    #expect(try rules(offline, request, "kinds.weather.reload.after=1h", "kinds.weather.on_error.after=30min") == [])
  }

  @Test func cacheOutlivingTheIntervalIsReported() throws {
    let request = "kinds.weather.requests=[{endpoint: api}]"
    let settings = [request, "kinds.weather.reload.after=30min", "kinds.weather.cache={ttl: 6h}"]
    // 360 min are 9.6 reloads of 37.5 min.
    #expect(try number("reloads", of: .cacheOutlivesInterval, settings) == 9)
    #expect(try rules(request, "kinds.weather.reload.after=30min", "kinds.weather.cache={ttl: 1h}") == [])
    #expect(
      try rules(request, "kinds.weather.reload.after=30min", "kinds.weather.cache={ttl: never-expires}")
        == [.cacheOutlivesInterval])
  }

  @Test func jitterBeyondTheInterval() throws {
    let settings = ["kinds.weather.reload.after=1h", "kinds.weather.jitter.up_to=4h"]
    #expect(try number("asked", of: .jitterBeyondInterval, settings) == 8)
    #expect(try rules("kinds.weather.reload.after=1h", "kinds.weather.jitter.up_to=1h") == [])
  }

  @Test func pushesAndCallsCountTowardsDemand() throws {
    let push = "events=[{name: a, push: {type: silent, per_device_per_day: 100, kinds: all}}]"
    #expect(try number("most", of: .pushesBeyondLimit, [push, "kinds.weather.reload=never"]) == 72)
    #expect(try rules(push, "kinds.weather.reload=never", "os.silent_push.per_hour=5") == [])
    let call = "app.reloads=[{when: background-refresh, per_day: 60, kinds: all}]"
    #expect(try number("asked", of: .beyondBudget, [call, "kinds.weather.reload=never"]) == 60)
  }

  @Test func unusedPhonesAreReported() throws {
    #expect(try rules("os.idle={}", "kinds.weather.reload.after=1h") == [.neverUnlocked])
    #expect(try rules("os.idle={}", "kinds.weather.reload=never") == [])
    #expect(try rules("kinds.weather.protected=true", "kinds.weather.reload.after=1h") == [.neverUnlocked])
    #expect(
      try rules("os.idle={}", "kinds.weather.reload.after=1h", "fleet.cohorts.all.person.unlocks_per_day=60") == [])
  }

  /// With the key table's extreme values, all numbers stay within their types.
  @Test(arguments: [
    "kinds.weather.reload.after={lognormal: {median: 400d, sigma: 10}}", "kinds.weather.reload.after=0s",
    "kinds.weather.reload.after={normal: {mean: 0s, sd: 400d}}", "kinds.weather.reload.after={exponential: 1ms}",
    "os.start_delay={policy: {lognormal: {median: 1ms, sigma: 10}}}", "os.min_spacing=0s", "os.budget.capacity=1/day",
    "kinds.weather.reload={after: {every: 1s}}", "kinds.weather.jitter.up_to=400d", "fleet.devices=1",
    "fleet.cohorts.all.person.unlocks_per_day={lognormal: {median: 1000, sigma: 3}}", "os.start_delay={policy: 0s}",
  ]) func extremes(_ setting: String) throws {
    let others = ["kinds.weather.entries={count: 10000, every: 1ms}", "kinds.weather.requests=[{endpoint: api}]"]
    for lint in try lints([others[0], others[1], setting]) {
      #expect(lint.numbers.allSatisfy { !$0.value.isNaN }, "\(lint)")
    }
  }

  @Test func atMostFiftyLintsAreReported() throws {
    let kinds = (0..<90).map { "  k\($0): {reload: {after: 1min}}\n" }.joined()
    let text = Samples.minimal.replacing("kinds:\n", with: "kinds:\n" + kinds)
    let widgets = "fleet.cohorts.all.widgets=[" + (0..<60).map { "{kind: k\($0)}, " }.joined() + "]"
    #expect(try lints([widgets], from: text).count == 50)
  }
}
