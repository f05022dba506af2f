import Scenario
import Testing

@testable import Studies

/// The margin of a goal is the worst over the scenario and its bracket.
@Suite struct GoalMarginTests {
  private static let figure = FigureName(.peakRPS, .max)

  private func summary(_ values: [Double?]) -> Summary {
    Summary(rows: [SummaryRow(.peakRPS, Labels(), .max, replications: values.map { $0.map { .real($0) } })])
  }

  /// Returns a sample's estimate of a figure.
  private func estimated(_ value: Double, _ low: Double, _ high: Double) -> Summary {
    Summary(rows: [SummaryRow(.peakRPS, Labels(), .max, estimates: [Estimate(value: value, low: low, high: high)])])
  }

  private func goal(_ comparison: Comparison, _ limit: Double) -> Goal {
    Goal(id: "g", text: "", figure: Self.figure, comparison: comparison, limit: .value(limit), severity: .error)
  }

  @Test(arguments: [
    (Comparison.atMost, 80.0, 90.0, 70.0, -0.1, Preset?.some(.prompt)), (.atMost, 80, 70, 120, 0.2, .lazy),
    (.atMost, 80, 70, 60, -0.2, nil), (.atLeast, 110, 120, 90, 0.1, .lazy), (.atMost, 80, 80, 80, -0.2, nil),
  ])
  func theWorstCounts(
    _ comparison: Comparison, _ own: Double, _ prompt: Double, _ lazy: Double, _ miss: Double, _ worst: Preset?
  ) throws {
    let bracket = Bracket(summaries: [.prompt: summary([prompt]), .lazy: summary([lazy])])
    let margin = GoalMargin(of: goal(comparison, 100), in: summary([own]), bracket)
    #expect(margin.preset == worst)
    #expect(abs(try #require(margin.miss) - miss) < 1e-9)
    #expect(abs(try #require(margin.distance) - 100 * miss) < 1e-9)
  }

  /// A preset with an estimate on both sides of the limit counts by its value; one with an unknown figure does not
  /// count.
  @Test func inconclusivePresetCountsButUnknownDoesNot() throws {
    let bracket = Bracket(summaries: [.prompt: estimated(120, 90, 150), .lazy: summary([nil])])
    let limit = goal(.atMost, 100)
    let margin = GoalMargin(of: limit, in: summary([80]), bracket)
    #expect(margin.preset == .prompt)
    #expect(abs(try #require(margin.miss) - 0.2) < 1e-9)
    let other = Bracket(summaries: [.prompt: summary([80])])
    #expect(GoalMargin(of: limit, in: summary([nil]), other).miss == nil)
  }

  /// Half of an estimate's interval becomes that of its margin, even with one replication: 80 of 100, from 70 to 94.
  @Test func estimateMarginHasAnInterval() {
    let margin = GoalMargin(of: goal(.atMost, 100), in: estimated(80, 70, 94), nil)
    #expect(abs((margin.miss ?? 0) + 0.2) < 1e-9)
    #expect(abs(margin.half - 0.12) < 1e-9)
  }

  /// A miss is relative to the limit; for a limit of 0 it is relative to the figure itself, so that a miss is 1.
  @Test(arguments: [
    (Comparison.atMost, 100.0, [80.0, 150], [-0.2, 0.5]), (.atLeast, 100, [80, 150], [0.2, -0.5]),
    (.atMost, 0, [5, 0, 2e6], [1, 0, 1]), (.equal, 0, [3], [1]), (.atMost, -10, [-15, 5], [-0.5, 1.5]),
  ])
  func missesAreSharesOfTheLimit(_ comparison: Comparison, _ limit: Double, _ values: [Double], _ misses: [Double]) {
    #expect(GoalMargin.misses(of: goal(comparison, limit), in: summary(values)) == misses)
  }

  /// Widgets and views are the same under any system, so they need no bracket.
  @Test func systemIndependentGoalsNeedNoBracket() {
    let fixed = Goal(
      id: "w", text: "", figure: FigureName(.widgets, .total), comparison: .atMost, limit: .value(1), severity: .error)
    let compared = Goal(
      id: "c", text: "", figure: FigureName(.viewsPerDay, .mean), comparison: .atMost,
      limit: .multiple(1, of: Self.figure), severity: .error)
    #expect(!fixed.dependsOnSystem && compared.dependsOnSystem && goal(.atMost, 1).dependsOnSystem)
  }
}
