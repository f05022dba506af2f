import Scenario
import Testing

@testable import ScenarioFiles

/// Goals, value by value, in a scenario with an endpoint.
@Suite struct GoalTests {
  private static let text = Samples.minimal
    .replacing("reload: {after: 15min}", with: "reload: {after: 15min}\n    requests: [{endpoint: api}]")
    .replacing("clock: {", with: "clock: {step: 10s, ")

  private func goal(_ assertion: String) throws -> Goal {
    let quoted = assertion.replacing("\"", with: "\\\"")
    let outcome = Samples.read(Self.text, set: "goals=[{id: a, assert: \"\(quoted)\"}]")
    return try #require(outcome.scenario?.goals.first, "\(outcome.diagnostics.humanText)")
  }

  @Test(arguments: [
    ("mean_rps <= 7k/s", 7_000), ("peak_rps <= 120/min", 2), ("peak_rps <= 80% of 7k/s", 5_600),
    ("runs_per_day <= 40/day", 40), ("runs_per_day<=2/h", 48), ("lateness <= 2min30s", 150),
    ("recovery_time <= 90s", 90), ("overload_seconds == 0s", 0), ("stale_views < 2%", 0.02),
    ("stale_views < 0.0000000000000000100000001%", 1.000_000_01e-19), ("herd < 12.5%", 0.125),
    ("requests <= 2.5M", 2_500_000), ("failures == 0", 0), ("bytes_down <= 3MB", 3_000_000),
    ("bytes_up <= 2KiB", 2_048), ("peak_to_mean <= 3.5", 3.5), ("budget_exhausted_hour >= 21:30", 21.5),
    ("budget_exhausted_hour >= 21h", 21), ("energy_per_day <= 5J", 5), ("energy_per_day <= 250mJ", 0.25),
    ("energy_per_day <= 1.5kJ", 1_500), ("p95(battery_percent_per_day) <= 0.5%", 0.5), ("views_per_day > 0/day", 0),
    ("share(requests{cause=tap}) < 30%", 0.3),
  ])
  func limits(_ assertion: String, _ limit: Double) throws { #expect(try goal(assertion).limit == .value(limit)) }

  @Test(arguments: [
    ("lateness", Statistic.mean), ("p95(lateness)", .p95), ("p99 ( data_age ) ", .p99), ("max(runs_per_day)", .max),
    ("recovery_time", .mean), ("max(recovery_time)", .max),
  ])
  func statistics(_ figure: String, _ statistic: Statistic) throws {
    let limit = figure.contains("runs") ? "1/day" : "1s"
    #expect(try goal("\(figure) <= \(limit)").figure.statistic == statistic)
  }

  @Test(arguments: Metric.allCases)
  func everyMetricHasAStatisticUnlessNamed(_ metric: Metric) throws {
    let goal = try goal("\(metric.rawValue) <= 50% of \(metric.rawValue)")
    #expect(goal.figure.statistic == metric.statistics.first)
    #expect(goal.limit == .multiple(0.5, of: goal.figure))
  }

  @Test(arguments: Comparison.allCases)
  func comparisons(_ comparison: Comparison) throws {
    #expect(try goal("lateness \(comparison.rawValue) 1s").comparison == comparison)
    #expect(try goal("lateness\(comparison.rawValue)1s").comparison == comparison)
  }

  @Test func labels() throws {
    let labels = Labels().with(\.kind, "weather").with(\.endpoint, "api").with(\.reason, "timeout")
    #expect(try goal("failures{kind=weather, endpoint=\"api\" ,reason = timeout} == 0").figure.labels == labels)
    #expect(try goal("lateness{} < 1s").figure.labels == Labels())
  }

  /// The metric counts from an event's start, which pushes at each phone's own times do not have.
  @Test func eventsWithAStart() throws {
    let text =
      Self.text + """
        events:
          - {name: goal, at: 2027-01-18T10:00:00Z, push: {type: silent, kinds: all}}
          - {name: parcel, push: {type: silent, kinds: all, per_device_per_day: 1}}
          - {name: storm, at: 2027-01-18T10:00:00Z, outage: {endpoint: api, for: 1min}}

        """
    func read(_ event: String, of metric: String = "p90(event_to_view{event=E})") -> ScenarioReader.Outcome {
      Samples.read(
        text, set: "goals=[{id: a, assert: \"\(metric.replacing("E", with: event)) <= 45min\"}]")
    }
    let goal = try #require(read("goal").scenario?.goals.first)
    #expect(goal.figure == FigureName(.eventToView, .p90, Labels().with(\.event, "goal")))
    #expect(goal.limit == .value(2_700))
    for event in ["parcel", "storm", "other"] {
      #expect(read(event).diagnostics.humanText.contains("there is no event '\(event)'"))
    }
    #expect(read("storm", of: "recovery_time{event=E}").scenario != nil)
  }

  /// The default is the shortest window that the step allows; lengths may be written in other ways.
  @Test func windows() throws {
    #expect(try goal("peak_rps <= 7k/s").figure.labels.window == "10s")
    #expect(try goal("peak_rps{window=60s} <= 7k/s").figure.labels.window == "1min")
    #expect(try goal("herd{period=1h} <= 20%").figure.labels.period == "60min")
  }

  @Test func references() throws {
    let mean = FigureName(.meanRPS, .mean, Labels().with(\.endpoint, "api").with(\.window, "10s"))
    #expect(try goal("peak_rps{endpoint=api} <= 150% of mean_rps{endpoint=api}").limit == .multiple(1.5, of: mean))
    #expect(try goal("peak_rps > mean_rps{endpoint=api}").limit == .multiple(1, of: mean))
  }

  /// A scenario whose endpoint has a capacity; `other` has none.
  private func limited(_ assertion: String, _ endpoint: String = "capacity: 300/s") -> ScenarioReader.Outcome {
    let text = Self.text + "backend: {endpoints: {api: {\(endpoint)}, other: {}}}\n"
    return Samples.read(text, set: "goals=[{id: a, assert: \"\(assertion)\"}]")
  }

  /// 80 % of 300/s is 240/s, that of an autoscaler with a max of 1 000/s 800/s.
  @Test func limitsAreSharesOfTheCapacity() throws {
    func limit(_ text: String, _ endpoint: String = "capacity: 300/s") throws -> Limit {
      let outcome = limited("server_peak_rps{endpoint=api} <= \(text)", endpoint)
      return try #require(outcome.scenario?.goals.first, "\(outcome.diagnostics.humanText)").limit
    }
    #expect(try limit("80% of capacity") == .share(0.8, ofCapacity: 300))
    #expect(try limit("80% of capacity").number == 240)
    #expect(try limit("capacity").number == 300)
    let scale = "capacity: 300/s, autoscale: {target: 60%, delay: 2min, step: 20%, min: 100/s, max: 1k/s}"
    #expect(try limit("80% of capacity", scale).number == 800)
  }

  /// Other ways to write it have the valid one as help, without a capacity a rate or the key.
  @Test(arguments: [
    ("server_peak_rps{endpoint=api} <= 80%", "write 80% of capacity"),
    ("server_peak_rps{endpoint=api} <= 0.75 * capacity", "write 75% of capacity"),
    ("server_peak_rps{endpoint=api} <= 0.07 of capacity", "write 7% of capacity"),
    ("server_peak_rps{endpoint=api} <= 80 % of capacity", "write 80% of capacity"),
    ("server_peak_rps{endpoint=other} <= 80%", "write 80% of 7k/s"),
    ("server_peak_rps{endpoint=other} <= 80% of capacity", "write backend.endpoints.other.capacity: 300/s"),
    ("server_peak_rps <= 80% of capacity", "give the metric an endpoint, such as {endpoint=api}"),
    ("lateness <= 80% of capacity", "write it like 15min"),
  ])
  func otherSharesOfACapacityAreRefused(_ assertion: String, _ help: String) {
    let text = limited(assertion).diagnostics.humanText
    #expect(text.contains("= help: " + help), "\(text)")
  }

  @Test func severityAndText() throws {
    let setting = "goals=[{id: a, assert: ' lateness<1s ', severity: warning}, {id: b, assert: lateness<1s}]"
    let goals = try #require(Samples.read(Self.text, set: setting).scenario).goals
    #expect(goals.map(\.severity) == [.warning, .error])
    #expect(goals.map(\.id) == ["a", "b"])
    #expect(goals.map(\.text) == [" lateness<1s ", "lateness<1s"])
  }

  @Test func goalsReadBackTheSame() throws {
    let setting = #"goals=[{id: "a\"b", assert: "stale_views{kind=\"weather\"} <= 2%", severity: warning}]"#
    let scenario = try #require(Samples.read(Self.text, set: setting).scenario)
    #expect(Samples.read(scenario.resolvedText).scenario == scenario)
  }

  /// The undocumented constants given in the file are found, and the resolved text has no others.
  @Test func givenConstants() throws {
    let none = try #require(Samples.read(Samples.minimal).scenario)
    #expect(none.givenConstants.isEmpty)
    #expect(Samples.read(none.resolvedText).scenario == none)
    let two = try #require(
      Samples.read(Samples.minimal, set: "os={budget: {cap: 50}, start_delay: {policy: 0s}}").scenario)
    #expect(two.givenConstants == [.budgetCap, .policyDelay])
    #expect(Samples.read(two.resolvedText).scenario == two)
  }
}
