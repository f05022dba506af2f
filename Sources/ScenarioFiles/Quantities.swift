import Scenario
import SimulationKernel

/// The texts of quantities with units, read exactly.
enum Quantities {
  /// Units from large to small, in milliseconds.
  private static let spans: [(unit: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000), ("ms", 1),
  ]
  private static let mostMilliseconds: Int64 = 10_000 * 86_400_000

  /// 500ms, 2h30min: units from large to small, each at most once.
  static func duration(_ text: String) throws(ValueProblem) -> TimeAmount {
    try refuseSexagesimal(text, help: "write 1h30min or 1min30s")
    var total: Int64 = 0
    var last = -1
    for part in try parts(of: text, what: "duration", example: "15min") {
      guard !part.unit.isEmpty else { throw bareDuration(part.number) }
      guard let index = spans.firstIndex(where: { $0.unit == part.unit }) else { throw unknownSpan(part.unit) }
      guard index > last else {
        throw ValueProblem(
          .unreadable, "is not a duration", note: "units go from large to small, each once",
          help: "write it like 2h30min")
      }
      last = index
      total += try exact(part.number, spans[index].milliseconds, "a whole number of milliseconds")
      guard total <= mostMilliseconds else {
        throw ValueProblem(.outOfRange, "is longer than any duration here", note: "10 000 d at most")
      }
    }
    return .milliseconds(total)
  }

  /// 5%, from 0 to 1.
  static func share(_ text: String) throws(ValueProblem) -> Share {
    guard text.last == "%" else { throw try bareShare(text) }
    let number = text.dropLast()
    guard number.last != " " else { throw blank(before: "%", text) }
    let percent = try Decimal(number)
    guard percent.roundedUp <= 100 else {
      throw ValueProblem(.outOfRange, "must be from 0% to 100%", note: "more than all")
    }
    return Share(fraction: percent.double(shiftedBy: 2))
  }

  /// 2.5M, 250k, 7_000.
  static func count(_ text: String) throws(ValueProblem) -> Int64 {
    let units: [(String, Int64)] = [("", 1), ("k", 1_000), ("M", 1_000_000), ("G", 1_000_000_000)]
    return try single(text, units, what: "count", example: "250k", whole: "a whole number")
  }

  /// 12kB, 3MB decimal; 12KiB binary.
  static func size(_ text: String) throws(ValueProblem) -> ByteCount {
    let units: [(String, Int64)] = [
      ("B", 1), ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("KiB", 1 << 10), ("MiB", 1 << 20),
      ("GiB", 1 << 30),
    ]
    return ByteCount(bytes: try single(text, units, what: "size", example: "20kB", whole: "a whole number of bytes"))
  }

  /// 7k/s, 50/day: in millionths per day.
  static func rate(_ text: String) throws(ValueProblem) -> RunMillionths {
    let units: [(unit: String, perDay: Int64)] = [("s", 86_400), ("min", 1_440), ("h", 24), ("day", 1)]
    guard let slash = text.firstIndex(of: "/") else { throw bareRate(text) }
    let unit = String(text[text.index(after: slash)...])
    guard let perDay = units.first(where: { $0.unit == unit })?.perDay else {
      let near = Spelling.hint(unit, among: units.map(\.unit)) ?? "write /s, /min, /h or /day"
      throw ValueProblem(
        .unitUnknown, "has the unknown unit \(("/" + unit).quoted)", note: "not a unit of rates", help: near)
    }
    let multiples = [("", 1), ("k", 1_000), ("M", 1_000_000)].map { (unit: $0.0, factor: $0.1 * perDay * 1_000_000) }
    return RunMillionths(
      count: try single(
        String(text[..<slash]), multiples, what: "rate", example: "7k/s", whole: "a whole number of millionths a day"))
  }

  /// The two ends of a..b.
  static func ends(_ text: String) throws(ValueProblem) -> (String, String) {
    let problem = ValueProblem(.unreadable, "is not a range", note: "not a range", help: "write it like 0s..10min")
    for index in text.indices where text[index...].hasPrefix("..") {
      let (from, to) = (String(text[..<index]), String(text[index...].dropFirst(2)))
      if from.isEmpty || to.isEmpty || to.hasPrefix(".") { throw problem }
      return (from, to)
    }
    throw problem
  }
}

