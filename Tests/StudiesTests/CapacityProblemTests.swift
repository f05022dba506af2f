import Scenario
import Testing

@testable import Studies
@testable import SyntheticResults

/// The levers of `capacity` and their ranges (Docs/STUDIES.md, "Capacity").
@Suite struct CapacityProblemTests {
  /// The window of peaks, which no goal names.
  private static let window = LoadWindow.tenSeconds

  private func problem(_ change: (inout Scenario) -> Void) -> CapacityProblem {
    var scenario = SyntheticRun().scenario
    change(&scenario)
    return CapacityProblem(scenario, Self.window)
  }

  private func goal(
    _ metric: Metric, _ endpoint: String, _ limit: Double = 1, _ severity: Goal.Severity = .error
  ) -> Goal {
    let window = metric == .failures || metric == .overloadSeconds ? "" : "10s"
    return Goal(
      id: "own", text: "", figure: FigureName(metric, .max, Labels().with(\.endpoint, endpoint).with(\.window, window)),
      comparison: .atMost, limit: .value(limit), severity: severity)
  }

  /// Only capacities that do not follow the load are searched; those that do also set a goal.
  @Test func onlyFixedCapacitiesAreSearched() {
    let problem = problem { scenario in
      scenario.endpoints = ["none", "fixed", "scaled", "other"].map { name in .with { $0.name = name } }
      for index in [1, 2, 3] { scenario.endpoints[index].capacity = 100 }
      scenario.endpoints[2].autoscale = Autoscale()
    }
    #expect(problem.endpoints == [1, 3])
    #expect(problem.levers == [.devices, .capacity(endpoint: 1), .capacity(endpoint: 3)])
    #expect(
      problem.goals.map(\.figure.text) == [
        "server_peak_rps{endpoint=fixed, window=10s}", "overload_seconds{endpoint=scaled}",
        "server_peak_rps{endpoint=other, window=10s}",
      ])
    #expect(problem.ownGoals == 0)
    #expect(problem.capacityGoals == [0: 1, 2: 3])
    #expect(problem.goals(of: .capacity(endpoint: 3)) == [2])
  }

  /// A capacity sets no goal if a goal of severity error accepts an overload of that endpoint or of all, as judged by
  /// `run`; goals on failures do not accept any.
  @Test(
    arguments: [
      (Metric.overloadSeconds, "api", Goal.Severity.error, false), (.overloadSeconds, "", .error, false),
      (.overloadSeconds, "api", .warning, true), (.overloadSeconds, "images", .error, true),
      (.failures, "api", .error, true), (.failures, "", .error, true), (.serverPeakRPS, "api", .error, true),
      (.peakRPS, "api", .error, true),
    ] as [(Metric, String, Goal.Severity, Bool)])
  func capacityIsALimitUnlessAGoalAcceptsOverload(
    metric: Metric, endpoint: String, severity: Goal.Severity, isAsked: Bool
  ) {
    let problem = problem { scenario in
      scenario.endpoints[0].capacity = 100
      scenario.goals = [goal(metric, endpoint, 1, severity)]
    }
    let own = severity == .error ? ["own"] : []
    #expect(problem.goals.map(\.id) == own + (isAsked ? ["capacity of api"] : []))
    #expect(problem.ownGoals == own.count)
  }

  /// For a capacity that an outage changes, the goal is that no step exceeds it, as in `run`.
  @Test func anOutageChangesTheCapacity() {
    let problem = problem { scenario in
      scenario.endpoints[0].capacity = 100
      scenario.events = [.outage("night", at: 2, lasting: 3, capacity: 10)]
    }
    #expect(problem.goals.map(\.figure.text) == ["overload_seconds{endpoint=api}"])
    #expect(problem.capacityGoals.isEmpty)
  }

  /// A goal that repeats the capacity moves with it; any other limit on the load stays.
  @Test(
    arguments: [
      ("api", 100, true), ("api", 101, false), ("", 100, false), ("images", 100, false),
    ] as [(String, Double, Bool)])
  func aGoalThatRepeatsTheCapacityMovesWithIt(endpoint: String, limit: Double, isAgain: Bool) {
    let problem = problem { scenario in
      scenario.endpoints[0].capacity = 100
      scenario.goals = [goal(.serverPeakRPS, endpoint, limit)]
    }
    #expect((problem.capacityGoals[0] == 0) == isAgain)
    #expect(problem.goals(of: .capacity(endpoint: 0)).contains(0) == (endpoint != "images"))
  }

  /// A limit of 80 % of the capacity is 80/s at 100/s, 160/s at 200/s: a peak of 120/s misses it by half, or by a
  /// quarter less than nothing.
  @Test func aShareOfTheCapacityMovesWithIt() {
    let problem = problem { scenario in
      scenario.endpoints[0].capacity = 100
      var own = goal(.serverPeakRPS, "api")
      own.limit = .share(0.8, ofCapacity: 100)
      scenario.goals = [own]
    }
    #expect(problem.capacityGoals[0] == 0 && problem.isShare(0))
    let labels = problem.goals[0].figure.labels
    let summary = Summary(rows: [SummaryRow(.serverPeakRPS, labels, .max, replications: [.whole(120)])])
    let effort = CapacityEffort(devices: 1, replications: 1)
    for (capacity, miss) in [(100.0, 0.5), (200, -0.25)] {
      let scenario = problem.scenario(.capacity(endpoint: 0), at: capacity, effort)
      #expect(abs(problem.point(1, [0], in: summary, of: scenario).miss - miss) < 1e-9)
    }
  }

  /// A queue holds at least the requests that the capacity serves in one step, as required of files (WF314).
  @Test(arguments: [(50.0, Int?.none), (100, nil), (100.5, 101), (2_500, 2_500)])
  func theQueueGrowsWithTheCapacity(capacity: Double, needed: Int?) {
    let problem = problem { scenario in
      scenario.clock.step = .seconds(1)
      (scenario.endpoints[0].capacity, scenario.endpoints[0].queue) = (80, 100)
    }
    let effort = CapacityEffort(devices: 1, replications: 1)
    let varied = problem.scenario(.capacity(endpoint: 0), at: capacity, effort)
    #expect(varied.endpoints[0].queue == needed ?? 100)
    #expect(problem.scenario(with: [.capacity(endpoint: 0): capacity], effort).endpoints[0].queue == needed ?? 100)
    #expect(problem.queueNeeded(0, with: capacity) == needed)
  }

  /// q(w): the max number of phones, to two significant digits, whose work is at most w (MODEL.md 1.6). A phone without
  /// widgets, for one day without warm-up and not in steps, has a work of 1.
  @Test(
    arguments: [
      (SimulatedPhones.auto, Int?.none, true, 1_500_000, 1), (.auto, nil, false, 300_000, 5),
      (.auto, 3, true, 500_000, 3), (.quick, nil, true, 300_000, 1), (.quick, nil, false, 60_000, 5),
      (.count(7_000), nil, false, 7_000, 5),
      (.count(7_000), 2, true, 7_000, 2), (.all, nil, false, 5_000_000, 5),
    ] as [(SimulatedPhones, Int?, Bool, Int, Int)])
  func settingSimulatesASmallPartOfARun(
    simulate: SimulatedPhones, replications: Int?, oneIsEnough: Bool, devices: Int, count: Int
  ) {
    var scenario = SyntheticRun().scenario
    scenario.clock = .with { ($0.settle, $0.warmup, $0.duration) = (.zero, .zero, .days(1)) }
    scenario.fleet.devices = 5_000_000
    scenario.run.simulate = simulate
    let effort = CapacityProblem.effort(scenario, replications: replications, oneIsEnough: oneIsEnough)
    #expect(effort == CapacityEffort(devices: devices, replications: count))
    let rough = CapacityProblem.roughEffort(scenario)
    let share = simulate == .quick ? 60_000 : simulate == .count(7_000) ? 7_000 : 300_000
    #expect(rough == CapacityEffort(devices: share, replications: 1))
  }

  /// The number of phones is searched down to a thousandth, capacities from a thousandth to a thousand times the
  /// busiest step. A step changes a load at most fourfold, so that every setting is close to known ones.
  @Test func searchesAreWideAndCareful() {
    let problem = problem { $0.fleet.devices = 50_000 }
    let (devices, capacity) = (problem.devicesRange, problem.capacityRange(peak: 250))
    #expect(devices.start == 50_000 && devices.minimum == 50)
    #expect(abs(capacity.start * 250 - 1) < 1e-12)
    #expect(abs(capacity.minimum * 250_000 - 1) < 1e-12 && abs(capacity.maximum * 0.25 - 1) < 1e-12)
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

  /// The search for single replications, once the limit of the mean is known to within 1 %. A replication that has
  /// always missed is searched 10 % below the lowest load, one that always holds 10 % above the highest, within the
  /// range.
  @Test(arguments: [
    ([0.1, 0.2], 1.0, 1e9, Double?.some(1_000 / 1.1)), ([0.1, 0.2], 950, 1e9, 950), ([0.1, 0.2], 1_000, 1e9, nil),
    ([-0.2, -0.1], 1, 1e9, 1_005 * 1.1), ([-0.2, -0.1], 1, 1_050, 1_050), ([-0.2, -0.1], 1, 1_005, nil),
    ([-0.1, 0.1], 1, 1e9, nil),
  ])
  func singleReplicationsAreSearchedNearby(other: [Double], minimum: Double, maximum: Double, next: Double?) throws {
    var search = LimitSearch(LimitSearch.Range(start: 1_000, minimum: minimum, maximum: maximum, stride: 4))
    // The mean holds at 1 000 and misses at 1 005, and so does the first replication.
    search.add(LimitSearch.Point(load: 1_000, misses: [[-0.9, other[0]]]))
    search.add(LimitSearch.Point(load: 1_005, misses: [[0.9, other[1]]]))
    let load = search.next()
    #expect((load == nil) == (next == nil))
    #expect(abs((load ?? 0) - (next ?? 0)) < 1e-6)
  }

  private func answer(
    _ lever: CapacityLever, own: CapacityLimit.Outcome, _ value: Double? = nil,
    ends: [Preset: (CapacityLimit.Outcome, Double?)] = [:]
  ) -> CapacityStudy.Answer {
    let search = LimitSearch(LimitSearch.Range(start: 1, minimum: 1, maximum: 2, stride: 4))
    let limit = { (outcome: CapacityLimit.Outcome, value: Double?) in
      var limit = CapacityLimit(search, of: lever, goals: [], CapacityEffort(devices: 1, replications: 1))
      (limit.outcome, limit.value, limit.held) = (outcome, value, value)
      return limit
    }
    return CapacityStudy.Answer(
      lever: lever, own: limit(own, value), ends: ends.mapValues { limit($0.0, $0.1) })
  }

  /// The value for which `run` would still report HOLDS: the fewest phones, or the largest capacity, over the scenario
  /// and its presets.
  @Test func theWorstOfTheBracketDecides() {
    let ends: [Preset: (CapacityLimit.Outcome, Double?)] = [.prompt: (.found, 241), .lazy: (.found, 299)]
    #expect(answer(.devices, own: .found, 295, ends: ends).decidingPreset == .prompt)
    #expect(answer(.devices, own: .found, 200, ends: ends).decidingPreset == nil)
    #expect(answer(.capacity(endpoint: 0), own: .found, 295, ends: ends).decidingPreset == .lazy)
    #expect(answer(.devices, own: .holdsThroughout, ends: ends).decidingPreset == .prompt)
    #expect(answer(.devices, own: .found, 9, ends: [.lazy: (.missedThroughout, nil)]).decidingPreset == .lazy)
    #expect(answer(.devices, own: .found, 9, ends: [.lazy: (.found, 9)]).decidingPreset == nil)
    #expect(answer(.capacity(endpoint: 2), own: .found, 298.5, ends: ends).plan == 299)
    #expect(answer(.devices, own: .found, 295.5).plan == 295)
  }

  /// 1 % to the safe side, rounded that way to three digits.
  @Test func plansBecomeMoreCareful() {
    var (phones, servers) = (answer(.devices, own: .found, 57_900), answer(.capacity(endpoint: 0), own: .found, 1_180))
    phones.planMoreCarefully()
    servers.planMoreCarefully()
    // 57 321 and 1 191.9.
    #expect(phones.plan == 57_300 && servers.plan == 1_200)
  }

  /// Answers are useful if each lever has one under both presets too, and all capacities together meet all goals.
  @Test(
    arguments: [
      ([.found], nil, true), ([.found, .holdsThroughout], [-0.1, 0], true), ([.missedThroughout], nil, false),
      ([.found, .missedThroughout], nil, false), ([.found], [-0.1, 0.2], false), ([], nil, true),
    ] as [([CapacityLimit.Outcome], [Double]?, Bool)])
  func feasibleAnswersMeetAllGoals(outcomes: [CapacityLimit.Outcome], together: [Double]?, isFeasible: Bool) {
    let problem = CapacityProblem(Scenario(), nil)
    let own = CapacityStudy(
      problem: problem, answers: outcomes.map { answer(.devices, own: $0) },
      trials: together.map { [.init(plans: [:], misses: $0)] } ?? [])
    #expect(own.isFeasible == isFeasible)
    let ends = outcomes.map { answer(.devices, own: .holdsThroughout, ends: [.prompt: ($0, nil)]) }
    #expect(
      CapacityStudy(problem: problem, answers: ends, trials: together.map { [.init(plans: [:], misses: $0)] } ?? [])
        .isFeasible == isFeasible)
  }
}
