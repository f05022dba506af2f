import Scenario
import Studies

/// Text for the figures in goals.
enum GoalText {
  /// Returns a value in the figure's unit.
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

  /// Returns an assertion with the place where its load is counted: `peak_rps <= 7k/s (at the CDN)`.
  static func assertion(_ goal: Goal, _ scenario: Scenario) -> String {
    goal.text + inBrackets(place(goal.figure, [scenario]))
  }

  /// Returns a figure with the place where its load is counted: `peak_rps{window=10s} (at the CDN)`.
  ///
  /// - Parameter scenarios: the scenarios of the figure's runs.
  static func name(_ figure: FigureName, _ scenarios: [Scenario]) -> String {
    figure.text + inBrackets(place(figure, scenarios))
  }

  /// Returns where a figure's load is counted; empty for other figures, and if there is only one load and no capacity.
  ///
  /// The phones' requests may arrive at a CDN in one run and at the servers in another; the place is then given as the
  /// phones.
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

  /// Returns where the loads among some figures are counted, one line per place: `at the CDN: mean_rps, peak_rps`.
  static func placeLines(_ figures: [FigureName], _ scenarios: [Scenario]) -> [String] {
    let named = figures.map { (metric: $0.metric.rawValue, place: place($0, scenarios)) }
    let places = named.map(\.place).filter { !$0.isEmpty }.withoutRepetitions
    return places.map { place in
      place + ": " + Set(named.filter { $0.place == place }.map(\.metric)).sorted().joined(separator: ", ")
    }
  }

  private static func inBrackets(_ words: String) -> String { words.isEmpty ? "" : " (\(words))" }

  /// Returns a value in the figure's unit, with its interval, if any, in brackets.
  static func withInterval(_ row: SummaryRow?, _ figure: FigureName) -> String {
    text(row?.value?.approximate, figure) + inBrackets(row?.interval?.words(figure) ?? "")
  }

  static func interval(_ result: GoalResult) -> String {
    result.interval?.words(result.goal.figure) ?? ""
  }

  /// Returns the range of the scenario's own figure and its bracket; empty if they are all equal.
  static func bracket(_ result: GoalResult) -> String {
    range([result.value] + result.bracketValues) { text($0, result.goal.figure) }
  }

  /// Returns the range of some figures, the first being the scenario's own.
  static func range(_ figures: [Quantity?], _ text: (Double) -> String) -> String {
    let known = figures.compactMap { $0?.approximate }
    guard figures.dropFirst().contains(where: { $0 != nil }), let minimum = known.min(), let maximum = known.max(),
      minimum < maximum, text(minimum) != text(maximum)
    else { return "" }
    return text(minimum) + " to " + text(maximum)
  }

  /// Returns the margin relative to the limit, which is negative if the limit is missed. A large miss is shown as a
  /// multiple of the limit; an unknown margin is empty.
  static func margin(_ margin: GoalMargin) -> String {
    if let miss = margin.miss, miss >= 10 { return "\(NumberText.text(1 + miss)) times the limit" }
    return margin.miss.map { NumberText.trimmed(NumberText.fixed(-100 * $0, decimals: 1)) + "\u{A0}%" } ?? ""
  }

  /// Returns a setting's tightest goal with its preset: `fresh: 3.2 % to spare (lazy)`; empty without goals.
  static func worst(_ run: SweepRun) -> String {
    run.worst.map { goal, margin in
      goal.id + ": " + room(margin) + inBrackets(margin.preset?.rawValue ?? "")
    } ?? ""
  }

  /// Returns the margin to the limit, in words.
  private static func room(_ margin: GoalMargin) -> String {
    guard let miss = margin.miss else { return NumberText.unknownWord }
    if miss >= 10 { return "missed, " + self.margin(margin) }
    let share = NumberText.trimmed(NumberText.fixed(100 * miss.magnitude, decimals: 1)) + "\u{A0}%"
    return miss > 0 ? "missed by " + share : share + " to spare"
  }

  /// Returns a setting's figure for a terminal table, marked if the sample does not resolve it.
  static func cell(_ run: SweepRun, _ name: FigureName) -> String {
    let row = run.summary.figure(name)
    return text(row?.value?.approximate, name) + (row?.isResolved == false ? " ?" : "")
  }

  /// Returns the meaning of the mark; empty if no cell has it.
  static func markLines(_ study: SweepStudy, _ names: [FigureName]) -> [String] {
    let isMarked = study.runs.contains { run in names.contains { run.summary.figure($0)?.isResolved == false } }
    return isMarked ? folded("? not resolved by the sample: the 95 % interval is wider than 5 % on either side") : []
  }

  /// Returns a sentence such as `Goals: 1 fails, 2 pass.`
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
