import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// The verdict on a run as text, used in the strip at the top of its page and in the last line of its table.
package struct RunVerdictText {
  let report: ReportContent
  let verdict: RunVerdict
  private let source: LoadSource

  package init(_ report: ReportContent) {
    self.report = report
    verdict = RunVerdict(report.run.scenario, report.summary, report.goals)
    source = LoadSource(report)
  }

  private var scenario: Scenario { report.run.scenario }

  /// The verdict, including a claim for each goal and each capacity.
  var answer: Answer {
    let tone: Answer.Tone =
      switch verdict.word {
      case .holds: .good
      case .fails: .bad
      case .depends, .unknown: .open
      case .unlimited: .plain
      }
    return Answer(
      word: head, tone: tone, reasons: reasons, caveats: [SampleWords.afterVerdict(scenario)],
      claims: verdict.checks.map { Claim($0.result) })
  }

  /// The verdict as a single line, such as `HOLDS: your servers peak at ...`.
  package var line: String { answer.line }

  /// The verdict as a line without the number of simulated phones, used if that number has already been shown.
  var lineWithoutSample: String {
    var answer = answer
    answer.caveats = []
    return answer.line
  }

  /// The verdict word, followed by the condition under which the verdict applies.
  private var head: String {
    guard verdict.word == .depends, let first = verdict.deciding.first else { return verdict.word.rawValue }
    return verdict.word.rawValue + " on " + condition(first)
  }

  /// The clauses for the most important check, followed by those for all other checks. They have no full stops.
  private var reasons: [String] {
    guard let first = verdict.deciding.first else {
      return (verdict.word == .unlimited ? demand : ["all goals are warnings"]) + warnings
    }
    return clauses(first) + others(first) + warnings
      + DefaultQueueWords.clauses(report, after: first.result.goal.figure)
  }

  // MARK: - One check

  /// Returns the clauses for a check, which compare its figure with the limit and describe the effects of chance and of
  /// the system.
  private func clauses(_ check: RunCheck) -> [String] {
    guard check.result.value != nil else {
      return ["\(check.result.goal.id) is unknown: \(check.result.explanation)"]
    }
    let assumed = AssumedText(check.result)
    let parts = [
      (loadClause(check) ?? otherClause(check)) + crossing(check), assumed.reach, when(check), ends(check),
      finer(check),
    ]
    return parts + assumed.others + OfferedText(report: report).clauses(check, share: share)
  }

  /// Returns a note if the load stays below the capacity in longer windows but may exceed it in single seconds, for
  /// which the sample is too small.
  private func finer(_ check: RunCheck) -> String {
    guard check.endpoint != nil, let limit = check.result.limit, check.result.verdict == .pass else { return "" }
    return source.finerWords(endpoint: check.endpoint, above: limit, ends: Bracket.ends)
  }

  /// Returns a clause such as `your servers peak at 2 057 of 2 500 requests/s (82 %), 19:30 in Berlin`; `nil` if the
  /// figure is not a load.
  ///
  /// If more requests arrive than can be served, the clause is `your servers get up to 5 000 requests/s, 200 % of 2
  /// 500`.
  private func loadClause(_ check: RunCheck) -> String? {
    guard check.isLoad, let limit = check.result.limit, let value = check.result.value?.approximate,
      let subject = subject(check)
    else { return nil }
    let (stem, isServers) = (Self.peaking, place(check) != .phones)
    let load =
      value > limit && isServers && subject.hasSuffix(stem)
      ? "\(subject.dropLast(stem.count)) get up to \(NumberText.text(value)) requests/s, \(share(value, limit)) of "
        + NumberText.text(limit)
      : "\(subject) \(NumberText.text(value)) of \(NumberText.text(limit)) requests/s (\(share(value, limit)))"
    let share = GoalText.share(check.result.goal).map { " (\($0))" } ?? ""
    return load + span(check) + goalName(check, ", goal ") + share
  }

  private func subject(_ check: RunCheck) -> String? {
    Self.subject(check.result.goal.figure, at: place(check), in: scenario)
  }

  private static let peaking = " peak at"

  /// Returns the subject and verb of a sentence about a figure, such as `your servers peak at`; `nil` for figures that
  /// are not loads.
  ///
  /// - Parameter place: the point at which the load is counted; `nil` for the origins behind a CDN.
  static func subject(_ figure: FigureName, at place: LoadPoint?, in scenario: Scenario) -> String? {
    let verb: String
    switch figure.metric {
    case .serverPeakRPS, .peakRPS, .originPeakRPS: verb = peaking
    case .offeredPeakRPS: verb = " would, if they answered every request, peak at"
    case .serverMeanRPS, .meanRPS, .originMeanRPS: verb = " carry on average"
    case .serverP99RPS, .p99RPS, .originP99RPS: verb = " carry, 99\u{A0}% of the time, at most"
    case .serverP999RPS, .p999RPS, .originP999RPS: verb = " carry, 99.9\u{A0}% of the time, at most"
    default: return nil
    }
    let name = figure.labels.endpoint
    let whose = name.isEmpty || scenario.endpoints.count < 2 ? "" : " for \(name)"
    switch place {
    case .phones:
      let endpoint = scenario.endpoints.firstIndex { $0.name == name }
      return "requests" + whose + " " + LoadPoint.phones.words(scenario, endpoint: endpoint) + verb
    case .only, .servers: return "your servers" + whose + verb
    case nil: return "your origins" + whose + verb
    }
  }

  private func endpoint(_ check: RunCheck) -> Int? {
    scenario.endpoints.firstIndex { $0.name == check.result.goal.figure.labels.endpoint }
  }

  /// Returns the point at which the load of a check is counted; `nil` for the origins behind a CDN.
  private func place(_ check: RunCheck) -> LoadPoint? {
    let endpoint = endpoint(check)
    guard let place = LoadPoint(check.result.goal.figure.metric, scenario, endpoint: endpoint) else { return nil }
    // Both points have the same name if the servers receive only the phones' requests.
    return source.places(endpoint: endpoint).contains(place) ? place : .only
  }

  private func isPeak(_ check: RunCheck) -> Bool {
    [.serverPeakRPS, .peakRPS, .originPeakRPS].contains(check.result.goal.figure.metric)
  }

  /// Returns the window of a peak as text; empty for other figures.
  private func span(_ check: RunCheck) -> String {
    guard isPeak(check) else { return "" }
    return Self.span(LoadWindow.allCases.first { $0.name == check.result.goal.figure.labels.window })
  }

  /// Returns the time of a peak as text; empty for other figures.
  private func when(_ check: RunCheck) -> String {
    guard isPeak(check), check.result.limit != nil else { return "" }
    return source.whenClause(report.summary.figure(check.result.goal.figure), of: "the peak")
  }

  /// Returns a phrase such as ` over 10 s`, which distinguishes a mean over a longer window from the load in a single
  /// second. The phrase is empty for a window of one second.
  private static func span(_ window: LoadWindow?) -> String {
    window.flatMap { $0 == .second ? nil : " over " + TimeText.span($0.length) } ?? ""
  }

  /// Returns a clause such as `the servers of quotes are above ... for 19 min (goal overload allows at most 1 min)`.
  private func otherClause(_ check: RunCheck) -> String {
    let goal = check.result.goal
    guard check.endpoint == nil else { return claim(check.result) }
    return claim(check.result) + " (goal \(goal.id) \(Self.words(goal.comparison)) "
      + GoalText.limit(check.result) + ")"
  }

  static func words(_ comparison: Comparison) -> String {
    switch comparison {
    case .atMost: "allows at most"
    case .less: "allows less than"
    case .atLeast: "requires at least"
    case .more: "requires more than"
    case .equal: "requires exactly"
    case .unequal: "forbids exactly"
    }
  }

  /// Returns the value of a goal's figure as a sentence.
  private func claim(_ result: GoalResult) -> String {
    let (figure, value) = (result.goal.figure, GoalText.text(result.value?.approximate, result.goal.figure))
    let rest = figure.labels.with(\.endpoint, "")
    let name = figure.labels.endpoint
    let whose = name.isEmpty ? "" : " of \(name)"
    switch figure.metric {
    case .overloadSeconds:
      let servers = name.isEmpty ? "some servers" : "the servers" + whose
      return result.value?.approximate == 0
        ? servers + " are never above their capacity" : servers + " are above their capacity for \(value)"
    case .failures where rest == Labels():
      let count = figure.statistic == .share ? value + " of the" : result.value?.approximate == 0 ? "no" : value
      return count + " requests" + (name.isEmpty ? "" : " to \(name)") + " fail"
    case .staleViews where rest == Labels(): return value + " of the views are stale"
    case .eventToView where rest.with(\.event, "") == Labels() && figure.statistic.probability != nil:
      let (share, event) = (NumberText.percent(figure.statistic.probability), figure.labels.event)
      return share + " of the phones have seen " + (event.isEmpty ? "pushed data" : "'\(event)'") + " after \(value)"
    default: return figure.text + " is " + value
    }
  }

  /// Returns a note that the interval contains the limit; empty unless this is the reason why the check is
  /// inconclusive.
  private func crossing(_ check: RunCheck) -> String {
    if check.sampleIsTooSmall { return ", but " + GoalResult.tooSmall }
    let result = check.result
    guard check.outcome == .unknown, result.verdict != .pass, result.unknownUnder.isEmpty,
      let interval = result.interval
    else { return "" }
    return ", but the 95\u{A0}% interval, \(interval.words(check.result.goal.figure)), includes the limit"
  }

  /// Returns a clause such as `; if the system is prompt 2 400 (96 %)`. It lists the presets that change the verdict of
  /// the check or make it unknown. It also lists the worse preset if that is at least 1 % worse.
  private func ends(_ check: RunCheck) -> String {
    let result = check.result
    guard let own = result.value?.approximate else { return "" }
    let ends = [
      (Preset.prompt, result.prompt, result.promptInterval), (.lazy, result.lazy, result.lazyInterval),
    ]
    let known = ends.compactMap { preset, value, interval in
      value.map { (preset: preset, value: $0.approximate, interval: interval) }
    }
    let isWorse = { (value: Double, other: Double) in
      self.isWorse(value, than: other, result.goal.comparison, limit: result.limit ?? 0)
    }
    let worst = known.filter { isWorse($0.value, own) }.sorted { isWorse($0.value, $1.value) }.first
    let shown = known.filter { end in
      (result.turning + result.unknownUnder).contains(end.preset) || end.preset == worst?.preset
    }
    guard !shown.isEmpty else { return "" }
    let texts = shown.map { end in
      let interval = result.unknownUnder.contains(end.preset) ? end.interval : nil
      return text(end.value, under: end.preset, check)
        + (interval.map { ", 95\u{A0}% interval \($0.words(result.goal.figure))," } ?? "")
        + " under \(end.preset.rawValue)"
    }
    return "the bracket reaches " + texts.joined(separator: " and ")
  }

  /// Returns whether a value is worse than another by more than 1 % of both the value and the limit. For example, a
  /// difference of 0.02 s is ignored if the limit is 60 s.
  private func isWorse(
    _ value: Double, than own: Double, _ comparison: Comparison, limit: Double = 0
  ) -> Bool {
    let minimum = 0.01 * max(abs(own), abs(limit))
    return switch comparison {
    case .atMost, .less: value > own + minimum
    case .atLeast, .more: value < own - minimum
    case .equal, .unequal: false
    }
  }

  private func text(_ value: Double, under preset: Preset, _ check: RunCheck) -> String {
    guard check.isLoad, let limit = check.result.limit else { return GoalText.text(value, check.result.goal.figure) }
    return "\(NumberText.text(value)) (\(share(value, limit))\(failures(under: preset, check)))"
  }

  /// Returns a clause such as `, where 93 % of the requests fail`. A load only slightly above capacity may cause nearly
  /// all requests to fail.
  private func failures(under preset: Preset, _ check: RunCheck) -> String {
    let labels = Labels().with(\.endpoint, check.result.goal.figure.labels.endpoint)
    guard check.result.goal.figure.metric == .serverPeakRPS,
      let row = report.summary.figure(FigureName(.failures, .share, labels)), let own = row.value?.approximate,
      let there = (preset == .prompt ? row.prompt : row.lazy)?.approximate,
      there >= max(own, 0) + RunFinding.minFailures
    else { return "" }
    let before = own >= 0.001 ? " instead of " + NumberText.percent(own) : ""
    return ", where \(NumberText.percent(there)) of the requests fail\(before)" + overload(under: preset, labels)
  }

  /// Returns ` and the servers are above their capacity for 2 h 40 min` if the overload is longer than in the scenario
  /// itself.
  private func overload(under preset: Preset, _ labels: Labels) -> String {
    guard let row = report.summary.figure(FigureName(.overloadSeconds, .total, labels)),
      let seconds = (preset == .prompt ? row.prompt : row.lazy)?.approximate, seconds >= RunFinding.minOverload,
      seconds > 1.1 * (row.value?.approximate ?? 0)
    else { return "" }
    return " and the servers are above their capacity for " + TimeText.seconds(seconds)
  }

  /// Returns a load as a whole percentage of its limit. The percentage is below 100 % if the load is below the limit.
  private func share(_ value: Double, _ limit: Double) -> String {
    let percent = value / limit * 100
    guard value >= limit else { return NumberText.percent(value / limit) }
    // A value just above the limit must not appear to be equal to the limit.
    let isJustAbove = value > limit && percent < 100.5
    let text =
      isJustAbove
      ? (percent < 100.05 ? "just over 100" : NumberText.fixed(percent, decimals: 1)) : NumberText.whole(percent)
    return text + "\u{A0}%"
  }

  /// Returns the assumption or the constants on which the verdict of the check depends.
  private func condition(_ check: RunCheck) -> String {
    if let text = AssumedText(check.result).condition { return text }
    if let text = check.result.dependenceText { return text }
    let constants = Set(check.result.turning.flatMap(scenario.constants(of:)))
    return constants.count == 1
      ? "os." + (constants.first?.rawValue ?? "") : "undocumented constants (\(presets(check)))"
  }

  private func presets(_ check: RunCheck) -> String {
    check.result.turning.map(\.rawValue).joined(separator: ", ")
  }

  /// Returns the name of the goal if there are several checks.
  private func goalName(_ check: RunCheck, _ prefix: String) -> String {
    check.endpoint == nil && verdict.checks.count > 1 ? prefix + check.result.goal.id : ""
  }

  // MARK: - All checks

  /// The maximum number of other limits that are listed by name.
  private static let maxNames = 3

  private func others(_ first: RunCheck) -> [String] {
    let rest = verdict.deciding.dropFirst().map(\.result.goal.id)
    guard !rest.isEmpty else { return [] }
    switch verdict.word {
    case .holds:
      let count = rest.count == 1 ? "both" : "all \(rest.count + 1)"
      let names = rest.count > Self.maxNames ? "" : ": " + ([first.result.goal.id] + rest).joined(separator: ", ")
      return ["\(count) limits are met" + names]
    case .fails: return ["also missed: " + rest.joined(separator: ", ")]
    case .depends, .unknown, .unlimited: return ["also undecided: " + rest.joined(separator: ", ")]
    }
  }

  private var warnings: [String] {
    let missed = verdict.warnings.map(\.result.goal.id)
    return missed.isEmpty ? [] : ["missed (warnings only): " + missed.joined(separator: ", ")]
  }

  /// The clauses for a run without limits: the peak, its cause, and the capacity that it requires.
  private var demand: [String] {
    guard let row = source.peakRow, let value = row.value?.approximate, value > 0 else {
      return ["no requests were sent, and no goals or capacities are set"]
    }
    let causes = Cause.allCases.compactMap { cause in
      report.summary.value(.busiestMinute, .share, Labels().with(\.cause, cause.name)).map { (cause: cause, share: $0) }
    }
    let cause = causes.max { $0.share < $1.share }.map { cause, share in
      (share == 1 ? "all" : "\(NumberText.percent(share)) of the")
        + " requests in the busiest minute come from \(cause.description)"
    }
    let offered = OfferedText(report: report)
    let upper = row.estimatedInterval.map(\.high) ?? value
    return [
      "your servers peak at \(NumberText.text(value)) requests/s" + Self.span(source.window),
      source.finestPeak().map { AssumedText.reach(of: $0.row, subject: "the busiest \($0.noun) carries") }
        ?? AssumedText.reach(of: row), source.whenClause(row, of: "the peak"),
      cause ?? "", offered.plan(offered.row(row.labels) ?? row), source.finerWords(above: 1.1 * upper),
    ]
  }
}
