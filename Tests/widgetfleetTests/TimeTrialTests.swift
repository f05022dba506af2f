import FleetEngine
import Scenario
import ScenarioFiles
import SimulationKernel
import Testing

@testable import WidgetFleetCommand

/// The trial simulated before a run is small, whatever the scenario is.
struct TimeTrialTests {
  private static func scenario(_ clock: String, _ fleet: String = "devices: 1000", reload: String = "30min") throws
    -> Scenario
  {
    let text = """
      schema: widgetfleet/v1
      name: trial
      clock: \(clock)
      kinds: {k: {reload: {after: \(reload)}, requests: [{endpoint: api}]}}
      os: {min_spacing: 5s, budget: {model: off}}
      fleet: {\(fleet)}
      backend: {endpoints: {api: {capacity: 100/s}}}
      events: [{name: e, at: 2027-01-18T12:00:00Z, push: {type: silent, kinds: all}}]
      """
    let outcome = ScenarioReader.read(text: Array(text.utf8), fileName: "trial.yaml")
    return try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
  }

  private static let cohort = "cohorts: [{name: c, zones: {Europe/Berlin: 100%}, widgets: [{kind: k}]}]"
  private static let usual = "{start: 2027-01-18T00:00:00Z, duration: 1d}"
  private static let cohorts = (0..<300).map {
    "{name: c\($0), share: \($0 == 0 ? "70.1" : "0.1")%, zones: {Europe/Berlin: 100%}, widgets: [{kind: k}]}"
  }.joined(separator: ", ")

  /// The clock, fleet and interval of each.
  static let scenarios = [
    (usual, "devices: 1000, \(cohort)", "30min"),
    ("{start: 2027-01-18T00:00:00Z, duration: 10d}", "devices: 1000, growth_per_day: 100%, \(cohort)", "30min"),
    ("{start: 2027-01-18T00:00:00Z, duration: 365d}", "devices: 1000, \(cohort)", "5s"),
    ("{start: 2027-01-18T00:00:00Z, duration: 30d, step: 100ms}", "devices: 1000, \(cohort)", "30min"),
    ("{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 30d, duration: 1d}", "devices: 1000, \(cohort)", "10s"),
    (usual, "devices: 1000, cohorts: [\(cohorts)]", "30min"),
  ]

  /// The expected events and steps of either run, and of learning, are at most about 3 million; the trial is a scenario
  /// that can be prepared, and is no longer than what it represents.
  @Test(arguments: scenarios.indices) func timeTrialIsSmall(number: Int) throws {
    let (clock, fleet, reload) = Self.scenarios[number]
    let scenario = try Self.scenario(clock, fleet, reload: reload)
    let trial = TimeTrial(of: scenario, learningFrom: 128)
    let small = trial.scenario(trial.more)
    let span = small.clock.end - small.clock.beginning
    let perDay = PhoneEvents.perDay(of: scenario)
    let expected = perDay * span.seconds / 86_400 * Double(trial.more) + span.seconds / small.clock.step.seconds
    #expect(expected < 3_100_000, "\(expected)")
    let learned = perDay * 9 * Double(trial.phonesOfDemand * scenario.fleet.cohorts.count)
    #expect(learned <= 3_000_000 || trial.phonesOfDemand == 1)
    #expect(trial.few >= 4 && trial.few < trial.more)
    let whole = scenario.clock.end - scenario.clock.beginning
    #expect(abs(trial.stretch * span.seconds / whole.seconds - 1) < 1e-9 && trial.stretch >= 1)
    let engine = try Engine(preparing: small, zones: zoneTables(for: small))
    #expect(engine.devicesTotal == trial.more)
  }

  /// Each initial phone stands for the mean of 2^t: day by day in one-minute steps, and 1 before the start.
  @Test func growingFleetHasTheExpectedWork() throws {
    let scenario = try Self.scenario(Self.scenarios[1].0, Self.scenarios[1].1)
    let minutes = (0..<14_400).map { SteadyMath.exp(SteadyMath.log(2) * (Double($0) + 0.5) / 1_440) }
    let mean = (minutes.reduce(0, +) / 1_440 + 2) / 12
    #expect(abs(scenario.fleet.meanGrowth(over: scenario.clock) / mean - 1) < 1e-6)
    var steady = scenario
    steady.fleet.growthPerDay = nil
    #expect(steady.fleet.meanGrowth(over: steady.clock) == 1)
  }

  /// A clock ten times as long costs ten times as much, both for phones and for the fixed part.
  @Test func shortenedTrialIsScaledToTheClock() throws {
    let (clock, fleet, reload) = Self.scenarios[2]
    let trial = TimeTrial(of: try Self.scenario(clock, fleet, reload: reload), learningFrom: 128)
    #expect(trial.stretch > 10)
    let forecast = TimeForecast(few: (100, 2.1), more: (1_100, 3.1)).stretched(by: trial)
    #expect(abs(forecast.perDevice / 0.001 / trial.stretch - 1) < 1e-9)
    #expect(forecast.fixed >= 2 * trial.stretch * 0.999_999)
  }
}
