import Scenario
import Studies

/// What of a comparison matters, in words: the strip on top of its page and the last line of its table say the same.
struct ComparisonVerdictText {
  let comparison: RunComparison
  let verdict: ComparisonVerdict

  init(_ comparison: RunComparison) {
    self.comparison = comparison
    verdict = ComparisonVerdict(comparison)
  }

  /// `WORSE: your servers peak at ...`.
  var line: String { head + ": " + reason }

  var head: String { verdict.word.rawValue }

  var reason: String {
    let changed = verdict.changed
    switch verdict.word {
    case .same: return sameSentence
    case .unknown:
      return openClauses + (isSingle ? "" : "; more replications (-n) narrow the intervals") + "."
    default:
      let told = changed.prefix(Self.most).map(clause)
      let rest = changed.dropFirst(Self.most).map { name($0.change.figure) }
      // Of what is open nobody says that it stayed.
      let others = verdict.open.isEmpty ? unchanged.map { "; " + $0 }.joined() : ""
      return told.joined(separator: "; ") + (rest.isEmpty ? "" : "; also changed: " + rest.joined(separator: ", "))
        + (verdict.open.isEmpty
          ? "" : "; not known: " + verdict.open.map { name($0.change.figure) }.joined(separator: ", "))
        + others + doubt + "."
    }
  }

  /// More are named only.
  private static let most = 3

  private var isSingle: Bool { comparison.base.scenario.run.replications == 1 }

  /// That nobody knows what chance does, where a figure was counted once.
  private var doubt: String {
    isSingle && verdict.figures.contains { $0.change.interval == nil }
      ? "; one replication: chance is not ruled out" : ""
  }

  // MARK: - What changed

  /// What a figure does now, and what it did.
  private func clause(_ figure: ComparedFigure) -> String {
    let change = figure.change
    let said = loadClause(change) ?? shareClause(change) ?? otherClause(change)
    switch figure.reason {
    case .condition(let result): return said + ", which --fail-on '\(result.condition.text)' forbids"
    case .goal(let goal, turns: true):
      return said + ", so that goal \(goal.id) is \(figure.outcome == .worse ? "missed" : "met") now"
    default: return said
    }
  }

  /// `your servers peak at 1 210 requests/s instead of 2 068 (−41 %, 95 % between −43 % and −39 %)`.
  private func loadClause(_ change: FigureChange) -> String? {
    let (figure, scenario) = (change.figure, comparison.new.scenario)
    let endpoint = scenario.endpoints.firstIndex { $0.name == figure.labels.endpoint }
    let place = LoadPlace(figure.metric, scenario, endpoint: endpoint)
    guard let subject = RunVerdictText.subject(figure, at: place, in: scenario) else { return nil }
    return "\(subject) \(NumberText.text(change.new?.approximate)) requests/s instead of "
      + "\(NumberText.text(change.base?.approximate)) (\(ChangeText.sentence(change)))"
  }

  /// `3 more views in a hundred are stale (6.1 % instead of 3.1 %, 95 % between +2.8 pp and +3.2 pp)`.
  private func shareClause(_ change: FigureChange) -> String? {
    let labels = change.figure.labels
    let things: (many: String, whose: String, do: String)
    switch (change.figure.metric, change.figure.statistic) {
    case (.staleViews, .share): things = ("views", of(labels), "are stale")
    case (.failures, .share) where labels.with(\.endpoint, "") == Labels():
      things = ("requests", ending(labels, " to "), "fail")
    default: return nil
    }
    guard let difference = change.difference, change.new != nil else { return nil }
    let points = difference.magnitude * 100
    let count = points >= 9.95 ? NumberText.whole(points) : NumberText.trimmed(NumberText.fixed(points, decimals: 1))
    return "\(count) \(difference < 0 ? "fewer" : "more") \(things.many) in a hundred\(things.whose) \(things.do) "
      + "(\(levels(change))\(ChangeText.sentence(change, hasChange: false)))"
  }

  /// Names the kind and the cohort that a figure is of, where there are others.
  private func of(_ labels: Labels) -> String {
    let scenario = comparison.new.scenario
    let kind = scenario.kinds.count > 1 ? labels.kind : ""
    let cohort = scenario.fleet.cohorts.count > 1 ? labels.cohort : ""
    return [kind, cohort].filter { !$0.isEmpty }.map { " of " + $0 }.joined()
  }

  private func levels(_ change: FigureChange) -> String {
    GoalText.text(change.new?.approximate, change.figure) + " instead of "
      + GoalText.text(change.base?.approximate, change.figure)
  }

