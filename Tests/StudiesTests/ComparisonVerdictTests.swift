import Scenario
import Testing

@testable import Studies
@testable import SyntheticResults

/// The changes in a comparison that matter, from handmade rows; the rule is that of Docs/STUDIES.md.
struct ComparisonVerdictTests {
  typealias Word = ComparisonVerdict.Word

  /// The clock's windows are 1 s and longer: counted peaks are resolved in the shortest.
  private static let peak = FigureName(.peakRPS, .max, Labels().with(\.window, "1s"))
  private static let stale = FigureName(.staleViews, .share)
  private static let failures = FigureName(.failures, .share)
  private static let battery = FigureName(.batteryPercentPerDay, .mean)
  private static let age = FigureName(.dataAge, .mean)

  private static func run(
    _ figures: [FigureName: [Double]], _ goals: [Goal] = [], _ bounds: [Interval?] = []
  ) -> ComparedRun {
    var scenario = SyntheticRun().scenario
    scenario.goals = goals
    scenario.run.replications = figures.values.map(\.count).max() ?? 1
    let rows = figures.map { name, values in
      SummaryRow(
        name.metric, name.labels, name.statistic, replications: values.map { .real($0) },
        bounds: name == peak ? bounds : [])
    }
    return ComparedRun(
      name: "x", version: "1", scenario: scenario, resolvedScenario: "{}", devicesSimulated: 100,
      summary: Summary(rows: rows), distributions: Distributions())
  }

  private func verdict(
    _ base: [FigureName: [Double]], _ new: [FigureName: [Double]], goals: [Goal] = [],
    conditions: [ChangeCondition] = [], minimum: Double = 0.01
  ) throws -> ComparisonVerdict {
    ComparisonVerdict(
      RunComparison(Self.run(base, goals), Self.run(new, goals), conditions: conditions, minimum: minimum))
  }

  private static func goal(_ figure: FigureName, _ comparison: Comparison, _ limit: Double, id: String = "g") -> Goal {
    Goal(id: id, text: "", figure: figure, comparison: comparison, limit: .value(limit), severity: .error)
  }

  // MARK: - Thresholds

  /// The threshold is 5 % of a peak of 100/s; for 4/s it is one request, and for shares half a point.
  @Test(arguments: [(peak, 100.0, 0.05), (peak, 4, nil), (stale, 0.1, nil)] as [(FigureName, Double, Double?)])
  func minimumChangeIsAShareOrAnAmount(_ name: FigureName, _ base: Double, _ share: Double?) throws {
    let figure = try #require(verdict([name: [base]], [name: [base]]).figures.first)
    #expect(figure.minShare(0.01) == share)
  }

  /// The smallest changes that matter: for peaks 5 % of the base and 1/s, for shares half a point, for the battery 5 %
  /// and 0.05 points, for ages 5 %.
  @Test(arguments: [
    (peak, 100.0, 104.9, Word.same), (peak, 100, 105, .worse), (peak, 100, 95, .better), (peak, 4, 4.9, .same),
    (peak, 4, 5, .worse), (stale, 0.03, 0.0349, .same), (stale, 0.03, 0.0351, .worse), (stale, 0.03, 0.0249, .better),
    (failures, 0, 0.0049, .same), (failures, 0, 0.006, .worse), (battery, 0.4, 0.44, .same),
    (battery, 0.4, 0.46, .worse), (battery, 2, 2.09, .same), (battery, 2, 2.11, .worse), (battery, 2, 1.8, .better),
    (age, 600, 629, .same), (age, 600, 631, .worse), (age, 10, 10.9, .same), (age, 10, 11.1, .worse),
  ])
  func oneReplicationIsJudgedByItsValue(_ name: FigureName, _ base: Double, _ new: Double, _ word: Word) throws {
    #expect(try verdict([name: [base]], [name: [new]]).word == word)
  }

  /// A change hidden because it is below --min-effect cannot matter; for shares, that is not relative to the base.
  @Test func minEffectRaisesTheThreshold() throws {
    #expect(try verdict([Self.peak: [100]], [Self.peak: [115]], minimum: 0.1).word == .worse)
    #expect(try verdict([Self.peak: [100]], [Self.peak: [115]], minimum: 0.2).word == .same)
    #expect(try verdict([Self.stale: [0.9]], [Self.stale: [0.91]], minimum: 0.2).word == .worse)
  }

  // MARK: - Chance

  /// Three pairs with differences d - s, d and d + s: half of Student's interval is 4.302653 s / sqrt 3 = 2.484138 s.
  private static func pairs(_ difference: Double, _ spread: Double) -> ([Double], [Double]) {
    ([100, 100, 100], [100 + difference - spread, 100 + difference, 100 + difference + spread])
  }

