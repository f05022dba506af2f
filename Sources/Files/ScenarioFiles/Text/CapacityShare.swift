import Scenario

/// A reader for limits that are relative to the capacity of an endpoint, such as `80% of capacity`.
struct CapacityShare {
  /// The text of the assertion, positioned at the limit.
  let text: AssertionText
  let names: LabelNames
  let figure: FigureName

  private static let word = "capacity"

  /// Returns the limit; `nil` if it is not relative to a capacity.
  func limit() throws(AssertionProblem) -> Limit? {
    let (rest, range) = text.rest()
    // Names inside labels may contain the same word.
    let bare = rest.prefix { $0 != "{" }
    guard bare.split(whereSeparator: { !$0.isLetter && $0 != "_" }).contains(Substring(Self.word)) else {
      try refuseBareShare(rest, range)
      return nil
    }
    let words = rest.split(separator: " ")
    guard words == [Substring(Self.word)] || words.count == 3 && words[1] == "of" && words[2] == Self.word else {
      throw unreadable(rest, range)
    }
    guard words.count == 1 || words[0].hasSuffix("%") else { throw unreadable(rest, range) }
    let place = range.lowerBound..<range.lowerBound + words[0].unicodeScalars.count
    return .share(
      words.count == 1 ? 1 : try LimitText.factor(String(words[0]), at: place), ofCapacity: try capacity(range))
  }

  /// The endpoint in the labels of the metric, or the only endpoint; `nil` if there is no label and there are several
  /// endpoints.
  private var endpoint: String? {
    let name = figure.labels.endpoint
    return name.isEmpty ? (names.endpoints.count == 1 ? names.endpoints[0] : nil) : name
  }

  private func capacity(_ range: Range<Int>) throws(AssertionProblem) -> Double {
    guard figure.unit.dimension == .rate else {
      throw text.problem(
        .wrongDimension, "a capacity is in requests/s, but \(figure.metric.rawValue) is in \(figure.unit.rawValue)",
        note: "another unit", help: .write(like: LimitText.example(figure.unit)), at: range)
    }
    guard let endpoint else {
      let labels = names.endpoints.prefix(1).map { "{\(Label.endpoint.rawValue)=\($0)}" }.joined()
      throw text.problem(
        .noSuchFigure, "a share of the capacity needs the endpoint in the metric's labels", note: "whose capacity?",
        help: labels.isEmpty ? "the scenario has no endpoints" : "give the metric an endpoint, such as \(labels)",
        at: range)
    }
    guard let capacity = names.capacities[endpoint] else {
      throw text.problem(
        .noSuchFigure, "endpoint \(endpoint.quoted) has no capacity", note: "a share of what?",
        help: Help.set("backend.endpoints.\(endpoint).capacity", "300/s"), at: range)
    }
    return capacity
  }

  /// Returns a problem for a limit such as `0.75 * capacity`, with advice to write the share as a percentage.
  private func unreadable(_ rest: String, _ range: Range<Int>) -> AssertionProblem {
    let start = rest.drop { !$0.isNumber }
    let number = start.prefix { $0.isNumber || $0 == "." }
    let isPercentage = start.dropFirst(number.count).drop { $0 == " " }.first == "%"
    let share = try? Decimal(number).double(shiftedBy: isPercentage ? 0 : -2)
    let percentage =
      share.flatMap { $0 <= 1_000 ? $0 : nil }.map { $0 == $0.rounded() ? "\(Int64($0))" : "\($0)" } ?? "80"
    return text.problem(
      .badAssertion, "a share of a capacity is a percentage of it", note: "not a percentage of the capacity",
      help: .write("\(percentage)% of \(Self.word)"), at: range)
  }

  /// Rejects a limit of a load that is only a percentage.
  private func refuseBareShare(_ rest: String, _ range: Range<Int>) throws(AssertionProblem) {
    guard figure.unit.dimension == .rate, rest.hasSuffix("%"), (try? LimitText.factor(rest, at: range)) != nil else {
      return
    }
    let hasCapacity = endpoint.map { names.capacities[$0] != nil } == true
    throw text.problem(
      .wrongDimension, "\(rest.quoted) is a share, but \(figure.metric.rawValue) is in \(figure.unit.rawValue)",
      note: "a share of what?",
      help: .write(hasCapacity ? "\(rest) of \(Self.word)" : "\(rest) of \(LimitText.example(figure.unit))"), at: range)
  }
}
