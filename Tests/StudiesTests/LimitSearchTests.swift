import Scenario
import Testing

@testable import Studies
@testable import SyntheticResults

/// Searches whose limits are known.
@Suite struct LimitSearchTests {
  private static let effort = CapacityEffort(devices: 1, replications: 1)
  private static let range = LimitSearch.Range(start: 1_000, minimum: 1, maximum: 1e9, stride: 4)

  /// Returns a search that was run to its end.
  ///
  /// - Parameter misses: returns the misses at a load, by goal and replication.
  private func search(
    _ range: LimitSearch.Range = Self.range, _ misses: (Double) -> [[Double]]
  ) -> LimitSearch {
    var search = LimitSearch(range)
    while let load = search.next() { search.add(LimitSearch.Point(load: load, misses: misses(load))) }
    return search
  }

  /// A peak proportional to the phones: replication r reaches 2 500/s at 2 500 / a phones, with a requests/s each.
  @Test(arguments: [0.04, 2.5, 900]) func proportionalLoadGivesTheExactLimit(each: Double) throws {
    let factors = [0.97, 0.99, 1, 1.02, 1.03]
    let search = search { load in [factors.map { load * each * $0 / 2_500 - 1 }] }
    for (limit, factor) in zip(search.limits, factors) {
      #expect(abs(try #require(limit) * each * factor / 2_500 - 1) < 1e-9)
    }
    let found = CapacityLimit(search, of: .devices, goals: [0], Self.effort)
    // The geometric mean of 1 / factor, whose logarithms add up to -0.00973.
    let mean = factors.reduce(1, *)
    #expect(found.outcome == .found)
    #expect(abs(try #require(found.value) * each / 2_500 - 1 / PowerOf.fifthRoot(mean)) < 1e-8)
    let interval = try #require(found.interval)
    #expect(interval.low * each < 2_500 && interval.high * each > 2_500 && interval.high / interval.low < 1.08)
    #expect(search.points.count <= 12)
  }

