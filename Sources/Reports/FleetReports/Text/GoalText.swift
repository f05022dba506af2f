import Scenario
import Studies

/// Text about goals and their figures.
enum GoalText {
  /// Returns a value as text in the unit of a figure.
  static func text(_ value: Double?, _ figure: FigureName) -> String {
    guard let value else { return NumberText.unknown }
    switch figure.unit {
    case .seconds: return value == 0 ? "0\u{A0}s" : TimeText.seconds(value)
    case .hours: return TimeText.clock(hour: value)
    case .share: return NumberText.percent(value)
    case .bytes: return NumberText.bytes(value)
    case .requests, .pushes, .widgets, .runs, .ratio: return NumberText.text(value)
    case .percentPerDay, .percentPerPeriod: return NumberText.trimmed(NumberText.text(value)) + "\u{A0}%"
    case .joulesPerDay, .joulesPerPeriod, .joulesPerWindow:
      return NumberText.trimmed(NumberText.text(value)) + "\u{A0}J"
    case .requestsPerSecond: return NumberText.trimmed(NumberText.text(value)) + "/s"
    case .runsPerDay, .waitsPerDay, .hitsPerDay, .viewsPerDay, .timesPerDay:
      return NumberText.trimmed(NumberText.text(value)) + "/day"
    case .runsPerPeriod, .waitsPerPeriod, .hitsPerPeriod, .viewsPerPeriod, .timesPerPeriod:
      return NumberText.trimmed(NumberText.text(value)) + "/period"
    case .runsPerWindow, .waitsPerWindow, .hitsPerWindow, .viewsPerWindow, .timesPerWindow:
      return NumberText.trimmed(NumberText.text(value)) + "/window"
    }
  }

  /// Returns the limit of a goal, such as `240/s (80 % of the capacity 300/s)`.
  static func limit(_ result: GoalResult) -> String {
    text(result.limit, result.goal.figure) + inBrackets(share(result.goal) ?? "")
  }

  /// Returns a phrase such as `80 % of the capacity 300/s`; `nil` unless the limit is a share of a capacity.
  static func share(_ goal: Goal) -> String? {
    guard case .share(let share, ofCapacity: let capacity) = goal.limit, share != 1 else { return nil }
    return "\(NumberText.percent(share)) of the capacity \(text(capacity, goal.figure))"
  }

  /// Returns an assertion with the point at which the load is counted, such as `peak_rps <= 7k/s (at the CDN)`.
  static func assertion(_ goal: Goal, _ scenario: Scenario) -> String {
    goal.text + inBrackets(place(goal.figure, [scenario]))
  }

  /// Returns the name of a figure with the point at which the load is counted, such as `peak_rps{window=10s} (at the
  /// CDN)`.
  ///
  /// - Parameter scenarios: the scenarios of the runs in which the figure exists.
  static func name(_ figure: FigureName, _ scenarios: [Scenario]) -> String {
    figure.text + inBrackets(place(figure, scenarios))
  }

  /// Returns the point at which the load of a figure is counted. The text is empty for other figures, and if there is
  /// only one load and no capacity.
  ///
  /// The phones' requests may arrive at a CDN in one run and at the servers in another. In this case, the text refers
  /// to the phones.
  static func place(_ figure: FigureName, _ scenarios: [Scenario]) -> String {
    let words = scenarios.compactMap { scenario -> (place: LoadPoint, words: String)? in
      let name = figure.labels.endpoint
      let endpoint = scenario.endpoints.firstIndex { $0.name == name }
      guard name.isEmpty || endpoint != nil else { return nil }
      return LoadPoint(figure.metric, scenario, endpoint: endpoint).map { ($0, $0.words(scenario, endpoint: endpoint)) }
    }
    let isServers = words.contains { $0.place == .servers }
    if Set(words.map(\.words)).count > 1, !isServers { return "sent by the phones" }
    return words.map(\.words).max { $0.count < $1.count } ?? ""
  }

  /// Returns the points at which the loads among these figures are counted, one line per point, such as `at the CDN:
  /// mean_rps, peak_rps`.
  static func placeLines(_ figures: [FigureName], _ scenarios: [Scenario]) -> [String] {
    let named = figures.map { (metric: $0.metric.rawValue, place: place($0, scenarios)) }
    let places = named.map(\.place).filter { !$0.isEmpty }.withoutRepetitions
    return places.map { place in
      place + ": " + Set(named.filter { $0.place == place }.map(\.metric)).sorted().joined(separator: ", ")
    }
  }

