/// A timestamp parsed from text.
enum Stamp: BitwiseCopyable {
  /// Whole milliseconds since 1970-01-01T00:00:00Z.
  case at(Int64)
  /// The time is not between 1990 and 2100, or the date does not exist.
  case impossible
  /// The parsed text is not a timestamp.
  case none
}

/// The unit of a number that represents a time or duration.
package enum TimeUnit: String, CaseIterable, Sendable, BitwiseCopyable {
  case seconds = "s"
  case milliseconds = "ms"
  case microseconds = "us"
  case nanoseconds = "ns"

  /// The power of ten by which a number in this unit is multiplied to convert it to seconds.
  var power: Int {
    switch self {
    case .seconds: 0
    case .milliseconds: -3
    case .microseconds: -6
    case .nanoseconds: -9
    }
  }
}

/// A single-threaded timestamp parser that converts a date only once if consecutive timestamps share it.
struct StampReader {
  /// The range of times that a log may contain.
  static let possible: Range<Int64> = 631_152_000_000..<4_102_444_800_000

  /// A function that returns the instant of a local time in milliseconds, for stamps without an offset. It returns
  /// `nil` if clocks skip or repeat the time. If no function is given, such stamps are read as UTC.
  var local: (@Sendable (Int64) -> Int64?)?
  private var apacheDate = Cached()
  private var isoDate = Cached()

  private struct Cached {
    var first: UInt64 = 0
    var last: UInt32 = 0
    /// The UTC midnight of a parsed day, in milliseconds since 1970; `nil` if the day is invalid.
    var midnight: Int64?
    var isFilled = false
  }

  /// Parses any of the timestamp formats below, which are distinguished by the positions of their separators.
  @inline(__always) mutating func read(_ text: Text, unit: TimeUnit? = nil) -> Stamp {
    if text.count >= 20, text[2] == UInt8(ascii: "/"), text[6] == UInt8(ascii: "/") { return apache(text) }
    if text.count >= 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") { return iso(text) }
    if text.count > 2, text[0] == UInt8(ascii: "["), text[text.count - 1] == UInt8(ascii: "]") {
      return apache(text.slice(1, text.count - 1))
    }
    return Self.epoch(text, unit: unit)
  }

