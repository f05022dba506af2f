import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel
@testable import FleetEngine

/// The cumulative share of a day's rate, compared with the integral of the intensity (MODEL.md 2.2).
@Suite struct HourProfileTests {
  private let storage = SamplerStorage()

  private func profile(_ weights: [Double]) -> HourProfile {
    let wall = WallClock(
      segments: storage.keep([ZoneTable.Segment(from: .longAgo, offset: .zero)]), startUnixMilliseconds: 0)
    return HourProfileBuilder(wall: wall, weights: HourWeights(weights: weights), storage: storage)
      .profile(days: 0...3)
  }

  /// Returns the intensity by the rule: each hour's weight at its middle, linear to the next one if neither is 0.
  private func intensity(_ weights: [Double], atMinute minute: Double) -> Double {
    let own = weights[Int(minute) / 60 % 24]
    let away = minute.truncatingRemainder(dividingBy: 60) / 60 - 0.5
    let other = weights[(Int(minute) / 60 + (away < 0 ? 23 : 1)) % 24]
    return own > 0 && other > 0 ? own + (other - own) * away.magnitude : own
  }

  @Test(
    arguments: [
      HourWeights.default.weights, HourWeights.flat.weights,
      Array(repeating: [1, 1_000_000], count: 12).flatMap { $0 },
      Array(repeating: [1e-9, 5, 0], count: 8).flatMap { $0 }, [1] + Array(repeating: 0, count: 23),
      Array(repeating: 0, count: 23) + [1], Array(repeating: [1e-300, 1], count: 12).flatMap { $0 },
    ] as [[Double]])
  func sharesAreTheIntegral(weights: [Double]) {
    let day = profile(weights).regular
    let sum = weights.reduce(0, +)
    var (passed, index) = (0.0, UInt32(0))
    for minute in 0..<1_440 {
      let from = TimeAmount.minutes(Int64(minute))
      #expect(abs(day.share(at: from) - passed) < 1e-11, "\(minute)")
      // The mean of straight lines that end at whole minutes is their value in the middle.
      let share = intensity(weights, atMinute: Double(minute) + 0.5) / sum / 60
      defer { passed += share }
      guard share > 1e-9 else { continue }
      // A third of the minute's share passes within it, at the time given by the integral.
      let time = day.time(of: passed + share / 3, from: &index)
      #expect(time >= from && time <= from + .minute, "\(minute)")
      #expect(abs(day.share(at: time) - passed - share / 3) < 2e-3 * share, "\(minute)")
    }
    #expect(abs(day.total - 1) < 1e-12 && abs(passed - 1) < 1e-12)
    withExtendedLifetime(storage) {}
  }

  /// With equal weights, time is proportional to the share, to the millisecond.
  @Test func flatHoursAreFlat() {
    let day = profile(Array(repeating: 0.3, count: 24)).regular
    var index: UInt32 = 0
    for minute in 0..<1_440 {
      let time = day.time(of: (Double(minute) + 0.5) / 1_440, from: &index)
      #expect(abs(time.milliseconds - Int64(minute) * 60_000 - 30_000) <= 1)
    }
    withExtendedLifetime(storage) {}
  }
}