  private static func inBrackets(_ words: String) -> String { words.isEmpty ? "" : " (\(words))" }

  /// Returns a value as text in the unit of a figure, followed by its interval in brackets if it has one.
  static func withInterval(_ row: SummaryRow?, _ figure: FigureName) -> String {
    text(row?.value?.approximate, figure) + inBrackets(row?.interval?.words(figure) ?? "")
  }

  static func interval(_ result: GoalResult) -> String {
    result.interval?.words(result.goal.figure) ?? ""
  }

  /// Returns the range of the scenario's own figure and the figures of its bracket; empty if all are equal.
  static func bracket(_ result: GoalResult) -> String {
    range([result.value] + result.bracketValues) { text($0, result.goal.figure) }
  }

  /// Returns the range of several figures, the first of which is the scenario's own.
  static func range(_ figures: [Quantity?], _ text: (Double) -> String) -> String {
    let known = figures.compactMap { $0?.approximate }
    guard figures.dropFirst().contains(where: { $0 != nil }), let minimum = known.min(), let maximum = known.max(),
      minimum < maximum, text(minimum) != text(maximum)
    else { return "" }
    return text(minimum) + " to " + text(maximum)
  }

  /// Returns the margin relative to the limit, which is negative if the goal is missed. A large miss is shown as a
  /// multiple of the limit. The text is empty if the margin is unknown.
  static func margin(_ margin: GoalMargin) -> String {
    if let miss = margin.miss, miss >= 10 { return "\(NumberText.text(1 + miss)) times the limit" }
    return margin.miss.map { NumberText.trimmed(NumberText.fixed(-100 * $0, decimals: 1)) + "\u{A0}%" } ?? ""
  }

  /// Returns the goal with the smallest margin for a setting, such as `fresh: 3.2 % to spare (lazy)`; empty if there
  /// are no goals.
  static func worst(_ run: SweepRun) -> String {
    run.worst.map { goal, margin in
      goal.id + ": " + room(margin) + inBrackets(margin.preset?.rawValue ?? "")
    } ?? ""
  }

  /// Returns the margin between a figure and its limit, as text.
  private static func room(_ margin: GoalMargin) -> String {
    guard let miss = margin.miss else { return NumberText.unknownWord }
    if miss >= 10 { return "missed, " + self.margin(margin) }
    let share = NumberText.trimmed(NumberText.fixed(100 * miss.magnitude, decimals: 1)) + "\u{A0}%"
    return miss > 0 ? "missed by " + share : share + " to spare"
  }

  /// Returns a setting's value for a terminal table. A value that the sample does not resolve is marked.
  static func cell(_ run: SweepRun, _ name: FigureName) -> String {
    let row = run.summary.figure(name)
    return text(row?.value?.approximate, name) + (row?.isResolved == false ? " ?" : "")
  }

  /// Returns a note that explains the mark; empty if no cell is marked.
  static func markLines(_ study: SweepStudy, _ names: [FigureName]) -> [String] {
    let isMarked = study.runs.contains { run in names.contains { run.summary.figure($0)?.isResolved == false } }
    return isMarked ? folded("? not resolved by the sample: the 95 % interval is wider than 5 % on either side") : []
  }

  /// Returns a sentence that counts the verdicts, such as `Goals: 1 fails, 2 pass.`
  static func sentence(_ goals: [GoalResult]) -> String {
    if goals.allSatisfy({ $0.verdict == .pass }) {
      return goals.count == 1
        ? "The goal is met." : goals.count == 2 ? "Both goals are met." : "All \(goals.count) goals are met."
    }
    let counts = Verdict.allCases.map { verdict in (verdict, goals.count { $0.verdict == verdict }) }
    guard goals.count > 1 else { return "The goal " + words(goals[0].verdict, 1) + "." }
    return "Goals: " + counts.filter { $0.1 > 0 }.map { "\($0.1) \(words($0.0, $0.1))" }.joined(separator: ", ") + "."
  }

  private static func words(_ verdict: Verdict, _ count: Int) -> String {
    switch verdict {
    case .fail: count == 1 ? "fails" : "fail"
    case .warn: count == 1 ? "is missed (warning only)" : "are missed (warnings only)"
    case .inconclusive: count == 1 ? "is inconclusive" : "are inconclusive"
    case .pass: count == 1 ? "passes" : "pass"
    }
  }
}
