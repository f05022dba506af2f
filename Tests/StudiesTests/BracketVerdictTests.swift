import Scenario
import SimulationKernel
import Testing

@testable import Studies
@testable import SyntheticResults

/// Each preset of the bracket is judged like the scenario's own figure, by its own interval (Docs/GOALS.md).
struct BracketVerdictTests {
  private static let labels = Labels().with(\.endpoint, "api").with(\.window, "1s")
  private static let figure = FigureName(.serverPeakRPS, .max, labels)

  /// Names for where an interval of +- 3 lies relative to a limit of at most 100.
  private enum Place: Double, CaseIterable {
    case below = 80
    case across = 99
    case above = 120
  }

  private static var scenario: Scenario {
    var run = SyntheticRun()
    (run.endpoints, run.step) = (["api"], .second)
    return run.scenario
  }

  private func summary(_ place: Place) -> Summary {
    let estimate = Estimate(value: place.rawValue, low: place.rawValue - 3, high: place.rawValue + 3)
    return Summary(
      rows: ["", "api"].map {
        SummaryRow(.serverPeakRPS, Self.labels.with(\.endpoint, $0), .max, estimates: [estimate])
      })
  }

  private func goal(_ severity: Goal.Severity = .error) -> Goal {
    Goal(
      id: "a", text: "", figure: Self.figure, comparison: .atMost, limit: .value(100), severity: severity)
  }

  private func expected(_ own: Place, _ ends: [Place]) -> (verdict: Verdict, word: RunVerdict.Word) {
    switch own {
    case .across: (.inconclusive, .unknown)
    case .below where ends.contains(.above): (.inconclusive, .depends)
    case .below where ends.contains(.across): (.inconclusive, .unknown)
    case .below: (.pass, .holds)
    case .above where ends.contains(.below): (.inconclusive, .depends)
    case .above: (.fail, .fails)
    }
  }

  /// All 27 cases, both as a goal in the file and as a capacity's goal: the verdicts are the same.
  @Test func goalAndCapacityAreJudgedUnderAllPresets() {
    var scenario = Self.scenario
    scenario.endpoints[0].capacity = 100
    for own in Place.allCases {
      for prompt in Place.allCases {
        for lazy in Place.allCases {
          let bracket = Bracket(summaries: [.prompt: summary(prompt), .lazy: summary(lazy)])
          let result = GoalResult(goal(), summary(own), bracket)
          let expected = expected(own, [prompt, lazy])
          #expect(result.verdict == expected.verdict, "\(own) \(prompt) \(lazy)")
          let bracketed = summary(own).bracketed(bracket)
          let ofGoal = RunVerdict(Self.scenario, bracketed, [result])
          #expect(ofGoal.word == expected.word, "\(own) \(prompt) \(lazy)")
          let ofCapacity = RunVerdict(scenario, bracketed, [])
          #expect(ofCapacity.checks.map(\.result.verdict) == [expected.verdict], "\(own) \(prompt) \(lazy)")
          #expect(ofCapacity.word == expected.word, "\(own) \(prompt) \(lazy)")
        }
      }
    }
  }

  /// A preset whose figure is unknown is not known to pass.
  @Test func unknownPresetPreventsPassing() {
    let unknown = Summary(rows: [SummaryRow(.serverPeakRPS, Self.labels, .max, replications: [nil])])
    let result = GoalResult(goal(), summary(.below), Bracket(summaries: [.lazy: unknown]))
    #expect(result.verdict == .inconclusive && result.unknownUnder == [.lazy] && result.turning == [])
  }

  /// A limit taken from another figure uses that figure under the same preset: 150 % of 100, and of 70.
  @Test func referenceUsesTheSamePreset() {
    let mean = FigureName(.serverMeanRPS, .mean, Self.labels)
    func summary(_ peak: Int128, _ load: Int128) -> Summary {
      Summary(rows: [
        SummaryRow(.serverPeakRPS, Self.labels, .max, replications: [.whole(peak)]),
        SummaryRow(.serverMeanRPS, Self.labels, .mean, replications: [.whole(load)]),
      ])
    }
    var goal = goal()
    goal.limit = .multiple(1.5, of: mean)
    let bracket = Bracket(summaries: [.prompt: summary(110, 70)])
    #expect(GoalResult(goal, summary(110, 100), bracket).turning == [.prompt])
    #expect(GoalResult(goal, bracketed: summary(110, 100).bracketed(bracket)).turning == [.prompt])
  }

  /// A goal on a peak that equals the capacity's goal is the same limit; with another window it is a different one.
  @Test func goalEqualToACapacityReplacesIt() {
    var scenario = Self.scenario
    scenario.endpoints[0].capacity = 100
    let asked = { (window: String, severity: Goal.Severity) -> Int in
      var goal = goal(severity)
      goal.figure.labels.window = window
      scenario.goals = [goal]
      return CapacityGoal.all(of: scenario, .second).count
    }
    #expect(asked("1s", .error) == 0)
    #expect(asked("1s", .warning) == 1)
    #expect(asked("1min", .error) == 1)
  }

  /// Only under prompt does anything time out: the bracket for that reason is from 0 to 7, and a reason without
  /// failures has no row.
  @Test func failuresUnderOnlyOnePresetHaveARow() throws {
    let labels = Labels().with(\.endpoint, "api")
    func summary(_ reason: String, _ count: Int128) -> Summary {
      Summary(rows: [
        SummaryRow(.failures, labels, .total, replications: [.whole(count)]),
        SummaryRow(.failures, labels.with(\.reason, reason), .total, replications: [.whole(count)]),
      ])
    }
    let bracketed = summary("offline", 3).bracketed(
      Bracket(summaries: [.prompt: summary("timeout", 7), .lazy: summary("offline", 4)]))
    let row = try #require(bracketed.row(.failures, .total, labels.with(\.reason, "timeout")))
    #expect(row.value == .whole(0) && row.prompt == .whole(7) && row.lazy == .whole(0))
    #expect(bracketed.rows.count == 3)
  }
}
