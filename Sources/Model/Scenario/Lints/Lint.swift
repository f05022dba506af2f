package import SimulationKernel

/// A warning about a valid scenario: it asks for what the system, the budget or the sample cannot give.
package struct Lint: Hashable, Sendable {
  /// A number that the message is made from.
  package struct Number: Hashable, Sendable {
    package var name: String
    package var value: Double
    /// As in summary.csv: `1/day`, `s`, `1/s`, `1`.
    package var unit: String
  }

  /// A code of lints.
  package var rule: Code
  /// Keys of the file from the top, items of lists by their number from 0; the key may be left out in the file.
  package var path: [String]
  /// Names in it are as the file has them: make them printable where they are shown.
  package var sentence: String
  /// A few words for the place itself.
  package var note: String
  package var help: String
  /// Keys with the values that mend it together; none where that is not known.
  package var mends: [Mend]
  package var numbers: [Number]

  /// A key by its path, with a value, as `--set` takes them.
  package struct Mend: Hashable, Sendable {
    package var path: String
    package var value: String

    package init(path: String, value: String) { (self.path, self.value) = (path, value) }
  }

  package init(
    _ rule: Code, at path: [String], _ sentence: String, note: String, help: String,
    numbers: KeyValuePairs<String, (Double, String)>, mends: [Mend] = []
  ) {
    self.rule = rule
    self.path = path
    self.sentence = sentence
    self.note = note
    self.help = help
    self.mends = mends
    let all = numbers.map { Number(name: $0.key, value: $0.value.0, unit: $0.value.1) }
    // A limit that there is not has no number.
    self.numbers = all.filter(\.value.isFinite)
  }

  /// More are not worth reading.
  package static let most = 50

  /// Everything that is odd about a valid scenario and needs no load, by rule; at most 50.
  ///
  /// - Parameter offsets: of the zones of the fleet at `clock.start`, local time less UTC; a zone that is missing
  ///   counts as UTC.
  package static func all(of scenario: Scenario, offsets: [String: TimeAmount]) -> [Lint] {
    let survey = FleetSurvey(of: scenario, offsets: offsets)
    let (intervals, timelines) = (IntervalLints(survey: survey), TimelineLints(survey: survey))
    let habits = HabitLints(survey: survey)
    var lints: [Lint] = []
    for kind in scenario.kinds.indices where lints.count < most {
      lints += intervals.spacingLints(kind)
      lints += intervals.budgetLints(kind)
      lints += timelines.entryLints(kind)
      lints += intervals.errorLints(kind)
      lints += timelines.cacheLints(kind)
      lints += timelines.jitterLints(kind)
      lints += SettleLints(survey: survey).settleLints(kind)
    }
    lints += GoalLints(survey: survey).goalLints
    lints += ProfileLints(scenario: scenario).ageLints
    lints += BaseLoadLints(survey: survey).zoneLints
    lints += habits.callLints + habits.peopleLints
    lints += SampleLints(survey: survey).sampleLints
    lints += survey.workLints
    return Array(lints.prefix(most))
  }
}

/// Numbers in the words of a lint.
package enum LintText {
  /// With about three digits: 9.5, 64, 1 150, 16 700.
  package static func number(_ value: Double) -> String {
    guard value.isFinite, value < 1e15 else { return "very many" }
    guard value < 9.95 else { return rounded(value).grouped }
    if value > 0, value < 0.095 {
      return value < 0.005 ? "less than 0.01" : "0.0\(max(Int64((value * 100).rounded()), 1))"
    }
    let tenths = Int64((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// Writes a value as `number` does, but the power of ten below it where there are more than 15 digits.
  static func large(_ value: Double) -> String {
    guard value >= 1e15, value.isFinite else { return number(value) }
    var exponent = 15
    while exponent < 308, value >= SteadyMath.exp(Double(exponent + 1) * 2.302_585_092_994_046) { exponent += 1 }
    return "10^\(exponent)"
  }

  /// A whole number of two digits and zeros, rounded down, as the file takes it.
  static func plain(_ value: Double) -> String {
    var unit = 1.0
    while value / unit >= 100, unit < 1e15 { unit *= 10 }
    return "\(Int64((value / unit).rounded(.down)) * Int64(unit))"
  }

  /// A rate of requests.
  package static func rate(_ perSecond: Double) -> String { number(perSecond) + " requests/s" }

  static func percent(_ fraction: Double) -> String { number(fraction * 100) + " %" }

  /// In the form of the file, of at most two units: 15min, 10h24min.
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

  /// A clock time to the minute.
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
  /// A name of the file in a sentence.
  package var inQuotes: String { "'\(self)'" }
}
