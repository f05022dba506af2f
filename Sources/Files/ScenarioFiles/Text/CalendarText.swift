import Scenario
import SimulationKernel

/// Parsers for dates, times of day and weekdays.
enum CalendarText {
  private static let day: Int64 = 86_400_000

  /// Parses an instant such as 2027-01-18T00:00:00Z, optionally with an offset such as +01:00, and returns milliseconds
  /// since 1970.
  static func instant(_ text: String) throws(ValueProblem) -> Int64 {
    let example = Help.write(like: "2027-01-18T00:00:00Z").and("or with an offset such as +01:00 instead of Z")
    let problem = ValueProblem(.badInstant, "is not an instant", note: "not a date and time", help: example)
    let bytes = Array(text.utf8)
    guard bytes.count >= 19, String(text.prefix(11).suffix(1)).uppercased() == "T" || bytes[10] == 0x20 else {
      throw problem
    }
    guard let year = digits(bytes, 0..<4), let month = digits(bytes, 5..<7), let dayOfMonth = digits(bytes, 8..<10),
      let hour = digits(bytes, 11..<13), let minute = digits(bytes, 14..<16), let second = digits(bytes, 17..<19),
      bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54, bytes[13] == 0x3A, bytes[16] == 0x3A
    else { throw problem }
    try check(year, month, dayOfMonth, hour, minute, second)
    let (fraction, rest) = try fraction(bytes[19...])
    let time = ((hour * 60 + minute) * 60 + second) * 1_000 + fraction
    return CivilDate.days(year: year, month: month, day: dayOfMonth) * day + time - (try offset(Array(rest)))
  }

  private static func digits(_ bytes: [UInt8], _ range: Range<Int>) -> Int64? {
    guard range.upperBound <= bytes.count else { return nil }
    var value: Int64 = 0
    for byte in bytes[range] {
      guard byte >= 48, byte <= 57 else { return nil }
      value = value * 10 + Int64(byte - 48)
    }
    return value
  }

  private static func check(
    _ year: Int64, _ month: Int64, _ day: Int64, _ hour: Int64, _ minute: Int64, _ second: Int64
  ) throws(ValueProblem) {
    func refuse(_ note: String) -> ValueProblem {
      ValueProblem(
        .badInstant, "is not an instant", note: note,
        help: Help.write(like: "2027-01-18T00:00:00Z").and("a date, T, a time and an offset"))
    }
    guard (1970...2199).contains(year) else { throw refuse("years must be from 1970 to 2199") }
    guard (1...12).contains(month) else { throw refuse("there is no month \(month)") }
    guard day >= 1, day <= CivilDate.length(ofMonth: month, year: year) else {
      throw refuse("that month has no day \(day)")
    }
    guard hour < 24, minute < 60, second < 60 else { throw refuse("times must be from 00:00:00 to 23:59:59") }
  }

  private static func fraction(_ rest: ArraySlice<UInt8>) throws(ValueProblem) -> (Int64, ArraySlice<UInt8>) {
    guard rest.first == 0x2E else { return (0, rest) }
    let digits = rest.dropFirst().prefix { $0 >= 48 && $0 <= 57 }
    guard (1...3).contains(digits.count) else {
      throw ValueProblem(.notExact, "must be in whole milliseconds", note: "one to three digits after the point")
    }
    var value: Int64 = 0
    for index in 0..<3 {
      value = value * 10 + (index < digits.count ? Int64(digits[digits.startIndex + index] - 48) : 0)
    }
    return (value, rest.dropFirst(1 + digits.count))
  }

  private static func offset(_ bytes: [UInt8]) throws(ValueProblem) -> Int64 {
    if bytes == [0x5A] { return 0 }
    if bytes.isEmpty {
      throw ValueProblem(
        .badInstant, "needs an offset", note: "no offset", help: "add Z for UTC, or an offset such as +01:00")
    }
    guard bytes.count == 6, bytes[0] == 0x2B || bytes[0] == 0x2D, bytes[3] == 0x3A,
      let hours = digits(bytes, 1..<3), let minutes = digits(bytes, 4..<6), hours <= 18, minutes < 60
    else {
      throw ValueProblem(
        .badInstant, "has an unreadable offset", note: "not an offset",
        help: "it must end with Z for UTC, or with an offset such as +01:00")
    }
    return (hours * 60 + minutes) * 60_000 * (bytes[0] == 0x2D ? -1 : 1)
  }

  /// Parses a time of day such as 09:30 or 09:30:15, up to 24:00.
  static func timeOfDay(_ text: String) throws(ValueProblem) -> TimeOfDay {
    let problem = ValueProblem(
      .badClockTime, "is not a clock time", note: "not a clock time", help: .write(like: "\"09:30\""))
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { throw problem }
    var seconds: Int64 = 0
    for (index, part) in parts.enumerated() {
      guard part.utf8.count == 2, let value = digits(Array(part.utf8), 0..<2) else { throw problem }
      guard value < 60 || index == 0 else { throw problem }
      seconds = seconds * 60 + value
    }
    if parts.count == 2 { seconds *= 60 }
    guard seconds <= 86_400 else {
      throw ValueProblem(.badClockTime, "is not a clock time", note: "times must be from 00:00 to 24:00")
    }
    return TimeOfDay(sinceMidnight: .seconds(seconds))
  }

  static let dayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  /// Parses weekdays such as mon or mon-fri. Ranges may extend over the weekend, as in fri-mon.
  static func days(_ text: String) throws(ValueProblem) -> Set<Weekday> {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard (1...2).contains(ends.count), let from = ends.first, let to = ends.last else { throw unknownDay(text) }
    guard let first = dayNames.firstIndex(of: from) else { throw unknownDay(from) }
    guard let last = dayNames.firstIndex(of: to) else { throw unknownDay(to) }
    let count = (last - first + 7) % 7
    return Set((0...count).compactMap { Weekday(rawValue: (first + $0) % 7) })
  }

  private static func unknownDay(_ text: String) -> ValueProblem {
    let help =
      Spelling.hint(text, among: dayNames) ?? "days are mon tue wed thu fri sat sun, such as mon-fri or [mon, sat]"
    return ValueProblem(.badClockTime, "is not a day of the week", note: "not a day", help: help)
  }
}

/// Conversions between dates and day numbers in the Gregorian calendar (Howard Hinnant, chrono-compatible low-level
/// date algorithms).
enum CivilDate {
  /// Returns the number of days from 1970-01-01 to a date.
  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Returns the number of days in a month; months are numbered from 1 to 12.
  static func length(ofMonth month: Int64, year: Int64) -> Int64 {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(month) - 1]
  }
}
