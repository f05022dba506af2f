import Scenario
import Testing

@testable import ScenarioFiles

/// Conditions of `compare --fail-on` in a scenario with an endpoint.
struct ChangeConditionTests {
  private func outcome(_ text: String) throws -> ChangeConditionReader.Outcome {
    let scenario = Samples.minimal.replacing(
      "reload: {after: 15min}", with: "reload: {after: 15min}\n    requests: [{endpoint: api}]")
    let read = Samples.read(scenario)
    return ChangeConditionReader.read(text, of: try #require(read.scenario, "\(read.diagnostics.humanText)"))
  }

  @Test(arguments: [
    ("peak_rps > +5%", ChangeCondition.Change.relative(0.05)), ("peak_rps{endpoint=api} >= -12.5%", .relative(-0.125)),
    ("mean_rps<+0%", .relative(0)), ("mean_rps > +100/s", .absolute(100)), ("p95(lateness) > +1min", .absolute(60)),
    ("failures > +2.5k", .absolute(2_500)), ("bytes_down > −3MB", .absolute(-3_000_000)),
    ("herd > +1.5pp", .absolute(0.015)), ("p95(battery_percent_per_day) > +0.5pp", .absolute(0.5)),
    ("battery_percent_per_day > +5%", .relative(0.05)), ("energy_per_day > +250mJ", .absolute(0.25)),
    ("budget_exhausted_hour < -2h", .absolute(-2)), ("peak_rps > +5% and +15/s", .both(0.05, 15)),
    ("failures < -1k and -5%", .both(-0.05, -1_000)),
  ])
  func changes(_ text: String, _ change: ChangeCondition.Change) throws {
    let condition = try #require(try outcome(text).condition)
    #expect(condition.change == change)
    #expect(condition.text == text)
  }

  /// Both changes must be exceeded: of 100, 5 % and 15; of 1 000, 50 and 15.
  @Test func floorHoldsWhereThePercentageIsSmall() {
    let change = ChangeCondition.Change.both(0.05, 15)
    #expect((change.applied(to: 100), change.applied(to: 1_000)) == (115, 1_050))
    let less = ChangeCondition.Change.both(-0.05, -15)
    #expect((less.applied(to: 100), less.applied(to: 1_000)) == (85, 950))
  }

  @Test func conditionFigureFollowsGoalSyntax() throws {
    let condition = try #require(try outcome("p99(data_age{kind=weather}) <= -10%").condition)
    #expect(condition.figure == FigureName(.dataAge, .p99, Labels().with(\.kind, "weather")))
    #expect(condition.comparison == .atMost)
    #expect(condition.figure.text == "p99(data_age{kind=weather})")
    #expect(try outcome("peak_rps > +5%").condition?.figure.text == "peak_rps{window=1s}")
  }

  @Test(arguments: [
    ("peak_rps > 5%", Code.badAssertion, 12, "a change needs a sign"),
    ("peak_rps >", .badAssertion, 11, "a change is missing"),
    ("peak_rps == +5%", .badAssertion, 10, "a change is compared with"),
    ("peek_rps > +5%", .unknownMetric, 1, "peek_rps"),
    ("peak_rps{endpoint=apu} > +5%", .unknownLabelValue, 19, "apu"),
    ("peak_rps > +x%", .unreadable, 13, "not a number"),
    ("peak_rps > +5pp", .wrongDimension, 13, "percentage points"),
    ("peak_rps > +5min", .wrongDimension, 13, "a duration"),
    ("peak_rps", .badAssertion, 9, "a comparison is missing"), ("", .badAssertion, 1, "a metric is missing"),
    ("peak_rps > +5% and 15/s", .badAssertion, 20, "the same sign"),
    ("peak_rps > +5% and +6%", .badAssertion, 12, "a floor is an absolute change"),
    ("peak_rps > +5", .unitMissing, 13, "unit"),
  ])
  func badInput(_ text: String, _ code: Code, _ column: Int, _ says: String) throws {
    let outcome = try outcome(text)
    #expect(outcome.condition == nil)
    let diagnostic = try #require(outcome.diagnostics.first)
    #expect(diagnostic.code == code)
    #expect(diagnostic.file == "--fail-on argument")
    #expect(diagnostic.column == column, "\(diagnostic.humanText)")
    #expect(diagnostic.humanText.contains(says), "\(diagnostic.humanText)")
  }
}
