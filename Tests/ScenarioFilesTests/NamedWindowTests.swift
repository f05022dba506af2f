import Scenario
import SimulationKernel
import Testing

@testable import ScenarioFiles

/// Named windows in a file, and the goals and policies that name them.
@Suite struct NamedWindowTests {
  private static let text = Samples.minimal
    .replacing("reload: {after: 15min}", with: "reload: {after: 15min}\n    requests: [{endpoint: api}]")

  private func outcome(_ windows: String, goal: String? = nil, when: String? = nil) -> ScenarioReader.Outcome {
    var text = Self.text
    if let when { text = text.replacing("    requests:", with: "    when: [\(when)]\n    requests:") }
    let goals = goal.map { "\ngoals: [{id: a, assert: \"\($0)\"}]" } ?? ""
    return Samples.read(text + "\nwindows: " + windows + goals + "\n")
  }

  @Test func windowsHaveTimesOfAClockOrInstants() throws {
    let scenario = try #require(
      outcome(
        """
        {match: {from: "15:30", to: "17:30", zone: Europe/Berlin, days: sat-sun}, late: {from: "23:00", to: "01:00"},
         once: {from: 2027-01-18T15:30:00Z, to: 2027-01-18T17:30:00+01:00}}
        """
      ).scenario)
    #expect(scenario.windows.map(\.name) == ["match", "late", "once"])
    #expect(scenario.windows[0].time.days == [.saturday, .sunday])
    #expect(scenario.windows[1].time.zone == .local && scenario.windows[1].time.once == nil)
    #expect(scenario.windows[2].time.once.map { $0.upperBound - $0.lowerBound } == 3_600_000)
  }

  @Test func policiesAndGoalsNameWindows() throws {
    let read = outcome(
      "{match: {from: \"15:30\", to: \"17:30\"}}", goal: "stale_views{during=match} < 10%",
      when: "{window: match, reload: 5min}")
    let scenario = try #require(read.scenario, "\(read.diagnostics.humanText)")
    #expect(scenario.goals[0].figure == FigureName(.staleViews, .share, Labels().with(\.during, "match")))
    #expect(scenario.kinds[0].windows[0].name == "match")
    #expect(scenario.kinds[0].windows[0].time == scenario.windows[0].time)
  }

  @Test(arguments: [
    ("runs_per_day{during=match} <= 12/window", 12.0), ("views_per_day{during=match} > 0.5/window", 0.5),
    ("energy_per_day{during=match} < 5J", 5), ("waits_per_day{during=match} <= 0", 0),
    ("peak_rps{during=match} <= 7k/s", 7_000),
  ])
  func limitsArePerWindow(_ goal: String, _ limit: Double) throws {
    let read = outcome("{match: {from: \"15:30\", to: \"17:30\", zone: UTC}}", goal: goal)
    #expect(try #require(read.scenario?.goals.first, "\(read.diagnostics.humanText)").limit == .value(limit))
  }

  @Test(arguments: [
    ("stale_views{during=mach} < 10%", Code.unknownLabelValue, "match"),
    ("battery_percent_per_day{during=match} < 1%", .unknownLabel, "no label 'during'"),
    ("p95(runs_per_day{during=match}) < 5/window", .noSuchFigure, "no p95"),
    ("runs_per_day{during=match} < 5", .unitMissing, "5/window"),
  ])
  func mistakesInGoals(_ goal: String, _ code: Code, _ says: String) throws {
    let read = outcome("{match: {from: \"15:30\", to: \"17:30\"}}", goal: goal)
    #expect(read.diagnostics.map(\.code).contains(code), "\(read.diagnostics.humanText)")
    #expect(read.diagnostics.humanText.contains(says), "\(read.diagnostics.humanText)")
  }

  @Test(arguments: [
    ("{match: {from: \"15:30\", to: \"15:30\"}}", Code.wrongOrder),
    ("{match: {from: 2027-01-18T15:30:00Z, to: \"15:30\"}}", .wrongShape),
    ("{match: {from: 2027-01-18T15:30:00Z, to: 2027-01-18T15:00:00Z}}", .wrongOrder),
    ("{match: {from: 2027-01-18T15:30:00Z, to: 2027-01-18T16:00:00Z, zone: UTC}}", .conflictingKeys),
    ("{match: {from: \"15:30\", at: 3}}", .unknownKey),
  ])
  func mistakesInWindows(_ windows: String, _ code: Code) {
    let read = outcome(windows)
    #expect(read.diagnostics.map(\.code).contains(code), "\(read.diagnostics.humanText)")
  }

  @Test(arguments: [
    ("{window: mach, reload: 5min}", Code.unknownName),
    ("{window: match, from: \"10:00\", reload: 5min}", .conflictingKeys),
  ])
  func mistakesInPolicies(_ when: String, _ code: Code) {
    let read = outcome("{match: {from: \"15:30\", to: \"17:30\"}}", when: when)
    #expect(read.diagnostics.map(\.code) == [code], "\(read.diagnostics.humanText)")
  }

  /// A load has one time for all phones, which a local window does not have in two zones.
  @Test func loadsNeedASharedWindow() throws {
    let two = Self.text.replacing("{Europe/Berlin: 100%}", with: "{Europe/Berlin: 50%, Asia/Tokyo: 50%}")
    try #require(two != Self.text)
    let goal = "\ngoals: [{id: a, assert: \"peak_rps{during=match} <= 7k/s\"}]\n"
    let local = Samples.read(two + "\nwindows: {match: {to: \"17:30\"}}" + goal)
    #expect(local.diagnostics.map(\.code) == [.noSuchFigure], "\(local.diagnostics.humanText)")
    let shared = Samples.read(two + "\nwindows: {match: {to: \"17:30\", zone: UTC}}" + goal)
    #expect(shared.scenario?.goals.count == 1, "\(shared.diagnostics.humanText)")
  }
}
