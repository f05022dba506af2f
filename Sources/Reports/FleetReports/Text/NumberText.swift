import Scenario
import SimulationKernel
import Studies

/// Text for numbers that users read. Numbers are rounded and have thin spaces between thousands.
package enum NumberText {
  /// Returns a number as text, with three significant digits below 1 000 and as a whole number otherwise. The text for
  /// `nil` is `unknown`.
  static func text(_ value: Double?) -> String {
    guard let value, value.isFinite else { return unknown }
    let magnitude = value.magnitude
    if magnitude >= 99.95 || value == value.rounded() { return whole(value) }
    if magnitude >= 9.995 { return fixed(value, decimals: 1) }
    return magnitude >= 0.9995 ? fixed(value, decimals: 2) : fixed(value, decimals: magnitude >= 0.0995 ? 3 : 4)
  }

  /// The text for an unknown figure in a table.
  static let unknown = "–"
  /// The text for an unknown figure in a sentence.
  static let unknownWord = "unknown"

  /// Returns an amount of money with two decimals and its currency. The amount is given in millionths of the currency.
  static func money(micros: Int64, _ currency: String) -> String {
    let cents = (Int128(micros) + 5_000) / 10_000
    return whole(Double(cents / 100)) + "." + TimeText.two(Int(cents % 100))
      + (currency.isEmpty ? "" : "\u{A0}" + currency)
  }

  /// Formats a whole number with its digits grouped in threes.
  static func whole(_ value: Double) -> String {
    guard value.magnitude < 1e18 else { return value.description }
    let digits = Array(String(Int64(value.magnitude.rounded())))
    let grouped = digits.indices.map { index in
      (index > 0 && (digits.count - index) % 3 == 0 ? "\u{202F}" : "") + String(digits[index])
    }
    return (value <= -0.5 ? "−" : "") + grouped.joined()
  }

  /// Returns a short form of `text` with about eight characters. Numbers of at least 10 million are given in millions
  /// (M), and those of at least 10 billion in billions (G).
  package static func short(_ value: Double?) -> String {
    guard let value, value.isFinite, value.magnitude >= 9_999_999.5 else { return text(value) }
    if value.magnitude >= 9.9995e9 { return text(value / 1e9) + "\u{A0}G" }
    return text(value / 1_000_000) + "\u{A0}M"
  }

  /// Returns a fraction as a percentage with at most one decimal. The text for `nil` is `unknown`.
  package static func percent(_ share: Double?) -> String {
    guard let share else { return unknown }
    let percent = share * 100
    if percent > 0, percent < 0.1 { return "under 0.1 %" }
    if percent > 99.9, percent < 100 { return "over 99.9 %" }
    // Percentages just below 100 keep their decimal, so that only the whole is shown as 100 %.
    let isWhole = percent >= 9.95 && (percent < 99 || percent >= 100)
    return (isWhole ? whole(percent) : trimmed(fixed(percent, decimals: 1))) + "\u{A0}%"
  }

  /// Returns a number of bytes in a suitable decimal unit, such as MB.
  package static func bytes(_ count: Double?) -> String {
    guard var value = count else { return unknown }
    var units = ["bytes", "kB", "MB", "GB", "TB", "PB"][...]
    while value >= 999.5, units.count > 1 {
      value /= 1_000
      units.removeFirst()
    }
    return text(value) + "\u{A0}" + (units.first ?? "")
  }

  /// Returns a number with a fixed number of decimals. The magnitude must be below 10^15.
  static func fixed(_ value: Double, decimals: Int) -> String {
    let power = (0..<decimals).reduce(1.0) { power, _ in power * 10 }
    guard value.magnitude * power < 1e15 else { return value.description }
    let scaled = Int64((value.magnitude * power).rounded())
    let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int64(power))
    let fraction = String(rest)
    let sign = value < 0 && scaled > 0 ? "−" : ""
    guard decimals > 0 else { return sign + String(whole) }
    return sign + "\(whole)." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }

  /// Returns a number with the trailing zeros removed from its fraction.
  static func trimmed(_ text: String) -> String {
    // Bytes are used for speed, because a page contains hundreds of thousands of coordinates.
    let bytes = text.utf8
    guard bytes.contains(UInt8(ascii: ".")) else { return text }
    var kept = bytes[...]
    while kept.last == UInt8(ascii: "0") { kept.removeLast() }
    while kept.last == UInt8(ascii: ".") { kept.removeLast() }
    return String(Substring(kept))
  }
}

