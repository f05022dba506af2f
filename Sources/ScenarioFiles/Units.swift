/// A unit in all its spellings, the one of resolved texts first.
struct Unit {
  var names: [String]
  /// How many of the smallest unit it is.
  var factor: Int64

  init(_ names: String..., factor: Int64) { (self.names, self.factor) = (names, factor) }

  var name: String { names.first ?? "" }
}

/// The units that quantities carry, with the words that people use for them.
enum Units {
  /// In milliseconds, from large to small.
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
  /// What rates are per, in a day.
  static let periods = [
    Unit("s", "sec", "second", factor: 86_400), Unit("min", "minute", factor: 1_440),
    Unit("h", "hr", "hour", factor: 24),
    Unit("day", "d", factor: 1),
  ]
  /// Rates in one word, in a day.
  static let rateWords = [("rps", "s"), ("qps", "s"), ("rpm", "min")]
  /// What rates may say that they count.
  static let ratedThings = ["requests", "request", "reqs", "req", "queries", "query"]

  /// What stands behind the number of a rate.
  struct RateUnit {
    var factor: Int64
    /// As resolved texts have it, with its sign: `/s`.
    var name: String
  }

  /// Reads `k/s`, ` million requests per day`, `rps`; nil for what is no unit of a rate.
  static func rate(_ text: some StringProtocol) -> RateUnit? {
    guard let (head, period) = period(of: String(text)) else { return nil }
    let things = ratedThings.first { head.hasSuffix($0) } ?? ""
    let multiple = trimmed(head.dropLast(things.count))
    guard let count = counts.dropLast().first(where: { $0.names.contains(multiple) }) else { return nil }
    return RateUnit(factor: count.factor * period.factor, name: "/" + period.name)
  }

  /// The period at the end of a rate's unit, and what stands before it.
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

  /// Without blanks at both ends.
  static func trimmed(_ text: some StringProtocol) -> String {
    let kept = text.drop { $0 == " " }
    return String(kept.reversed().drop { $0 == " " }.reversed())
  }
}

extension [Unit] {
  /// The unit of this spelling.
  func named(_ name: String) -> Unit? { first { $0.names.contains(name) } }

  /// The unit that a spelling nobody knows was probably meant to be.
  func meant(_ text: String) -> Unit? {
    let folded = text.lowercased()
    if let same = first(where: { $0.names.contains { $0.lowercased() == folded } }) { return same }
    return Spelling.nearest(to: text, among: flatMap(\.names).filter { $0.count > 2 }).flatMap { named($0) }
  }

  /// The spellings as alternatives of a regular expression.
  var pattern: String { "(" + flatMap(\.names).filter { !$0.isEmpty }.joined(separator: "|") + ")" }
}
