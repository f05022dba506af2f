import Scenario
import SimulationKernel

/// Exact parsers for quantities with units. The number 0 can be written without a unit, because it is the same in every
/// unit.
enum Quantities {
  private static let maxMilliseconds: Int64 = 10_000 * 86_400_000

  /// Parses a duration such as 500ms, 2h30min or 2 hours. Each unit may occur once, and larger units must come first.
  static func duration(_ text: String) throws(ValueProblem) -> TimeAmount {
    if text == "0" { return .zero }
    try refuseSexagesimal(text, help: .write("1h30min", "1min30s"))
    var total: Int64 = 0
    var last = -1
    for part in try parts(of: text, what: "duration", example: "15min") {
      guard !part.unit.isEmpty else { throw bareDuration(part.number) }
      guard let index = Units.spans.firstIndex(where: { $0.names.contains(part.unit) }) else {
        throw unknownSpan(part.number, part.unit)
      }
      guard index > last else {
        throw ValueProblem(
          .unreadable, "is not a duration", note: "units must go from large to small, without repeats",
          help: .write(like: "2h30min"))
      }
      last = index
      total += try exact(part.number, Units.spans[index].factor, "a whole number of milliseconds")
      guard total <= maxMilliseconds else {
        throw ValueProblem(.outOfRange, "is longer than any allowed duration", note: "at most 10 000 d")
      }
    }
    return .milliseconds(total)
  }

  /// Parses a share from 0 to 1, such as 5%.
  static func share(_ text: String) throws(ValueProblem) -> Share {
    if text == "0" { return Share(fraction: 0) }
    guard text.last == "%" else { throw try bareShare(text) }
    let percent = try Decimal(Units.trimmed(text.dropLast()))
    guard percent.roundedUp <= 100 else {
      throw ValueProblem(.outOfRange, "must be from 0% to 100%", note: "more than all", help: .write("100%"))
    }
    return Share(fraction: percent.double(shiftedBy: 2))
  }

  /// Parses a relative change from -100% to 100%, such as 1% or -0.5%.
  static func change(_ text: String) throws(ValueProblem) -> Change {
    guard text.first == "-" else { return Change(fraction: try share(text).fraction) }
    return Change(fraction: -(try share(String(text.dropFirst())).fraction))
  }

  /// Parses a count such as 2.5M, 250k, 7_000, 7 000 or 3 million.
  static func count(_ text: String) throws(ValueProblem) -> Int64 {
    let text = ungrouped(text)
    if let plain = withoutCommas(text) {
      throw ValueProblem(.unreadable, "is not a count", note: "commas between digits", help: .write(plain))
    }
    return try single(text, Units.counts, what: "count", example: "250k", whole: "a whole number")
  }

  /// Removes the spaces between groups of digits from a quantity in the format of results, such as `1 000 000/s`.
  private static func ungrouped(_ text: String) -> String {
    let end = text.firstIndex { !$0.isDigit && !groupSeparators.contains($0) } ?? text.endIndex
    let groups = text[..<end].split(separator: /[ \u{A0}\u{2009}\u{202F}]/, omittingEmptySubsequences: false)
    // Spaces before a unit produce an empty last group.
    let digits = groups.last?.isEmpty == true ? groups.dropLast() : groups[...]
    guard digits.count > 1, let first = digits.first, (1...3).contains(first.count), first.first != "0",
      digits.dropFirst().allSatisfy({ $0.count == 3 })
    else { return text }
    return digits.joined() + text[end...]
  }

  private static let groupSeparators: Set<Character> = [" ", "\u{A0}", "\u{2009}", "\u{202F}"]

  /// Returns a number such as 1,000,000 with underscores instead of commas; `nil` for any other text.
  private static func withoutCommas(_ text: String) -> String? {
    let groups = text.split(separator: ",", omittingEmptySubsequences: false)
    guard let first = groups.first, groups.count > 1, (1...3).contains(first.count),
      groups.dropFirst().allSatisfy({ $0.count == 3 }), groups.joined().allSatisfy(\.isDigit)
    else { return nil }
    return groups.joined(separator: "_")
  }

