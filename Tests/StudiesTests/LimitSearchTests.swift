import Scenario
import Testing

@testable import Studies
@testable import SyntheticResults

/// Searches whose limits are known.
@Suite struct LimitSearchTests {
  private static let range = LimitSearch.Range(start: 1_000, least: 1, most: 1e9, stride: 4)

  /// Searches to the end.
  ///
  /// - Parameter misses: by load, for each goal and replication.
  private func search(
    _ range: LimitSearch.Range = Self.range, _ misses: (Double) -> [[Double]]
  ) -> LimitSearch {
    var search = LimitSearch(range)
    while let load = search.next() { search.add(LimitSearch.Point(load: load, misses: misses(load))) }
    return search
  }

  /// A peak in proportion to the phones: replication r reaches 2 500/s at 2 500 / a phones, a requests/s each.
  @Test(arguments: [0.04, 2.5, 900]) func aLoadInProportion(each: Double) throws {
    let factors = [0.97, 0.99, 1, 1.02, 1.03]
    let search = search { load in [factors.map { load * each * $0 / 2_500 - 1 }] }
    for (limit, factor) in zip(search.limits, factors) {
      #expect(abs(try #require(limit) * each * factor / 2_500 - 1) < 1e-9)
    }
    let found = CapacityLimit(search, of: .devices, goals: [0])
    // The geometric mean of 1 / factor, whose logarithms add up to -0.00973.
    let mean = factors.reduce(1, *)
    #expect(found.outcome == .found)
    #expect(abs(try #require(found.value) * each / 2_500 - 1 / PowerOf.fifthRoot(mean)) < 1e-8)
    let interval = try #require(found.interval)
    #expect(interval.low * each < 2_500 && interval.high * each > 2_500 && interval.high / interval.low < 1.08)
    #expect(search.points.count <= 12)
  }