  private func otherClause(_ change: FigureChange) -> String {
    let words = " (\(ChangeText.sentence(change)))"
    switch (change.figure.metric, change.figure.statistic) {
    case (.batteryPercentPerDay, .mean): return "the widgets cost " + batteryLevels(change) + words
    case (.dataAge, .mean) where change.figure.labels == Labels():
      return "data is \(levels(change)) old at a view" + words
    default: return change.figure.text + " is " + levels(change) + words
    }
  }

  private func batteryLevels(_ change: FigureChange) -> String {
    let whose = of(change.figure.labels)
    return GoalText.text(change.new?.approximate, change.figure) + " of the battery a day" + whose + " instead of "
      + GoalText.text(change.base?.approximate, change.figure)
  }

  // MARK: - What did not, and what nobody knows

  /// `the peak at your servers may have changed by 5 % or more (+2 %, 95 % between −4 % and +8 %)`.
  private var openClauses: String {
    verdict.open.prefix(Self.most).map { figure in
      if case .condition(let result) = figure.reason {
        return "--fail-on '\(result.condition.text)' is inconclusive: \(result.reason)"
      }
      if case .goal(let goal, _) = figure.reason,
        case .open(let why) = goal.finding(in: comparison.new.summary)
      {
        return "whether goal \(goal.id) has changed is unknown: \(why)"
      }
      guard figure.change.difference != nil else {
        return name(figure.change.figure) + " is unknown in one of the runs, whose requests fail"
      }
      return name(figure.change.figure) + " may have changed by \(least(figure)) or more ("
        + ChangeText.sentence(figure.change) + ")"
    }.joined(separator: "; ")
  }

  private var sameSentence: String {
    if comparison.count(.equal) == comparison.figures.count { return "every figure is the same." }
    let parts = unchanged
    return parts.isEmpty ? "no figure that is looked at is known." : parts.joined(separator: "; ") + doubt + "."
  }

  /// What each figure that did not change so that it matters did at most; those that are equal together.
  private var unchanged: [String] {
    let figures = verdict.same
    let told = figures.filter { !isEqual($0) }.map { figure in
      name(figure.change.figure) + " changed by less than \(least(figure)) (" + ChangeText.sentence(figure.change) + ")"
    }
    let equal = figures.filter(isEqual).map { name($0.change.figure) }
    let same = equal.isEmpty ? [] : [equal.asList + (equal.count == 1 ? " is" : " are") + " the same"]
    return told + same
  }

  private func isEqual(_ figure: ComparedFigure) -> Bool { figure.change.size(least: 0) == .equal }

  /// From which change on it matters: a share of the base, or where that is less than anybody feels an amount.
  private func least(_ figure: ComparedFigure) -> String {
    let change = figure.change
    if change.figure.unit != .share, let base = change.base?.approximate.magnitude, base > 0 {
      let share = figure.least / base
      if share <= max(ComparedFigure.share, comparison.least) * 1.000_001 { return NumberText.percent(share) }
    }
    let text = ChangeText.text(figure.least, change.figure)
    return text.hasPrefix("+") ? String(text.dropFirst()) : text
  }

  /// A figure inside a sentence.
  func name(_ figure: FigureName) -> String {
    let labels = figure.labels
    let place = LoadPlace(
      figure.metric, comparison.new.scenario,
      endpoint: comparison.new.scenario.endpoints.firstIndex { $0.name == labels.endpoint })
    switch (figure.metric, figure.statistic) {
    case (.offeredPeakRPS, _): return "the offered peak at your servers" + ending(labels, " for ")
    case (.serverPeakRPS, _): return "the peak at your servers" + ending(labels, " for ")
    case (.peakRPS, _) where place == .only: return "the peak at your servers" + ending(labels, " for ")
    case (.staleViews, .share): return "the share of stale views" + of(labels)
    case (.failures, .share) where labels.with(\.endpoint, "") == Labels():
      return "the share of failed requests" + ending(labels, " to ")
    case (.dataAge, .mean) where labels == Labels(): return "the age of data at a view"
    case (.batteryPercentPerDay, .mean): return "the battery that the widgets use" + of(labels)
    default: return figure.text
    }
  }

  /// Names the endpoint that a figure is of, where there are others.
  private func ending(_ labels: Labels, _ word: String) -> String {
    labels.endpoint.isEmpty || comparison.new.scenario.endpoints.count < 2 ? "" : word + labels.endpoint
  }
}
