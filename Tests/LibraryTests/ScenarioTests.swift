import Testing
import WidgetFleet
import WidgetFleetFiles

/// Scenarios are the same whether they come from YAML or from Swift.
@Suite struct ScenarioTests {
  @Test func scenarioInSwiftEqualsItsFile() throws {
    let built = try Sample.hourly()
    let read = try Scenario(yaml: Sample.hourlyText)
    #expect(built.values == read.values)
    #expect(built.name == "sample")
    #expect(built.warnings.count == read.warnings.count)
  }

  @Test func typedValuesEqualTheirTexts() throws {
    var (typed, written) = (try Sample.hourly(), try Sample.hourly())
    try typed.set("kinds.k.reload.after", to: .time(.minutes(90)))
    try written.set("kinds.k.reload.after", to: "1h30min")
    try typed.set("backend.endpoints.api.capacity", to: .perSecond(50))
    try written.set("backend.endpoints.api.capacity", to: "50/s")
    try typed.set("fleet.cohorts.all.widgets.0.share", to: .share(0.5))
    try written.set("fleet.cohorts.all.widgets.0.share", to: "50%")
    try typed.set("run.replications", to: 2)
    try written.set("run.replications", to: "2")
    #expect(typed.values == written.values)
    #expect(typed.values != (try Sample.hourly()).values)
  }

  @Test func structuredValueIsSet() throws {
    var scenario = try Sample.hourly()
    try scenario.set("backend.endpoints.api.latency", to: ["p50": "40ms", "p99": "300ms"])
    let changed = Sample.hourlyText.replacing("{api: {}}", with: "{api: {latency: {p50: 40ms, p99: 300ms}}}")
    #expect(scenario.values == (try Scenario(yaml: changed)).values)
  }

  @Test func refusedValueLeavesTheScenarioUnchanged() throws {
    var scenario = try Sample.hourly()
    let error = try #require(throws: ScenarioError.self) {
      try scenario.set("kinds.k.reload.after", to: "soon")
    }
    #expect(error.problems.count == 1)
    #expect(error.description.contains("soon"))
    #expect(scenario.values == (try Sample.hourly()).values)
  }

  @Test func unknownKeyIsRefusedWithTheNearestName() throws {
    var scenario = try Sample.hourly()
    let error = try #require(throws: ScenarioError.self) { try scenario.set("kinds.k.reloads", to: "never") }
    #expect(error.description.contains("reload"))
  }

  @Test func allProblemsAreReported() throws {
    let error = try #require(throws: ScenarioError.self) {
      try Scenario(["schema": "widgetfleet/v1", "name": "x", "color": "red", "clock": ["start": "today"]])
    }
    #expect(error.problems.count > 2)
  }

  @Test func missingFileIsReportedWithItsPath() throws {
    let error = try #require(throws: ScenarioError.self) { try Scenario(contentsOf: "/nowhere/a.yaml") }
    #expect(error.description.contains("/nowhere/a.yaml"))
  }

  @Test func shippedScenariosAreRead() throws {
    for name in ["match-day", "weather-launch"] {
      #expect(try Scenario(contentsOf: Sample.path(of: name)).name == name)
    }
  }
}