  /// Returns whether a date and time lack an offset from UTC.
  static func isLocal(_ text: Text) -> Bool {
    guard text.count >= 19 else { return false }
    let isApache = text[2] == UInt8(ascii: "/") && text[6] == UInt8(ascii: "/")
    guard isApache || text[4] == UInt8(ascii: "-") && text[7] == UInt8(ascii: "-") else { return false }
    let rest = text.from(isApache ? min(20, text.count) : 19)
    return rest.bytes.allSatisfy { Letters.isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
  }

  /// Parses `27/Nov/2026:02:30:00 +0100`; without an offset, the time is in UTC.
  @inline(__always) mutating func apache(_ text: Text) -> Stamp {
    guard text.count >= 20, text[11] == UInt8(ascii: ":"), let clock = Self.clock(text, at: 12) else { return .none }
    guard let midnight = apacheMidnight(text) else { return .impossible }
    var (place, milliseconds) = (20, Int64(0))
    if text.count > 20, text[20] == UInt8(ascii: ".") {
      // HAProxy appends milliseconds to the time of day.
      var weight: Int64 = 100
      place += 1
      while place < text.count, Letters.isDigit(text[place]) {
        milliseconds += Int64(text[place] - UInt8(ascii: "0")) * weight
        (place, weight) = (place + 1, weight / 10)
      }
    }
    guard text.count > place else { return instant(midnight + clock + milliseconds) }
    guard text[place] == 0x20, let offset = Self.offset(text.from(place + 1)) else { return .none }
    return Self.possible(midnight + clock + milliseconds - offset)
  }

  @inline(__always) private mutating func apacheMidnight(_ text: Text) -> Int64? {
    let raw = UnsafeRawPointer(text.start)
    let first = raw.loadUnaligned(as: UInt64.self)
    let last = raw.loadUnaligned(fromByteOffset: 7, as: UInt32.self)
    if apacheDate.isFilled, apacheDate.first == first, apacheDate.last == last { return apacheDate.midnight }
    var midnight: Int64?
    if let day = Digits.two(text, 0), let month = Self.month(text.slice(3, 6)), let century = Digits.two(text, 7),
      let year = Digits.two(text, 9)
    {
      midnight = Self.midnight(century * 100 + year, month, day)
    }
    apacheDate = Cached(first: first, last: last, midnight: midnight, isFilled: true)
    return midnight
  }

  /// Parses `2026-11-27T02:30:00.123456Z` and its variants; without an offset, the time is in UTC. Variants may have an
  /// offset such as `+01:00`, `+0100` or `+01`, or a space instead of the T. They may also lack the seconds or the time
  /// of day.
  @inline(__always) mutating func iso(_ text: Text) -> Stamp {
    guard let midnight = isoMidnight(text) else { return Digits.two(text, 0) == nil ? .none : .impossible }
    guard text.count > 10 else { return Self.possible(midnight) }
    let separator = text[10]
    guard separator == UInt8(ascii: "T") || separator == UInt8(ascii: "t") || separator == 0x20,
      let clock = Self.clock(text, at: 11)
    else { return .none }
    var place = text.count >= 19 && text[16] == UInt8(ascii: ":") ? 19 : 16
    var milliseconds: Int64 = 0
    if place < text.count, text[place] == UInt8(ascii: ".") || text[place] == UInt8(ascii: ",") {
      place += 1
      var weight: Int64 = 100
      while place < text.count, Letters.isDigit(text[place]) {
        milliseconds += Int64(text[place] - UInt8(ascii: "0")) * weight
        (place, weight) = (place + 1, weight / 10)
      }
    }
    let rest = text.from(place).trimmed
    guard !rest.isEmpty else { return instant(midnight + clock + milliseconds) }
    guard let offset = Self.offset(rest) else { return .none }
    return Self.possible(midnight + clock + milliseconds - offset)
  }

  /// Returns the instant of a local time that has no UTC offset.
  @inline(__always) private func instant(_ time: Int64) -> Stamp {
    guard let local else { return Self.possible(time) }
    return local(time).map(Self.possible) ?? .impossible
  }

  @inline(__always) private mutating func isoMidnight(_ text: Text) -> Int64? {
    let raw = UnsafeRawPointer(text.start)
    let first = raw.loadUnaligned(as: UInt64.self)
    let last = UInt32(raw.loadUnaligned(fromByteOffset: 8, as: UInt16.self))
    if isoDate.isFilled, isoDate.first == first, isoDate.last == last { return isoDate.midnight }
    var midnight: Int64?
    if let century = Digits.two(text, 0), let year = Digits.two(text, 2), let month = Digits.two(text, 5),
      let day = Digits.two(text, 8)
    {
      midnight = Self.midnight(century * 100 + year, month, day)
    }
    isoDate = Cached(first: first, last: last, midnight: midnight, isFilled: true)
    return midnight
  }

  /// Parses seconds, milliseconds, microseconds or nanoseconds since 1970. If no unit is given, the magnitude
  /// determines it, because the ranges between 1990 and 2100 do not overlap.
  static func epoch(_ text: Text, unit: TimeUnit? = nil) -> Stamp {
    guard let number = Digits.decimal(text) else { return .none }
    guard !number.isNegative else { return .impossible }
    for unit in unit.map({ [$0] }) ?? TimeUnit.allCases {
      guard let milliseconds = number.floored(3 + unit.power) else { continue }
      if possible.contains(milliseconds) { return .at(milliseconds) }
    }
    return .impossible
  }

  /// Returns a time of day such as `02:30:00` in milliseconds; `nil` for anything else.
  static func timeOfDay(_ text: Text) -> Int64? { clock(text, at: 0) }

  /// Returns a time of day at a position, such as `02:30:00` or `02:30`, in milliseconds. A leap second counts as the
  /// first second of the next minute.
  @inline(__always) private static func clock(_ text: Text, at place: Int) -> Int64? {
    guard place + 5 <= text.count, text[place + 2] == UInt8(ascii: ":"), let hour = Digits.two(text, place),
      let minute = Digits.two(text, place + 3), hour < 24, minute < 60
    else { return nil }
    var second = 0
    if place + 8 <= text.count, text[place + 5] == UInt8(ascii: ":") {
      guard let value = Digits.two(text, place + 6), value <= 60 else { return nil }
      second = value
    }
    return Int64((hour * 60 + minute) * 60 + second) * 1_000
  }

  /// Returns how many milliseconds the local time with a UTC offset such as `+01:00` is ahead of UTC.
  @inline(__always) private static func offset(_ text: Text) -> Int64? {
    if text.isEmpty || text == "Z" || text == "z" || text == "UTC" || text == "GMT" { return 0 }
    let sign = text[0]
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = Digits.two(text, 1), hours <= 18
    else { return nil }
    let place = text.count > 3 && text[3] == UInt8(ascii: ":") ? 4 : 3
    guard let minutes = text.count == 3 ? 0 : Digits.two(text, place), minutes < 60,
      text.count == 3 || text.count == place + 2
    else { return nil }
    let value = Int64(hours * 60 + minutes) * 60_000
    return sign == UInt8(ascii: "-") ? -value : value
  }

  @inline(__always) private static func possible(_ time: Int64) -> Stamp {
    possible.contains(time) ? .at(time) : .impossible
  }

  private static func month(_ text: Text) -> Int? {
    let names = "janfebmaraprmayjunjulaugsepoctnovdec"
    let lower = (0..<3).map { Letters.lower(text[$0]) }
    return Array(names.utf8).indices.first { place in
      place % 3 == 0 && Array(names.utf8)[place..<place + 3].elementsEqual(lower)
    }.map { $0 / 3 + 1 }
  }

  /// Returns the UTC midnight of a Gregorian date in milliseconds since 1970; `nil` if the month does not have that
  /// day.
  ///
  /// Source: Hinnant, "chrono-compatible low-level date algorithms".
  private static func midnight(_ year: Int, _ month: Int, _ day: Int) -> Int64? {
    guard (1...12).contains(month) else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    guard day >= 1, day <= days else { return nil }
    let fromMarch = month > 2 ? year : year - 1
    let era = fromMarch / 400
    let yearOfEra = fromMarch - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int64(era * 146_097 + dayOfEra - 719_468) * 86_400_000
  }
}
