package import Scenario
import SimulationKernel

/// A reader for the conditions of `compare --fail-on`, which consist of a metric as in goals, a comparison operator and
/// a signed change.
package enum ChangeConditionReader {
  package struct Outcome: Sendable {
    /// The condition; `nil` if `diagnostics` contains an error.
    package var condition: ChangeCondition?
    package var diagnostics: [Diagnostic]
  }

  /// - Parameter scenario: the scenario that defines the kinds, endpoints and other names that can occur in labels.
  package static func read(_ text: String, of scenario: Scenario) -> Outcome {
    let bytes = Array(text.utf8)
    var problems = ProblemList(file: SourceText(name: "--fail-on argument", bytes: bytes))
    do {
      return Outcome(
        condition: try AssertionReader.readChange(text, LabelNames(of: scenario)), diagnostics: [])
    } catch {
      problems.add(error) { range in
        let length = text.unicodeScalars.count
        let start = min(range.lowerBound, length)
        return Span(source: 0, line: 1, column: start + 1, length: max(1, min(range.count, length - start)))
      }
      return Outcome(condition: nil, diagnostics: problems.diagnostics)
    }
  }
}

extension LabelNames {
  init(of scenario: Scenario) {
    self.init(
      kinds: scenario.kinds.map(\.name),
      endpoints: scenario.endpoints, events: scenario.events, windows: scenario.windows,
      fleet: scenario.fleet, clock: scenario.clock)
  }
}

extension AssertionReader {
  /// Reads a complete condition.
  fileprivate static func readChange(_ text: String, _ names: LabelNames) throws(AssertionProblem) -> ChangeCondition {
    var reader = AssertionReader(names: names, text: AssertionText(text))
    let figure = try reader.figure()
    let sign = reader.text.position
    let comparison = try reader.comparison()
    guard !comparison.isExact else {
      throw reader.text.problem(
        .badAssertion, "a change is compared with <, <=, > or >=", note: "not for a change",
        help: .write(">"), at: sign..<sign + 2)
    }
    let change = try reader.change(of: figure)
    return ChangeCondition(text: text, figure: figure, comparison: comparison, change: change)
  }

  /// Parses a change such as `+5%` relative to the base value, `+1pp` of a share, or `-20/s` in the unit of the metric.
  private func change(of figure: FigureName) throws(AssertionProblem) -> ChangeCondition.Change {
    let (rest, range) = text.rest()
    guard let sign = rest.first, sign == "+" || sign == "-" || sign == "−" else {
      throw text.problem(
        .badAssertion, rest.isEmpty ? "a change is missing" : "a change needs a sign", note: "no sign",
        help: .write("+5%", Self.example(figure)), at: range)
    }
    let factor: Double = sign == "+" ? 1 : -1
    if let both = try floor(rest, range, sign, of: figure) { return both }
    let amount = String(rest.dropFirst())
    let place = min(range.lowerBound + 1, range.upperBound)..<range.upperBound
    if amount.hasSuffix("%") { return .relative(factor * (try Self.number(amount.dropLast(), shiftedBy: 2, place))) }
    guard amount.hasSuffix("pp") else {
      return .absolute(factor * (try LimitText.value(amount, of: figure, at: place)))
    }
    let dimension = figure.unit.dimension
    guard dimension == .share || dimension == .percent else {
      throw text.problem(
        .wrongDimension,
        "percentage points are for shares, but \(figure.metric.rawValue) is in \(figure.unit.rawValue)",
        note: "another unit", help: Help.write("5%").and("or such as \(Self.example(figure))"), at: place)
    }
    return .absolute(factor * (try Self.number(amount.dropLast(2), shiftedBy: dimension == .share ? 2 : 0, place)))
  }

  /// Parses a relative change combined with a minimum absolute change, such as `+5% and +15/s`; returns `nil` for a
  /// single change.
  private func floor(
    _ rest: String, _ range: Range<Int>, _ sign: Character, of figure: FigureName
  ) throws(AssertionProblem) -> ChangeCondition.Change? {
    guard let middle = rest.firstRange(of: " and ") else { return nil }
    var parts: [ChangeCondition.Change] = []
    for part in [rest[..<middle.lowerBound], rest[middle.upperBound...]] {
      let start = range.lowerBound + rest[..<part.startIndex].unicodeScalars.count
      guard part.first == sign else {
        throw text.problem(
          .badAssertion, "both changes need the same sign", note: "not with this sign",
          help: .write("\(sign)5% and \(sign)\(Self.example(figure).dropFirst())"), at: start..<range.upperBound)
      }
      var reader = self
      reader.text = AssertionText(String(part))
      do { parts.append(try reader.change(of: figure)) } catch {
        throw AssertionProblem(
          problem: error.problem, range: error.range.lowerBound + start..<error.range.upperBound + start)
      }
    }
    switch (parts[0], parts[1]) {
    case (.relative(let share), .absolute(let amount)), (.absolute(let amount), .relative(let share)):
      return .both(share, amount)
    default:
      throw text.problem(
        .badAssertion, "a floor is an absolute change alongside a relative one", note: "two of the same kind",
        help: .write("\(sign)5% and \(sign)\(Self.example(figure).dropFirst())"), at: range)
    }
  }

