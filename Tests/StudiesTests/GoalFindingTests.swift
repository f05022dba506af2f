import Scenario
import SimulationKernel
import Testing

@testable import Studies

/// A single run's finding about a goal, from handmade rows.
struct GoalFindingTests {
  private static let peak = FigureName(.peakRPS, .max, Labels().with(\.window, "1s"))
  private static let mean = FigureName(.meanRPS, .mean, Labels().with(\.window, "1s"))

  private func row(_ name: FigureName, _ values: [Int128?]) -> SummaryRow {
    SummaryRow(
      name.metric, name.labels, name.statistic, replications: values.map { $0.map { .whole($0) } })
  }

  private func goal(
    _ comparison: Comparison, _ limit: Limit, of figure: FigureName = peak, _ severity: Goal.Severity = .error
  ) -> Goal {
    Goal(id: "a", text: "", figure: figure, comparison: comparison, limit: limit, severity: severity)
  }

  private func isOpen(_ finding: Finding) -> Bool { if case .open = finding { true } else { false } }

  /// With one replication the value alone decides, and equality is neither less nor more.
  @Test(
    arguments: [(Comparison, [Bool])]([
      (.atMost, [true, true, false]), (.less, [true, false, false]), (.atLeast, [false, true, true]),
      (.more, [false, false, true]), (.equal, [false, true, false]), (.unequal, [true, false, true]),
    ]))
  func oneReplication(_ comparison: Comparison, _ holds: [Bool]) {
    for (value, isMet) in zip([9, 10, 11] as [Int128], holds) {
      let summary = Summary(rows: [row(Self.peak, [value])])
      #expect(goal(comparison, .value(10)).finding(in: summary) == (isMet ? .holds : .misses))
    }
  }

  /// 10, 12, 14: mean 12, standard deviation 2, t(0.975; 2) = 4.303: 7.03 to 16.97.
  @Test(arguments: [(16.9, false), (17.0, true), (7.1, false), (12.0, false)])
  func theIntervalDecides(_ limit: Double, _ isDecided: Bool) {
    let summary = Summary(rows: [row(Self.peak, [10, 12, 14])])
    #expect(isOpen(goal(.atMost, .value(limit)).finding(in: summary)) == !isDecided)
    #expect(isOpen(goal(.more, .value(limit)).finding(in: summary)) == !isDecided)
  }

  @Test func limitBelowTheIntervalIsMissed() {
    let summary = Summary(rows: [row(Self.peak, [10, 12, 14])])
    #expect(goal(.atMost, .value(7)).finding(in: summary) == .misses)
    #expect(goal(.more, .value(7)).finding(in: summary) == .holds)
  }

  /// Equality is required in every replication.
  @Test func equality() {
    let different = Summary(rows: [row(Self.peak, [0, 0, 3])])
    #expect(goal(.equal, .value(0)).finding(in: different) == .misses)
    #expect(goal(.unequal, .value(0)).finding(in: different) == .holds)
    let same = Summary(rows: [row(Self.peak, [0, 0, 0])])
    #expect(goal(.equal, .value(0)).finding(in: same) == .holds)
    #expect(goal(.atMost, .value(0)).finding(in: same) == .holds)
    #expect(goal(.less, .value(0)).finding(in: same) == .misses)
  }

  /// Peaks and means that rise together differ by the same factor in every replication, so there is no doubt.
  @Test func referenceIsComparedPerReplication() {
    let summary = Summary(rows: [row(Self.peak, [20, 40, 80]), row(Self.mean, [10, 20, 40])])
    #expect(goal(.atMost, .multiple(2, of: Self.mean)).finding(in: summary) == .holds)
    #expect(goal(.less, .multiple(2, of: Self.mean)).finding(in: summary) == .misses)
    #expect(GoalResult(goal(.atMost, .multiple(1.5, of: Self.mean)), summary, nil).limit == 35)
  }

