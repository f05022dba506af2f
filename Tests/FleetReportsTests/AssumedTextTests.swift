import Scenario
import Testing

@testable import FleetReports
@testable import Studies

/// The assumptions in a verdict's sentence.
struct AssumedTextTests {
  private static let peak = FigureName(.peakRPS, .max, Labels().with(\.window, "1s"))

  /// Returns the clauses for a peak of 9 below a limit of 10 if each key moves it to 9.5.
  private func clauses(_ keys: [String]) -> [String] {
    let goal = Goal(id: "a", text: "", figure: Self.peak, comparison: .atMost, limit: .value(10), severity: .error)
    let row = SummaryRow(.peakRPS, Self.peak.labels, .max, replications: [.whole(9)])
    let effects = keys.map { AssumedEffect(key: $0, end: 0, value: .real(9.5)) }
    let summary = Summary(rows: [row]).assuming([Self.peak: effects])
    return AssumedText(GoalResult(goal, summary, nil)).others.filter { !$0.isEmpty }
  }

  /// The claim counts the assumptions about iOS, because only those were varied; users' habits do not count.
  @Test func unchangedVerdictStatesTheNumberOfVariedAssumptions() {
    let two = ["os.budget.cap", "os.budget.model", "person.unlocks_per_day"]
    #expect(clauses(two) == ["none of the 2 varied assumptions about iOS changes this"])
    #expect(clauses(["os.budget.cap"]) == ["the varied assumption about iOS does not change this"])
    #expect(clauses(["person.unlocks_per_day"]).isEmpty && clauses([]).isEmpty)
  }
}