  /// Parses a size in bytes, such as 12kB or 3MB (decimal) or 12KiB (binary).
  static func size(_ text: String) throws(ValueProblem) -> ByteCount {
    ByteCount(
      bytes: try single(ungrouped(text), Units.sizes, what: "size", example: "20kB", whole: "a whole number of bytes"))
  }

  /// Parses a rate such as 7k/s, 50/day or 2500rps, and returns millionths per day.
  static func rate(_ text: String) throws(ValueProblem) -> RunMillionths {
    if text == "0" { return RunMillionths(count: 0) }
    let text = ungrouped(text)
    try refuseSexagesimal(text, help: .write(like: "7k/s"))
    guard text.first?.isDigit == true else { throw try notA("rate", text, example: "7k/s") }
    let number = text.prefix { $0.isDigit || $0 == "." || $0 == "_" }
    let unit = Units.trimmed(text.dropFirst(number.count))
    guard let known = Units.rate(unit) else { throw unknownRate(number, unit) }
    return RunMillionths(
      count: try exact(number, known.factor * 1_000_000, "a whole number of millionths per day"))
  }

  /// Parses a rate, and returns it per second.
  static func perSecond(_ text: String) throws(ValueProblem) -> Double { Double(try rate(text).count) / 86_400_000_000 }

  /// Returns the texts of the two ends of a range a..b.
  static func ends(_ text: String) throws(ValueProblem) -> (String, String) {
    let problem = ValueProblem(.unreadable, "is not a range", note: "not a range", help: "a range is low..high")
    for index in text.indices where text[index...].hasPrefix("..") {
      let (from, to) = (String(text[..<index]), String(text[index...].dropFirst(2)))
      if from.isEmpty || to.isEmpty || to.hasPrefix(".") { throw problem }
      return (from, to)
    }
    throw problem
  }

  /// Returns the numbers in the text, each with the letters that follow it. Spaces between a number and its letters are
  /// allowed.
  private static func parts(
    of text: String, what: String, example: String
  ) throws(ValueProblem) -> [(number: Substring, unit: String)] {
    guard text.first?.isDigit == true else { throw try notA(what, text, example: example) }
    var rest = Substring(text)
    var parts: [(Substring, String)] = []
    while !rest.isEmpty {
      let number = rest.prefix { $0.isDigit || $0 == "." || $0 == "_" }
      rest = rest.dropFirst(number.count)
      let unit = rest.prefix { !$0.isDigit }
      rest = rest.dropFirst(unit.count)
      parts.append((number, Units.trimmed(unit)))
    }
    return parts
  }

  /// Returns a problem for a string that does not start with a digit.
  private static func notA(_ what: String, _ text: String, example: String) throws(ValueProblem) -> ValueProblem {
    let problem = ValueProblem(
      .unreadable, "is not a \(what)", note: "not a \(what)", help: .write(like: example))
    do { _ = try Decimal(text.prefix { $0 != " " }) } catch { throw error.code == .unreadable ? problem : error }
    return problem
  }

  static func single(
    _ text: String, _ units: [Unit], what: String, example: String, whole: String
  ) throws(ValueProblem) -> Int64 {
    if text == "0" { return 0 }
    try refuseSexagesimal(text, help: .write(like: example))
    let parts = try parts(of: text, what: what, example: example)
    guard parts.count == 1, let part = parts.first else {
      throw ValueProblem(
        .unreadable, "is not a \(what)", note: "not a \(what)", help: Help.write(like: example).and("10^6 is 1M"))
    }
    if let unit = units.named(part.unit) { return try exact(part.number, unit.factor, whole) }
    let names = "units: " + units.map(\.name).filter { !$0.isEmpty }.joined(separator: ", ")
    if part.unit.isEmpty {
      throw ValueProblem(
        .unitMissing, "needs a unit", note: "\(part.number) of what?".printable(longest: 40),
        help: Help.write(like: example).and(names))
    }
    let meant = units.meant(part.unit).map { Help.write(part.number + $0.name) }
    throw ValueProblem(
      .unitUnknown, "has the unknown unit \(part.unit.quoted)", note: "not a unit of a \(what)",
      help: meant ?? Help.write(like: example).and(part.unit.contains("^") ? "10^6 is 1M" : names))
  }

