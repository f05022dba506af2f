package import SimulationKernel

/// A UTC time, split into components for formatting.
package struct UTCTime {
  package private(set) var date: String
  package private(set) var hour: Int
  package private(set) var minute: Int
  package private(set) var second: Int

  package init(_ instant: Instant, of clock: Clock) {
    self.init(unixMilliseconds: clock.startUnixMilliseconds + instant.millisecondsSinceStart)
  }

  package init(unixMilliseconds: Int64) {
    let seconds = unixMilliseconds.floorDivided(by: 1_000)
    let days = seconds.floorDivided(by: 86_400)
    let ofDay = Int(seconds - days * 86_400)
    date = LocalDay(number: days).text
    (hour, minute, second) = (ofDay / 3_600, ofDay / 60 % 60, ofDay % 60)
  }

  /// The time of day without seconds, such as `09:30`.
  package var shortTime: String { Self.two(hour) + ":" + Self.two(minute) }
  /// The time of day with seconds, such as `09:30:05`.
  package var time: String { shortTime + ":" + Self.two(second) }
  /// The date and time for use in sentences, such as `09:30:05 UTC on 18 January 2027`.
  package var inProse: String { "\(time)\u{A0}UTC on \(day)\u{A0}\(date.prefix { $0 != "-" })" }
  /// The date without the year, such as `18 January`.
  package var day: String {
    let parts = date.split(separator: "-").map(String.init)
    guard parts.count == 3, let month = Int(parts[1]), let day = Int(parts[2]) else { return date }
    return "\(day)\u{A0}\(Self.months[month - 1])"
  }
  /// The date and time, such as `2027-01-18 09:30:05 UTC`.
  package var full: String { date + " " + time + " UTC" }

  private static func two(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
}
