import SimulationKernel
import Testing

@Suite struct CountHistogramTests {
  /// The values 1, 1, 2, 4, 4, 4.
  let histogram = CountHistogram(counts: [0, 2, 1, 0, 3])

  @Test func totals() {
    #expect(histogram.total == 6)
    #expect(histogram.sum == 16)
    #expect(histogram.mean == 16.0 / 6)
    #expect(histogram.maximum == 4)
  }

  /// The type 7 quantile at p is at rank 5 p.
  @Test(arguments: [(0.0, 1.0), (0.2, 1), (0.3, 1.5), (0.4, 2), (0.5, 3), (0.6, 4), (1, 4)])
  func quantiles(probability: Double, expected: Double) throws {
    #expect(abs(try #require(histogram.quantile(probability)) - expected) < 1e-12)
  }

  @Test func nothingRecorded() {
    for empty in [CountHistogram(), CountHistogram(counts: [0, 0])] {
      #expect(empty.mean == nil)
      #expect(empty.quantile(0.5) == nil)
      #expect(empty.maximum == nil)
    }
  }
}

@Suite struct SpanHistogramTests {
  /// Bins are adjacent without gaps or overlaps, and include both of their ends.
  @Test func binsTileTheAxis() {
    var end = TimeAmount.zero
    for bin in 0..<SpanHistogram.binCount {
      let (from, width) = SpanHistogram.edges(ofBin: bin)
      #expect(from == end)
      #expect(SpanHistogram.bin(of: from) == bin)
      #expect(SpanHistogram.bin(of: from + width - .milliseconds(1)) == bin)
      #expect(width == .milliseconds(1) || width.milliseconds * 512 <= from.milliseconds)
      end = from + width
    }
    #expect(end == .milliseconds(1 << 36))
  }

  @Test(
    arguments: [
      (-1, 0), (0, 0), (1, 1), (1_023, 1_023), (1_024, 1_024), (1_025, 1_024), (1_026, 1_025), (2_047, 1_535),
      (2_048, 1_536), (1 << 36, 14_335), (1 << 60, 14_335),
    ] as [(Int64, Int)])
  func bins(milliseconds: Int64, expected: Int) {
    #expect(SpanHistogram.bin(of: .milliseconds(milliseconds)) == expected)
  }

  /// The quantiles of 100, 200, 300 and 400 ms are exact: type 7 at rank 3 p.
  @Test(arguments: [(0.0, 0.1), (0.25, 0.175), (0.5, 0.25), (0.9, 0.37), (1, 0.4)])
  func quantiles(probability: Double, expected: Double) throws {
    var histogram = SpanHistogram()
    for span in [400, 100, 300, 200] as [Int64] { histogram.record(.milliseconds(span)) }
    #expect(abs(try #require(histogram.quantileSeconds(probability)) - expected) < 1e-12)
    #expect(histogram.meanSeconds == 0.25)
  }

  /// Long durations are accurate to a bin, which is 0.2 %, and stay in order.
  @Test func longSpans() throws {
    var histogram = SpanHistogram()
    for minute in 1...999 as ClosedRange<Int64> { histogram.record(.minutes(minute)) }
    var last = 0.0
    for probability in stride(from: 0.0, through: 1, by: 0.125) {
      let expected = (1 + 998 * probability) * 60
      let found = try #require(histogram.quantileSeconds(probability))
      #expect(abs(found / expected - 1) < 1.0 / 512)
      #expect(found > last)
      last = found
    }
    #expect(histogram.meanSeconds == 30_000)
  }

  @Test func nothingRecorded() {
    #expect(SpanHistogram().meanSeconds == nil)
    #expect(SpanHistogram().quantileSeconds(0.5) == nil)
  }
}

@Suite struct ShareHistogramTests {
  /// If all phones have the same value, it is every quantile, to the 0.2 % of a bin's width, be it small on Wi-Fi or
  /// large.
  @Test(arguments: [7, 12_966, 845_000, 31_000_000, 1_200_000_000] as [Int64])
  func equalShares(billionths: Int64) throws {
    var counts = Array(repeating: Int64(0), count: ShareHistogram.binCount)
    counts[ShareHistogram.bin(ofBillionths: billionths)] = 1_000
    let share = Double(billionths) / 1e9
    for probability in [0, 0.5, 0.95, 1] {
      let quantile = try #require(ShareHistogram(counts: counts).quantile(probability))
      #expect(abs(quantile / share - 1) <= 1.0 / 512, "\(probability)")
    }
  }
}

extension SpanHistogram {
  fileprivate mutating func record(_ span: TimeAmount) {
    counts[Self.bin(of: span)] += 1
    sumMilliseconds += Int128(span.milliseconds)
  }
}
