package import FleetEngine
import Scenario
import SimulationKernel

/// What a trial compares; raw values are the column `figure`.
package enum TrialFigure: String, CaseIterable, Sendable {
  case overload = "overload_seconds"
  case failures = "failed_share"
  /// Requests per second in the busiest window of the finding's length; of findings on an endpoint without one at its
  /// servers in the busiest minute.
  case busiest = "busiest_requests_per_second"
  case withheld = "withheld_share"
  case stale = "stale_views"
  case exhausted = "budget_exhausted_per_day"
  case requests
  case answered = "answered_requests"
  case dataAge = "data_age"
  /// By how much a limit that the run misses is missed, as a share of it: the one that becomes worse by most.
  case missed = "limit_missed"

  /// The figure by which a finding is judged.
  package init(of topic: RunFinding.Topic) {
    self =
      switch topic {
      case .overload: .overload
      case .failures: .failures
      case .herd: .busiest
      case .withheld: .withheld
      case .stale: .stale
      case .budget: .exhausted
      case .coldCaches: .requests
      }
  }

  package var unit: String {
    switch self {
    case .overload, .dataAge: "s"
    case .busiest: "requests/s"
    case .failures, .withheld, .stale, .missed: "share"
    case .exhausted: "times/day"
    case .requests, .answered: "requests"
    }
  }
}

/// What a remedy brought on the same draws, in the first replication.
package struct TrialOutcome: Hashable, Sendable {
  package struct Change: Hashable, Sendable {
    package var figure: TrialFigure
    /// nil: unknown.
    package var before: Double?
    package var after: Double?
  }

  package var topic: RunFinding.Topic
  /// As `--set` takes them, with blanks between.
  package var settings: String
  package var changes: [Change]

  package subscript(figure: TrialFigure) -> Change? { changes.first { $0.figure == figure } }

  /// The figure by which it is judged: of an overload in which requests fail these, and not how long it lasts.
  package var judged: TrialFigure {
    guard topic == .overload, let failed = self[.failures]?.before, failed >= Self.leastFailed else {
      return TrialFigure(of: topic)
    }
    return .failures
  }

  /// The least share of an endpoint's requests whose failing is the worse part of an overload.
  private static let leastFailed = 0.005

  /// By which part the figure by which it is judged falls; nil where it is not known.
  package var relief: Double? {
    guard let change = self[judged], let before = change.before, let after = change.after else {
      return nil
    }
    return before > 0 ? 1 - after / before : nil
  }

  /// The least relief that is one: half of what is withheld, overloaded, spent or fails, a fifth of loads and old views, a
  /// tenth of the requests.
  package var helps: Bool {
    let least =
      switch topic {
      case .overload, .failures, .withheld, .budget: 0.5
      case .herd, .stale: 0.2
      case .coldCaches: 0.1
      }
    return (relief ?? 0) >= least
  }

  /// Whether what it was to relieve becomes a tenth worse, or more.
  package var harms: Bool { (relief ?? 0) <= -0.1 }

  /// Whether a limit that the run misses is missed by more, by 1 % of the limit and of the miss at least.
  package var worsensLimit: Bool {
    guard let change = self[.missed], let before = change.before, let after = change.after else { return false }
    return after - before >= 0.01 * max(before, 1)
  }

  /// Whether it may be advised without more ado.
  package var isAdvice: Bool { helps && !hasPrice && !worsensLimit }

  /// Whether people see data that is a tenth older or a tenth more often stale for it, by a minute or a view in a hundred
  /// at least, or something else of consequence becomes a tenth worse; where nobody looks, whether a herd is spread at
  /// the price of a tenth of the requests that are answered.
  package var hasPrice: Bool {
    if Self.leastHarm.contains(where: { exceeds($0.figure, by: $0.least) }) { return true }
    return costsAnswers
  }

  /// By how much each figure must become worse to be a price.
  private static let leastHarm: [(figure: TrialFigure, least: Double)] = [
    (.dataAge, 60), (.stale, 0.01), (.overload, RunFinding.leastOverload), (.failures, RunFinding.leastFailures),
    (.withheld, 0.05), (.exhausted, FindingSurvey.leastExhausted),
  ]

  /// Whether a herd is spread where nobody looks, and what is not answered any more is the price: tries that failed are
  /// none.
  package var costsAnswers: Bool {
    guard topic == .herd, self[.dataAge]?.before == nil, let change = self[.answered], let before = change.before,
      let after = change.after
    else { return false }
    return after < 0.9 * before
  }

  private func exceeds(_ figure: TrialFigure, by least: Double) -> Bool {
    guard let change = self[figure], let before = change.before, let after = change.after else { return false }
    return after >= before * 1.1 && after - before >= least
  }
}

