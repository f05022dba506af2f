import Scenario
import SimulationKernel
import Testing

@testable import ScenarioFiles

/// A text and the reason for which it should be refused.
struct Sad: Sendable, CustomTestStringConvertible {
  var text: String
  var code: Code
  var testDescription: String { text }

  init(_ text: String, _ code: Code) { (self.text, self.code) = (text, code) }

  /// Returns the code for which `parse` refuses the text.
  func refusal<Value>(_ parse: (String) throws(ValueProblem) -> Value) -> Code? {
    do { _ = try parse(text) } catch { return error.code }
    return nil
  }
}

@Suite struct QuantityTests {
  @Test(arguments: [
    ("500ms", 500), ("30s", 30_000), ("15min", 900_000), ("2h30min", 9_000_000), ("7d", 604_800_000), ("0s", 0),
    ("0", 0),
    ("1.5h", 5_400_000), ("0.5s", 500), ("1d2h3min4s5ms", 93_784_005), ("1_000s", 1_000_000), ("0.001s", 1),
    ("15minutes", 900_000), ("2 hours", 7_200_000), ("1 week", 604_800_000), ("2 hours 30 minutes", 9_000_000),
    ("1 day", 86_400_000), ("3 days", 259_200_000), ("90 sec", 90_000), ("2h 30min", 9_000_000),
  ]) func durations(_ text: String, _ milliseconds: Int64) throws {
    #expect(try Quantities.duration(text) == .milliseconds(milliseconds))
    let canonical = QuantityText.duration(.milliseconds(milliseconds))
    #expect(try Quantities.duration(canonical) == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    Sad("15", .unitMissing), Sad("0.0", .unitMissing), Sad("15m", .unitUnknown), Sad("15 m", .unitUnknown),
    Sad("-5s", .outOfRange), Sad("soon", .unreadable), Sad("", .missingValue), Sad("1:30", .ambiguousNumber),
    Sad("010s", .ambiguousNumber), Sad("0x10s", .unitUnknown), Sad(".inf", .ambiguousNumber),
    Sad("NaN", .ambiguousNumber), Sad("0.1ms", .notExact), Sad("1s1s", .unreadable), Sad("1s2min", .unreadable),
    Sad("99999999999999999999d", .outOfRange), Sad("10001d", .outOfRange), Sad("1..2s", .unreadable),
    Sad("1_s", .unreadable), Sad("_1s", .unreadable), Sad("1.s", .unreadable), Sad("5min!", .unitUnknown),
    Sad("1y", .unitUnknown), Sad("30min 2h", .unreadable), Sad("2 Hours", .unitUnknown), Sad("٣s", .unreadable),
    Sad("1e3s", .unitUnknown), Sad("+5s", .unreadable),
  ]) func invalidDurations(_ row: Sad) {
    #expect(row.refusal { text throws(ValueProblem) in try Quantities.duration(text) } == row.code)
  }

  @Test(arguments: [
    ("5%", 0.05), ("0%", 0), ("0", 0), ("100%", 1), ("33.3%", 0.333), ("0.001%", 0.00001), ("12.5%", 0.125),
    ("5 %", 0.05),
    ("1_0%", 0.1),
  ]) func shares(_ text: String, _ fraction: Double) throws {
    let share = try Quantities.share(text)
    #expect(share.fraction == fraction)
    #expect(try Quantities.share(QuantityText.share(share)) == share)
  }

  @Test(arguments: [
    Sad("0.05", .unitMissing), Sad("5", .unitMissing), Sad("101%", .outOfRange), Sad("100.000000001%", .outOfRange),
    Sad("-1%", .outOfRange), Sad("%", .missingValue), Sad("5 percent", .unitUnknown), Sad("05%", .ambiguousNumber),
    Sad("nan%", .ambiguousNumber), Sad("half", .unreadable), Sad("1e1%", .unreadable),
  ]) func invalidShares(_ row: Sad) {
    #expect(row.refusal { text throws(ValueProblem) in try Quantities.share(text) } == row.code)
  }

  @Test(arguments: [
    ("2.5M", 2_500_000), ("250k", 250_000), ("7_000", 7_000), ("0", 0), ("1G", 1_000_000_000), ("3 million", 3_000_000),
    ("2.5 M", 2_500_000), ("250 thousand", 250_000),
    ("0.001k", 1), ("3 000", 3_000), ("12\u{202F}345\u{202F}678", 12_345_678), ("1\u{A0}500k", 1_500_000),
    ("2 500.5k", 2_500_500),
  ]) func counts(_ text: String, _ count: Int64) throws { #expect(try Quantities.count(text) == count) }

  @Test(arguments: [
    Sad("2.5", .notExact), Sad("10^20", .unreadable), Sad("1m", .unitUnknown), Sad("1e6", .unreadable),
    Sad("010", .ambiguousNumber), Sad("-1", .outOfRange), Sad("100000000000000000000", .outOfRange),
    Sad("1:30", .ambiguousNumber), Sad("many", .unreadable), Sad("999999999999G", .outOfRange),
    Sad("1,000", .unreadable), Sad("5 K", .unitUnknown), Sad("1 00", .unreadable), Sad("1000 000", .unreadable),
    Sad("0 000", .unreadable), Sad("1  000", .unreadable),
  ]) func invalidCounts(_ row: Sad) {
    #expect(row.refusal { text throws(ValueProblem) in try Quantities.count(text) } == row.code)
  }

  @Test(arguments: [
    ("500B", 500), ("12kB", 12_000), ("3MB", 3_000_000), ("12KiB", 12_288), ("1.5MiB", 1_572_864), ("0B", 0), ("0", 0),
    ("20 kB", 20_000), ("512 bytes", 512), ("2GB", 2_000_000_000), ("1KiB", 1_024), ("1MiB", 1_048_576),
    ("1GiB", 1_073_741_824),
  ]) func sizes(_ text: String, _ bytes: Int64) throws {
    let size = try Quantities.size(text)
    #expect(size.bytes == bytes)
    #expect(try Quantities.size(QuantityText.size(size)) == size)
  }

  /// A size is written in the largest unit that gives a whole number.
  @Test(arguments: [
    (Int64(0), "0B"), (1, "1B"), (999, "999B"), (1_000, "1kB"), (1_001, "1001B"), (20_000, "20kB"),
    (1_000_000, "1MB"), (1_000_001, "1000001B"), (1_500_000, "1500kB"), (3_000_000_000, "3GB"),
  ]) func sizesHaveTheLargestWholeUnit(_ bytes: Int64, _ text: String) {
    #expect(QuantityText.size(ByteCount(bytes: bytes)) == text)
  }

  @Test(arguments: [
    Sad("20", .unitMissing), Sad("20KB", .unitUnknown), Sad("0.5B", .notExact), Sad("-1B", .outOfRange),
    Sad("1kb", .unitUnknown), Sad("big", .unreadable),
  ]) func invalidSizes(_ row: Sad) {
    #expect(row.refusal { text throws(ValueProblem) in try Quantities.size(text) } == row.code)
  }

  @Test(arguments: [
    ("50/day", 50_000_000), ("7k/s", 604_800_000_000_000), ("120/min", 172_800_000_000), ("0.5/h", 12_000_000),
    ("0/s", 0), ("0", 0), ("70.5/day", 70_500_000),
    ("2500rps", 216_000_000_000_000), ("2.5k rps", 216_000_000_000_000), ("2500 req/s", 216_000_000_000_000),
    ("2500 requests per second", 216_000_000_000_000), ("900 qps", 77_760_000_000_000), ("60 rpm", 86_400_000_000),
    ("3 million requests/day", 3_000_000_000_000), ("50 / day", 50_000_000), ("50 per day", 50_000_000),
  ]) func rates(_ text: String, _ millionths: Int64) throws {
    let rate = try Quantities.rate(text)
    #expect(rate.count == millionths)
    #expect(try Quantities.rate(QuantityText.perDay(rate)) == rate)
  }

  @Test(arguments: [
    Sad("50", .unitMissing), Sad("50/week", .unitUnknown), Sad("/s", .unreadable), Sad("-1/s", .outOfRange),
    Sad("0.0000001/day", .notExact), Sad("99999999999M/s", .outOfRange), Sad("50 rpss", .unitUnknown),
    Sad("5 m/s", .unitUnknown),
    Sad("5 /s/s", .unitUnknown), Sad("5k", .unitMissing), Sad("3 million", .unitMissing),
  ]) func invalidRates(_ row: Sad) {
    #expect(row.refusal { text throws(ValueProblem) in try Quantities.rate(text) } == row.code)
  }
}
