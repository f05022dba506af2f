import Testing
import WidgetFleet
import WidgetFleetFiles

/// Results of the library against closed forms.
@Suite struct SimulationTests {
  /// after(1h) without delays: 24 refreshes per day, each with one request (MODEL.md 9).
  @Test func hourlyPolicyRefreshes24TimesADay() throws {
    let day = try Simulation(try Sample.hourly()).run(devices: 50, seed: 3)
    #expect(day.devices == 50)
    #expect(day[.refreshes(kind: "k")].value == 24)
    #expect(day[.refreshes(kind: "k", cause: .policy)].value == 24)
    #expect(day[.requests(endpoint: "api")].value == 24 * 200)
    #expect(day[.failures()].value == 0)
    #expect(day.verdict.word == .noLimitSet)
    #expect(day.verdict.goals.isEmpty)
  }

  /// The load of a step is scaled to the fleet, and its integral is the number of requests.
  @Test func loadIntegratesToTheRequests() throws {
    let day = try Simulation(try Sample.hourly()).run(devices: 50)
    let load = day.load(endpoint: "api")
    #expect(load.step == .second && load.rates.count == 86_400)
    #expect(abs(load.rates.reduce(0, +) - 24 * 200) < 1e-6)
    #expect(load.rates == day.load().rates)
    #expect(load.index(at: .start + .minutes(2)) == 120)
  }

  /// A reload is due an hour after the end of the one before, and starts then.
  @Test func reloadsOfAPhoneAreAnHourApart() throws {
    let phone = try Simulation(try Sample.hourly()).run(devices: 50).device(7)
    #expect(phone.number == 7 && phone.reloads.count == 24)
    for (reload, next) in zip(phone.reloads, phone.reloads.dropFirst()) {
      #expect(reload.end.map { next.due - $0 } == .hours(1))
      #expect(next.due == next.start && next.cause == .policy && next.kind == "k")
      #expect(next.requests == 1 && !next.hasFailed)
    }
  }

  @Test func devicesAndSeedReplaceThoseOfTheScenario() throws {
    var scenario = try Sample.hourly()
    let simulation = Simulation(scenario)
    let given = try simulation.run(devices: 20, seed: 9).device(3)
    try scenario.set("run.simulate", to: 20)
    try scenario.set("run.seed", to: 9)
    #expect(try Simulation(scenario).run().device(3) == given)
    #expect(try simulation.run(devices: 20, seed: 10).device(3) != given)
  }

  @Test(arguments: [0, 201, -1]) func impossibleNumberOfPhonesIsRefused(devices: Int) throws {
    let error = try #require(throws: SimulationFailure.self) {
      try Simulation(try Sample.hourly()).run(devices: devices)
    }
    #expect(error.message.contains("200"))
  }

  @Test func unknownFigureIsNil() throws {
    let day = try Simulation(try Sample.hourly()).run(devices: 5, variesAssumptions: false)
    #expect(day.figure(.staleViews(kind: "other")) == nil)
    #expect(day.figure(FigureKey("runs_per_day{kind=k}")) == day.figure(.refreshes(kind: "k")))
    #expect(day.figures.contains(day[.refreshes(kind: "k")]))
  }

  /// Without views, the share of stale views is unknown, and every expectation on it fails.
  @Test func unknownValueIsNotANumber() throws {
    var scenario = try Sample.hourly()
    try scenario.set("kinds.k.stale_after", to: "1h")
    let figure = try Simulation(scenario).run(devices: 5, variesAssumptions: false)[.staleViews(kind: "k")]
    #expect(figure.value.isNaN && figure.worst.isNaN && figure.bracket == nil)
  }
}

/// A scenario with users, windows and goals.
@Suite struct MatchDayTests {
  private static let day = Result {
    try Simulation(try Scenario(contentsOf: Sample.path(of: "match-day"))).run(devices: 300, seed: 1, threads: 2)
  }
  private let day: Results

  init() throws { day = try Self.day.get() }

  /// The start delay is what Apple does not document: less of it, and fewer views are stale.
  @Test func worstIsAtLeastTheValue() {
    let stale = day[.staleViews(kind: "scores", during: "match")]
    #expect(stale.unit == "share" && stale.name == "stale_views{kind=scores, during=match}")
    #expect(stale.worst > stale.value)
    #expect((stale.bracket?.lowerBound ?? 1) < stale.value)
    #expect(day[.staleViews(during: "match")].worst >= stale.worst)
  }

  /// Less energy in sessions, when the radio is on anyway, is worse; more of all energy is worse.
  @Test func worstIsTheLowerEndIfMoreIsBetter() throws {
    let inSessions = day[FigureKey("energy_in_sessions{kind=scores}")]
    let bracket = try #require(inSessions.bracket)
    #expect(bracket.lowerBound < bracket.upperBound && inSessions.worst == bracket.lowerBound)
    let all = day[.energy(kind: "scores")]
    #expect(all.worst == all.bracket?.upperBound && all.worst > all.value)
  }

  @Test func goalsAreEvaluated() {
    #expect(day.verdict.goals.map(\.id) == ["fresh", "cheap", "usual"])
    #expect(day.verdict.word == .depends)
    let fresh = day.verdict.goals[0]
    #expect(fresh.limit == 0.15 && fresh.value == day[.staleViews(during: "match")].value && !fresh.isMet)
    #expect(day.verdict.description.hasPrefix("DEPENDS; fresh: "))
  }

  @Test func reloadsStartWhenTheyAreDueOrLater() {
    for number in 0..<20 {
      let phone = day.device(number)
      #expect(phone.reloads.allSatisfy { $0.start >= $0.due && $0.end.map { end in end > Instant.start } ?? true })
      #expect(phone.views >= phone.staleViews)
    }
  }

  /// Each name for which there is a function is a figure of the results.
  @Test func typedNamesAreFigures() {
    let keys: [FigureKey] = [
      .staleViews(), .emptyViews(kind: "scores"), .dataAge(.p95, kind: "scores"), .refreshes(.p50),
      .refreshes(kind: "scores", during: "match"), .lateness(.p99), .budgetExhaustions(kind: "scores"),
      .requests(kind: "scores"), .requests(cause: .policy), .failures(endpoint: "scores"), .peak(over: .second),
      .serverPeak(endpoint: "scores"), .peak(during: "match"), .energy(),
    ]
    for key in keys { #expect(day.figure(key) != nil, "\(key)") }
  }

  /// Results do not depend on the number of threads.
  @Test func threadsDoNotChangeFigures() throws {
    let scenario = try Scenario(contentsOf: Sample.path(of: "match-day"))
    let one = try Simulation(scenario).run(devices: 200, seed: 4, threads: 1, variesAssumptions: false)
    let three = try Simulation(scenario).run(devices: 200, seed: 4, threads: 3, variesAssumptions: false)
    #expect(one.figures.map(\.description) == three.figures.map(\.description))
    #expect(one.load().rates == three.load().rates)
    #expect(one.device(5) == three.device(5))
  }
}
