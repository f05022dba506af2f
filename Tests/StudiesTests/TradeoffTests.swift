import Scenario
import SimulationKernel
import Testing

@testable import Studies
@testable import SyntheticResults

/// Which settings of a trade-off are sensible, from figures made by hand.
struct TradeoffTests {
  private static let peak = FigureName(
    .peakRPS, .max, Labels().with(\.endpoint, "api").with(\.window, "1s"))
  private static let stale = FigureName(.staleViews, .share)
  private static let battery = FigureName(.batteryPercentPerDay, .mean)

  private func row(_ name: FigureName, _ value: Double?, isResolved: Bool = true) -> SummaryRow {
    SummaryRow(
      name.metric, name.labels, name.statistic, replications: [value.map { .real($0) }], isResolved: isResolved)
  }

  private func run(_ value: String, _ figures: (peak: Double, stale: Double, battery: Double), _ goals: [Goal] = [])
    -> SweepRun
  {
    let summary = Summary(rows: [
      row(Self.peak, figures.peak), row(Self.stale, figures.stale), row(Self.battery, figures.battery),
    ])
    return SweepRun(
      values: [SweepValue(value)], replications: 1, summary: summary, goals: goals)
  }

  private func tradeoff(_ runs: [SweepRun], goals: [Goal] = [], key: String = "kinds.a.reload.after") throws -> Tradeoff
  {
    var scenario = SyntheticRun().scenario
    scenario.endpoints[0].capacity = 90
    let axis = SweepAxis(path: key, scale: .categorical, values: runs.map { $0.values[0] })
    return try #require(Tradeoff(SweepStudy(axes: [axis], goals: goals, runs: runs), base: scenario))
  }

  private func limit(_ figure: FigureName, _ value: Double) -> Goal {
    Goal(id: "g", text: "", figure: figure, comparison: .atMost, limit: .value(value), severity: .error)
  }

  /// Peaks 10, 4, 6, 1 against stale shares 0, 0.2, 0.3, 1: the third is beaten by the second. On scales from the best to
  /// the worst the second lies at 3/9 and 0.2, with a battery at 0: in the better half of each.
  @Test func withoutGoalsTheBetterHalfIsSensible() throws {
    let tradeoff = try tradeoff([
      run("a", (10, 0, 3)), run("b", (4, 0.2, 1)), run("c", (6, 0.3, 2)), run("d", (1, 1, 1)),
    ])
    #expect(tradeoff.rule == .betterHalf)
    #expect(tradeoff.settings.map(\.isSensible) == [false, true, false, false])
    #expect(tradeoff.settings.map(\.isOnFront) == [true, true, false, true])
    #expect(tradeoff.capacity == 90)
  }

  /// On a straight line from (0, 1) over (0.6, 0.6) to (1, 0) none is in both better halves; the squared distances to (0, 0)
  /// are 1, 0.72 and 1.
  @Test func otherwiseTheNearestToTheBestIs() throws {
    let tradeoff = try tradeoff([run("a", (0, 1, 1)), run("b", (6, 0.6, 1)), run("c", (10, 0, 1))])
    #expect(tradeoff.rule == .nearest)
    #expect(tradeoff.settings.map(\.isSensible) == [false, true, false])
  }

  /// What only the battery speaks for is not beaten, but is not on the line of peak and staleness either.
  @Test func theBatteryCounts() throws {
    let tradeoff = try tradeoff([run("a", (1, 0.1, 5)), run("b", (2, 0.2, 1))])
    #expect(tradeoff.settings.map(\.isOnFront) == [true, true])
    #expect(tradeoff.settings.map(\.isOnPlaneFront) == [true, false])
  }

  @Test func withGoalsThoseThatMeetThemAre() throws {
    let goals = [limit(Self.peak, 5)]
    let runs = [run("a", (10, 0, 1), goals), run("b", (5, 0.9, 9), goals), run("c", (4, 1, 9), goals)]
    let some = try tradeoff(runs, goals: goals)
    #expect(some.rule == .goals)
    #expect(some.settings.map(\.isSensible) == [false, true, true])
    let strict = [limit(Self.peak, 0.5)]
    let none = try tradeoff([run("a", (10, 0, 1), strict), run("b", (5, 0.9, 9), strict)], goals: strict)
    #expect(none.rule == .noneMeetsGoals)
    #expect(none.settings.map(\.isSensible) == [false, false])
  }

