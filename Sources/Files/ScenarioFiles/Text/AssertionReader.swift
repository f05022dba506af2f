import Scenario

/// A problem in an assertion, with the character range that causes it.
struct AssertionProblem: Error {
  var problem: ValueProblem
  /// The range in Unicode scalars, starting at 0.
  var range: Range<Int>
}

/// A reader for assertions of the form `metric{label=value, ...} OP value [of reference]` (Docs/GOALS.md).
struct AssertionReader {
  struct Assertion {
    var figure: FigureName
    var comparison: Comparison
    var limit: Limit
  }

  let names: LabelNames
  var text: AssertionText

  /// Reads a complete assertion.
  static func read(_ text: String, _ names: LabelNames) throws(AssertionProblem) -> Assertion {
    var reader = AssertionReader(names: names, text: AssertionText(text))
    let figure = try reader.figure()
    let comparison = try reader.comparison()
    return Assertion(figure: figure, comparison: comparison, limit: try reader.limit(of: figure))
  }

  mutating func figure() throws(AssertionProblem) -> FigureName {
    let (word, range) = text.word()
    guard text.next == "(", !word.isEmpty else { return try figure(word, range, statistic: nil) }
    guard let statistic = Statistic(rawValue: word) else {
      var ahead = text
      ahead.skip()
      let all = (Metric(rawValue: ahead.word().0)?.statistics ?? Statistic.allCases).map(\.rawValue)
      throw text.problem(
        .noSuchFigure, "\(word.quoted) is not a statistic", note: "not a statistic",
        help: Spelling.hint(word, among: all) ?? "statistics are \(all.joined(separator: ", "))", at: range)
    }
    text.skip()
    let (metric, place) = text.word()
    let figure = try figure(metric, place, statistic: (statistic, range))
    guard text.next == ")" else {
      throw text.unreadable("a ')' is missing", help: "close the bracket after the metric")
    }
    text.skip()
    return figure
  }

  private mutating func figure(
    _ word: String, _ range: Range<Int>, statistic: (Statistic, Range<Int>)?
  ) throws(AssertionProblem) -> FigureName {
    guard let first = word.unicodeScalars.first, !("0"..."9").contains(first) else {
      throw text.unreadable("a metric is missing", help: "a goal is a metric, a comparison and a limit")
    }
    guard let metric = Metric(rawValue: word) else {
      throw text.problem(
        .unknownMetric, "there is no metric \(word.quoted)", note: "not a metric",
        help: Self.help(for: word, isAlone: statistic == nil), at: range
      )
    }
    let end = range.upperBound
    var labels = try labels(of: metric)
    let chosen = statistic?.0 ?? metric.statistics[0]
    guard metric.statistics.contains(chosen) else {
      let all = metric.statistics.map(\.rawValue).joined(separator: ", ")
      throw text.problem(
        .noSuchFigure, "\(metric.rawValue) has no \(chosen.rawValue)", note: "not available for it",
        help: "it has \(all)", at: statistic?.1 ?? range)
    }
    if metric == .runsPerDay, chosen != .mean, !labels.during.isEmpty {
      throw text.problem(
        .noSuchFigure, "runs_per_day during a window has no \(chosen.rawValue)", note: "only for whole days",
        help: "during a window it has only mean", at: statistic?.1 ?? range)
    }
    if metric.labels.contains(.window), labels.window.isEmpty { labels.window = try defaultWindow(range) }
    if metric == .requests, chosen == .share, labels.cause.isEmpty || !labels.endpoint.isEmpty {
      throw text.problem(
        .noSuchFigure, "a share of the requests needs a cause", note: "which cause?",
        help: .write("requests{cause=tap}"), at: range.lowerBound..<max(end, text.position))
    }
    if metric == .failures, chosen == .share, !labels.cause.isEmpty || !labels.reason.isEmpty {
      throw text.problem(
        .noSuchFigure, "a share of failures is relative to the requests of an endpoint or kind",
        note: "not by cause or reason",
        help: .write("failures"), at: range.lowerBound..<max(end, text.position))
    }
    var figure = FigureName(metric, chosen, labels)
    figure.isOfPeriod = names.clock.duration < .day
    return figure
  }

  /// Returns the name of the shortest available window length.
  private func defaultWindow(_ range: Range<Int>) throws(AssertionProblem) -> String {
    if let window = LoadWindow.finest(of: names.clock) { return window.name }
    throw text.problem(
      .noSuchFigure, "no load window is a multiple of clock.step", note: "never known",
      help: .set("clock.step", "1s"), at: range)
  }

