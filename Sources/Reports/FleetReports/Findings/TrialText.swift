import Scenario
import SimulationKernel
import Studies

extension TrialOutcome {
  /// The settings as command-line options for `run`.
  var options: String { settings.split(separator: " ").map { "--set \($0)" }.joined(separator: " ") }
}

/// Text about the trial of a change that may resolve a finding. A change is recommended only if it helps in the trial.
struct TrialText {
  var finding: RunFinding
  var remedy: Remedy
  /// The outcome of the trial; `nil` if the change was not tried.
  var outcome: TrialOutcome?
  var scenario: Scenario

  var sentence: String {
    guard let outcome, let change = outcome[outcome.judged] else { return "Not tried: \(words)." }
    let names = TrialNames(finding: finding, scenario: scenario)
    let brought = Self.brought(change, names)
    let (worse, rest) = (
      Self.sideEffects(outcome, names, isWorse: true), Self.sideEffects(outcome, names, isWorse: false)
    )
    let isSpread = !lateNews.isEmpty && outcome.helps
    let costs = Self.list("Worse", worse) + (isSpread ? " \(lateNews.asSentence)." : "")
    let effects = costs + Self.list("Other effects", rest)
    if outcome.worsensLimit, let missed = outcome[.missed] {
      return "Tried, but it is harmful: \(words) \(brought)."
        + Self.list("Worse", [Self.raised(missed, names)])
    }
    let result =
      if outcome.helps { outcome.hasPrice ? "Tried, but it comes at a price" : "Tried, and it helps" } else {
        outcome.harms ? "Tried, but it is harmful" : "Tried, but it does not help"
      }
    return "\(result): \(words) \(brought).\(effects)"
  }

  /// Returns sentences that each list up to two effects; empty if there are none.
  private static func list(_ title: String, _ effects: [String]) -> String {
    stride(from: 0, to: effects.count, by: 2).map { start in
      " \(title): \(effects[start..<min(start + 2, effects.count)].joined(separator: ", and "))."
    }.joined()
  }

  /// The change as command-line options for `run`, with its effect and its cost; `nil` if the change does not help.
  var advice: String? {
    guard let outcome, outcome.helps, !outcome.worsensLimit, let change = outcome[outcome.judged] else { return nil }
    let names = TrialNames(finding: finding, scenario: scenario)
    let worse = Self.sideEffects(outcome, names, isWorse: true) + [lateNews].filter { !$0.isEmpty }
    return "Try \(outcome.options): with the same draws, it \(Self.brought(change, names))"
      + (worse.isEmpty ? "" : "; worse: " + worse.joined(separator: ", ")) + "."
  }

  /// The change as text.
  private var words: String {
    switch remedy {
    case .jitter(let kinds, let span): "a jitter of up to \(TimeText.span(span)) for \(names(kinds))"
    case .over(let events, let span):
      "spreading " + events.map { scenario.events[$0].name }.joined(separator: " and ") + " over \(TimeText.span(span))"
    case .queue(let endpoint, let count):
      "a queue of \(NumberText.whole(Double(count))) requests for \(scenario.endpoints[endpoint].name)"
    case .staleIfError(let endpoint, let span):
      "a CDN in front of \(scenario.endpoints[endpoint].name) with stale_if_error of \(TimeText.span(span))"
    case .oneAttempt(let kinds): "a single attempt per request for \(names(kinds))"
    case .interval(let kind, let span, let jitter):
      "reloading \(scenario.kinds[kind].name) every \(TimeText.span(span))"
        + (jitter.map { " with a jitter of up to \(TimeText.span($0))" } ?? "")
    case .cacheLife(let kind, let span): "a cache lifetime of \(TimeText.span(span)) for \(scenario.kinds[kind].name)"
    case .singleFlight(let kind):
      "one request for all widgets of \(scenario.kinds[kind].name) on a phone (single_flight)"
    }
  }

  /// A note that spreading pushes over time delays the data that users see.
  private var lateNews: String {
    guard case .over(let events, let span) = remedy, case .push? = events.first.map({ scenario.events[$0].action })
    else {
      return ""
    }
    return "pushes arrive up to \(TimeText.span(span)) later"
  }

  private func names(_ kinds: [Int]) -> String { kinds.map { scenario.kinds[$0].name }.joined(separator: ", ") }

  /// Returns what a change does to a figure, such as `cuts the share of failed requests from 5 % to 1 %`.
  private static func brought(_ change: TrialOutcome.Change, _ names: TrialNames) -> String {
    let (old, new) = (text(change.figure, change.before), text(change.figure, change.after))
    if old == new { return "leaves \(names.name(change.figure)) at \(old)" }
    let isRise = (change.after ?? 0) > (change.before ?? 0)
    return "\(isRise ? "raises" : "cuts") \(names.name(change.figure)) from \(old) to \(new)"
  }

