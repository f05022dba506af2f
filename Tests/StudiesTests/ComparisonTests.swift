import Scenario
import SimulationKernel
import Testing

@testable import Studies
@testable import SyntheticResults

/// Comparisons of runs with the same draws, from handmade rows.
struct ComparisonTests {
  private static let mean = FigureName(.meanRPS, .mean, Labels().with(\.window, "1s"))

  private func row(_ values: [Double?], isResolved: Bool = true) -> SummaryRow {
    SummaryRow(
      Self.mean.metric, Self.mean.labels, Self.mean.statistic, replications: values.map { $0.map { .real($0) } },
      isResolved: isResolved)
  }

  private func change(_ base: [Double?], _ new: [Double?]) -> FigureChange {
    FigureChange(Self.mean, row(base), row(new))
  }

  /// Differences 4, 5, 6: mean 5, standard deviation 1, t(0.975; 2) = 4.302653: 5 ± 2.484138.
  @Test func changeIntervalIsThatOfTheDifferences() throws {
    let change = change([10, 20, 30], [14, 25, 36])
    #expect(change.difference == 5)
    let interval = try #require(change.interval)
    #expect(abs(interval.low - 2.515_862) < 1e-5 && abs(interval.high - 7.484_138) < 1e-5)
    #expect(change.relative(5) == 0.25)
    #expect(change.pairs == 3)
  }

  /// Unpaired, replications that differ from each other by 10 would hide a difference of 1; paired, they do not.
  @Test func equalDifferencesHaveAnEmptyInterval() {
    let change = change([10, 20, 30], [11, 21, 31])
    #expect(change.interval == Interval(low: 1, high: 1))
    #expect(change.size(minimum: 0.01) == .large)
  }

  @Test(arguments: [
    ([10, 12, 14], [10, 12, 14], 0, FigureChange.Size.equal), ([10, 12, 14], [9, 13, 14], 0, .uncertain),
    ([100, 120, 140], [100.5, 120.5, 140.5], 0.01, .small), ([100, 120, 140], [100.5, 120.5, 140.5], 0.004, .large),
    ([100, 120, 140], [90, 108, 126], 0.099, .large), ([0, 0, 0], [1, 1, 1], 0.5, .large), ([7], [7], 0, .equal),
    ([100], [102], 0.01, .large), ([100], [102], 0.03, .small), ([], [], 0, .equal),
  ])
  func sizes(_ base: [Double], _ new: [Double], _ minimum: Double, _ size: FigureChange.Size) {
    #expect(change(base, new).size(minimum: minimum) == size)
  }

  /// A replication with a value on only one side makes no pair; a figure on only one side is unknown.
  @Test func unpairedReplicationsAreIgnored() {
    let some = change([10, nil, 30, 40], [12, 22, nil, 42])
    #expect(some.pairs == 2)
    #expect(some.difference == 2)
    #expect(some.relative(2) == 0.08)
    #expect(change([nil, 1], [1, nil]).size(minimum: 0) == .unknown)
    #expect(FigureChange(Self.mean, row([1]), nil).size(minimum: 0) == .unknown)
    // Going from 17:00 to 07:00 is 10 h earlier, not a fraction of 17.
    let hour = FigureChange(FigureName(.budgetExhaustedHour, .p50, Labels()), row([17]), row([7]))
    #expect(hour.difference == -10 && hour.relative(-10) == nil)
    #expect(hour.size(minimum: 0.4) == .large && hour.size(minimum: 0.42) == .small)
    #expect(FigureChange(Self.mean, row([1]), nil).difference == nil)
  }

  // MARK: Conditions

  private func finding(
    _ comparison: Comparison, _ change: ChangeCondition.Change, _ base: SummaryRow, _ new: SummaryRow
  )
    -> Finding
  {
    ChangeCondition(text: "", figure: Self.mean, comparison: comparison, change: change)
      .finding(Summary(rows: [base]), Summary(rows: [new]))
  }

  /// With one pair the values alone decide; a change equal to the limit is not more than it.
  @Test(arguments: [
    (Comparison.more, ChangeCondition.Change.relative(0.05), [false, false, true]),
    (.atLeast, .relative(0.05), [false, true, true]), (.less, .relative(0.05), [true, false, false]),
    (.more, .absolute(10), [false, false, true]), (.atMost, .absolute(10), [true, true, false]),
  ])
  func singlePairIsJudgedByItsValues(_ comparison: Comparison, _ change: ChangeCondition.Change, _ holds: [Bool]) {
    for (value, isMet) in zip([209.0, 210, 211], holds) {
      #expect(finding(comparison, change, row([200]), row([value])) == (isMet ? .holds : .misses))
    }
  }

  /// Distances to +10 % of 100: 4, 5, 6 (5 ± 2.48), -1, 0, 1 (0 ± 2.48), -6, -5, -4.
  @Test(arguments: [
    ([114.0, 115, 116], Finding.holds), ([104, 105, 106], .misses),
    ([109, 110, 111], .open("the 95 % interval of the change includes the limit")),
  ])
  func theIntervalDecides(_ new: [Double], _ expected: Finding) {
    #expect(finding(.more, .relative(0.1), row([100, 100, 100]), row(new)) == expected)
  }