  /// Words that users may write instead of the name of a metric, with the metrics that they probably mean.
  private static let otherWords = [
    "time_above_capacity": "overload_seconds", "overload": "overload_seconds", "load": "peak_rps", "rps": "peak_rps",
    "peak": "peak_rps", "failure_rate": "share(failures)", "error_rate": "share(failures)",
    "errors": "share(failures)", "refreshes": "runs_per_day", "freshness": "data_age", "age": "data_age",
    "staleness": "stale_views", "battery": "battery_percent_per_day", "energy": "energy_per_day",
    "recovery": "recovery_time",
  ]

  private static func help(for word: String, isAlone: Bool) -> Help {
    if let near = Spelling.hint(word, among: Metric.allCases.map(\.rawValue)) { return near }
    if let meant = otherWords[word], isAlone || Metric(rawValue: meant) != nil { return .meant(meant) }
    return "metrics are \(Metric.allCases.map(\.rawValue).joined(separator: ", "))"
  }

  mutating func comparison() throws(AssertionProblem) -> Comparison {
    let (sign, range) = text.sign()
    if let comparison = Comparison(rawValue: sign) { return comparison }
    let meant = ["=": "==", "=<": "<=", "=>": ">=", "≤": "<=", "≥": ">=", "≠": "!=", "<>": "!="][sign]
    let all = Comparison.allCases.map(\.rawValue).joined(separator: "  ")
    throw text.problem(
      .badAssertion, sign.isEmpty ? "a comparison is missing" : "\(sign.quoted) is not a comparison",
      note: sign.isEmpty ? "compared with what?" : "not a comparison",
      help: meant.map { .meant($0) } ?? "comparisons are \(all)", at: range)
  }

  private mutating func labels(of metric: Metric) throws(AssertionProblem) -> Labels {
    var labels = Labels()
    guard text.next == "{" else { return labels }
    text.skip()
    var given: [Label] = []
    while text.next != "}" {
      let (word, range) = text.word()
      let label = try label(word, range, of: metric, besides: given)
      guard text.next == "=" else {
        throw text.unreadable("a '=' is missing", help: "a label is followed by = and its value")
      }
      text.skip()
      let (value, place) = text.labelValue()
      guard text.next != nil else {
        throw text.unreadable("a '}' is missing", help: "close the labels with '}'")
      }
      do { labels[label] = try names.value(value, of: label, metric) } catch {
        throw AssertionProblem(problem: error, range: place)
      }
      given.append(label)
      if text.next == "," {
        text.skip()
      } else if text.next != "}" {
        throw text.unreadable("a '}' is missing", help: "close the labels with '}'")
      }
    }
    text.skip()
    return labels
  }

  private func label(
    _ word: String, _ range: Range<Int>, of metric: Metric, besides given: [Label]
  ) throws(AssertionProblem) -> Label {
    let known = metric.labels.map(\.rawValue)
    guard let label = Label(rawValue: word), metric.labels.contains(label) else {
      let list = "its labels are \(known.joined(separator: ", "))"
      throw text.problem(
        .unknownLabel, word.isEmpty ? "a label is missing" : "\(metric.rawValue) has no label \(word.quoted)",
        note: "not one of its labels", help: Spelling.hint(word, among: known) ?? Help(list), at: range)
    }
    if let other = given.first(where: { $0 == label || $0.isSetApart(from: label) }) {
      let isTwice = other == label
      throw text.problem(
        .noSuchFigure,
        isTwice ? "\(word.quoted) appears twice" : "\(word.quoted) cannot be combined with '\(other.rawValue)'",
        note: isTwice ? "the second time" : "unknown for both", help: isTwice ? "keep one" : "split it into two goals",
        at: range)
    }
    return label
  }

  private mutating func limit(of figure: FigureName) throws(AssertionProblem) -> Limit {
    let (rest, range) = text.rest()
    guard let first = rest.unicodeScalars.first else {
      throw text.unreadable("a limit is missing", help: "such as \(LimitText.example(figure.unit))")
    }
    // Names inside labels may also contain these words.
    let bare = rest.prefix { $0 != "{" }
    guard ![" and ", " or ", "&&"].contains(where: { bare.contains($0) }) else {
      throw text.unreadable("a goal has one comparison", help: "make each comparison a separate goal")
    }
    if let limit = try CapacityShare(text: text, names: names, figure: figure).limit() { return limit }
    if ("a"..."z").contains(first) { return .multiple(1, of: try reference(to: figure)) }
    guard let split = AssertionText.splitAtOf(rest) else {
      return .value(try LimitText.value(rest, of: figure, at: range))
    }
    let share = range.lowerBound..<range.lowerBound + split.share.unicodeScalars.count
    let factor = try LimitText.factor(split.share, at: share)
    text.move(to: range.lowerBound + split.offset)
    let (value, place) = text.rest()
    guard let start = value.unicodeScalars.first, !("a"..."z").contains(start) else {
      return .multiple(factor, of: try reference(to: figure))
    }
    return .value(factor * (try LimitText.value(value, of: figure, at: place)))
  }