  private static func raised(_ change: TrialOutcome.Change, _ names: TrialNames) -> String {
    let (old, new) = (text(change.figure, change.before), text(change.figure, change.after))
    return "\(names.name(change.figure)) rises from \(old) to \(new)"
  }

  /// Returns the side effects of a change on the freshness of views, on requests and on other important figures.
  ///
  /// - Parameter isWorse: whether to return only figures that became worse. Otherwise, only the other figures are
  ///   returned.
  static func sideEffects(
    _ outcome: TrialOutcome, _ names: TrialNames, isWorse: Bool,
    of figures: [TrialFigure] = [
      .busiest, .overload, .failures, .withheld, .exhausted, .dataAge, .stale, .requests, .answered,
    ]
  ) -> [String] {
    figures.filter { $0 != outcome.judged }.compactMap { figure -> String? in
      guard let change = outcome[figure], let before = change.before, let after = change.after else { return nil }
      guard max(before, after) >= minimum(figure), figure != .answered || outcome.costsAnswers else { return nil }
      let (old, new) = (text(figure, before), text(figure, after))
      let isSame = old == new || (after - before).magnitude <= 0.02 * max(before.magnitude, after.magnitude)
      let isHarm = figure == .answered ? after < before : after > before
      guard (isHarm && !isSame) == isWorse, !isSame || [.dataAge, .stale].contains(figure) else { return nil }
      let move = after > before ? "rises" : "falls"
      let level = old == new ? "stays at \(old)" : isSame ? "stays near \(new)" : "\(move) from \(old) to \(new)"
      return "\(names.name(figure)) \(level)"
    }
  }

  /// Returns the smallest change in a figure that is worth mentioning.
  static func minimum(_ figure: TrialFigure) -> Double {
    switch figure {
    case .overload: RunFinding.minOverload
    case .failures, .stale: 0.005
    case .withheld: 0.05
    case .exhausted: 0.1
    case .busiest, .requests, .answered, .dataAge, .missed: 0
    }
  }

  /// Returns the recommendation for the worst finding whose remedy helps; `nil` if there is none.
  static func advice(_ report: ReportContent) -> String? {
    let scenario = report.run.scenario
    return RunFinding.all(report.run, report.summary).lazy.compactMap { finding in
      finding.remedy.flatMap { remedy in
        TrialText(
          finding: finding, remedy: remedy, outcome: report.trials.outcome(of: finding, in: scenario),
          scenario: scenario
        ).advice
      }
    }.first
  }

  static func text(_ figure: TrialFigure, _ value: Double?) -> String {
    guard let value else { return NumberText.unknown }
    switch figure {
    // The value is an estimate because it is based on whole seconds.
    case .overload: return value > 0 && value < 1 ? "under 1 s" : TimeText.seconds(value)
    case .dataAge: return TimeText.seconds(value)
    case .busiest: return NumberText.text(value) + " requests/s"
    case .missed where value >= 10: return NumberText.text(value) + " times the limit"
    case .failures, .withheld, .stale, .missed: return NumberText.percent(value)
    case .exhausted: return NumberText.text(value)
    case .requests, .answered: return NumberText.whole(value)
    }
  }
}

/// The names of the figures in a trial. They specify which requests and views are counted, and where a load is
/// measured.
struct TrialNames {
  var finding: RunFinding
  var scenario: Scenario

  func name(_ figure: TrialFigure) -> String {
    switch figure {
    case .overload: "the time above capacity"
    case .failures: "the share of failed requests"
    case .busiest: load
    case .withheld: "the time with withheld refreshes\(whose)"
    case .stale: "the share of stale views\(whose)"
    case .exhausted: "the number of exhausted budgets\(whose) per day"
    case .requests: "the number of requests\(whose)"
    case .answered: "the number of answered requests\(whose)"
    case .dataAge: "the mean data age\(whose)"
    case .missed: "the margin by which a limit is missed"
    }
  }

  /// A phrase such as ` of weather` or ` of all kinds`; empty if the scenario has only one kind.
  var whose: String {
    guard scenario.kinds.count > 1 else { return "" }
    return " of " + (finding.kind.map { scenario.kinds[$0].name } ?? "all kinds")
  }

  /// The name of the load that the finding is about. For a finding with a `crest`, it is the phones' load or, behind a
  /// CDN, the origin's load. For other findings, it is the servers' load.
  private var load: String {
    guard let endpoint = finding.endpoint, scenario.hasServerLoad(endpoint) else {
      return "the load in the busiest minutes"
    }
    guard finding.crest != nil else { return "the servers' load in the busiest minute" }
    return scenario.endpoints[endpoint].cdn == nil
      ? "the phones' load in the busiest minutes" : "the origin's load in the busiest minutes"
  }
}