  /// The shortest window that the sample resolves under every setting, and at the servers where that is another load.
  @Test func thePeakIsTheBackends() throws {
    func name(_ metric: Metric, _ endpoint: String, _ window: String) -> FigureName {
      FigureName(metric, .max, Labels().with(\.endpoint, endpoint).with(\.window, window))
    }
    let summary = Summary(rows: [
      row(name(.peakRPS, "", "1s"), 999, isResolved: false), row(name(.peakRPS, "api", "1s"), 90, isResolved: false),
      row(name(.peakRPS, "api", "10s"), 50), row(name(.peakRPS, "images", "10s"), 80),
      row(name(.serverPeakRPS, "images", "10s"), 8), row(Self.stale, 0.5),
    ])
    let run = SweepRun(values: [SweepValue("a")], replications: 1, summary: summary, goals: [])
    let tradeoff = try tradeoff([run])
    #expect(tradeoff.peak == name(.peakRPS, "api", "10s"))
    #expect(tradeoff.battery == nil)
  }

  /// A capacity that is varied is no line; without requests, or with nobody who waits for anything, there is nothing to draw.
  @Test func sadRows() throws {
    let runs = [run("a", (1, 0.1, 5))]
    #expect(try tradeoff(runs, key: "backend.endpoints.api.capacity").capacity == nil)
    let axis = SweepAxis(path: "k", scale: .categorical, values: [SweepValue("a")])
    for rows in [[], [row(Self.peak, 3)], [row(Self.stale, 0.4)], [row(Self.peak, 0), row(Self.stale, 0.4)]] {
      let run = SweepRun(values: [SweepValue("a")], replications: 1, summary: Summary(rows: rows), goals: [])
      let study = SweepStudy(axes: [axis], goals: [], runs: [run])
      #expect(Tradeoff(study, base: SyntheticRun().scenario) == nil)
    }
  }
}

/// What `--until-ci` asked for against what was reached.
struct AskedPrecisionTests {
  private func goal(_ figure: FigureName) -> Goal {
    Goal(id: "g", text: "", figure: figure, comparison: .atMost, limit: .value(1), severity: .error)
  }

  /// 9, 10, 11: mean 10, standard deviation 1, t(0.975; 2) = 4.302653, half width 2.484: 24.84 % of the mean.
  @Test func halfTheIntervalIsMeasured() throws {
    let name = FigureName(.requests, .total)
    let summary = Summary(rows: [SummaryRow(.requests, Labels(), .total, replications: [9, 10, 11].map { .real($0) })])
    let loose = AskedPrecision(share: 0.25, mostReplications: 9).reached([goal(name), goal(name)], summary)
    #expect(loose.count == 1 && loose[0].isEnough)
    #expect(abs((loose[0].share ?? 0) - 0.248_414) < 1e-5)
    #expect(!AskedPrecision(share: 0.24, mostReplications: 9).reached([goal(name)], summary)[0].isEnough)
  }

  @Test func whatMoreReplicationsWouldNotTellIsEnough() {
    let name = FigureName(.requests, .total)
    let asked = AskedPrecision(share: 0.01, mostReplications: 9)
    let rows: [([Quantity?], Bool)] = [
      ([.whole(7), .whole(7)], true), ([nil, nil], true), ([.whole(7)], false), ([.whole(-1), .whole(1)], false),
    ]
    for (values, isEnough) in rows {
      let summary = Summary(rows: [SummaryRow(.requests, Labels(), .total, replications: values)])
      #expect(asked.reached([goal(name)], summary).map(\.isEnough) == [isEnough])
    }
    #expect(asked.reached([goal(name)], Summary(rows: [])).map(\.isEnough) == [true])
  }
}
