import Scenario
import SimulationKernel
import Testing

@testable import Studies
@testable import SyntheticResults

/// Goals across the bracket of the presets prompt and lazy.
struct HingeTests {
  private static let peak = FigureName(.peakRPS, .max, Labels().with(\.window, "1s"))
  private static let goal = Goal(
    id: "a", text: "", figure: peak, comparison: .atMost, limit: .value(10), severity: .error)

  private func summary(_ peak: Int128) -> Summary {
    Summary(rows: [SummaryRow(.peakRPS, Self.peak.labels, .max, replications: [.whole(peak)])])
  }

  /// A scenario with views of one widget, so that every constant matters.
  private var scenario: Scenario {
    var scenario = SyntheticRun().scenario
    scenario.goals = [Self.goal]
    let member = Placement.Member(kind: 0, family: .small, weight: 1)
    scenario.fleet.cohorts[0].person.unlocksPerDay = .constant(60)
    scenario.fleet.cohorts[0].widgets = [
      Placement(members: [member], isStack: false, otherWeight: 0, place: .homePage(1), share: .all)
    ]
    return scenario
  }

  private func bracket(_ prompt: Int128, _ lazy: Int128) -> Bracket {
    Bracket(summaries: [.prompt: summary(prompt), .lazy: summary(lazy)])
  }

  @Test(
    arguments: [(Int128, Int128, Int128, Verdict)]([
      (9, 9, 9, .pass), (9, 10, 1, .pass), (9, 11, 9, .inconclusive), (9, 9, 11, .inconclusive),
      (11, 12, 13, .fail), (11, 12, 9, .inconclusive), (11, 1, 2, .inconclusive),
    ]))
  func goalThatChangesUnderAPresetIsInconclusive(_ own: Int128, _ prompt: Int128, _ lazy: Int128, _ verdict: Verdict) {
    let result = GoalResult(Self.goal, summary(own), bracket(prompt, lazy))
    #expect(result.verdict == verdict)
    #expect(result.prompt == .whole(prompt) && result.lazy == .whole(lazy))
    #expect(result.reason.isEmpty == (verdict != .inconclusive))
  }

  @Test func withoutABracketTheValuesAreBlank() {
    let result = GoalResult(Self.goal, summary(9), nil)
    #expect(result.prompt == nil && result.lazy == nil && result.verdict == .pass)
  }

  @Test func presetWithoutDifferenceUsesTheScenario() {
    let result = GoalResult(Self.goal, summary(9), Bracket(summaries: [:]))
    #expect(result.prompt == .whole(9) && result.lazy == .whole(9) && result.verdict == .pass)
  }

  /// A preset that changes the verdict makes it depend on all that it changes, unless one assumption does alone.
  @Test func presetWithoutFlipDependsOnAllItsConstants() {
    let together = GoalResult(Self.goal, summary(9), bracket(9, 11)).depending(in: scenario)
    #expect(together.dependsOn == ["os.start_delay.in_use", "os.budget.cap", "os.stale_view_reload.frequent"])
    #expect(together.dependsTogether && together.explanation.hasSuffix("os.stale_view_reload.frequent together"))
    let only = GoalResult(Self.goal, summary(9), bracket(11, 9)).depending(in: scenario)
    #expect(only.explanation == "it passes, but fails under prompt; it depends on os.start_delay.policy")
    let effect = AssumedEffect(key: "os.budget.cap", end: 0, value: .whole(12))
    let screened = summary(9).assuming([Self.peak: [effect]])
    let alone = GoalResult(Self.goal, screened, bracket(9, 11)).depending(in: scenario)
    #expect(alone.dependsOn == ["os.budget.cap"] && !alone.dependsTogether)
  }

