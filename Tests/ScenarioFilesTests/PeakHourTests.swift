import Scenario
import SimulationKernel
import Testing

@testable import ScenarioFiles

/// The `peak` key instead of hours: the default weights, shifted (MODEL.md 2.2).
@Suite struct PeakHourTests {
  private static func read(_ person: String) -> ScenarioReader.Outcome {
    Samples.read(Samples.minimal.replacing("{unlocks_per_day: 0}", with: "{\(person)}"))
  }

  /// The hour given gets the largest weight, and all others keep their distance from it.
  @Test(arguments: [("20:00", 20), ("20:30", 20), ("07:59", 7), ("18:00", 18), ("00:00", 0), ("24:00", 0)])
  func defaultHoursAreShiftedToThePeak(time: String, hour: Int) throws {
    let scenario = try #require(Self.read("peak: \"\(time)\"").scenario)
    let (turned, usual) = (scenario.fleet.cohorts[0].person.hours.weights, HourWeights.default.weights)
    #expect(turned[hour] == usual.max() && turned.count == 24)
    for other in 0..<24 { #expect(turned[(hour + other) % 24] == usual[(18 + other) % 24]) }
    #expect(Samples.read(scenario.resolvedText).scenario == scenario)
  }

  @Test func baseLoadsAcceptAPeakHour() throws {
    let text =
      Samples.minimal.replacing("{after: 15min}", with: "{after: 15min}\n    requests: [{endpoint: api}]")
      + "backend: {endpoints: {api: {base_load: {rate: 5/s, peak: \"20:00\", zone: UTC}}}}\n"
    let load = try #require(Samples.read(text).scenario?.endpoints[0].baseLoad)
    #expect(load.hours == HourWeights.default.turned(toPeakAt: TimeOfDay(sinceMidnight: .hours(20))))
  }

  @Test func hoursAndPeakAreExclusive() {
    let both = Self.read("peak: \"20:00\", hours: flat")
    #expect(both.scenario == nil && both.diagnostics.humanText.contains("'hours' cannot be combined with 'peak'"))
    #expect(Self.read("peak: \"25:00\"").scenario == nil)
  }
}
