import Scenario
import SimulationKernel

/// Spans and points of time as people read them.
enum TimeText {
  /// A span in its two largest units: `1 h 30 min`.
  static func span(_ span: TimeAmount) -> String {
    let units: [(String, Int64)] = [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000), ("ms", 1)]
    var rest = span.milliseconds
    var parts: [String] = []
    for (name, length) in units where rest >= length && parts.count < 2 {
      parts.append("\(rest / length)\u{A0}\(name)")
      rest %= length
    }
    return parts.isEmpty ? "0\u{A0}s" : parts.joined(separator: " ")
  }

  /// A span, in words where it is whole days.
  static func words(_ span: TimeAmount) -> String {
    let (days, rest) = span.milliseconds.quotientAndRemainder(dividingBy: TimeAmount.day.milliseconds)
    guard days > 0, rest == 0 else { return self.span(span) }
    return days == 1 ? "1\u{A0}day" : "\(days)\u{A0}days"
  }

  /// A span in seconds, rounded to what matters at its length.
  static func seconds(_ seconds: Double?) -> String {
    guard let seconds, seconds.isFinite, seconds.magnitude < 1e12 else { return NumberText.unknown }
    if seconds < 10 { return NumberText.text(seconds) + "\u{A0}s" }
    if seconds < 120 { return NumberText.whole(seconds) + "\u{A0}s" }
    if seconds < 5_400 { return NumberText.trimmed(NumberText.fixed(seconds / 60, decimals: 1)) + "\u{A0}min" }
    return NumberText.trimmed(NumberText.fixed(seconds / 3_600, decimals: 1)) + "\u{A0}h"
  }

  /// An hour of the day as a clock shows it: 13.5 is 13:30.
  static func clock(hour: Double?) -> String {
    guard let hour, hour >= 0, hour <= 24 else { return NumberText.unknown }
    let minutes = Int((hour * 60).rounded())
    return two(minutes / 60) + ":" + two(minutes % 60)
  }

  static func two(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }
}

/// A point of time in UTC, taken apart for text.
struct UTCTime {
  var date: String
  var hour: Int
  var minute: Int
  var second: Int

  init(_ instant: Instant, of clock: Clock) {
    self.init(unixMilliseconds: clock.startUnixMilliseconds + instant.millisecondsSinceStart)
  }

  init(unixMilliseconds: Int64) {
    let seconds = unixMilliseconds.floorDivided(by: 1_000)
    let days = seconds.floorDivided(by: 86_400)
    let ofDay = Int(seconds - days * 86_400)
    date = LocalDay(number: days).text
    (hour, minute, second) = (ofDay / 3_600, ofDay / 60 % 60, ofDay % 60)
  }

  /// `09:30`.
  var shortTime: String { TimeText.two(hour) + ":" + TimeText.two(minute) }
  /// `09:30:05`.
  var time: String { shortTime + ":" + TimeText.two(second) }
  /// `09:30:05 UTC on 18 January 2027`, for sentences.
  var spoken: String { "\(time)\u{A0}UTC on \(day)\u{A0}\(date.prefix { $0 != "-" })" }
  /// `18 January`.
  var day: String {
    let parts = date.split(separator: "-").map(String.init)
    guard parts.count == 3, let month = Int(parts[1]), let day = Int(parts[2]) else { return date }
    return "\(day)\u{A0}\(Self.months[month - 1])"
  }
  /// `2027-01-18 09:30:05 UTC`.
  var full: String { date + " " + time + " UTC" }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
}