/// The figures of the first replication of a run.
struct RunFigures {
  let run: StoredRun
  let summary: Summary

  func value(_ figure: TrialFigure, of finding: RunFinding) -> Double? {
    let kind = finding.kind.map { Scope.kind($0).labels(in: run.scenario) } ?? Labels()
    let endpoint = run.scenario.labels(endpoint: finding.endpoint)
    switch figure {
    case .overload: return first(.overloadSeconds, .total, endpoint)
    case .busiest:
      guard let crest = finding.crest else {
        guard finding.endpoint != nil else { return nil }
        let minute = endpoint.with(\.window, LoadWindow.minute.name)
        return first(.serverPeakRPS, .max, minute) ?? first(.peakRPS, .max, minute)
      }
      return summary.estimatedCrest(finding.endpoint, crest.window, run.scenario)
        ?? Crest.rate(finding.endpoint, window: crest.window, of: run)
    case .failures: return first(.failures, .share, endpoint)
    case .withheld:
      return first(.waitsPerDay, .mean, kind).map { waits in
        min(waits * (first(.waitLength, .mean, kind) ?? 0) / 86_400, 1)
      }
    case .stale: return first(.staleViews, .share, kind)
    case .exhausted: return first(.budgetExhaustedPerDay, .mean, kind)
    case .requests: return first(.requests, .total, kind)
    case .answered: return first(.requests, .total, kind).map { $0 - (first(.failures, .total, kind) ?? 0) }
    case .dataAge: return first(.dataAge, .mean, kind)
    // Of two runs together.
    case .missed: return nil
    }
  }

  /// Every figure of a finding in two runs.
  static func changes(from before: RunFigures, to after: RunFigures, of finding: RunFinding) -> [TrialOutcome.Change] {
    let missed = before.worstMissed(after)
    return TrialFigure.allCases.map { figure in
      if figure == .missed { return missed }
      return TrialOutcome.Change(
        figure: figure, before: before.value(figure, of: finding).map(significant),
        after: after.value(figure, of: finding).map(significant))
    }
  }

  /// The limit, of a goal of severity error or a capacity, that this run misses and a change makes worse by most.
  private func worstMissed(_ after: RunFigures) -> TrialOutcome.Change {
    let goals =
      run.scenario.goals.filter { $0.severity == .error }
      + CapacityGoal.all(of: run.scenario, HeadlineWindow.of(run.scenario, [summary])).map(\.goal)
    let missed = goals.filter { $0.finding(in: summary) == .misses }.compactMap { goal in
      GoalMargin(of: goal, in: summary, nil).miss.flatMap { before in
        GoalMargin(of: goal, in: after.summary, nil).miss.map { (before: before, after: $0) }
      }
    }
    let worst = missed.max { $0.after - $0.before < $1.after - $1.before }
    return TrialOutcome.Change(figure: .missed, before: worst?.before, after: worst?.after)
  }

  private func first(_ metric: Metric, _ statistic: Statistic, _ labels: Labels) -> Double? {
    summary.row(metric, statistic, labels)?.replications.first.flatMap { $0?.approximate }
  }
}

/// What is tried of a run's findings.
package struct TrialPlan: Sendable {
  package static let most = 3
  /// Each change may be tried at half its size, too.
  package static let mostRuns = 2 * most

  /// The most severe findings that have a remedy, each remedy once.
  package let findings: [RunFinding]
  private let figures: RunFigures

  package init(_ result: RunResult, _ summary: Summary) {
    figures = RunFigures(run: StoredRun(of: result), summary: summary)
    var seen: Set<Remedy> = []
    let wanted = RunFinding.all(figures.run, summary).filter { finding in
      finding.remedy.map { seen.insert($0).inserted } ?? false
    }
    findings = Array(wanted.prefix(Self.most))
  }

  /// - Returns: nil when cancelled.
  package func outcome(of finding: RunFinding, _ variants: VariantRuns) throws(StudyError) -> TrialOutcome? {
    guard let remedy = finding.remedy else { return nil }
    let scenario = figures.run.scenario
    guard let result = try variants.result(of: remedy.applied(to: scenario)) else { return nil }
    let after = RunFigures(run: StoredRun(of: result), summary: Summary(of: result))
    let changes = RunFigures.changes(from: figures, to: after, of: finding)
    return TrialOutcome(topic: finding.topic, settings: remedy.text(in: scenario), changes: changes)
  }
}
