import FleetEngine
import Scenario
import ScenarioFiles
import Studies
import Testing

/// Figures during named windows (MODEL.md 8.6).
@Suite struct WindowFigureTests {
  /// Returns the figures of 20 phones with a run every 15 minutes and without delays, over some days.
  private static func figures(days: Int) throws -> Summary {
    let text = """
      schema: widgetfleet/v1
      name: windows
      clock: {start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1d, duration: \(days)d, step: 10s}
      windows:
        match: {from: "15:30", to: "17:30"}
        am: {from: "00:00", to: "12:00"}
        pm: {from: "12:00", to: "24:00"}
      kinds: {news: {reload: {after: 15min}, requests: [{endpoint: api}]}}
      fleet:
        devices: 20
        cohorts: [{name: all, zones: {UTC: 100%}, person: {unlocks_per_day: 0}, network: wifi, widgets: [{kind: news}]}]
      os: {idle: none, budget: {model: off}, start_delay: {policy: 0s}}
      """
    let scenario = try #require(ScenarioReader.read(text: Array(text.utf8), fileName: "case.yaml").scenario)
    let engine = try Engine(preparing: scenario, zones: zoneTables(for: scenario))
    return Summary(of: try #require(try engine.run(threads: 1, control: RunControl())))
  }

  private static func during(_ window: String) -> Labels { Labels().with(\.during, window) }

  /// 8 runs fall into 2 hours, whatever the number of days.
  @Test(arguments: [1, 3]) func figuresPerDayAreOfOneWindow(days: Int) throws {
    let figures = try Self.figures(days: days)
    let runs = try #require(figures.row(.runsPerDay, .mean, Self.during("match")))
    #expect(runs.value?.approximate == 8 && runs.unit == "runs/window")
    #expect(figures.value(.runs, .total, Self.during("match")) == Double(8 * 20 * days))
  }

  /// The halves of the day spend the day's energy.
  @Test func energyOfTheHalvesIsThatOfTheDay() throws {
    let figures = try Self.figures(days: 1)
    let (am, pm) = (Self.during("am"), Self.during("pm"))
    #expect(figures.row(.energyPerDay, .mean, am)?.unit == "J/window")
    for (metric, labels) in [(Metric.energyPerDay, Labels()), (.energyAlonePerDay, Labels())] {
      let day = try #require(figures.value(metric, .mean, labels))
      let halves = [am, pm].compactMap { figures.value(metric, .mean, $0) }
      // Each figure is rounded to a millionth of a joule.
      #expect(halves.count == 2 && day > 0 && abs(halves[0] + halves[1] - day) < 1.6e-6)
    }
  }

  /// 160 requests in 7 200 s, in the windows of 5 minutes that lie within it.
  @Test func loadsAreThoseOfTheWindow() throws {
    let mean = try Self.figures(days: 1).value(.meanRPS, .mean, Self.during("match").with(\.window, "5min"))
    #expect(abs(try #require(mean) - 160 / 7_200) < 1e-9)
  }
}
