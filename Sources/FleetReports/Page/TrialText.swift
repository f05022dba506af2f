import Scenario
import SimulationKernel
import Studies

/// What came of a change that may help with a finding: nothing is advised that the trial does not show to help.
struct TrialText {
  var remedy: Remedy
  /// nil: not tried.
  var outcome: TrialOutcome?
  var scenario: Scenario

  var sentence: String {
    guard let outcome, let change = outcome[TrialFigure(of: outcome.topic)] else { return "Not tried: \(words)." }
    let brought = Self.brought(change)
    guard outcome.helps else { return "Tried in vain on the same draws: \(words); it leaves \(brought)." }
    let effects = Self.sideEffects(outcome)
    return outcome.costsFreshness
      ? "Tried on the same draws: \(words) brings \(brought), at a price\(effects.isEmpty ? "" : ": " + effects)."
      : "Tried on the same draws: \(words) helps; it brings \(brought)\(effects.isEmpty ? "" : "; " + effects)."
  }

  /// The change in words.
  private var words: String {
    switch remedy {
    case .jitter(let kinds, let span): "a jitter of \(names(kinds)) of up to \(TimeText.span(span))"
    case .over(let event, let span): "\(scenario.events[event].name) spread over \(TimeText.span(span))"
    case .oneAttempt(let kinds): "a single attempt of each request of \(names(kinds))"
    case .interval(let kind, let span): "\(scenario.kinds[kind].name) reloaded every \(TimeText.span(span))"
    case .cacheLife(let kind, let span): "a cache of \(scenario.kinds[kind].name) that lives for \(TimeText.span(span))"
    case .singleFlight(let kind):
      "one answer for all widgets of \(scenario.kinds[kind].name) on a phone (single_flight)"
    }
  }

  private func names(_ kinds: [Int]) -> String { kinds.map { scenario.kinds[$0].name }.joined(separator: ", ") }

  private static func brought(_ change: TrialOutcome.Change) -> String {
    "\(name(change.figure)) from \(text(change.figure, change.before)) to \(text(change.figure, change.after))"
  }

  /// What it does besides: to the freshness of what people see, and to the requests.
  private static func sideEffects(_ outcome: TrialOutcome) -> String {
    let figures: [TrialFigure] = [.dataAge, .stale, .requests]
    let told = figures.filter { $0 != TrialFigure(of: outcome.topic) }.compactMap { figure -> String? in
      guard let change = outcome[figure], let before = change.before, let after = change.after else { return nil }
      if figure == .stale, max(before, after) < 0.005 { return nil }
      let isSame = (after - before).magnitude <= 0.02 * max(before.magnitude, after.magnitude)
      let (old, new) = (text(figure, before), text(figure, after))
      let level = isSame ? "unchanged at \(old)" : "\(new) instead of \(old)"
      return "\(name(figure)) \(level)"
    }
    return told.joined(separator: ", ")
  }

  private static func name(_ figure: TrialFigure) -> String {
    switch figure {
    case .overload: "the time above the capacity"
    case .busiest: "the busiest load"
    case .withheld: "the time for which a refresh is held back"
    case .stale: "stale views"
    case .exhausted: "the times a day that a budget runs out"
    case .requests: "the requests"
    case .dataAge: "the age of the data at a view"
    }
  }

  private static func text(_ figure: TrialFigure, _ value: Double?) -> String {
    guard let value else { return NumberText.unknown }
    switch figure {
    case .overload, .dataAge: return TimeText.seconds(value)
    case .busiest: return NumberText.text(value) + " requests/s"
    case .withheld, .stale: return NumberText.percent(value)
    case .exhausted: return NumberText.text(value)
    case .requests: return NumberText.whole(value)
    }
  }
}