  @Test func unresolvedFiguresLeaveConditionsOpen() {
    let isOpen = { (finding: Finding) in if case .open = finding { true } else { false } }
    #expect(isOpen(finding(.more, .relative(0), row([nil]), row([1]))))
    #expect(isOpen(finding(.more, .relative(0), row([1], isResolved: false), row([9]))))
    #expect(isOpen(finding(.more, .relative(0), row([1]), row([9], isResolved: false))))
  }

  // MARK: Distributions

  private func histogram(_ counts: [Double: Int64]) -> RunHistogram {
    counts.reduce(into: RunHistogram()) { $0.add(from: $1.key, to: $1.key + 1, count: $1.value) }
  }

  private let name = DistributionName(.runsPerDay, Labels())

  /// Half of the values are below 1 on one side and none on the other; then a quarter compared with none.
  @Test(arguments: [
    ([0: 1, 1: 1], [1: 1, 2: 1], 0.5, 1.0), ([0: 3, 1: 1], [0: 2, 3: 2], 0.5, 2), ([5: 9], [5: 900], 0, 0),
    ([0: 4], [7: 1], 1, 1),
  ])
  func distances(_ base: [Double: Int64], _ new: [Double: Int64], _ distance: Double, _ place: Double) throws {
    let change = try #require(DistributionChange(name, histogram(base), histogram(new), phones: 10))
    #expect(change.distance == distance)
    #expect(change.place == place)
    #expect(distance > 0 || change.probability == 1)
  }

  /// Two samples of 100: the critical distance at 5 % is 1.358 sqrt(2 / 100) = 0.192 (asymptotic).
  @Test func theProbabilityIsKolmogorovs() throws {
    let change = try #require(
      DistributionChange(name, histogram([0: 500, 1: 500]), histogram([0: 692, 1: 308]), phones: 100))
    #expect(change.distance == 0.192)
    #expect(change.probability > 0.04 && change.probability < 0.055)
    let fewer = try #require(
      DistributionChange(name, histogram([0: 5, 1: 5]), histogram([0: 692, 1: 308]), phones: 100))
    #expect(fewer.probability > change.probability)
  }

  /// Distributions are shown if they are at least `--min-effect` apart with a probability below 0.05: probably not
  /// chance, and not small.
  @Test(arguments: [
    (0.2, 0.01, true), (0.1, 0.01, true), (0.099, 0.01, false), (0.2, 0.049, true), (0.2, 0.05, false),
    (0.2, 0.3, false), (0.05, 0.3, false),
  ])
  func distributionChangeNeedsSizeAndSignificance(distance: Double, probability: Double, isLarge: Bool) throws {
    var change = try #require(DistributionChange(name, histogram([0: 1]), histogram([1: 1]), phones: 1))
    (change.distance, change.probability) = (distance, probability)
    #expect(change.isLarge(minimum: 0.1) == isLarge)
  }

  @Test func emptyHistogramHasNoDistance() {
    #expect(DistributionChange(name, histogram([:]), histogram([0: 1]), phones: 1) == nil)
  }

  // MARK: Comparable runs

  private func run(_ scenario: Scenario, version: String = "1", simulated: Int = 100) -> ComparedRun {
    ComparedRun(
      name: "x", version: version, scenario: scenario, resolvedScenario: "{}", devicesSimulated: simulated,
      summary: Summary(rows: []), distributions: Distributions())
  }

  @Test func onlyTheSamePhonesAreCompared() {
    let scenario = SyntheticRun().scenario
    let base = run(scenario)
    #expect(run(scenario).obstacles(to: base).isEmpty)
    #expect(run(scenario, version: "2").obstacles(to: base) == ["version 2 of widgetfleet instead of 1"])
    #expect(run(scenario, simulated: 50).obstacles(to: base) == ["50 devices simulated instead of 100"])
    #expect(run(scenario, simulated: 50).differsOnlyInSample(from: base))
    #expect(!run(scenario, version: "2", simulated: 50).differsOnlyInSample(from: base))
    #expect(!run(scenario).differsOnlyInSample(from: base))
    let changes: [(String, (inout Scenario) -> Void)] = [
      ("seed 43 instead of 42", { $0.run.seed = 43 }),
      ("7 replications instead of 0", { $0.run.replications = 7 }),
      ("another clock (start, settle, warmup, duration or step)", { $0.clock.warmup = .hour }),
      ("a fleet of 5 devices instead of 100", { $0.fleet.devices = 5 }),
      ("other cohorts or cohort shares", { $0.fleet.cohorts[0].name = "north" }),
      ("other zones or phones in its cohorts", { $0.fleet.cohorts[0].zones[0].value = "Asia/Tokyo" }),
    ]
    for (phrase, change) in changes {
      var other = scenario
      change(&other)
      #expect(run(other).obstacles(to: base) == [phrase])
    }
  }

  /// Policies may change kinds, people, networks, the system and the backend.
  @Test func policiesMayDiffer() {
    let scenario = SyntheticRun().scenario
    var other = scenario
    other.kinds[0].phases[0].reload = .never
    other.fleet.cohorts[0].person.glancesPerUnlock = 3
    other.endpoints[0].timeout = .seconds(1)
    other.name = "other"
    #expect(run(other).obstacles(to: run(scenario)).isEmpty)
  }
}