  private static func number(
    _ text: Substring, shiftedBy shift: Int, _ range: Range<Int>
  ) throws(AssertionProblem) -> Double {
    do { return try Decimal(text).double(shiftedBy: shift) } catch {
      var problem = error
      problem.sentence = "the change \(problem.sentence)"
      throw AssertionProblem(problem: problem, range: range)
    }
  }

  private static func example(_ figure: FigureName) -> String {
    switch figure.unit.dimension {
    case .share, .percent: "+1pp"
    case .perDay: "+2/day"
    case .perWindow: "+2/window"
    case .rate: "+100/s"
    case .time: "+30s"
    case .clockTime: "+1h"
    case .count: "+10k"
    case .size: "+20MB"
    case .ratio: "+0.5"
    case .energy: "+1J"
    }
  }
}

/// The possible values of labels in a scenario.
struct LabelNames {
  var cohorts: [String]
  var kinds: [String]
  var endpoints: [String]
  /// The maximum capacity of each endpoint with a capacity, by name.
  private(set) var capacities: [String: Double] = [:]
  var events: [String]
  var pushes: [String]
  /// The push events that have a start time (MODEL.md 8.4).
  var startedPushes: [String]
  var windows: [String]
  /// The names of the windows that apply at the same instants on all phones.
  private var sharedWindows: [String]
  var clock: Clock

  init(
    kinds: [String], endpoints: [Endpoint], events: [Event], windows: [NamedWindow], fleet: Fleet, clock: Clock
  ) {
    cohorts = fleet.cohorts.map(\.name)
    self.windows = windows.map(\.name)
    sharedWindows = windows.filter { fleet.shares($0.time) }.map(\.name)
    self.kinds = kinds
    self.endpoints = endpoints.map(\.name)
    for endpoint in endpoints { capacities[endpoint.name] = endpoint.largestCapacity }
    self.events = events.map(\.name)
    pushes = events.filter { $0.push != nil }.map(\.name)
    startedPushes = events.filter(\.isStartedPush).map(\.name)
    self.clock = clock
  }

  static let periods = ["5min", "15min", "30min", "60min"]

  /// Returns the value of a label in the spelling used in results.
  func value(_ text: String, of label: Label, _ metric: Metric) throws(ValueProblem) -> String {
    let known = known(label, metric)
    if known.contains(text) { return text }
    let hasLengths = label == .window || label == .period
    if hasLengths, let same = known.first(where: { LabelNames.span($0) == LabelNames.span(text) }) { return same }
    if label == .during, windows.contains(text) {
      throw ValueProblem(
        .noSuchFigure, "the window \(text.quoted) is at different times in different zones of the fleet",
        note: "a load needs one time for all zones", help: "give the window a zone, such as zone: Europe/Berlin")
    }
    let list = known.isEmpty ? "the scenario has none" : "there are \(known.prefix(12).joined(separator: ", "))"
    throw ValueProblem(
      .unknownLabelValue,
      text.isEmpty ? "the label '\(label.rawValue)' has no value" : "there is no \(label.rawValue) \(text.quoted)",
      note: label == .window ? "not a window at this clock.step" : "not known",
      help: (hasLengths ? nil : Spelling.hint(text, among: known)) ?? Help(list.printable))
  }

  private func known(_ label: Label, _ metric: Metric) -> [String] {
    switch label {
    case .cohort: cohorts
    case .kind: kinds
    case .endpoint: endpoints
    case .cause: Cause.allCases.map(\.name)
    case .charged: ["yes", "no"]
    case .reason:
      switch metric {
      case .failures: FailureReason.allCases.map(\.name)
      case .askedPerDay: AskedRow.allCases.map(\.reason).filter { !$0.isEmpty }
      default: WaitReason.allCases.map(\.name)
      }
    case .component: EnergyComponent.allCases.map(\.name)
    case .event:
      switch metric {
      case .eventToView: startedPushes
      case .pushes: pushes
      default: events
      }
    case .window: LoadWindow.all(of: clock).map(\.name)
    case .period: LabelNames.periods
    case .during: metric.labels.contains(.window) ? sharedWindows : windows
    }
  }

  /// Returns the length of a window or period; `nil` if the string is not a duration.
  private static func span(_ text: String) -> TimeAmount? {
    do { return try Quantities.duration(text) } catch { return nil }
  }
}
