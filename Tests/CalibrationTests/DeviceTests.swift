import RequestStatistics
import Testing

@testable import Calibration

@Suite struct DeviceTests {
  private func history(_ days: [[Int]], of span: Int = 7, share: Double = 1) -> WakeHistory {
    var history = WakeHistory(span: 0..<Int64(span) * 86_400_000, share: share)
    for (phone, own) in days.enumerated() {
      history.append(UInt64(phone + 1), own.map { WakeHistory.Wake(time: Int64($0) * 86_400_000 + 5) })
    }
    return history
  }

  @Test func dailyPhonesAreCountedExactly() {
    let devices = DeviceEvidence(history(Array(repeating: Array(0..<7), count: 50)))
    #expect(devices.devices == Estimate(50, low: 50, high: 50, verdict: .identified, count: 50))
    #expect(devices.byDay == Array(repeating: 50, count: 7) && devices.byDaysSeen.last == 50)
  }

  /// 6/7 of 4 x 3 / (2 x 3) phones existed without being seen: four were seen once, two twice.
  @Test func chaoBoundMatchesHandCalculation() throws {
    let once = [[0], [2], [4], [6]]
    let twice = [[0, 3], [1, 5]]
    let daily = Array(repeating: Array(0..<7), count: 4)
    let value = try #require(DeviceEvidence(history(once + twice + daily)).devices.value)
    #expect(abs(value - 10 - 12.0 / 7) < 1e-12)
  }

  @Test func sampledDevicesAreScaledUp() throws {
    let devices = DeviceEvidence(history(Array(repeating: Array(0..<7), count: 100), share: 0.25)).devices
    #expect(devices.value == 400)
    // 100 of 400, sampled with probability 1/4: the error of the count is sqrt(75), that of the fleet four times as
    // much.
    let half = try #require(devices.high) - 400
    #expect(abs(half - 1.96 * 4 * 75.0.squareRoot()) < 1e-9)
  }

  @Test func singleDayGivesALowerBound() {
    let devices = DeviceEvidence(history([[0], [0]], of: 1)).devices
    #expect(devices.verdict == .oneSided && devices.low == 2 && devices.high == nil)
  }

  /// The number of phones per day is 100 x 1.1^day.
  @Test func growthIsTheDailyTrend() throws {
    let days = (0..<7).flatMap { day in
      let counts = [100, 110, 121, 133, 146, 161, 177]
      return Array(repeating: [day], count: counts[day])
    }
    let growth = DeviceEvidence(history(days)).growth
    #expect(abs(try #require(growth.value) - 0.0953) < 0.001)
  }

  @Test(arguments: [0, 1]) func fewGapsGiveNoInterval(phones: Int) {
    let history = history(Array(repeating: [3], count: phones))
    #expect(KindEstimates(history).interval.verdict == .notFromThisLog)
  }
}
