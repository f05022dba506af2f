import Scenario
import Studies

/// What a tuning found, in words: the strip on top of its page and the last line of its table say the same.
struct TuneVerdictText {
  enum Word: String {
    case found = "FOUND"
    /// A goal of the winner is inconclusive.
    case open = "FOUND, BUT CANNOT TELL"
    case none = "NOT FOUND"
  }

  let report: TuneReport

  init(_ report: TuneReport) { self.report = report }

  /// `FOUND: kinds.weather.jitter.up_to=21min5s is the least that holds; ...`.
  var line: String { word.rawValue + ": " + reason }

  private var study: TuneStudy { report.study }

  var word: Word {
    guard study.isFeasible else { return .none }
    return openGoal == nil ? .found : .open
  }

  /// A goal of which the check cannot tell whether it is met.
  private var openGoal: GoalResult? { study.final?.goals.first { $0.verdict == .inconclusive } }

  var reason: String {
    let tried =
      "; \(study.settingCount) \(study.settingCount == 1 ? "setting" : "settings") tried in \(study.runs) runs."
    guard study.isFeasible else { return missed + tried }
    return winner + (openGoal.map { "; goal \($0.goal.id) is at its limit: \($0.reason)" } ?? room) + tried
  }

  // MARK: - What was found

  private var winner: String {
    switch study.problem.objective {
    case .key(let axis):
      let settings = report.settings
      let others = settings.indices.filter { $0 != axis }.map { settings[$0] }
      return (settings.indices.contains(axis) ? settings[axis] : report.objective) + " is the least that holds"
        + (others.isEmpty ? "" : ", with " + others.asList)
    case .figure(let figure):
      let settings = report.settings
      return settings.asList + (settings.count == 1 ? " gives" : " give") + " the least \(figure.text)"
        + (study.problem.goals.isEmpty ? "" : " under the goals") + ", "
        + GoalText.text(study.final?.objective?.value?.approximate, figure) + interval(figure)
    }
  }

  private func interval(_ figure: FigureName) -> String {
    guard let interval = study.final?.objective?.interval else { return "" }
    return " (95\u{A0}% between \(GoalText.text(interval.low, figure)) and \(GoalText.text(interval.high, figure)))"
  }

  /// `; every goal passes, peak with the least room: 3.1 % of its limit, if the system is lazy`.
  private var room: String {
    guard let worst, let miss = worst.margin.miss, miss <= 0 else { return "" }
    let goals =
      study.problem.goals.count == 1
      ? "; goal \(worst.goal.goal.id) passes, with " : "; every goal passes, \(worst.goal.goal.id) with the least "
    return goals + "room: \(Self.percent(-miss)) of its limit" + under(worst.margin.preset)
      + (study.problem.judging == .nominal ? "; judged by the scenario alone" : "")
  }

  private func under(_ preset: Preset?) -> String { preset.map { ", if the system is \($0.rawValue)" } ?? "" }

  private var worst: (goal: GoalResult, margin: GoalMargin)? {
    guard let final = study.final else { return nil }
    return zip(final.goals, final.margins).map { (goal: $0, margin: $1) }
      .max { ($0.margin.miss ?? -.infinity) < ($1.margin.miss ?? -.infinity) }
  }

  // MARK: - What was not

  /// Which goal is missed, and by how much.
  private var missed: String {
    guard let worst, let miss = worst.margin.miss, miss > 0 else { return "no setting meets every goal for certain" }
    let isAlone = study.final?.passesAlone == true && worst.margin.preset != nil
    return "no setting meets every goal; the nearest, \(report.settings.asList), misses \(worst.goal.goal.id) by "
      + "\(Self.percent(miss)) of its limit" + under(worst.margin.preset)
      + (isAlone ? "; by the scenario alone it would pass: --nominal judges by that" : "")
  }

  private static func percent(_ share: Double) -> String {
    NumberText.trimmed(NumberText.fixed(100 * share, decimals: share < 0.0995 ? 2 : 1)) + "\u{A0}%"
  }
}
