import Scenario
import SimulationKernel
import Testing

/// The night in hour weights, outside of which budgets accrue (MODEL.md 4.7).
struct NightHourTests {
  @Test func usualNightBeginsAt23() {
    #expect(HourWeights.default.nightHour == 23 && HourWeights.flat.nightHour == 23)
  }

  /// Weights turned by some hours turn the night; two nights are equal, so that the one from 23:00 on is taken.
  @Test(arguments: 0..<24) func nightFollowsThePeak(_ hour: Int) {
    let weights = HourWeights.default.turned(toPeakAt: TimeOfDay(sinceMidnight: .hours(Int64(hour))))
    #expect(weights.nightHour == (hour == 17 ? 23 : (hour + 5) % 24))
  }

  /// Eight empty hours are the night wherever they lie; two busy hours leave the usual night.
  @Test(arguments: 0..<24) func emptyHoursAreTheNight(_ first: Int) {
    var weights = HourWeights.flat
    for hour in 0..<8 { weights.weights[(first + hour) % 24] = 0 }
    #expect(weights.nightHour == first)
    let evening = HourWeights(weights: (0..<24).map { $0 == 18 || $0 == 19 ? 1 : 0 })
    #expect(evening.nightHour == 23)
  }
}
