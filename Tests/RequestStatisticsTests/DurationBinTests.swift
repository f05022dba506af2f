import Testing

@testable import RequestStatistics

struct DurationBinTests {
  /// The quantiles of the durations 1, 2, ..., n ms are within a bin's width, 1/16, of n p.
  @Test(arguments: [100, 1_000, 60_000])
  func quantilesAreWithinABin(_ maximum: Int32) throws {
    var bins = DurationBins()
    for span in 1...maximum { bins.add(span) }
    for probability in [0.05, 0.5, 0.9, 0.99] {
      let expected = probability * Double(maximum)
      let value = try #require(bins.quantile(probability))
      #expect(abs(value - expected) <= expected / 16 + 1)
    }
    #expect(bins.total == Int64(maximum))
  }

  @Test func emptyBinsHaveNoQuantile() { #expect(DurationBins().quantile(0.5) == nil) }
}