  /// A figure that jumps from nothing to six times its limit at 37 000 phones is found to within 1 %.
  @Test func jumpIsFoundToWithinOnePercent() throws {
    let search = search { load in [[load < 37_000 ? -1 : 5]] }
    let found = CapacityLimit(search, of: .devices, goals: [3], Self.effort)
    let bracket = search.bracket
    let (holds, misses) = (try #require(bracket.holds), try #require(bracket.misses))
    #expect(holds.load < 37_000 && misses.load >= 37_000 && misses.load / holds.load <= 1.01)
    #expect(found.goal == 3 && found.interval == nil)
    #expect(abs(try #require(found.value) / 37_000 - 1) < 0.01)
    // The planned value is one that held.
    let answer = CapacityStudy.Answer(lever: .devices, own: found, ends: [:])
    #expect(try #require(answer.plan) < 37_000 && answer.plan == CapacityStudy.roundedDown(holds.load))
  }

  /// Of two goals, the one with the lower limit counts, and is named.
  @Test func goalWithTheLowerLimitDecides() throws {
    let search = search { load in [[load / 9_000 - 1], [load / 4_000 - 1]] }
    let found = CapacityLimit(search, of: .devices, goals: [0, 1], Self.effort)
    #expect(found.goal == 1)
    #expect(abs(try #require(found.value) / 4_000 - 1) < 1e-8)
  }

  /// Misses below a load that holds again limit the search: the lowest load that misses is reported.
  @Test func lowestMissLimitsTheSearch() throws {
    let search = search { load in [[(900...1_100).contains(load) || load > 50_000 ? 1 : -0.5]] }
    let found = CapacityLimit(search, of: .devices, goals: [0], Self.effort)
    #expect(try #require(found.value) < 1_000)
  }

  /// A goal that no load changes is searched up to the ends of the range, however close to its limit it is.
  @Test(arguments: [
    (-0.5, CapacityLimit.Outcome.holdsThroughout), (-1e-4, .holdsThroughout), (0.5, .missedThroughout),
    (1e-4, .missedThroughout), (.infinity, .missedThroughout),
  ])
  func goalIndependentOfLoadSearchesTheWholeRange(miss: Double, outcome: CapacityLimit.Outcome) {
    let search = search { _ in [[miss, miss]] }
    let found = CapacityLimit(search, of: .devices, goals: [0], Self.effort)
    #expect(found.outcome == outcome && found.value == nil)
    #expect(search.points.count < LimitSearch.maxPoints)
    #expect(search.points.last?.load == (miss < 0 ? Self.range.maximum : Self.range.minimum))
  }

  /// A capacity is the reciprocal of a load: servers that need 1 640/s are found starting from a peak of 5 000/s.
  @Test func capacitySearchFindsTheRequiredCapacity() throws {
    let range = LimitSearch.Range(start: 1 / 5_000.0, minimum: 0.5 / 5_000, maximum: 1_000 / 5_000, stride: 1.5)
    let search = search(range) { load in [[1_640 * load - 1]] }
    let found = CapacityLimit(search, of: .capacity(endpoint: 0), goals: [0], Self.effort)
    #expect(abs(try #require(found.value) / 1_640 - 1) < 1e-8)
    #expect(found.points.map(\.load) == found.points.map(\.load).sorted())
  }

  /// Reported values hold: numbers of devices are rounded down, capacities up, both to three digits.
  @Test func rounding() {
    #expect(CapacityStudy.roundedDown(52_361) == 52_300 && CapacityStudy.roundedUp(52_361) == 52_400)
    #expect(CapacityStudy.roundedDown(2_500) == 2_500 && CapacityStudy.roundedUp(2_500) == 2_500)
    #expect(CapacityStudy.roundedDown(999.9) == 999 && CapacityStudy.roundedUp(0.012341) == 0.0124)
  }

  /// A peak from a sample with an uncertainty of 8 %, proportional to the phones. The limit's interval follows: 2 500 /
  /// 1.08 to 2 500 / 0.92 phones if each sends one request/s. Two further searches, a tenth of the size each, find its
  /// bounds.
  @Test func limitIntervalIncludesSampleUncertainty() throws {
    var search = LimitSearch(Self.range)
    while let load = search.next() {
      search.add(LimitSearch.Point(load: load, misses: [[load / 2_500 - 1]], halves: [0.08 * load / 2_500]))
    }
    let found = CapacityLimit(search, of: .devices, goals: [0], Self.effort)
    let interval = try #require(found.interval)
    #expect(abs(try #require(found.value) / 2_500 - 1) < 1e-8)
    #expect(abs(interval.low / (2_500 / 1.08) - 1) < 1e-8 && abs(interval.high / (2_500 / 0.92) - 1) < 1e-8)
    #expect(search.isEstimated && search.points.count <= 12)
  }

  /// Replications further apart than a sample explains count as well: 0.9 and 1.1 of the limit.
  @Test func widerIntervalCounts() throws {
    var search = LimitSearch(Self.range)
    while let load = search.next() {
      let misses = [0.9, 1.1, 0.9, 1.1].map { load * $0 / 2_500 - 1 }
      search.add(LimitSearch.Point(load: load, misses: [misses], halves: [0.001]))
    }
    let interval = try #require(CapacityLimit(search, of: .devices, goals: [0], Self.effort).interval)
    // Student's t with 3 degrees of freedom is 3.182, the standard error of the logarithms 0.1003 / sqrt(3): a factor
    // of 1.203 either way.
    let middle = 2_500 / (0.9 * 1.1).squareRoot()
    #expect(abs(interval.high / middle - 1.203) < 0.002 && abs(middle / interval.low - 1.203) < 0.002)
  }

  /// Replications show how well a limit is known if the goal missed first is counted, whatever the others are. Without
  /// a limit they are not needed.
  @Test(
    arguments: [
      ([[-0.1], [-0.5]], [[0.2], [-0.4]], [0, 0.1], false), ([[-0.1], [-0.5]], [[0.2], [-0.4]], [0.1, 0], true),
      ([[-0.1], [-0.5]], [[-0.1], [-0.4]], [0, 0], true), ([[0.1], [0.5]], [[0.1], [0.4]], [0, 0], true),
    ] as [([[Double]], [[Double]], [Double], Bool)])
  func firstMissedGoalSetsReplications(below: [[Double]], above: [[Double]], halves: [Double], oneIsEnough: Bool) {
    var search = LimitSearch(Self.range)
    search.add(LimitSearch.Point(load: 10, misses: below, halves: halves))
    search.add(LimitSearch.Point(load: 11, misses: above, halves: halves))
    #expect(search.needsNoReplications == oneIsEnough)
  }

  /// A rough search stops at 10 % and gives no interval: four strides of 4 from 1 000, then at most four times half of
  /// what is left, 4, 2, 1.41, 1.19, 1.09.
  @Test func roughSearchIsShort() throws {
    var range = Self.range
    range.isRough = true
    var search = LimitSearch(range)
    while let load = search.next() {
      search.add(LimitSearch.Point(load: load, misses: [[load / 41_000 - 1]], halves: [0.3]))
    }
    #expect(abs(try #require(search.middle) / 41_000 - 1) < 0.1)
    #expect(search.points.count <= 8)
  }
}

/// Goals whose limit is the value searched for.
@Suite struct CapacityGoalTests {
  /// For 150 requests/s, a capacity of 100 lacks half of itself, and one of 200 has a quarter left. The sample's 15 %
  /// are 0.15 and 0.075 of these capacities. The file's goal, at 120 of 120, moves with them: it repeats the capacity
  /// and counts once.
  @Test(arguments: [(100.0, 0.5, 0.15), (200, -0.25, 0.075)], ["peak", "capacity of api"])
  func peakMarginIsRelativeToTheCapacity(_ found: (capacity: Double, miss: Double, half: Double), id: String) {
    var run = SyntheticRun()
    run.endpoints = ["api"]
    var scenario = run.result.scenario
    scenario.endpoints[0].capacity = 120
    let labels = Labels().with(\.endpoint, "api").with(\.window, "10s")
    let figure = FigureName(.serverPeakRPS, .max, labels)
    let goal = Goal(id: id, text: "", figure: figure, comparison: .atMost, limit: .value(120), severity: .error)
    scenario.goals = id == "peak" ? [goal] : []
    let problem = CapacityProblem(scenario, LoadWindow.tenSeconds)
    let row = SummaryRow(
      .serverPeakRPS, labels, .max, replications: [.real(150)], bounds: [Interval(low: 135, high: 165)])
    let varied = problem.scenario(
      .capacity(endpoint: 0), at: found.capacity, CapacityEffort(devices: 1, replications: 1))
    #expect(problem.goals.map(\.id) == [id])
    let point = problem.point(1, [0], in: Summary(rows: [row]), of: varied)
    #expect(point.misses == [[found.miss]])
    for other in point.halves { #expect(abs(other - found.half) < 1e-12) }
  }
}

/// Roots for tests.
private enum PowerOf {
  static func fifthRoot(_ value: Double) -> Double {
    // Newton's method for x^5 = value, which converges from 1 for values near it.
    (0..<20).reduce(1.0) { root, _ in
      root - (root * root * root * root * root - value) / (5 * root * root * root * root)
    }
  }
}
