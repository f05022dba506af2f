import Scenario
import Studies
import Testing

@testable import FleetReports

/// What `capacity` says of limits that are known.
@Suite struct CapacityTextTests {
  private typealias Outcome = CapacityLimit.Outcome

  private func limit(_ outcome: Outcome, _ value: Double?, _ lever: CapacityLever) -> CapacityLimit {
    let search = LimitSearch(LimitSearch.Range(start: 1, least: 1, most: 2, stride: 4))
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
    return CapacityText(study: study).sentence(of: answer).replacing("\u{202F}", with: " ")
  }

  /// What holds under both ends comes first; then what each of the others allows.
  @Test func theEndThatAllowsLeastComesFirst() {
    #expect(
      sentence(own: (.found, 2_950), ends: [.prompt: (.found, 2_410), .lazy: (.found, 2_990)])
        == "Plan for 2 410 phones: every goal holds up to 2 410 phones; with more, 'peak' fails if the system is prompt, with more than 2 950 under "
        + "the scenario's own settings, and with more than 2 990 if the system is lazy. The scenario has 9 000.")
    #expect(
      sentence(own: (.found, 2_950), ends: [.prompt: (.holdsThroughout, nil)])
        == "Plan for 2 950 phones: every goal holds up to 2 950 phones; with more, 'peak' fails under the scenario's own settings, never if the system is "
        + "prompt. The scenario has 9 000.")
    #expect(
      sentence(own: (.found, 2_950))
        == "Plan for 2 950 phones: every goal holds up to 2 950 phones; with more, 'peak' fails. The scenario has 9 000."
    )
  }

  /// Phones are planned for at the lower end of an interval, capacities at the upper, and tried so.
  @Test func whatIsPlannedForIsTried() {
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
    let text = CapacityText(study: CapacityStudy(problem: problem, answers: answers, trials: trials))
    // The phones fit if there are no more of them than are planned for.
    for (devices, isTold) in [(2_400, false), (2_401, true)] {
      scenario.fleet.devices = devices
      let problem = CapacityProblem(scenario, .tenSeconds)
      let study = CapacityStudy(problem: problem, answers: answers, trials: [])
      #expect((CapacityText(study: study).instead != nil) == isTold)
    }
    #expect(
      answers.map { text.sentence(of: $0).replacing("\u{202F}", with: " ").prefix(94) }
        == [
          "Plan for 2 400 phones: every goal holds up to 2 450 phones (95 % interval 2 400 to 2 500); with",
          "Plan for 155/s: 'api' needs 150/s (95 % interval 145/s to 155/s); with less, 'peak' fails. The ",
        ].map { $0.prefix(94) })
    #expect(text.outcome(of: trials[0]) == "Tried with --set fleet.devices=2400: every goal holds.")
    #expect(
      text.outcome(of: trials[1]) == "Tried with --set backend.endpoints.api.capacity=155/s: 'peak' fails, the peak at "
        + "'api' is above its capacity, 'peak' changed with it.")
  }

  @Test func whatNothingMeets() {
    #expect(
      sentence(own: (.missedThroughout, nil), ends: [.prompt: (.missedThroughout, nil)])
        == "No number of phones is small enough: with 50, 'peak' fails. The scenario has 9 000.")
    #expect(
      sentence(.capacity(endpoint: 0), own: (.found, 80), ends: [.prompt: (.missedThroughout, nil)])
        == "No capacity of 'api' is enough: whatever the servers can do, 'peak' fails if the system is prompt; 80/s holds "
        + "under the scenario's own settings. The scenario has 100/s.")
  }

  /// Where no goal says how much overload is accepted the capacity itself is what is missed; its queue has to hold what
  /// one step of a second serves.
  @Test func aCapacityWithoutAGoal() {
    #expect(
      sentence(.capacity(endpoint: 0), own: (.found, 150), goals: [])
        == "Plan for 150/s: 'api' needs 150/s; with less, the peak at 'api' is above its capacity. With that its queue has to hold 150 "
        + "requests, what one step serves (WF314); it grew with the capacity here. The scenario has 100/s.")
  }
}
