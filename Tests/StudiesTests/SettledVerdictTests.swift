import Scenario
import Testing

@testable import Studies
@testable import SyntheticResults

/// The rule that ends the waves of a run (MODEL.md 1.6), with 2 000 phones.
struct SettledVerdictTests {
  private static let peak = FigureName(.peakRPS, .max, Labels().with(\.window, "1min"))
  private static let stale = FigureName(.staleViews, .share, Labels())

  private static func goal(_ figure: FigureName, _ limit: Double) -> Goal {
    Goal(id: "a", text: "", figure: figure, comparison: .atMost, limit: .value(limit), severity: .error)
  }

  /// Returns whether 2 000 phones with a widget each settle a goal.
  private func isSettled(_ rows: [SummaryRow], _ goal: Goal) -> Bool {
    var scenario = SyntheticRun().scenario
    scenario.goals = [goal]
    for endpoint in scenario.endpoints.indices { scenario.endpoints[endpoint].capacity = nil }
    let member = Placement.Member(kind: 0, family: .small, weight: 1)
    let placement = Placement(members: [member], isStack: false, otherWeight: 0, place: .homePage(1), share: .all)
    for index in scenario.fleet.cohorts.indices { scenario.fleet.cohorts[index].widgets = [placement] }
    let summary = Summary(rows: rows)
    return SettledVerdict(scenario, summary, devices: 2_000).isSettled([GoalResult(goal, summary, nil)])
  }

  private func load(_ value: Int128, _ low: Double, _ high: Double) -> SummaryRow {
    SummaryRow(
      .peakRPS, Self.peak.labels, .max, replications: [.whole(value)], bounds: [Interval(low: low, high: high)])
  }

  /// An interval settles a goal if the limit is outside, or if it extends at most 3 % to either side.
  @Test func intervalSettlesIfApartOrNarrow() {
    #expect(isSettled([load(80, 70, 90)], Self.goal(Self.peak, 91)))
    #expect(isSettled([load(80, 70, 90)], Self.goal(Self.peak, 69)))
    #expect(!isSettled([load(80, 70, 90)], Self.goal(Self.peak, 85)))
    #expect(isSettled([load(100, 97, 103)], Self.goal(Self.peak, 101)))
    #expect(!isSettled([load(100, 96, 104)], Self.goal(Self.peak, 101)))
  }

  /// Returns whether a goal on a share is settled beside a peak that is known to 2 %.
  private func shareIsSettled(_ share: Double, _ limit: Double, peak: Bool = true) -> Bool {
    let row = SummaryRow(.staleViews, Labels(), .share, replications: [.real(share)])
    let peaks = [Metric.peakRPS, .serverPeakRPS].map {
      SummaryRow($0, Self.peak.labels, .max, replications: [.whole(100)], bounds: [Interval(low: 98, high: 102)])
    }
    return isSettled([row] + (peak ? peaks : []), Self.goal(Self.stale, limit))
  }

  /// Without a limit on a load, the peak must be known too.
  @Test func goalOnAShareAloneDoesNotSettleThePeak() { #expect(!shareIsSettled(0.1, 0.2, peak: false)) }

  /// A share of 10 % is known to 1.96 sqrt(2 x 0.1 x 0.9 / 2 000) = 1.9 points.
  @Test func shareSettlesIfTheLimitIsBeyondItsBinomialBound() {
    #expect(shareIsSettled(0.1, 0.13) && shareIsSettled(0.1, 0.07))
    #expect(!shareIsSettled(0.1, 0.11) && !shareIsSettled(0.1, 0.09))
  }

  /// Of 0 stale views, up to 3/n are possible: 1.96 sqrt(2 x 0.0015 / 2 000) = 0.24 %.
  @Test func shareOfZeroIsNotCertain() {
    #expect(shareIsSettled(0, 0.01) && !shareIsSettled(0, 0.002))
  }
}