  private static func exact(_ number: Substring, _ factor: Int64, _ whole: String) throws(ValueProblem) -> Int64 {
    do { return try Decimal(number).times(factor) } catch {
      guard error.code == .notExact else { throw error }
      throw ValueProblem(.notExact, "must be \(whole)", note: "finer than that", help: "round it")
    }
  }

  private static func refuseSexagesimal(_ text: String, help: Help) throws(ValueProblem) {
    guard text.contains(":"), text.first?.isDigit == true else { return }
    throw ValueProblem(.ambiguousNumber, "is not a clock time", note: "hours or minutes?", help: help)
  }

  private static func bareDuration(_ number: Substring) -> ValueProblem {
    ValueProblem(
      .unitMissing, "is a duration and needs a unit", note: "\(number) of what?".printable(longest: 40),
      help: Help.write(["s", "min", "h"].map { number + $0 }).and("units: ms, s, min, h, d"))
  }

  private static func unknownSpan(_ number: Substring, _ unit: String) -> ValueProblem {
    let meant = unit == "m" ? "min" : Units.spans.meant(unit)?.name
    return ValueProblem(
      .unitUnknown, "has the unknown unit \(unit.quoted)", note: "not a unit of time",
      help: meant.map { .write(number + $0) } ?? Help.write(like: "15min").and("units: ms, s, min, h, d"))
  }

  private static func bareShare(_ text: String) throws(ValueProblem) -> ValueProblem {
    let number = Units.trimmed(text.prefix { $0.isDigit || $0 == "." || $0 == "_" })
    let unit = Units.trimmed(text.dropFirst(number.count))
    if ["percent", "per cent", "pct"].contains(unit) {
      return ValueProblem(
        .unitUnknown, "has the unknown unit \(unit.quoted)", note: "not a unit of a share", help: .write(number + "%"))
    }
    let decimal = try Decimal(text)
    let isFraction = decimal.double(shiftedBy: 0) <= 1 && decimal.scale > 0
    return ValueProblem(
      .unitMissing, "needs a % sign", note: "of what?",
      help: text == "1" ? .write("100%", "1%") : .write((isFraction ? decimal.percentText : text) + "%"))
  }

  private static func unknownRate(_ number: Substring, _ unit: String) -> ValueProblem {
    let units = "units: /s, /min, /h, /day"
    let hasPeriod = unit.contains("/") || unit.contains(" per ")
    if let count = Units.counts.dropLast().first(where: { $0.names.contains(unit) }), !hasPeriod {
      return ValueProblem(
        .unitMissing, "is a rate and needs a unit", note: "per what?",
        help: Help.write(number + count.name + "/s").and(units))
    }
    let folded = Units.rate(unit.lowercased()).map { _ in Help.write(number + unit.lowercased()) }
    return ValueProblem(
      .unitUnknown, "has the unknown unit \(unit.quoted)", note: "not a unit of a rate",
      help: folded ?? Help.write(like: "7k/s").and(units))
  }
}

/// Exact parsers for power and energy.
extension Quantities {
  /// Parses a power such as 1.2W or 124mW as whole microwatts.
  static func power(_ text: String) throws(ValueProblem) -> Power {
    let units = [Unit("W", factor: 1_000_000), Unit("mW", factor: 1_000)]
    return Power(
      microwatts: try single(text, units, what: "power", example: "1.2W", whole: "a whole number of microwatts"))
  }

  /// Parses an energy per bit such as 51.97mW/Mbps (equal to 51.97nJ/bit) as whole picojoules.
  static func energyPerBit(_ text: String) throws(ValueProblem) -> EnergyPerBit {
    let units = [Unit("mW/Mbps", factor: 1_000), Unit("nJ/bit", factor: 1_000)]
    return EnergyPerBit(
      picojoules: try single(
        text, units, what: "power per rate", example: "51.97mW/Mbps", whole: "a whole number of picojoules per bit"))
  }

  /// Parses a battery capacity such as 12.98Wh as hundredths of a watt-hour.
  static func battery(_ text: String) throws(ValueProblem) -> Int64 {
    try single(
      text, [Unit("Wh", factor: 100)], what: "battery", example: "12.98Wh", whole: "whole hundredths of a watt-hour")
  }
}

/// A unit with its accepted spellings, the first of which is used in resolved scenarios.
struct Unit {
  var names: [String]
  /// The size of the unit as a multiple of the smallest unit.
  var factor: Int64