/// Text for relative differences.
enum DifferenceText {
  /// The smallest relative difference that is reported, both in words and as a signed number.
  private static let minimum = 0.005
  private static let minSigned = 0.0005

  /// Returns a difference in words, such as `3 % higher`, `3 % lower` or `the same`.
  static func higher(_ share: Double) -> String {
    guard share.magnitude >= minimum else { return "the same" }
    return NumberText.percent(share.magnitude) + (share > 0 ? " higher" : " lower")
  }

  /// Returns a difference as a signed percentage, such as `+3 %`.
  static func signed(_ share: Double) -> String {
    guard share.magnitude >= minSigned else { return "0\u{A0}%" }
    return (share > 0 ? "+" : "−") + NumberText.percent(share.magnitude)
  }
}

/// Text for ranges in the cells of terminal tables, such as `131.9–136.3 M` or `1.2–3 min`.
enum CompactRange {
  /// Returns a range as text; empty if both ends have the same text as the value next to them.
  ///
  /// - Parameter text: a function that formats a number in the same way as in the table.
  static func text(_ low: Double, _ high: Double, beside value: Double?, _ text: (Double) -> String) -> String {
    let (first, last) = (text(low), text(high))
    if let value, text(value) == first, first == last { return "" }
    if let millions = millions(low, high, isPlain: last == NumberText.text(high)) { return millions }
    return first == last ? first : joined(first, last)
  }

  /// Returns the range of a figure and its bracket; empty if both ends have the same text.
  static func bracket(_ figures: [Quantity?], _ text: (Double) -> String) -> String {
    let known = figures.compactMap { $0?.approximate }
    guard figures.dropFirst().contains(where: { $0 != nil }), let minimum = known.min(), let maximum = known.max(),
      text(minimum) != text(maximum)
    else { return "" }
    return self.text(minimum, maximum, beside: nil, text)
  }

  /// Returns a range as text. If both ends have the same unit, it is given only once. Negative numbers and words are
  /// not joined by a dash.
  private static func joined(_ first: String, _ last: String) -> String {
    guard first.first?.isNumber == true, last.first?.isNumber == true else { return first + " to " + last }
    let unit = last.drop { $0.isNumber || $0 == "." || $0 == "\u{202F}" }
    guard !unit.contains(where: \.isNumber), first.hasSuffix(unit) else { return first + "–" + last }
    let number = first.dropLast(unit.count)
    // The `1 min 30` in `1 min 30 s` is not a plain number, so the unit is kept.
    return (number.allSatisfy { $0.isNumber || $0 == "." || $0 == "\u{202F}" } ? String(number) : first) + "–" + last
  }

  /// Returns numbers of seven or more digits in millions, with enough decimals for four digits in total.
  private static func millions(_ low: Double, _ high: Double, isPlain: Bool) -> String? {
    guard isPlain, low >= 0, high >= 1_000_000, high < 1e13 else { return nil }
    let decimals = high < 10_000_000 ? 3 : high < 100_000_000 ? 2 : high < 1e9 ? 1 : 0
    let texts = [low, high].map { end in
      decimals == 0 ? NumberText.whole(end / 1e6) : NumberText.fixed(end / 1e6, decimals: decimals)
    }
    return (texts[0] == texts[1] ? texts[1] : texts[0] + "–" + texts[1]) + "\u{A0}M"
  }
}

/// Text for powers, energies and times of day in their usual units.
enum UnitText {
  static func power(_ power: Power) -> String {
    let watts = Double(power.microwatts) / 1e6
    return watts < 0.9995
      ? NumberText.text(watts * 1_000) + " mW" : NumberText.trimmed(NumberText.text(watts)) + " W"
  }

  static func perBit(_ bit: EnergyPerBit) -> String { NumberText.text(Double(bit.picojoules) / 1_000) + " nJ/bit" }

  /// Returns a time of day as text.
  static func clock(_ time: TimeAmount) -> String { TimeText.clock(hour: time.seconds / 3_600) }

  static func wattHours(_ centiwattHours: Int) -> String {
    NumberText.fixed(Double(centiwattHours) / 100, decimals: 2) + "\u{A0}Wh"
  }
}