  /// On a base of 100, a peak's change matters from 5: the whole interval on one side of 0 and the mean beyond 5, or
  /// everything within 5.
  @Test(
    arguments: [
      (10, 3, Word.worse), (10, 4.1, .unknown), (6, 2.4, .worse), (6, 2.5, .unknown), (-10, 3, .better),
      (1, 1.6, .same), (1, 1.7, .unknown), (4, 0.3, .same), (4, 0.5, .unknown), (0, 2, .same), (0, 2.1, .unknown),
      (-1, 1.6, .same), (-1, 1.7, .unknown), (0, 0, .same),
    ] as [(Double, Double, Word)])
  func intervalsDecide(_ difference: Double, _ spread: Double, _ word: Word) throws {
    let (base, new) = Self.pairs(difference, spread)
    let found = try verdict([Self.peak: base], [Self.peak: new])
    #expect(found.word == word)
    #expect(found.open.count == (word == .unknown ? 1 : 0))
  }

  /// A sample's peak has an interval even with one replication: half-widths of 3 and 4 combine to 5.
  @Test(arguments: [(104.0, Word.unknown), (111, .worse)])
  func estimatesHaveIntervalsWithoutReplications(_ new: Double, _ word: Word) throws {
    let bounds = { (value: Double, half: Double) in [Interval(low: value - half, high: value + half)] }
    let base = Self.run([Self.peak: [100]], [], bounds(100, 3))
    let changed = Self.run([Self.peak: [new]], [], bounds(new, 4))
    let found = ComparisonVerdict(RunComparison(base, changed, conditions: [], minimum: 0.01))
    #expect(found.word == word)
    #expect(found.figures.first?.change.interval == Interval(low: new - 105, high: new - 95))
  }

  /// Two samples with the same draws and equal values have not changed. Independent ones could differ by 4 times
  /// sqrt(2), 5.7 % of 100.
  @Test func equalEstimatesAreNotAChange() throws {
    let run = Self.run([Self.peak: [100]], [], [Interval(low: 96, high: 104)])
    let found = ComparisonVerdict(RunComparison(run, run, conditions: [], minimum: 0.01))
    #expect(found.word == .same)
    #expect(found.figures.first?.change.size(minimum: 0) == .equal)
    #expect(found.figures.first?.change.interval.map { $0.high > 5 } == true)
  }

  // MARK: - Words

  /// Less load but more stale views is a trade, whatever else is open.
  @Test func betterAndWorseIsATrade() throws {
    let base = [Self.peak: [2_068.0], Self.stale: [0.031], Self.battery: [0.5]]
    let found = try verdict(base, [Self.peak: [1_210], Self.stale: [0.061], Self.battery: [0.5]])
    #expect(found.word == .tradeOff)
    #expect(found.changed.map(\.change.figure.metric) == [.serverPeakRPS, .staleViews])
    #expect(found.changed.map(\.outcome) == [.better, .worse])
    #expect(found.same.map(\.change.figure.metric) == [.batteryPercentPerDay])
  }

  /// The age stands for freshness if no view can be stale; otherwise it does not count.
  @Test func freshnessIsOneFigure() throws {
    #expect(try verdict([Self.stale: [0.1], Self.age: [600]], [Self.stale: [0.1], Self.age: [900]]).word == .same)
    #expect(try verdict([Self.age: [600]], [Self.age: [900]]).word == .worse)
    // A figure that is unknown on one side is not a change.
    #expect(try verdict([Self.age: [600]], [Self.age: [600], Self.stale: [0.4]]).word == .same)
  }

  @Test func noFiguresMeansNoChange() throws {
    let found = try verdict([:], [:])
    #expect(found.word == .same && found.figures.isEmpty)
  }

  // MARK: - Goals

  /// For a goal whose verdict changes, any movement of its figure matters; otherwise 5 % and the side of the limit
  /// decide.
  @Test(arguments: [
    (Comparison.atMost, 100.0, 101.0, 100.5, Word.worse), (.atMost, 101, 100, 100.5, .better),
    (.atLeast, 101, 100, 100.5, .worse), (.atMost, 100, 101, 200, .same), (.atMost, 100, 110, 200, .worse),
    (.atLeast, 100, 110, 50, .better), (.atLeast, 100, 110, 200, .better), (.equal, 100, 150, 7, .same),
    (.equal, 100, 150, 100, .worse),
  ])
  func goalVerdictChangesMatter(
    _ comparison: Comparison, _ base: Double, _ new: Double, _ limit: Double, _ word: Word
  ) throws {
    let runs = FigureName(.runsPerDay, .mean)
    let found = try verdict([runs: [base]], [runs: [new]], goals: [Self.goal(runs, comparison, limit)])
    #expect(found.word == word)
  }

