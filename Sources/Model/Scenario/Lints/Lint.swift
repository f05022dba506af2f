package import SimulationKernel

/// A warning about a valid scenario that requests more than the system, the budget or the sample can provide.
package struct Lint: Hashable, Sendable {
  /// A number that appears in the message.
  package struct Number: Hashable, Sendable {
    package var name: String
    package var value: Double
    /// The unit as in summary.csv, such as `1/day`, `s`, `1/s` or `1`.
    package var unit: String
  }

  /// The code of the lint.
  package var rule: Code
  /// The key path from the top level of the file, in which list items are given by index (from 0). The key may be
  /// missing from the file.
  package var path: [String]
  /// The sentence for the user, with names as in the file, which must be escaped before display.
  package var sentence: String
  /// A short note to show at this position in the file.
  package var note: String
  package var help: String
  /// The keys and values that together fix the problem; empty if no fix is known.
  package var repairs: [Repair]
  package var numbers: [Number]

  /// A key path with a value, as used with `--set`.
  package struct Repair: Hashable, Sendable {
    package var path: String
    package var value: String

    package init(path: String, value: String) { (self.path, self.value) = (path, value) }
  }

  package init(
    _ rule: Code, at path: [String], _ sentence: String, note: String, help: String,
    numbers: KeyValuePairs<String, (Double, String)>, repairs: [Repair] = []
  ) {
    self.rule = rule
    self.path = path
    self.sentence = sentence
    self.note = note
    self.help = help
    self.repairs = repairs
    let all = numbers.map { Number(name: $0.key, value: $0.value.0, unit: $0.value.1) }
    // The value of a missing limit is infinite, so it is omitted.
    self.numbers = all.filter(\.value.isFinite)
  }

  package static let maximum = 50

  /// Returns all lints of a valid scenario that do not require a simulated load, by rule; there are at most 50.
  ///
  /// - Parameter offsets: the offset of local time from UTC at `clock.start`, by time zone of the fleet; a missing zone
  ///   is treated as UTC.
  package static func all(of scenario: Scenario, offsets: [String: TimeAmount]) -> [Lint] {
    let survey = FleetSurvey(of: scenario, offsets: offsets)
    let (intervals, timelines) = (IntervalLints(survey: survey), TimelineLints(survey: survey))
    let habits = HabitLints(survey: survey)
    var lints: [Lint] = []
    for kind in scenario.kinds.indices where lints.count < maximum {
      lints += intervals.spacingLints(kind)
      lints += intervals.budgetLints(kind)
      lints += timelines.entryLints(kind)
      lints += WindowLints(survey: survey).windowLints(kind)
      lints += intervals.errorLints(kind)
      lints += timelines.cacheLints(kind)
      lints += timelines.jitterLints(kind)
      lints += SettleLints(survey: survey).settleLints(kind)
    }
    lints += GoalLints(survey: survey).goalLints + GoalLints(survey: survey).dayLints
    lints += ProfileLints(scenario: scenario).ageLints
    lints += BaseLoadLints(survey: survey).zoneLints + EndpointLints(scenario: scenario).requestLints
    lints += habits.callLints + habits.peopleLints
    lints += SampleLints(survey: survey).sampleLints
    lints += survey.workLints
    return Array(lints.prefix(maximum))
  }
}

/// The text form of numbers and other values in lints.
package enum LintText {
  /// Formats a number with about three digits, such as 9.5, 64, 1 150 or 16 700.
  package static func number(_ value: Double) -> String {
    guard value.isFinite, value < 1e15 else { return "very many" }
    guard value < 9.95 else { return rounded(value).grouped }
    if value > 0, value < 0.095 {
      return value < 0.005 ? "less than 0.01" : "0.0\(max(Int64((value * 100).rounded()), 1))"
    }
    let tenths = Int64((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// Formats a value like `number`. Values with more than 15 digits are replaced by the next lower power of ten.
  static func large(_ value: Double) -> String {
    guard value >= 1e15, value.isFinite else { return number(value) }
    var exponent = 15
    while exponent < 308, value >= SteadyMath.exp(Double(exponent + 1) * 2.302_585_092_994_046) { exponent += 1 }
    return "10^\(exponent)"
  }

  /// Formats an integer as in scenario files, rounded down to two significant digits.
  static func plain(_ value: Double) -> String {
    var unit = 1.0
    while value / unit >= 100, unit < 1e15 { unit *= 10 }
    return "\(Int64((value / unit).rounded(.down)) * Int64(unit))"
  }

  /// Formats a request rate in requests per second.
  package static func rate(_ perSecond: Double) -> String { number(perSecond) + " requests/s" }

  static func percent(_ fraction: Double) -> String { number(fraction * 100) + " %" }

  /// Formats a time span as in scenario files, with at most two units, such as 15min or 10h24min.
  package static func span(_ span: TimeAmount) -> String { self.span(seconds: span.seconds) }

  static func span(seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e12 else { return "ages" }
    var rest = Int64((seconds * 1_000).rounded())
    let units: [(String, Int64)] = [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000), ("ms", 1)]
    guard let first = units.firstIndex(where: { $0.1 <= rest }) else { return "0s" }
    let finest = units[min(first + 1, units.count - 1)].1
    rest = (rest + finest / 2) / finest * finest
    return units.reduce(into: "") { text, unit in
      if rest >= unit.1 { text += "\(rest / unit.1)\(unit.0)" }
      rest %= unit.1
    }
  }

  /// Formats a time of day in hours and minutes.
  package static func time(_ time: TimeOfDay) -> String {
    let minutes = time.sinceMidnight.milliseconds / 60_000
    return [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
  }

  package static func rounded(_ value: Double) -> Int64 {
    var unit = 1.0
    while value / unit >= 1_000 { unit *= 10 }
    return Int64((value / unit).rounded()) * Int64(unit)
  }
}

extension String {
  /// The name in single quotes, for use in a sentence.
  package var inQuotes: String { "'\(self)'" }
}