  /// An assumption about the system changes a verdict; one about users, whom a team can observe, is only named.
  @Test(
    arguments: [
      ("os.budget.cap", 9, 11, Verdict.inconclusive), ("os.budget.cap", 11, 9, .inconclusive),
      ("os.budget.cap", 9, 10, .pass), ("os.budget.cap", 11, 12, .fail), ("person.unlocks_per_day", 9, 11, .pass),
      ("person.unlocks_per_day", 11, 9, .fail),
    ] as [(String, Int128, Int128, Verdict)])
  func assumptionOfTheSystemChangesTheVerdict(_ key: String, _ own: Int128, _ end: Int128, _ verdict: Verdict) {
    let effect = AssumedEffect(key: key, end: 0, value: .whole(end))
    let result = GoalResult(Self.goal, summary(own).assuming([Self.peak: [effect]]), bracket(own, own))
    #expect(result.verdict == verdict)
    #expect(result.flips == ((own <= 10) == (end <= 10) ? [] : [effect]))
    #expect(result.dependsOn == (verdict == .inconclusive ? [key] : []))
    let check = RunVerdict(scenario, summary(own), [result])
    #expect((check.word == .depends) == (verdict == .inconclusive))
  }

  /// The largest effect comes first, whatever the order of the table.
  @Test func strongestFlipComesFirst() {
    let effects = [
      AssumedEffect(key: "os.budget.cap", end: 0, value: .whole(11)),
      AssumedEffect(key: "person.unlocks_per_day", end: 1, value: .whole(99)),
      AssumedEffect(key: "os.budget.model", end: 0, value: .whole(20)),
    ]
    let result = GoalResult(Self.goal, summary(9).assuming([Self.peak: effects]), bracket(9, 9))
    #expect(result.flips.map(\.key) == ["os.budget.model", "os.budget.cap", "person.unlocks_per_day"])
    #expect(
      result.explanation == "it passes, but fails with os.budget.model at once a day; it depends on "
        + "each of os.budget.model, os.budget.cap")
  }

  /// Several assumptions that change the verdict only together leave it open; one that does alone is named instead.
  @Test(arguments: [(9, 11, true), (9, 10, false), (11, 9, true), (11, 12, false)] as [(Int128, Int128, Bool)])
  func assumptionsTogetherChangeTheVerdict(_ own: Int128, _ corner: Int128, _ changes: Bool) {
    let effects = [
      AssumedEffect(key: "os.budget.model", end: 0, value: .whole(own)),
      AssumedEffect(key: "os.budget.cap", end: 0, value: own < 10 ? .whole(10) : .real(10.2)),
      AssumedEffect(key: "os.min_spacing", end: 1, value: own < 10 ? .real(9.5) : .real(10.5)),
      AssumedEffect(key: "together", end: 0, value: .whole(corner)),
    ]
    let result = GoalResult(Self.goal, summary(own).assuming([Self.peak: effects]), bracket(own, own))
    #expect((result.verdict == .inconclusive) == changes && result.dependsOnSeveral == changes)
    #expect(result.flips.isEmpty)
    #expect(result.dependsOn == (changes ? ["os.budget.cap", "os.min_spacing"] : []))
    #expect(result.bracketValues.contains(.whole(corner)))
  }

  /// An estimate changes the verdict only if its whole interval lies on the other side.
  @Test func uncertainEffectChangesNothing() {
    let effect = { (low: Double) in
      AssumedEffect(key: "os.budget.cap", end: 0, value: .whole(12), interval: Interval(low: low, high: 15))
    }
    let verdict = { (low: Double) in
      GoalResult(Self.goal, summary(9).assuming([Self.peak: [effect(low)]]), bracket(9, 9)).verdict
    }
    #expect(verdict(9.5) == .pass && verdict(10.5) == .inconclusive)
  }

  @Test func constantsGivenLeaveNoPresets() {
    #expect(BracketRuns.presets(of: scenario) == [.prompt, .lazy])
    var given = scenario
    given.givenConstants = Set(BracketConstant.undocumented)
    #expect(BracketRuns.presets(of: given) == [])
  }
}
