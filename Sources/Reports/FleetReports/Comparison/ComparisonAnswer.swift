import Scenario
import Studies

/// The significant changes in a comparison, shown in the strip at the top of its page and in the last line of its
/// table.
struct ComparisonAnswer {
  let comparison: RunComparison
  let verdict: ComparisonVerdict

  init(_ comparison: RunComparison) {
    self.comparison = comparison
    verdict = ComparisonVerdict(comparison)
  }

  /// The maximum number of changes that are described in detail. Further changes are listed only by name.
  private static let maximum = 3

  private var isSingle: Bool { comparison.base.scenario.run.replications == 1 }

  var answer: Answer {
    let tone: Answer.Tone =
      switch verdict.word {
      case .better: .good
      case .regression, .worse: .bad
      case .tradeOff, .unknown: .open
      case .same: .plain
      }
    let doubt = isSingle && verdict.figures.contains { $0.change.interval == nil }
    var answer = Answer(word: verdict.word.rawValue, tone: tone, reasons: [], claims: verdict.figures.map(claim))
    switch verdict.word {
    case .same:
      let isEqual = comparison.count(.equal) == comparison.figures.count
      answer.reasons = isEqual ? ["every figure is the same"] : unchanged
      if answer.reasons.isEmpty { answer.reasons = ["none of the compared figures is known"] }
      answer.caveats = doubt && !isEqual ? [Self.doubt] : []
    case .unknown:
      answer.reasons = verdict.open.prefix(Self.maximum).map(open)
      answer.caveats = isSingle ? [] : ["more replications (-n) narrow the intervals"]
    default:
      let rest = verdict.changed.dropFirst(Self.maximum).map { name($0.change.figure) }
      let open = verdict.open.map { name($0.change.figure) }
      answer.reasons =
        verdict.changed.prefix(Self.maximum).map(clause)
        + [rest.isEmpty ? "" : "also changed: " + listed(rest), open.isEmpty ? "" : "unknown: " + listed(open)]
        + (open.isEmpty ? unchanged : [])
      answer.caveats = doubt ? [Self.doubt] : []
    }
    return answer
  }

  private static let doubt = "with one replication, chance cannot be ruled out"

  /// Returns a clause such as `the peak at your servers is 1 210/s instead of 2 068/s (−41 %, 95 % between −43 % and
  /// −39 %)`.
  private func clause(_ figure: ComparedFigure) -> String {
    let change = figure.change
    let said =
      name(change.figure) + " is " + GoalText.text(change.new?.approximate, change.figure) + " instead of "
      + GoalText.text(change.base?.approximate, change.figure) + " (\(ChangeText.sentence(change)))"
    switch figure.reason {
    case .condition(let result): return said + ", which --fail-on '\(result.condition.text)' forbids"
    case .goal(let goal, turns: true):
      return said + ", so goal \(goal.id) is now \(figure.outcome == .worse ? "missed" : "met")"
    default: return said
    }
  }

  /// Returns the reason why it is unclear whether a figure changed.
  private func open(_ figure: ComparedFigure) -> String {
    if case .condition(let result) = figure.reason {
      return "--fail-on '\(result.condition.text)' is inconclusive: \(result.reason)"
    }
    if case .goal(let goal, _) = figure.reason, case .open(let why) = goal.finding(in: comparison.new.summary) {
      return "whether goal \(goal.id) has changed is unknown: \(why)"
    }
    guard figure.change.difference != nil else {
      return name(figure.change.figure) + " is unknown in one of the runs, because requests fail"
    }
    return name(figure.change.figure) + " may have changed by \(minimum(figure)) or more ("
      + ChangeText.sentence(figure.change) + ")"
  }

  /// Text about the figures without a significant change. Unchanged figures are listed as a group.
  private var unchanged: [String] {
    let isEqual = { (figure: ComparedFigure) in figure.change.size(minimum: 0) == .equal }
    let equal = verdict.same.filter(isEqual).map { name($0.change.figure) }
    return verdict.same.filter { !isEqual($0) }.map { figure in
      name(figure.change.figure) + " changed by less than \(minimum(figure)) (" + ChangeText.sentence(figure.change)
        + ")"
    } + (equal.isEmpty ? [] : [equal.asList + (equal.count == 1 ? " is" : " are") + " the same"])
  }

  /// Returns the smallest change that is significant. It is a fraction of the base value, or an absolute change if the
  /// fraction would be negligible.
  private func minimum(_ figure: ComparedFigure) -> String {
    if let share = figure.minShare(comparison.minimum) { return NumberText.percent(share) }
    let text = ChangeText.text(figure.minimum, figure.change.figure)
    return text.hasPrefix("+") ? String(text.dropFirst()) : text
  }

  /// Returns the name of a figure for use in sentences.
  func name(_ figure: FigureName) -> String {
    let (labels, scenario) = (figure.labels, comparison.new.scenario)
    let place = LoadPoint(
      figure.metric, scenario, endpoint: scenario.endpoints.firstIndex { $0.name == labels.endpoint })
    let endpoint = { (word: String) in
      labels.endpoint.isEmpty || scenario.endpoints.count < 2 ? "" : word + labels.endpoint
    }
    let kind = scenario.kinds.count > 1 ? labels.kind : ""
    let cohort = scenario.fleet.cohorts.count > 1 ? labels.cohort : ""
    let whose = [kind, cohort].filter { !$0.isEmpty }.map { " of " + $0 }.joined()
    switch (figure.metric, figure.statistic) {
    case (.offeredPeakRPS, _): return "the offered peak at your servers" + endpoint(" for ")
    case (.serverPeakRPS, _): return "the peak at your servers" + endpoint(" for ")
    case (.peakRPS, _) where place == .only: return "the peak at your servers" + endpoint(" for ")
    case (.staleViews, .share): return "the share of stale views" + whose
    case (.failures, .share) where labels.with(\.endpoint, "") == Labels():
      return "the share of failed requests" + endpoint(" to ")
    case (.dataAge, .mean) where labels == Labels(): return "the age of data when viewed"
    case (.batteryPercentPerDay, .mean): return "the widgets' daily battery use" + whose
    default: return figure.text
    }
  }

  /// Returns the claim about the change in a figure. The claim's bar has a line at the base value.
  private func claim(_ figure: ComparedFigure) -> Claim {
    let change = figure.change
    let (word, tone): (String, Answer.Tone) =
      switch figure.outcome {
      case .worse: ("worse", .bad)
      case .better: ("better", .good)
      case .open: ("unknown", .open)
      case .same: ("no relevant change", .plain)
      }
    let values = [change.base, change.new].map { GoalText.text($0?.approximate, change.figure) }
    let base = change.base?.approximate
    return Claim(
      name: name(change.figure).asSentence, word: word, tone: tone, figure: change.figure,
      words: "from \(values[0]) to \(values[1]) (\(ChangeText.sentence(change)))", value: change.new, limit: base,
      interval: change.interval.flatMap { interval in
        base.map { Interval(low: $0 + interval.low, high: $0 + interval.high) }
      })
  }

  /// The answer as JSON, with the threshold for each figure.
  var json: JSONValue {
    answer.json.with([
      "figures": verdict.figures.map { figure -> JSONValue in
        ["figure": figure.change.figure.text, "outcome": "\(figure.outcome)", "least": significant(figure.minimum)]
      }
    ])
  }
}
