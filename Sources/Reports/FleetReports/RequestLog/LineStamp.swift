import Scenario
import SimulationKernel

/// A writer of timestamps in log lines. It caches the date, because most consecutive lines have the same date.
struct LineStamp {
  private var day = Int64.min
  /// The current date in a format such as `2027-01-18`.
  private var date: [UInt8] = []
  /// The current date in a format such as `18/Jan/2027`.
  private var namedDate: [UInt8] = []

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Appends a time such as `2027-01-18T09:30:05.123Z`.
  mutating func appendISO(_ unixMilliseconds: Int64, to text: inout TextBuffer) {
    let ofDay = enter(unixMilliseconds)
    text.append(bytes: date)
    text.append(byte: UInt8(ascii: "T"))
    Self.appendClock(ofDay, to: &text)
    text.append(byte: UInt8(ascii: "."))
    text.append(ofDay % 1_000, digits: 3)
    text.append(byte: UInt8(ascii: "Z"))
  }

  /// Appends a time such as `18/Jan/2027:09:30:05 +0000`.
  mutating func appendNamed(_ unixMilliseconds: Int64, to text: inout TextBuffer) {
    let ofDay = enter(unixMilliseconds)
    text.append(bytes: namedDate)
    text.append(byte: UInt8(ascii: ":"))
    Self.appendClock(ofDay, to: &text)
    text.append(" +0000")
  }

  /// Appends a duration in seconds with three decimals.
  static func appendSeconds(_ span: TimeAmount, to text: inout TextBuffer) {
    text.append(span.milliseconds / 1_000)
    text.append(byte: UInt8(ascii: "."))
    text.append(span.milliseconds % 1_000, digits: 3)
  }

  /// - Returns: the number of milliseconds since midnight (UTC).
  private mutating func enter(_ unixMilliseconds: Int64) -> Int64 {
    let number = unixMilliseconds.floorDivided(by: TimeAmount.day.milliseconds)
    if number != day {
      day = number
      let text = LocalDay(number: number).text
      date = Array(text.utf8)
      let parts = text.split(separator: "-")
      let month = Self.months[((parts.count > 1 ? Int(parts[1]) : nil) ?? 1) - 1]
      namedDate = Array("\(parts.last ?? "")/\(month)/\(parts.first ?? "")".utf8)
    }
    return unixMilliseconds - number * TimeAmount.day.milliseconds
  }

  private static func appendClock(_ ofDay: Int64, to text: inout TextBuffer) {
    text.append(ofDay / 3_600_000, digits: 2)
    text.append(byte: UInt8(ascii: ":"))
    text.append(ofDay / 60_000 % 60, digits: 2)
    text.append(byte: UInt8(ascii: ":"))
    text.append(ofDay / 1_000 % 60, digits: 2)
  }
}

extension TextBuffer {
  /// Appends a non-negative number with leading zeros.
  mutating func append(_ value: Int64, digits: Int) {
    var unit: Int64 = 1
    for _ in 1..<digits { unit *= 10 }
    while unit > 0 {
      append(byte: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / unit % 10))
      unit /= 10
    }
  }

  /// Appends the lowest bits of a number as hexadecimal digits.
  mutating func append(hexadecimal value: UInt64, digits: Int) {
    for place in (0..<digits).reversed() {
      let digit = UInt8(truncatingIfNeeded: value >> UInt64(4 * place) & 15)
      append(byte: digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