  /// Reads the metric that follows `of`, up to the end of the text.
  private mutating func reference(to figure: FigureName) throws(AssertionProblem) -> FigureName {
    let start = text.rest().1.lowerBound
    let reference = try self.figure()
    let range = start..<text.position
    let (more, place) = text.rest()
    guard more.isEmpty else {
      throw text.problem(
        .badAssertion, "nothing may follow the metric", note: "unexpected", help: "a goal has one comparison",
        at: place)
    }
    guard reference.unit.dimension == figure.unit.dimension else {
      throw text.problem(
        .wrongDimension,
        "\(reference.metric.rawValue) is in \(reference.unit.rawValue), \(figure.metric.rawValue) in \(figure.unit.rawValue)",
        note: "cannot be compared", help: .write(like: LimitText.example(figure.unit)), at: range)
    }
    return reference
  }
}

extension Label {
  /// Whether results are split either by this label or by another label, but never by both.
  fileprivate func isSetApart(from other: Label) -> Bool {
    let groups: [Set<Label>] = [[.cohort, .kind], [.cause, .charged, .reason]]
    return groups.contains { $0.contains(self) && $0.contains(other) }
  }
}

/// The text of an assertion, with the current reading position.
struct AssertionText {
  private let scalars: [Unicode.Scalar]
  private(set) var position = 0

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    skipBlanks()
  }

  /// The next character, which is never a space; `nil` at the end of the text.
  var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  /// Skips one character and any spaces after it.
  mutating func skip() {
    position += 1
    skipBlanks()
  }

  mutating func move(to place: Int) {
    position = min(place, scalars.count)
    skipBlanks()
  }

  private mutating func skipBlanks() {
    while let scalar = next, AssertionText.isBlank(scalar) { position += 1 }
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

  /// Reads letters, digits, `_` and `-`, which are allowed in the names of metrics, statistics and labels.
  mutating func word() -> (String, Range<Int>) {
    take { $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_" || $0 == "-" }
  }

  /// Reads the characters of a comparison operator.
  mutating func sign() -> (String, Range<Int>) { take { "<>=!≤≥≠~".unicodeScalars.contains($0) } }

  /// Reads the text before the next `,` or `}`, or a quoted string.
  mutating func labelValue() -> (String, Range<Int>) {
    guard let quote = next, quote == "\"" || quote == "'",
      let end = scalars[(position + 1)...].firstIndex(of: quote)
    else { return take { $0 != "," && $0 != "}" } }
    let range = position..<end + 1
    let value = string(position + 1..<end)
    position = end + 1
    skipBlanks()
    return (value, range)
  }

  /// Returns the remaining text, without leading and trailing spaces.
  func rest() -> (String, Range<Int>) {
    var end = scalars.count
    while end > position, AssertionText.isBlank(scalars[end - 1]) { end -= 1 }
    return (string(position..<end), position..<max(end, position))
  }

  private mutating func take(while belongs: (Unicode.Scalar) -> Bool) -> (String, Range<Int>) {
    let start = position
    while let scalar = next, belongs(scalar) { position += 1 }
    var end = position
    while end > start, AssertionText.isBlank(scalars[end - 1]) { end -= 1 }
    skipBlanks()
    return (string(start..<end), start..<end)
  }

  private func string(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    return String(text)
  }

  /// Returns the text before ` of ` and the offset of the text after it; `nil` if there is no ` of `.
  static func splitAtOf(_ text: String) -> (share: String, offset: Int)? {
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    guard parts.count > 1, parts[1] == "of" else { return nil }
    return (String(parts[0]), text[..<parts[1].endIndex].unicodeScalars.count)
  }

  /// Returns a problem at the current position.
  func unreadable(_ sentence: String, help: Help?) -> AssertionProblem {
    problem(.badAssertion, sentence, note: "here", help: help, at: position..<position + 1)
  }

  func problem(
    _ code: Code, _ sentence: String, note: String, help: Help?, at range: Range<Int>
  ) -> AssertionProblem {
    AssertionProblem(problem: ValueProblem(code, sentence, note: note, help: help), range: range)
  }
}
