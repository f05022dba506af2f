import Scenario
import Testing

@testable import Studies
@testable import SyntheticResults

/// What `capacity` varies, and between what (Docs/STUDIES.md, "Capacity").
@Suite struct CapacityProblemTests {
  private func problem(_ change: (inout Scenario) -> Void) -> CapacityProblem {
    var scenario = SyntheticRun().scenario
    change(&scenario)
    return CapacityProblem(scenario)
  }

  /// Searched are capacities that do not follow the load.
  @Test func onlyFixedCapacitiesAreSearched() {
    let problem = problem { scenario in
      scenario.endpoints = ["none", "fixed", "scaled", "other"].map { name in .with { $0.name = name } }
      for index in [1, 2, 3] { scenario.endpoints[index].capacity = 100 }
      scenario.endpoints[2].autoscale = Autoscale()
    }
    #expect(problem.endpoints == [1, 3])
    #expect(problem.goals.map(\.id) == ["overload-fixed", "failures-fixed", "overload-other", "failures-other"])
  }

  /// A goal on another figure of the same endpoint, or on the same figure of another one, takes no implied goal away.
  @Test(arguments: [(Metric.peakRPS, "api"), (.overloadSeconds, "images"), (.failures, "images")])
  func goalsOnOtherFiguresLeaveThem(metric: Metric, endpoint: String) {
    let problem = problem { scenario in
      scenario.endpoints[0].capacity = 100
      scenario.goals = [
        Goal(
          id: "own", text: "", figure: FigureName(metric, .max, Labels().with(\.endpoint, endpoint)),
          comparison: .atMost, limit: .value(1), severity: .error)
      ]
    }
    #expect(problem.goals.map(\.id) == ["own", "overload-api", "failures-api"])
  }

  /// A goal that repeats the capacity moves with it, so that it is none of the capacity's; any other limit of the load
  /// stays, and so does either when phones are varied.
  @Test(
    arguments: [
      ("api", 100, true), ("api", 101, false), ("", 100, false), ("images", 100, false),
    ] as [(String, Double, Bool)])
  func aGoalThatRepeatsTheCapacityMovesWithIt(endpoint: String, limit: Double, isAgain: Bool) {
    let problem = problem { scenario in
      scenario.endpoints[0].capacity = 100
      let labels = Labels().with(\.endpoint, endpoint).with(\.window, "10s")
      scenario.goals = [
        Goal(
          id: "own", text: "", figure: FigureName(.serverPeakRPS, .max, labels), comparison: .atMost,
          limit: .value(limit), severity: .error)
      ]
    }
    let isOfAPI = endpoint != "images"
    let ids = { (lever: CapacityLever) in problem.goals(of: lever).map { problem.goals[$0].id } }
    #expect(ids(.devices).first == "own")
    #expect(ids(.capacity(endpoint: 0)).contains("own") == (isOfAPI && !isAgain))
    #expect(ids(.capacity(endpoint: 0)).contains("capacity-api") == isOfAPI)
  }

  /// Phones go down to a thousandth, capacities a thousand times to either side of the busiest step; no step takes a load
  /// more than four times as far, so that no setting is simulated that is far from what was known.
  @Test func searchesAreWideAndCareful() {
    let problem = problem { $0.fleet.devices = 50_000 }
    let (devices, capacity) = (problem.devicesRange, problem.capacityRange(peak: 250))
    #expect(devices.start == 50_000 && devices.least == 50)
    #expect(abs(capacity.start * 250 - 1) < 1e-12)
    #expect(abs(capacity.least * 250_000 - 1) < 1e-12 && abs(capacity.most * 0.25 - 1) < 1e-12)
    for range in [devices, capacity] {
      for miss in [-0.999, 100] {
        var search = LimitSearch(range)
        while let load = search.next() { search.add(LimitSearch.Point(load: load, misses: [[miss]])) }
        let loads = search.points.map(\.load)
        let steps = zip(loads, loads.dropFirst()).map { max($0 / $1, $1 / $0) }
        #expect(steps.allSatisfy { $0 < 4.000_1 } && steps.contains { $0 > 3.999 }, "\(loads)")
      }
    }
  }

  /// Once the limit of the mean is known within 1 %, a replication that has missed everywhere is looked for a tenth below
  /// the least load, one that holds everywhere a tenth above the largest, and no further than the range goes.
  @Test(arguments: [
    ([0.1, 0.2], 1.0, 1e9, Double?.some(1_000 / 1.1)), ([0.1, 0.2], 950, 1e9, 950), ([0.1, 0.2], 1_000, 1e9, nil),
    ([-0.2, -0.1], 1, 1e9, 1_005 * 1.1), ([-0.2, -0.1], 1, 1_050, 1_050), ([-0.2, -0.1], 1, 1_005, nil),
    ([-0.1, 0.1], 1, 1e9, nil),
  ])
  func singleReplicationsAreLookedForNearby(other: [Double], least: Double, most: Double, next: Double?) throws {
    var search = LimitSearch(LimitSearch.Range(start: 1_000, least: least, most: most, stride: 4))
    // The mean holds at 1 000 and misses at 1 005, and so does the first replication.
    search.add(LimitSearch.Point(load: 1_000, misses: [[-0.9, other[0]]]))
    search.add(LimitSearch.Point(load: 1_005, misses: [[0.9, other[1]]]))
    let load = search.next()
    #expect((load == nil) == (next == nil))
    #expect(abs((load ?? 0) - (next ?? 0)) < 1e-6)
  }

  /// Answers are of use when each lever has one, and all capacities together meet all goals.
  @Test(
    arguments: [
      ([.found], nil, true), ([.found, .holdsThroughout], [-0.1, 0], true), ([.missedThroughout], nil, false),
      ([.found, .missedThroughout], nil, false), ([.found], [-0.1, 0.2], false), ([], nil, true),
    ] as [([CapacityLimit.Outcome], [Double]?, Bool)])
  func whatIsFeasible(outcomes: [CapacityLimit.Outcome], together: [Double]?, isFeasible: Bool) {
    let search = LimitSearch(LimitSearch.Range(start: 1, least: 1, most: 2, stride: 4))
    let answers = outcomes.map { outcome in
      var limit = CapacityLimit(search, of: .devices, goals: [])
      limit.outcome = outcome
      return CapacityStudy.Answer(lever: .devices, own: limit, ends: [:], busiestStep: nil)
    }
    let study = CapacityStudy(scenario: Scenario(), goals: [], answers: answers, together: together, proposed: [:])
    #expect(study.isFeasible == isFeasible)
  }
}