extension Quantities {
  /// Numbers and the letters after each.
  private static func parts(
    of text: String, what: String, example: String
  ) throws(ValueProblem) -> [(number: Substring, unit: String)] {
    guard text.first?.isDigit == true else {
      let problem = ValueProblem(
        .unreadable, "is not a \(what)", note: "not a \(what)", help: "write it like \(example)")
      do { _ = try Decimal(text.prefix { $0 != " " }) } catch { throw error.code == .unreadable ? problem : error }
      throw problem
    }
    var rest = Substring(text)
    var parts: [(Substring, String)] = []
    while !rest.isEmpty {
      let number = rest.prefix { $0.isDigit || $0 == "." || $0 == "_" }
      rest = rest.dropFirst(number.count)
      let unit = rest.prefix { !$0.isDigit }
      rest = rest.dropFirst(unit.count)
      if unit.first == " " { throw blank(before: String(unit.drop { $0 == " " }), text) }
      parts.append((number, String(unit)))
    }
    return parts
  }

  static func single(
    _ text: String, _ units: [(unit: String, factor: Int64)], what: String, example: String, whole: String
  ) throws(ValueProblem) -> Int64 {
    try refuseSexagesimal(text, help: "write it like \(example)")
    let parts = try parts(of: text, what: what, example: example)
    guard parts.count == 1, let part = parts.first else {
      throw ValueProblem(
        .unreadable, "is not a \(what)", note: "not a \(what)", help: "write it like \(example); 10^6 is 1M")
    }
    if let factor = units.first(where: { $0.unit == part.unit })?.factor {
      return try exact(part.number, factor, whole)
    }
    let names = units.map(\.unit).filter { !$0.isEmpty }
    if part.unit.isEmpty {
      throw ValueProblem(
        .unitMissing, "needs a unit", note: "\(part.number) of what?".printable(longest: 40),
        help: "write it like \(example) (units: \(names.joined(separator: ", ")))")
    }
    let power = part.unit.contains("^") ? "10^6 is 1M" : nil
    let folded = names.first { $0.lowercased() == part.unit.lowercased() }.map { "did you mean '\($0)'?" }
    throw ValueProblem(
      .unitUnknown, "has the unknown unit \(part.unit.quoted)", note: "not a unit of a \(what)",
      help: power ?? folded ?? "write it like \(example) (units: \(names.joined(separator: ", ")))")
  }

  private static func exact(_ number: Substring, _ factor: Int64, _ whole: String) throws(ValueProblem) -> Int64 {
    do { return try Decimal(number).times(factor) } catch {
      guard error.code == .notExact else { throw error }
      throw ValueProblem(.notExact, "must be \(whole)", note: "finer than that", help: "round it")
    }
  }

  private static func refuseSexagesimal(_ text: String, help: String) throws(ValueProblem) {
    guard text.contains(":"), text.first?.isDigit == true else { return }
    throw ValueProblem(.ambiguousNumber, "is not a clock time", note: "hours or minutes?", help: help)
  }

  private static func blank(before unit: String, _ text: String) -> ValueProblem {
    let closed = String(text.filter { $0 != " " })
    return ValueProblem(
      .unreadable, "has a blank before its unit", note: "no blank here",
      help: "write \(closed.printable(longest: 40))")
  }

  private static func bareDuration(_ number: Substring) -> ValueProblem {
    let shown = String(number).printable(longest: 20)
    return ValueProblem(
      .unitMissing, "is a duration and needs a unit", note: "\(shown) of what?",
      help: number == "0" ? "write 0s" : "write \(shown)s, \(shown)min or \(shown)h (units: ms, s, min, h, d)")
  }

  private static func unknownSpan(_ unit: String) -> ValueProblem {
    let words = [
      "m": "min", "mins": "min", "minute": "min", "minutes": "min", "sec": "s", "secs": "s", "second": "s",
      "seconds": "s", "hr": "h", "hrs": "h", "hour": "h", "hours": "h", "day": "d", "days": "d", "msec": "ms",
      "millis": "ms",
    ]
    let meant = words[unit.lowercased()] ?? spans.first { $0.unit == unit.lowercased() }?.unit
    let help = meant.map { "did you mean '\($0)'?" } ?? "units: ms, s, min, h, d"
    return ValueProblem(
      .unitUnknown, "has the unknown unit \(unit.quoted)", note: "not a unit of time",
      help: ["w", "week", "weeks"].contains(unit) ? "a week is 7d" : help)
  }

  private static func bareShare(_ text: String) throws(ValueProblem) -> ValueProblem {
    let number = try Decimal(text)
    let asFraction = number.double(shiftedBy: 0) <= 1 && number.scale > 0
    let shown = (asFraction ? number.percentText : text).printable(longest: 20)
    return ValueProblem(.unitMissing, "is a share and needs %", note: "of what?", help: "write \(shown)%")
  }

  private static func bareRate(_ text: String) -> ValueProblem {
    do { _ = try count(text) } catch { return error }
    return ValueProblem(
      .unitMissing, "is a rate and needs a unit", note: "per what?",
      help: "write it like \(text.printable(longest: 20))/s (units: /s, /min, /h, /day)")
  }
}
