import Testing

@testable import RequestStatistics

struct CountedLoadTests {
  private static let hour: Int64 = 3_600_000

  @Test func missingStepsGetTheMeanOfOtherDays() throws {
    let bins = (0..<72).filter { $0 != 30 }.map { (time: Int64($0) * Self.hour, count: Int64($0 % 24)) }
    let load = try #require(CountedLoad(bins.shuffled(), step: Self.hour))
    #expect(load.counts == (0..<72).map { Double($0 % 24) })
    #expect(load.missing == [30 * Self.hour..<31 * Self.hour])
  }

  @Test func simultaneousBinsAreSummed() throws {
    let bins = (0..<48).map { (time: 30 * 60_000 + Int64($0) * Self.hour / 2, count: Int64(1)) }
    let load = try #require(CountedLoad(bins + bins, step: Self.hour / 2))
    let hours = try #require(load.counts(per: Self.hour))
    #expect(hours.start == 0)
    #expect(hours.counts.first == 2 && hours.counts.reduce(0, +) == 96)
    #expect(load.counts(per: 20 * 60_000) == nil)
  }

  @Test func invalidCountSeriesIsRefused() {
    #expect(CountedLoad([], step: Self.hour) == nil)
    #expect(CountedLoad([(0, 1)], step: Self.hour) == nil)
    #expect(CountedLoad([(0, 1), (7, 1)], step: 7) == nil)
    #expect(CountedLoad([(0, 1), (4_000_000_000_000, 1)], step: 60_000) == nil)
    // No sum of a million steps of 10^12 reaches 2^63.
    let maximum = Int64(1_000_000_000_000)
    #expect(CountedLoad([(0, maximum), (Self.hour, maximum)], step: Self.hour) != nil)
    #expect(CountedLoad([(0, maximum), (Self.hour, maximum + 1)], step: Self.hour) == nil)
    #expect(CountedLoad([(0, .max), (0, .max), (Self.hour, 1)], step: Self.hour) == nil)
  }

  /// 36 and 72 requests in two hours of the second day: 108 in total, 0.015 per second on average and 0.02 at the peak.
  @Test func ratesArePerSecond() throws {
    let bins = [(time: 25 * Self.hour, count: Int64(36)), (26 * Self.hour, 72)]
    let load = try #require(CountedLoad(bins, step: Self.hour))
    #expect(load.total == 108 && load.stepSeconds == 3_600 && load.firstDay == 86_400_000)
    #expect(abs(load.meanRate - 0.015) < 1e-12 && abs(load.peakRate - 0.02) < 1e-12)
  }
}