  /// A lower load does not make up for a broken goal; a newly met goal makes it a trade.
  @Test func brokenGoalIsWorse() throws {
    let runs = FigureName(.runsPerDay, .mean)
    let goals = [Self.goal(runs, .atLeast, 20, id: "often"), Self.goal(Self.peak, .atMost, 80, id: "peak")]
    let base = [Self.peak: [100.0], runs: [24.0]]
    let broken = try verdict(base, [Self.peak: [90], runs: [19]], goals: goals)
    #expect(broken.word == .worse)
    #expect(broken.changed.map(\.outcome) == [.worse, .better])
    #expect(try verdict(base, [Self.peak: [70], runs: [19]], goals: goals).word == .tradeOff)
    #expect(try verdict(base, [Self.peak: [70], runs: [24]], goals: goals).word == .better)
  }

  /// From certainly met to inconclusive: 4.302653 / sqrt 3 times a spread of 1 around 100 extends beyond 101.
  @Test func uncertainGoalLeavesTheVerdictOpen() throws {
    let found = try verdict(
      [Self.peak: [100, 100, 100]], [Self.peak: [99, 100, 101]], goals: [Self.goal(Self.peak, .atMost, 101)])
    #expect(found.word == .unknown)
  }

  // MARK: - Conditions

  private static func condition(_ comparison: Comparison, _ share: Double) -> ChangeCondition {
    ChangeCondition(text: "c", figure: peak, comparison: comparison, change: .relative(share))
  }

  /// A regression comes first, and its figure is shown once, whatever else improved.
  @Test func regressionIsReportedFirst() throws {
    let found = try verdict(
      [Self.stale: [0.5], Self.peak: [100]], [Self.stale: [0.1], Self.peak: [103]],
      conditions: [Self.condition(.more, 0.02)])
    #expect(found.word == .regression)
    #expect(found.changed.map(\.change.figure.metric) == [.peakRPS, .staleViews])
    #expect(found.figures.count == 2)
  }

  /// A clearly met condition is not mentioned; an inconclusive one leaves the whole open.
  @Test func otherConditions() throws {
    #expect(
      try verdict([Self.peak: [100]], [Self.peak: [103]], conditions: [Self.condition(.more, 0.05)]).word == .same)
    // 103 +- 2.48 lies on both sides of +2 %.
    let open = try verdict(
      [Self.peak: [100, 100, 100]], [Self.peak: [102, 103, 104]], conditions: [Self.condition(.more, 0.02)])
    #expect(open.word == .unknown)
  }

  // MARK: - Attempts

  private static let offered = FigureName(.offeredPeakRPS, .max, Labels().with(\.window, "1s"))

  /// Servers that both settings overload receive retries: the offered load decides, and if it is unknown the result is
  /// open. If nothing fails, the offered peak is the peak.
  @Test(
    arguments: [
      ([3_330], [3_330], [1_665], [3_300], .worse), ([3_330], [2_000], [1_665], [1_670], .same),
      ([3_330], [3_330], [1_665], [800], .better), ([3_330], [3_330], [1_665], [], .unknown),
      ([1_000], [3_330], [1_000], [1_900], .worse), ([1_000], [1_100], [1_000], [1_100], .worse),
    ] as [([Double], [Double], [Double], [Double], Word)])
  func offeredLoadDecidesUnderOverload(
    _ base: [Double], _ new: [Double], _ offeredBase: [Double], _ offeredNew: [Double], _ word: Word
  ) throws {
    let found = try verdict(
      [Self.peak: base, Self.offered: offeredBase], [Self.peak: new, Self.offered: offeredNew])
    #expect(found.word == word)
    #expect(found.figures.count == 1)
  }

  /// The offered load decides a gate on the peak if the attempts are alike; a gate on another load is not clear.
  @Test func attemptsDoNotClearAGate() throws {
    let base = Self.run([Self.peak: [3_330], Self.offered: [1_665], FigureName(.requests, .total): [500]])
    let new = Self.run([Self.peak: [3_330], Self.offered: [3_300], FigureName(.requests, .total): [500]])
    let same = Self.run([Self.peak: [3_330], Self.offered: [1_665], FigureName(.requests, .total): [500]])
    let gate = Self.condition(.more, 0.05)
    #expect(gate.finding(base.summary, new.summary) == .holds)
    #expect(gate.finding(base.summary, same.summary) == .misses)
    var other = gate
    other.figure = FigureName(.requests, .total)
    guard case .open = other.finding(base.summary, new.summary) else {
      Issue.record("a gate on tries is clear")
      return
    }
  }
}