  init(_ names: String..., factor: Int64) { (self.names, self.factor) = (names, factor) }

  var name: String { names.first ?? "" }
}

/// The units of quantities, including alternative words that users may write.
enum Units {
  /// The units of durations with their lengths in milliseconds, in descending order.
  static let spans = [
    Unit("w", "week", "weeks", factor: 604_800_000), Unit("d", "day", "days", factor: 86_400_000),
    Unit("h", "hr", "hrs", "hour", "hours", factor: 3_600_000),
    Unit("min", "mins", "minute", "minutes", factor: 60_000),
    Unit("s", "sec", "secs", "second", "seconds", factor: 1_000),
    Unit("ms", "msec", "millisecond", "milliseconds", factor: 1),
  ]
  static let counts = [
    Unit("", factor: 1), Unit("k", "thousand", factor: 1_000), Unit("M", "million", "millions", factor: 1_000_000),
    Unit("G", "billion", "billions", factor: 1_000_000_000),
  ]
  static let sizes = [
    Unit("B", "byte", "bytes", factor: 1), Unit("kB", factor: 1_000), Unit("MB", factor: 1_000_000),
    Unit("GB", factor: 1_000_000_000), Unit("KiB", factor: 1 << 10), Unit("MiB", factor: 1 << 20),
    Unit("GiB", factor: 1 << 30),
  ]
  /// The periods to which rates can refer, each with the number of periods per day.
  static let periods = [
    Unit("s", "sec", "second", factor: 86_400), Unit("min", "minute", factor: 1_440),
    Unit("h", "hr", "hour", factor: 24),
    Unit("day", "d", factor: 1),
  ]
  /// The units of rates that are written as one word, each with its period.
  static let rateWords = [("rps", "s"), ("qps", "s"), ("rpm", "min")]
  /// The words for the objects that a rate counts.
  static let ratedThings = ["requests", "request", "reqs", "req", "queries", "query"]

  /// The unit of a rate, which follows the number.
  struct RateUnit {
    var factor: Int64
    /// The name used in resolved scenarios, including the slash, such as `/s`.
    var name: String
  }

  /// Parses the unit of a rate, such as `k/s`, ` million requests per day` or `rps`; returns `nil` for any other text.
  static func rate(_ text: some StringProtocol) -> RateUnit? {
    guard let (head, period) = period(of: String(text)) else { return nil }
    let things = ratedThings.first { head.hasSuffix($0) } ?? ""
    let multiple = trimmed(head.dropLast(things.count))
    guard let count = counts.dropLast().first(where: { $0.names.contains(multiple) }) else { return nil }
    return RateUnit(factor: count.factor * period.factor, name: "/" + period.name)
  }

  /// Returns the period at the end of a rate's unit, and the text before it.
  private static func period(of text: String) -> (head: String, period: Unit)? {
    for (word, name) in rateWords where text.hasSuffix(word) {
      return periods.first { $0.name == name }.map { (trimmed(text.dropLast(word.count)), $0) }
    }
    for sign in ["/", " per "] {
      let parts = " \(text)".split(separator: sign, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      let name = trimmed(parts[1])
      return periods.first { $0.names.contains(name) }.map { (trimmed(parts[0]), $0) }
    }
    return nil
  }

  /// Returns the string without leading and trailing spaces.
  static func trimmed(_ text: some StringProtocol) -> String {
    let kept = text.drop { $0 == " " }
    return String(kept.reversed().drop { $0 == " " }.reversed())
  }
}

extension [Unit] {
  /// Returns the unit with the given spelling; `nil` if there is none.
  func named(_ name: String) -> Unit? { first { $0.names.contains(name) } }

  /// Returns the unit that the user probably meant by an unknown spelling; `nil` if no unit is similar.
  func meant(_ text: String) -> Unit? {
    let folded = text.lowercased()
    if let same = first(where: { $0.names.contains { $0.lowercased() == folded } }) { return same }
    return Spelling.nearest(to: text, among: flatMap(\.names).filter { $0.count > 2 }).flatMap { named($0) }
  }

  /// A regular expression that matches any spelling of any unit.
  var pattern: String { "(" + flatMap(\.names).filter { !$0.isEmpty }.joined(separator: "|") + ")" }
}
