package import Scenario
import SimulationKernel
package import Studies

/// Returns the parts of a figure, as the first section of the terminal text.
package func explanationOpening(of subject: FigureSubject, _ content: ReportContent) -> [UInt8] {
  let explanation = FigureExplanation(subject, tried: [], rules: [])
  let text = ExplanationText(explained: ExplainedFigure(explanation: explanation, content: content, judged: []))
  return terminalText([folded(text.heading), folded(text.verdict), text.parts.flatMap { folded($0, indent: 2) }])
}

/// Returns the levers of a figure, as the section of the terminal text that follows the parts.
package func explanationLevers(of explained: ExplainedFigure) -> [UInt8] {
  let text = ExplanationText(explained: explained)
  let rules = text.rules.flatMap { folded($0, indent: 2) }
  return Array("\n".utf8)
    + terminalText(
      [
        rules.isEmpty ? [] : folded("With the same draws, but without one constraint that no app can change:") + rules,
        text.assumed.isEmpty ? [] : folded(text.assumedHeading) + text.assumed.flatMap { folded($0, indent: 2) },
        folded(text.answer),
      ] + text.levers.map { $0.flatMap { folded($0, indent: 2) } } + [folded(text.lowest + text.basis)])
}

/// Returns the terminal text for a run in which this figure does not exist.
package func nothingToExplainText(_ question: FigureQuestion, in scenario: Scenario) -> [UInt8] {
  terminalText([folded(nothingToExplain(question, in: scenario))])
}

/// Returns a sentence for a run in which this figure does not exist.
func nothingToExplain(_ question: FigureQuestion, in scenario: Scenario) -> String {
  switch question {
  case .peak:
    "There is no peak: no requests were sent during the measured period, or clock.step does not divide a minute evenly."
  case .failures: "No requests failed during the measured period."
  case .stale:
    scenario.kinds.contains { $0.staleAfter != nil }
      ? "No views were stale during the measured period."
      : "No kind has stale_after, so no view is stale: set kinds.KIND.stale_after to the age at which data is too old."
  case .budget: "No budget ran out during the measured period."
  }
}

/// The sentences of an explanation.
struct ExplanationText {
  let explained: ExplainedFigure

  private var explanation: FigureExplanation { explained.explanation }

  /// The verdict on the run that is being explained.
  var verdict: String { "This run: \(verdictLine(of: explained.content))" }

  var basis: String {
    let endpoint = subject.finding.endpoint.map { scenario.endpoints[$0] }
    let hasBaseLoad = endpoint?.baseLoad != nil
    let place = endpoint?.cdn == nil ? "what the phones send" : "what the CDN lets through"
    return "Each setting was tried alone by repeating the first replication with the same users, networks and "
      + "draws. It was judged as by 'widgetfleet run' with that --set, including under prompt and lazy."
      + (subject.question == .peak
        ? " Loads before and after '->' are means over the busiest minutes of \(place)"
          + "\(hasBaseLoad ? ", without the base load" : ""); verdicts use the servers' peak in the goals' window."
        : "")
  }

  private var subject: FigureSubject { explanation.subject }
  private var scenario: Scenario { subject.scenario }
  private var figure: TrialFigure { TrialFigure(of: subject.finding.topic) }
  private var endpoint: String { subject.finding.endpoint.map { scenario.endpoints[$0].name } ?? "" }
  private var kind: String { subject.finding.kind.map { scenario.kinds[$0].name } ?? "" }
  private var value: String { TrialText.text(figure, subject.value) }

  // MARK: The figure

  var heading: String {
    switch subject.question {
    case .peak: peakHeading
    case .failures: "failures: \(value) of the requests to \(endpoint) fail."
    case .stale: "stale: \(value) of the views of \(kind) show data older than \(staleAfter)\(staleHours)."
    case .budget: "budget: the budget of a \(kind) widget runs out \(value) times a day."
    }
  }

  private var peakHeading: String {
    guard let crest = subject.finding.crest else { return "" }
    let minutes = crest.window.minutes
    let time = FleetZone.inProse(.start + .minutes(Int64(crest.minute)), explained.content.zones, scenario.clock)
    return "peak: the busiest \(minutes == 1 ? "minute" : "\(minutes) minutes") of \(endpoint), from \(time): "
      + "\(value), \(NumberText.text(crest.timesMean)) times the mean.\(otherWindow(crest.window))"
  }

  /// Returns the peak in the headline window as ` The peak over 1 s is 143 requests/s.`; empty if the crest has the
  /// same window.
  private func otherWindow(_ window: LoadWindow) -> String {
    guard let name = subject.screened, name.labels.window != window.name,
      let headline = LoadWindow.allCases.first(where: { $0.name == name.labels.window }),
      let peak = explained.content.summary.figure(name)?.value?.approximate
    else { return "" }
    return " The peak over \(TimeText.span(headline.length)) is \(NumberText.text(peak)) requests/s."
  }

