import Scenario
import SimulationKernel
import Testing

@testable import ScenarioFiles

@Suite struct PlainScalarTests {
  @Test(arguments: [("2.5", 2.5), ("0", 0), ("1e3", 1_000), ("1.5e-3", 0.0015), ("7_000.5", 7_000.5), ("1E+2", 100)])
  func numbers(_ text: String, _ value: Double) throws {
    #expect(try PlainNumbers.number(text) == value)
  }

  @Test(arguments: [
    0.1, 1.0 / 3, 1e-7, .leastNonzeroMagnitude, 1.7976931348623157e308, 123_456_789.25, 1e16, 0.30000000000000004,
  ])
  func numbersReadBack(_ value: Double) throws {
    #expect(try PlainNumbers.number(QuantityText.number(value)) == value)
  }

  @Test(arguments: [
    Sad("1e999", .outOfRange), Sad("1e99999999999999999999", .outOfRange), Sad(".nan", .ambiguousNumber),
    Sad("-.inf", .outOfRange), Sad("Infinity", .ambiguousNumber), Sad("-0.5", .outOfRange),
    Sad("1:30", .ambiguousNumber),
    Sad("007", .ambiguousNumber), Sad("0o7", .ambiguousNumber), Sad("0x1p3", .ambiguousNumber), Sad("1,5", .unreadable),
    Sad("1e", .missingValue), Sad("e5", .unreadable), Sad("1.2.3", .unreadable), Sad("", .missingValue),
    Sad("½", .unreadable), Sad("12345678901234567890", .outOfRange),
  ]) func invalidNumbers(_ row: Sad) {
    #expect(row.refusal { text throws(ValueProblem) in try PlainNumbers.number(text) } == row.code)
  }

  @Test func seedsHave64Bits() throws {
    #expect(try PlainNumbers.integer("18446744073709551615") == .max)
    #expect(
      Sad("18446744073709551616", .outOfRange).refusal { text throws(ValueProblem) in try PlainNumbers.integer(text) }
        == .outOfRange)
    #expect(Sad("1.5", .notExact).refusal { text throws(ValueProblem) in try PlainNumbers.integer(text) } == .notExact)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2027-01-18T00:00:00Z", 1_800_230_400_000),
    ("2027-01-18T00:00:00+01:00", 1_800_226_800_000), ("2024-02-29T23:59:59.5-05:30", 1_709_270_999_500),
    ("2000-02-29T00:00:00Z", 951_782_400_000),
  ]) func instants(_ text: String, _ milliseconds: Int64) throws {
    #expect(try CalendarText.instant(text) == milliseconds)
    #expect(try CalendarText.instant(QuantityText.instant(unixMilliseconds: milliseconds)) == milliseconds)
  }

  @Test(arguments: [
    Sad("2027-01-18", .badInstant), Sad("2027-01-18T00:00:00", .badInstant), Sad("2027-13-01T00:00:00Z", .badInstant),
    Sad("2100-02-29T00:00:00Z", .badInstant), Sad("2027-01-18T24:00:00Z", .badInstant),
    Sad("2027-01-18T00:00:60Z", .badInstant), Sad("2027-01-18T00:00:00.1234Z", .notExact),
    Sad("2027-01-18 00:00:00Z", .badInstant), Sad("2027-01-18T00:00:00+1", .badInstant),
    Sad("1969-12-31T00:00:00Z", .badInstant), Sad("2200-01-01T00:00:00Z", .badInstant), Sad("tomorrow", .badInstant),
    Sad("2027-01-18T00:00:00+99:00", .badInstant), Sad("日本日本日本日本日本日本", .badInstant),
  ]) func invalidInstants(_ row: Sad) {
    #expect(row.refusal { text throws(ValueProblem) in try CalendarText.instant(text) } == row.code)
  }

  @Test(arguments: [("00:00", 0), ("09:30", 34_200), ("23:59:59", 86_399), ("24:00", 86_400)])
  func clockTimes(_ text: String, _ seconds: Int64) throws {
    let time = try CalendarText.timeOfDay(text)
    #expect(time.sinceMidnight == .seconds(seconds))
    #expect(QuantityText.time(time) == text)
  }

  @Test(
    arguments: ["9:30", "24:01", "09:60", "0930", "", "09:30:15:00", "noon", "-1:00"].map { Sad($0, .badClockTime) })
  func invalidClockTimes(_ row: Sad) {
    #expect(row.refusal { text throws(ValueProblem) in try CalendarText.timeOfDay(text) } == row.code)
  }

  @Test func days() throws {
    #expect(try CalendarText.days("mon-fri") == [.monday, .tuesday, .wednesday, .thursday, .friday])
    #expect(try CalendarText.days("fri-mon") == [.friday, .saturday, .sunday, .monday])
    #expect(try CalendarText.days("sun") == [.sunday])
  }

  @Test(arguments: ["monday", "Mon", "mon-", "-", "", "mon-tue-wed", "mo"].map { Sad($0, .badClockTime) })
  func invalidDays(_ row: Sad) {
    #expect(row.refusal { text throws(ValueProblem) in try CalendarText.days(text) } == row.code)
  }

  @Test(arguments: ["Europe/Berlin", "UTC", "America/Argentina/Buenos_Aires", "Asia/Kolkata", "Europe/Kyiv"])
  func zones(_ name: String) throws { try Zones.check(name) }

  @Test(arguments: ["GMT+3", "EST", "Europe/Atlantis", "", "../etc/passwd", "europe/berlin", "Berlin"])
  func invalidZones(_ name: String) {
    #expect(Sad(name, .unknownZone).refusal { text throws(ValueProblem) in try Zones.check(text) } == .unknownZone)
  }

  @Test(arguments: ["yes", "no", "on", "off", "True", "TRUE", "1", "y"])
  func onlyTrueAndFalseAreBooleans(_ text: String) {
    let edited = Samples.minimal.replacing("    reload:", with: "    protected: \(text)\n    reload:")
    #expect(Samples.read(edited).diagnostics.first?.code == .notBoolean)
  }

  @Test(arguments: ["0s..10min", "1s..1s", "0.5s..1.5s"]) func ranges(_ text: String) throws {
    let (from, to) = try Quantities.ends(text)
    #expect(try Quantities.duration(from) <= Quantities.duration(to))
  }

  @Test(arguments: ["0s", "..1s", "0s..", "0s...1s", "..", "", "0s-1s"].map { Sad($0, .unreadable) })
  func invalidRanges(_ row: Sad) {
    #expect(row.refusal { text throws(ValueProblem) in try Quantities.ends(text) } == row.code)
  }
}
