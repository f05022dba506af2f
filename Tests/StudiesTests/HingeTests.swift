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

  /// The prompt preset changes one of the default constants, so no simulation is needed to find which one a goal hinges
  /// on.
  @Test func promptNeedsNoTrials() {
    let (own, bracket) = (summary(9), bracket(11, 9))
    let search = HingeSearch(scenario, own, bracket)
    #expect(search.trials == [])
    let result = search.completed(GoalResult(Self.goal, own, bracket), [:])
    #expect(result.hinges == [.policyDelay])
    #expect(result.explanation == "it passes, but fails under prompt; it depends on os.start_delay.policy")
  }

  @Test func lazyConstantsAreTriedOneByOne() {
    let (own, bracket) = (summary(9), bracket(9, 11))
    let search = HingeSearch(scenario, own, bracket)
    #expect(search.trials.map(\.constant) == [.inUseDelay, .budgetCap, .frequentStaleViews])
    var found = Dictionary(uniqueKeysWithValues: search.trials.map { ($0, summary(9)) })
    let together = search.completed(GoalResult(Self.goal, own, bracket), found)
    #expect(together.hinges == search.trials.map(\.constant))
    #expect(together.explanation.hasSuffix("os.stale_view_reload.frequent together"))
    found[search.trials[1]] = summary(12)
    let alone = search.completed(GoalResult(Self.goal, own, bracket), found)
    #expect(alone.hinges == [.budgetCap] && !alone.hingesTogether)
  }

  @Test func noTrialsRunWithoutNeed() {
    #expect(HingeSearch(scenario, summary(9), bracket(9, 9)).trials == [])
    #expect(HingeSearch(scenario, summary(11), bracket(12, 13)).trials == [])
    #expect(BracketRuns.presets(of: scenario) == [.prompt, .lazy])
    var given = scenario
    given.givenConstants = Set(BracketConstant.undocumented)
    #expect(BracketRuns.presets(of: given) == [])
  }
}