  /// The hours with stale views, such as `; most stale views come between 06:00 and 07:00 by the owner's clock, 15 % of
  /// the day's; ...`.
  private var staleHours: String { subject.staleHours.map { "; \(staleHoursWords($0))" } ?? "" }

  private var staleAfter: String {
    subject.finding.kind.flatMap { scenario.kinds[$0].staleLimit } ?? ""
  }

  // MARK: Parts

  /// The largest parts of the figure. Each sentence includes the rule that causes the part.
  var parts: [String] { subject.parts.prefix(5).map(sentence) }

  private func sentence(_ part: FigurePart) -> String {
    let share = NumberText.percent(part.share)
    if let failure = part.failure { return "\(share): reason '\(failure.name)'. \(failure.explanation.meaning)" }
    guard let cause = part.cause else { return share }
    let rule = CauseRule(cause, endpoint: subject.finding.endpoint, cohort: part.cohort, in: scenario)
    let whose = part.cohort.map { "cohort '\(scenario.fleet.cohorts[$0].name)', " } ?? ""
    let what = subject.question == .budget ? " of the charged reloads" : subject.question == .peak ? " of it" : ""
    let aligned = rule.alignedEvery.map {
      " Its entries are aligned to \(TimeText.span($0)), so phones are due together."
    }
    let clock = aligned ?? (rule.isByTheClock ? " Its dates follow the clock, so phones are due together." : "")
    return "\(share)\(what): \(whose)cause '\(cause.name)'. \(cause.explanation.meaning)\(clock) Set by \(keys(rule)) "
      + "(MODEL.md \(rule.section))."
  }

  private func keys(_ rule: CauseRule) -> String {
    let shown = rule.keys.prefix(3)
    let rest = rule.keys.count > 3 ? " and \(rule.keys.count - 3) more" : ""
    return shown.isEmpty ? "no key of this scenario" : shown.joined(separator: ", ") + rest
  }

  var rules: [String] {
    explanation.rules.map { name, outcome in "without \(name): \(after(outcome)) (\(outcome.settings))" }
  }

  // MARK: Assumptions

  var assumedHeading: String {
    "With the same draws, but one assumption at either end of its range, "
      + (subject.screened.map { GoalText.name($0, [scenario]) } ?? "it") + " becomes:"
  }

  /// The assumptions with the largest effects on the figure.
  var assumed: [String] {
    guard let name = subject.screened else { return [] }
    return explained.assumed.map { span in
      "\(GoalText.text(span.low, name)) to \(GoalText.text(span.high, name)): \(AssumedText.words(span.range))"
        + (span.range.isOfUsers ? ", which a team can measure" : ", \(span.range.key)")
    }
  }

  // MARK: Levers

  var answer: String {
    if explanation.tried == 0 { return "No known setting could lower it." }
    let others = explanation.others.joined(separator: ", ")
    if explanation.tried == 1 {
      return "The one setting tried " + (explanation.levers.isEmpty ? "does not lower it: \(others)." : "lowers it:")
    }
    return explanation.levers.isEmpty
      ? "None of the \(explanation.tried) settings tried lowers it: \(others)."
      : "\(explanation.levers.count) of the \(explanation.tried) settings tried "
        + (explanation.levers.count == 1 ? "lowers" : "lower") + " it most"
        + (others.isEmpty ? "" : " (the rest: \(others))") + ":"
  }

  /// The settings that can be used as levers, each with its benefit and its cost.
  var levers: [[String]] {
    let names = TrialNames(finding: subject.finding, scenario: scenario)
    return zip(explanation.levers.map(\.outcome), explained.judged).map { outcome, run in
      let worse = TrialText.sideEffects(outcome, names, isWorse: true)
      let failed = TrialText.sideEffects(outcome, names, isWorse: false, of: [.failures])
      return [
        outcome.options,
        "\(value) -> \(after(outcome)) (\(NumberText.percent(outcome.relief ?? 0)) less)"
          + failed.map { "; \($0)" }.joined() + (worse.isEmpty ? "" : "; worse: \(worse.joined(separator: ", "))")
          + Self.lateNews(outcome),
        RunVerdictText(run).lineWithoutSample,
      ]
    }
  }

  /// The lowest value that any single setting reaches; empty if none lowers the figure.
  var lowest: String {
    let strongest = explanation.levers.map(\.outcome).max { ($0.relief ?? 0) < ($1.relief ?? 0) }
    return strongest.map { "No setting tried alone lowers it below \(after($0)). " } ?? ""
  }

  /// Returns a note that spreading pushes over time delays the data.
  private static func lateNews(_ outcome: TrialOutcome) -> String {
    let spans = outcome.settings.split(separator: " ").compactMap { setting in
      setting.contains(".push.over=") ? setting.split(separator: "=").last : nil
    }
    return spans.first.map { "; pushes arrive up to \($0) later" } ?? ""
  }

  private func after(_ outcome: TrialOutcome) -> String { TrialText.text(figure, outcome[figure]?.after) }
}