  /// A figure that jumps from nothing to six times its limit at 37 000 phones is found within 1 %.
  @Test func aJump() throws {
    let search = search { load in [[load < 37_000 ? -1 : 5]] }
    let found = CapacityLimit(search, of: .devices, goals: [3])
    let bracket = search.bracket
    let (holds, misses) = (try #require(bracket.holds), try #require(bracket.misses))
    #expect(holds.load < 37_000 && misses.load >= 37_000 && misses.load / holds.load <= 1.01)
    #expect(found.goal == 3 && found.interval == nil)
    #expect(abs(try #require(found.value) / 37_000 - 1) < 0.01)
  }

  /// Of two goals the one with the lower limit counts, and is named.
  @Test func theFirstOfTwoGoals() throws {
    let search = search { load in [[load / 9_000 - 1], [load / 4_000 - 1]] }
    let found = CapacityLimit(search, of: .devices, goals: [0, 1])
    #expect(found.goal == 1)
    #expect(abs(try #require(found.value) / 4_000 - 1) < 1e-8)
  }

  /// What misses again below a load that holds limits there: the least load that misses is what is told.
  @Test func theLowestMissCounts() throws {
    let search = search { load in [[(900...1_100).contains(load) || load > 50_000 ? 1 : -0.5]] }
    let found = CapacityLimit(search, of: .devices, goals: [0])
    #expect(try #require(found.value) < 1_000)
  }

  /// A goal that no load turns is looked at up to the ends, however near its limit it is.
  @Test(arguments: [
    (-0.5, CapacityLimit.Outcome.holdsThroughout), (-1e-4, .holdsThroughout), (0.5, .missedThroughout),
    (1e-4, .missedThroughout), (.infinity, .missedThroughout),
  ])
  func whatDoesNotDependOnTheLoad(miss: Double, outcome: CapacityLimit.Outcome) {
    let search = search { _ in [[miss, miss]] }
    let found = CapacityLimit(search, of: .devices, goals: [0])
    #expect(found.outcome == outcome && found.value == nil)
    #expect(search.points.count < LimitSearch.mostPoints)
    #expect(search.points.last?.load == (miss < 0 ? Self.range.most : Self.range.least))
  }

  /// A capacity is one over a load: servers that need 1 640/s are found from a peak of 5 000/s on.
  @Test func aCapacity() throws {
    let range = LimitSearch.Range(start: 1 / 5_000.0, least: 0.5 / 5_000, most: 1_000 / 5_000, stride: 1.5)
    let search = search(range) { load in [[1_640 * load - 1]] }
    let found = CapacityLimit(search, of: .capacity(endpoint: 0), goals: [0])
    #expect(abs(try #require(found.value) / 1_640 - 1) < 1e-8)
    #expect(found.points.map(\.load) == found.points.map(\.load).sorted())
  }

  /// What is told holds: devices are rounded down, capacities up, both to three digits.
  @Test func rounding() {
    #expect(CapacityStudy.roundedDown(52_361) == 52_300 && CapacityStudy.roundedUp(52_361) == 52_400)
    #expect(CapacityStudy.roundedDown(2_500) == 2_500 && CapacityStudy.roundedUp(2_500) == 2_500)
    #expect(CapacityStudy.roundedDown(999.9) == 999 && CapacityStudy.roundedUp(0.012341) == 0.0124)
  }

  /// What a goal says of a capacity stands in place of what is implied, so that `run` and `capacity` judge by the same.
  @Test(
    arguments: [
      ([], ["overload-api", "failures-api"]),
      ([(Metric.serverPeakRPS, "api")], ["own0", "capacity-api", "failures-api"]),
      ([(.serverPeakRPS, ""), (.failures, "")], ["own0", "own1", "capacity-api"]),
      ([(.serverPeakRPS, ""), (.overloadSeconds, "")], ["own0", "own1", "failures-api"]),
      ([(.overloadSeconds, "api")], ["own0", "failures-api"]),
      ([(.peakRPS, "api"), (.serverPeakRPS, "images")], ["own0", "own1", "overload-api", "failures-api"]),
    ] as [([(Metric, String)], [String])])
  func goalsThatAreImplied(own: [(Metric, String)], ids: [String]) {
    var run = SyntheticRun()
    run.endpoints = ["api", "images"]
    var scenario = run.result.scenario
    scenario.endpoints[0].capacity = 100
    scenario.goals = own.enumerated().map { index, figure in
      let window = figure.0 == .failures || figure.0 == .overloadSeconds ? "" : "10s"
      let labels = Labels().with(\.endpoint, figure.1).with(\.window, window)
      return Goal(
        id: "own\(index)", text: "", figure: FigureName(figure.0, .max, labels), comparison: .atMost, limit: .value(1),
        severity: .error)
    }
    #expect(CapacityProblem(scenario).goals.map(\.id) == ids)
    // What an outage fails is no matter of capacity.
    scenario.events = [.outage("night", at: 2, lasting: 3)]
    #expect(CapacityProblem(scenario).goals.map(\.id) == ids.filter { $0 != "failures-api" })
  }
}

/// Goals whose limit is what a search varies.
@Suite struct CapacityGoalTests {
  /// Of 150 requests/s a capacity of 100 lacks half of itself, and one of 200 has a quarter left.
  @Test(arguments: [(100.0, 0.5), (200, -0.25)]) func thePeakIsHeldAgainstTheCapacity(capacity: Double, miss: Double) {
    var run = SyntheticRun()
    run.endpoints = ["api"]
    var scenario = run.result.scenario
    scenario.endpoints[0].capacity = 120
    let labels = Labels().with(\.endpoint, "api").with(\.window, "10s")
    let figure = FigureName(.serverPeakRPS, .max, labels)
    scenario.goals = [
      Goal(id: "peak", text: "", figure: figure, comparison: .atMost, limit: .value(1_000), severity: .error)
    ]
    let problem = CapacityProblem(scenario)
    let summary = Summary(rows: [SummaryRow(.serverPeakRPS, labels, .max, replications: [.whole(150)])])
    let varied = problem.scenario(.capacity(endpoint: 0), at: capacity)
    #expect(problem.goals[1].id == "capacity-api")
    #expect(problem.misses([0, 1], in: summary, of: varied) == [[-0.85], [miss]])
  }
}

/// Roots for tests.
private enum PowerOf {
  static func fifthRoot(_ value: Double) -> Double {
    // Newton's steps for x^5 = value, which converge from 1 for values near it.
    (0..<20).reduce(1.0) { root, _ in
      root - (root * root * root * root * root - value) / (5 * root * root * root * root)
    }
  }
}
