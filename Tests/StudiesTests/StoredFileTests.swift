import Scenario
import SimulationKernel
import Testing

@testable import Studies

/// The bytes of stored results: values that were written are read back, and anything else is refused.
struct StoredFileTests {
  private func read<Value: Stored>(_ bytes: [UInt8], like blank: Value) throws -> Value {
    var (file, value) = (StoredFields(bytes), blank)
    file.field(&value)
    try file.end()
    return value
  }

  private func bytes<Value: Stored>(of value: Value) -> [UInt8] {
    var (file, value) = (StoredFields(), value)
    file.field(&value)
    return file.bytes
  }

  @Test func storedNumbersRoundTripExactly() throws {
    let whole = [0, 1, -1, 63, 64, -64, -65, 127, 128, 1 << 31, 1 << 62, -1 << 62].map { Int64($0) }
    #expect(try read(bytes(of: whole), like: []) == whole)
    let real = [0, -0.0, 1, -1, 0.1, 1.0 / 3, 1e-300, 1e30, -1e30, 9_007_199_254_740_991, 9_007_199_254_740_992]
    #expect(try read(bytes(of: real), like: [Double]()).map(\.bitPattern) == real.map(\.bitPattern))
    // A small whole number takes one byte, after eight for the length and one for the count.
    #expect(bytes(of: [5.0]).count == 10 && bytes(of: [0.5]).count == 18)
  }

  @Test(arguments: ["plain", "", "two\nlines", "\0", "日本"]) func storedTextRoundTrips(_ text: String) throws {
    let values: [String?] = [text, nil, text]
    #expect(try read(bytes(of: values), like: []) == values)
  }

  @Test func storedFiguresRoundTrip() throws {
    let maximum = Int128(1) << 99
    let quantities: [Quantity?] = [.whole(0), .whole(-7), .whole(maximum), .real(0.1), .real(3), nil]
    #expect(try read(bytes(of: quantities), like: []) == quantities)
    var row = SummaryRow(.dataAge, Labels().with(\.kind, "k"), .p99, replications: [.whole(1), nil])
    (row.prompt, row.lazy) = (.real(0.5), .whole(2))
    row.busiest = [.start..<Instant(millisecondsSinceStart: 60_000)]
    row.bounds = [Interval(low: 0.5, high: 2), nil]
    #expect(try read(bytes(of: Summary(rows: [row])), like: Summary(rows: [])) == Summary(rows: [row]))
  }

  /// Values that no run writes are refused: numbers out of bounds, lists longer than the file, unknown words.
  @Test func impossibleStoredFieldsAreRefused() {
    let maximum = Int64(1) << 62
    #expect(throws: StoredFileError.self) { try read(bytes(of: maximum + 1), like: 0 as Int64) }
    #expect(throws: StoredFileError.self) { try read(bytes(of: Double.nan), like: 0.0) }
    #expect(throws: StoredFileError.self) { try read(bytes(of: Double.infinity), like: 0.0) }
    #expect(throws: StoredFileError.self) { try read(bytes(of: 1e31), like: 0.0) }
    #expect(throws: StoredFileError.self) { try read(bytes(of: Int64(2)), like: false) }
    #expect(throws: StoredFileError.self) { try read(bytes(of: "luck"), like: Metric.runs) }
    #expect(throws: StoredFileError.self) { try read(bytes(of: Int64(1) << 40), like: [Int64]()) }
    #expect(throws: StoredFileError.self) { try read(bytes(of: [maximum, maximum]), like: CountHistogram()) }
    #expect(throws: StoredFileError.self) { try read(bytes(of: [Int64(-1)]), like: CountHistogram()) }
  }

  /// Missing bytes are noticed wherever they are.
  @Test func cutBytesAreRefused() throws {
    let whole = bytes(of: [Quantity.real(0.1), .whole(7)])
    _ = try read(whole, like: [Quantity]())
    for count in whole.indices {
      #expect(throws: StoredFileError.self) { try read(Array(whole.prefix(count)), like: [Quantity]()) }
    }
    #expect(throws: StoredFileError.self) { try read(whole + [0], like: [Quantity]()) }
  }

  @Test func spanBinsFollowTheHistogram() {
    var histogram = SpanHistogram()
    for second in 1...1_000 { histogram.record(.seconds(Int64(second))) }
    let bins = SpanBins(histogram)
    #expect(bins.total == 1_000 && bins.bins.allSatisfy { $0.count > 0 })
    for probability in [0.01, 0.25, 0.5, 0.99] {
      let exact = histogram.quantileSeconds(probability) ?? 0
      let coarse = bins.quantileSeconds(probability) ?? 0
      // A bin is at most 1/32 of its lower edge wide.
      #expect((coarse - exact).magnitude <= exact / 32 + 1)
    }
    let shares = bins.shares(upTo: [0.5, 500, 2_000])
    #expect(shares[0] == 0 && shares[2] == 1 && (shares[1] - 0.5).magnitude < 0.02)
    var twice = bins
    twice += bins
    #expect(twice.total == 2_000 && twice.bins.map(\.from) == bins.bins.map(\.from))
  }
}
