import Scenario
import Testing

@testable import FleetReports
@testable import Studies

/// The text of `capacity` about known limits.
@Suite struct CapacityTextTests {
  private typealias Outcome = CapacityLimit.Outcome

  private func limit(_ outcome: Outcome, _ value: Double?, _ lever: CapacityLever) -> CapacityLimit {
    let search = LimitSearch(LimitSearch.Range(start: 1, minimum: 1, maximum: 2, stride: 4))
    var limit = CapacityLimit(search, of: lever, goals: [0], CapacityEffort(devices: 10, replications: 1))
    (limit.outcome, limit.value, limit.held, limit.goal) = (outcome, value, value, 0)
    limit.points = [LimitSearch.Point(load: 50, misses: [[1]])]
    return limit
  }

  private func sentence(
    _ lever: CapacityLever = .devices, own: (Outcome, Double?), ends: [Preset: (Outcome, Double?)] = [:],
    goals: [String] = ["peak"]
  ) -> String {
    var scenario = Scenario()
    scenario.fleet.devices = 9_000
    scenario.endpoints = [.with { ($0.name, $0.capacity, $0.queue) = ("api", 100, 120) }]
    scenario.goals = goals.map { id in
      Goal(
        id: id, text: "", figure: FigureName(.serverPeakRPS, .max), comparison: .atMost, limit: .value(1),
        severity: .error)
    }
    let answer = CapacityStudy.Answer(
      lever: lever, own: limit(own.0, own.1, lever), ends: ends.mapValues { limit($0.0, $0.1, lever) })
    let study = CapacityStudy(
      problem: CapacityProblem(scenario, .tenSeconds), answers: [answer], trials: [])
    return CapacityAnswer(study: study, found: answer).answer.line.replacing("\u{202F}", with: " ")
  }

  /// The limit that allows the least comes first, then the others.
  @Test func strictestBracketLimitComesFirst() {
    #expect(
      sentence(own: (.found, 2_950), ends: [.prompt: (.found, 2_410), .lazy: (.found, 2_990)])
        == "FOUND: Plan for at most 2 410 phones. The limit is 2 410: with more, 'peak' fails if the system is prompt. "
        + "Other limits: 2 950 under the scenario's own settings, 2 990 if the system is lazy. The scenario has 9 000.")
    #expect(
      sentence(own: (.found, 2_950), ends: [.prompt: (.holdsThroughout, nil)])
        == "FOUND: Plan for at most 2 950 phones. The limit is 2 950: with more, 'peak' fails under the scenario's own "
        + "settings. Other limits: any if the system is prompt. The scenario has 9 000.")
    #expect(
      sentence(own: (.found, 2_950))
        == "FOUND: Plan for at most 2 950 phones. The limit is 2 950: with more, 'peak' fails. The scenario has 9 000."
    )
  }

  /// The number of phones is planned at the lower bound of an interval, capacities at the upper one, and the plan is
  /// tried.
  @Test func plannedCapacityIsTried() {
    var scenario = Scenario()
    scenario.endpoints = [.with { ($0.name, $0.capacity) = ("api", 100) }]
    scenario.goals = [
      Goal(
        id: "peak", text: "", figure: FigureName(.serverPeakRPS, .max, Labels().with(\.endpoint, "api")),
        comparison: .atMost, limit: .value(100), severity: .error)
    ]
    let problem = CapacityProblem(scenario, .tenSeconds)
    let trials = [
      CapacityStudy.Trial(plans: [.devices: 2_400], misses: [-0.01, -0.01]),
      CapacityStudy.Trial(plans: [.capacity(endpoint: 0): 155], misses: [0.1, 0.1]),
    ]
    let answers = [CapacityLever.devices, .capacity(endpoint: 0)].map { lever in
      var limit = limit(.found, lever == .devices ? 2_450 : 150, lever)
      limit.interval = lever == .devices ? Interval(low: 2_400, high: 2_500) : Interval(low: 145, high: 154.2)
      return CapacityStudy.Answer(lever: lever, own: limit, ends: [:])
    }
    #expect(answers.map(\.plan) == [2_400, 155])
    let study = CapacityStudy(problem: problem, answers: answers, trials: trials)
    // The phones fit if there are no more of them than planned.
    for (devices, isEstimated) in [(2_400, false), (2_401, true)] {
      scenario.fleet.devices = devices
      let problem = CapacityProblem(scenario, .tenSeconds)
      let study = CapacityStudy(problem: problem, answers: answers, trials: [])
      #expect((study.instead != nil) == isEstimated)
    }
    let lines = study.found.map { $0.answer.line.replacing("\u{202F}", with: " ") }
    #expect(lines[0].contains("at most 2 400 phones. The limit is 2 450 (95 % interval 2 400 to 2 500)"), "\(lines[0])")
    #expect(lines[1].contains("at least 155/s at 'api'. The limit is 150/s (95 % interval 145/s to 155/s)"))
    #expect(study.outcome(of: trials[0]) == "Tried with --set fleet.devices=2400: every goal holds.")
    #expect(
      study.outcome(of: trials[1])
        == "Tried with --set backend.endpoints.api.capacity=155/s: 'peak' fails, the peak at "
        + "'api' is above its capacity; 'peak' was adjusted to match.")
  }

  @Test func unmetGoalsAreDescribed() {
    #expect(
      sentence(own: (.missedThroughout, nil), ends: [.prompt: (.missedThroughout, nil)])
        == "DOES NOT HOLD: no number of phones is small enough: with 50, 'peak' fails under the scenario's own settings. "
        + "Other limits: none if the system is prompt. The scenario has 9 000.")
    #expect(
      sentence(.capacity(endpoint: 0), own: (.found, 80), ends: [.prompt: (.missedThroughout, nil)])
        == "DOES NOT HOLD: no capacity of 'api' is enough: 'peak' fails if the system is prompt. "
        + "Its limit '' does not follow the capacity: write it as a share, such as 'server_peak_rps <= 1% of "
        + "capacity'. "
        + "Other limits: 80/s under the scenario's own settings. The scenario has 100/s.")
    #expect(sentence(own: (.holdsThroughout, nil)).hasPrefix("HOLDS: every goal holds"))
  }

  /// Without a goal that accepts an overload, the capacity itself counts as missed; its queue must hold the requests
  /// served in one step.
  @Test func capacityWithoutGoalIsALimit() {
    #expect(
      sentence(.capacity(endpoint: 0), own: (.found, 150), goals: [])
        == "FOUND: Plan for at least 150/s at 'api'. The limit is 150/s: with less, the peak at 'api' is above its "
        + "capacity. Its queue must hold the 150 requests served per step (WF314). The scenario has 100/s.")
  }
}
