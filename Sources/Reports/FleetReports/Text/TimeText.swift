package import Scenario
import SimulationKernel

/// Text for durations and times.
enum TimeText {
  /// Returns a duration as text with its two largest units, such as `1 h 30 min`.
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

  /// Returns a duration as text. The unit is spelled out if the duration is a whole number of days.
  static func words(_ span: TimeAmount) -> String {
    let (days, rest) = span.milliseconds.quotientAndRemainder(dividingBy: TimeAmount.day.milliseconds)
    guard days > 0, rest == 0 else { return self.span(span) }
    return days == 1 ? "1\u{A0}day" : "\(days)\u{A0}days"
  }

  /// Returns a duration given in seconds as text. Longer durations are rounded more coarsely.
  static func seconds(_ seconds: Double?) -> String {
    guard let seconds, seconds.isFinite, seconds.magnitude < 1e12 else { return NumberText.unknown }
    if seconds < 10 { return NumberText.text(seconds) + "\u{A0}s" }
    if seconds < 120 { return NumberText.whole(seconds) + "\u{A0}s" }
    if seconds < 5_400 { return NumberText.trimmed(NumberText.fixed(seconds / 60, decimals: 1)) + "\u{A0}min" }
    return NumberText.trimmed(NumberText.fixed(seconds / 3_600, decimals: 1)) + "\u{A0}h"
  }

  /// Returns a duration with at least two digits, and with enough digits to distinguish the bounds of an interval of
  /// the given width.
  static func precise(seconds: Double, width: Double) -> String {
    let units: [(name: String, length: Double)] = [("h", 3_600), ("min", 60), ("s", 1), ("ms", 0.001)]
    let unit = units.first { seconds >= 2 * $0.length } ?? units[3]
    var decimals = 0
    var step = unit.length
    while decimals < 4, step > max(width / 10, seconds / 1e5) || decimals < 2 && seconds < 100 * unit.length {
      step /= 10
      decimals += 1
    }
    return NumberText.trimmed(NumberText.fixed(seconds / unit.length, decimals: decimals)) + "\u{A0}" + unit.name
  }

  /// Returns an hour of the day as a clock time, such as `13:30` for 13.5.
  static func clock(hour: Double?) -> String {
    guard let hour, hour >= 0, hour <= 24 else { return NumberText.unknown }
    let minutes = Int((hour * 60).rounded())
    return two(minutes / 60) + ":" + two(minutes % 60)
  }

  static func two(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }
}

/// A time zone in which some phones of the fleet are located, with its UTC offsets.
package struct FleetZone: Hashable, Sendable {
  package var table: ZoneTable
  /// The fraction of the fleet's phones that are in this zone, from 0 to 1.
  package var share: Double

  /// Returns the zones of a fleet whose clocks are known, most phones first.
  package static func all(_ scenario: Scenario, _ tables: [String: ZoneTable]) -> [FleetZone] {
    var shares: [String: Double] = [:]
    for cohort in scenario.fleet.cohorts {
      let weights = cohort.zones.reduce(0) { $0 + $1.weight }
      for zone in cohort.zones where weights > 0 {
        shares[zone.value, default: 0] += cohort.share.fraction * zone.weight / weights
      }
    }
    return shares.compactMap { name, share in tables[name].map { FleetZone(table: $0, share: share) } }
      .sorted { ($1.share, $0.name) < ($0.share, $1.name) }
  }

  var name: String { table.name }

  /// The city in the zone's name, such as `Buenos Aires` for America/Argentina/Buenos_Aires.
  var city: String { Self.city(of: name) }

  /// Returns the city in a zone's name, such as `Buenos Aires` for America/Argentina/Buenos_Aires.
  static func city(of name: String) -> String {
    name.split(separator: "/").last.map { String($0).replacing("_", with: " ") } ?? name
  }

  /// Whether the zone's clock always shows UTC.
  var isUTC: Bool { table.segments.allSatisfy { $0.offset == .zero } }

  /// Returns the difference between local time and UTC at an instant.
  func offset(at instant: Instant) -> TimeAmount {
    table.segments.last { $0.from <= instant }?.offset ?? table.segments[0].offset
  }

  /// Returns this zone for a clock that starts at the given instant of the current clock.
  func starting(_ start: Instant) -> FleetZone {
    var zone = self
    for index in table.segments.indices.dropFirst() {
      zone.table.segments[index].from = table.segments[index].from - (start - .start)
    }
    return zone
  }

  /// Returns the local time at an instant.
  func time(_ instant: Instant, of clock: Clock) -> UTCTime { UTCTime(instant + offset(at: instant), of: clock) }

  /// Returns the local time at which a clock starts, such as `2027-01-18 01:00 in Berlin`.
  func date(of clock: Clock) -> String {
    let start = time(.start, of: clock)
    return start.date + " " + start.shortTime + " in " + city
  }

  /// Returns a time such as `19:30 in Berlin` or `19:30 UTC`, with the date if the period is longer than a day.
  static func inProse(_ instant: Instant, _ zones: [FleetZone], _ clock: Clock, withPlace: Bool = true) -> String {
    let zone = zones.first.flatMap { $0.isUTC ? nil : $0 }
    let time = zone?.time(instant, of: clock) ?? UTCTime(instant, of: clock)
    let place = zone.map { " in " + $0.city } ?? "\u{A0}UTC"
    return time.shortTime + (withPlace ? place : "") + (clock.duration > .day ? " on " + time.day : "")
  }

  /// The longest span for which a time of the peak is given.
  static let widestSpan = TimeAmount.hours(3)

  /// Returns text such as `19:30 in Berlin` or `between 19:00 and 21:00 in Berlin`. If there are several spans, the
  /// text contains the first one and the number of others.
  ///
  /// - Parameter spans: the periods in which the peak may occur, most likely first. A single minute is shown as a time.
  static func inProse(_ spans: [Range<Instant>], _ zones: [FleetZone], _ clock: Clock) -> String {
    guard let first = spans.first else { return "" }
    if first.lowerBound <= .start, first.upperBound + .minute > .start + clock.duration {
      return "at no particular time"
    }
    let isWide = first.upperBound > first.lowerBound + widestSpan
    let rest =
      switch isWide ? 0 : spans.count - 1 {
      case 0: ""
      case 1: ", though another time is possible"
      case let others where others < 10: ", though \(others) other times are possible"
      default: ", though many other times are possible"
      }
    guard first.upperBound > first.lowerBound + .minute else { return inProse(first.lowerBound, zones, clock) + rest }
    let zone = zones.first.flatMap { $0.isUTC ? nil : $0 }
    let times = [first.lowerBound, first.upperBound].map { zone?.time($0, of: clock) ?? UTCTime($0, of: clock) }
    let (isSameDay, place) = (times[0].day == times[1].day, zone.map { " in " + $0.city } ?? "\u{A0}UTC")
    let isOneDay = clock.duration <= .day || isSameDay
    let end =
      clock.duration > .day
      ? inProse(first.upperBound, zones, clock)
      : times[1].shortTime + (isSameDay || times[1].shortTime == "00:00" ? "" : " the next day") + place
    return (isWide ? "some time " : "") + "between "
      + (isOneDay ? times[0].shortTime : inProse(first.lowerBound, zones, clock)) + " and " + end + rest
  }
}