  @Test func unknownFiguresAreOpen() {
    let goal = goal(.atMost, .value(10))
    #expect(isOpen(goal.finding(in: Summary(rows: []))))
    #expect(isOpen(goal.finding(in: Summary(rows: [row(Self.peak, [nil, nil])]))))
    let relative = self.goal(.atMost, .multiple(1, of: Self.mean))
    #expect(isOpen(relative.finding(in: Summary(rows: [row(Self.peak, [1])]))))
    #expect(isOpen(relative.finding(in: Summary(rows: [row(Self.peak, [1]), row(Self.mean, [nil])]))))
  }

  /// An estimate is judged by its interval, even with one replication.
  @Test func estimateIsJudgedByItsInterval() {
    let estimate = Estimate(value: 10, low: 8, high: 13)
    let peak = SummaryRow(Self.peak.metric, Self.peak.labels, Self.peak.statistic, estimates: [estimate])
    let summary = Summary(rows: [peak, row(Self.mean, [5])])
    #expect(goal(.atMost, .value(13)).finding(in: summary) == .holds)
    #expect(isOpen(goal(.atMost, .value(12)).finding(in: summary)))
    #expect(goal(.atMost, .value(7)).finding(in: summary) == .misses)
    #expect(goal(.atLeast, .value(8)).finding(in: summary) == .holds)
    #expect(isOpen(goal(.atLeast, .value(9)).finding(in: summary)))
    #expect(goal(.equal, .value(20)).finding(in: summary) == .misses)
    #expect(isOpen(goal(.equal, .value(10)).finding(in: summary)))
    // Compared with another figure: 8 to 13 with 3 x 5, and with 2 x 5.
    #expect(goal(.atMost, .multiple(3, of: Self.mean)).finding(in: summary) == .holds)
    #expect(isOpen(goal(.atMost, .multiple(2, of: Self.mean)).finding(in: summary)))
  }

  /// An estimate without any uncertainty is final: if there is no overload and none is possible, the goal is met.
  @Test func certainEstimateIsFinal() {
    let overload = FigureName(.overloadSeconds, .total)
    let none = SummaryRow(overload.metric, Labels(), .total, estimates: [Estimate(value: 0, low: 0, high: 0)])
    #expect(goal(.equal, .value(0), of: overload).finding(in: Summary(rows: [none])) == .holds)
    #expect(goal(.unequal, .value(0), of: overload).finding(in: Summary(rows: [none])) == .misses)
    let some = SummaryRow(overload.metric, Labels(), .total, estimates: [Estimate(value: 0, low: 0, high: 2)])
    #expect(isOpen(goal(.equal, .value(0), of: overload).finding(in: Summary(rows: [some]))))
  }

  /// Causes and reasons that never occurred have counts of 0.
  @Test func causesThatNeverOccurredAreZero() {
    let all = FigureName(.failures, .total)
    let timeouts = FigureName(.failures, .total, Labels().with(\.reason, "timeout"))
    let summary = Summary(rows: [row(all, [3, 4])])
    #expect(goal(.equal, .value(0), of: timeouts).finding(in: summary) == .holds)
    #expect(summary.figure(timeouts)?.replications == [.whole(0), .whole(0)])
    let taps = FigureName(.requests, .share, Labels().with(\.cause, "tap"))
    let requests = Summary(rows: [row(FigureName(.requests, .total), [5, 0])])
    #expect(requests.figure(taps)?.replications == [.whole(0), nil])
    #expect(summary.figure(FigureName(.dataAge, .mean, Labels().with(\.kind, "x"))) == nil)
  }

  @Test func severities() {
    let summary = Summary(rows: [row(Self.peak, [10])])
    #expect(GoalResult(goal(.atMost, .value(9)), summary, nil).verdict == .fail)
    #expect(GoalResult(goal(.atMost, .value(9), .warning), summary, nil).verdict == .warn)
    #expect(GoalResult(goal(.atMost, .value(10), .warning), summary, nil).verdict == .pass)
    #expect(GoalResult(goal(.atMost, .value(10)), Summary(rows: []), nil).verdict == .inconclusive)
  }
}

extension GoalFindingTests {
  private func goal(_ comparison: Comparison, _ limit: Limit, _ severity: Goal.Severity) -> Goal {
    goal(comparison, limit, of: Self.peak, severity)
  }
}
