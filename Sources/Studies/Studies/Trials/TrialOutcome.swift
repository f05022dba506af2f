package import FleetEngine
import Scenario
import SimulationKernel

/// A figure that a trial compares; raw values appear in the `figure` column.
package enum TrialFigure: String, CaseIterable, Sendable {
  case overload = "overload_seconds"
  case failures = "failed_share"
  /// The requests per second in the busiest window of the crest's length. If an endpoint's finding has no crest, the
  /// busiest minute at the endpoint's servers is used.
  case busiest = "busiest_requests_per_second"
  case withheld = "withheld_share"
  case stale = "stale_views"
  case exhausted = "budget_exhausted_per_day"
  case requests
  case answered = "answered_requests"
  case dataAge = "data_age"
  /// The relative amount by which a limit is missed. The limit is the one whose miss grows most, among those that the
  /// run already misses.
  case missed = "limit_missed"

  /// Creates the figure that determines whether a remedy for a finding helps.
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

/// The effect of a remedy in the first replication, with the same draws before and after.
package struct TrialOutcome: Hashable, Sendable {
  package struct Change: Hashable, Sendable {
    package var figure: TrialFigure
    /// The values before and after the change; `nil` if unknown.
    package var before: Double?
    package var after: Double?
  }

  package var topic: RunFinding.Topic
  /// The remedy's settings as `--set` arguments, separated by spaces.
  package var settings: String
  package var changes: [Change]

  package subscript(figure: TrialFigure) -> Change? { changes.first { $0.figure == figure } }

  /// The figure that decides whether the remedy helps. For an overload in which requests fail, the figure is the number
  /// of failures, not the duration.
  package var judged: TrialFigure {
    guard topic == .overload, let failed = self[.failures]?.before, failed >= Self.minFailed else {
      return TrialFigure(of: topic)
    }
    return .failures
  }

  /// The failure rate at which failures become more important than the duration of an overload.
  private static let minFailed = 0.005

  /// The relative decrease in the deciding figure; `nil` if unknown.
  package var relief: Double? {
    guard let change = self[judged], let before = change.before, let after = change.after else {
      return nil
    }
    return before > 0 ? 1 - after / before : nil
  }

  /// Whether the deciding figure decreases enough. The required decrease is 50 % for withheld time, overload, exhausted
  /// budgets and failures, 20 % for loads and stale views, and 10 % for requests.
  package var helps: Bool {
    let minimum =
      switch topic {
      case .overload, .failures, .withheld, .budget: 0.5
      case .herd, .stale: 0.2
      case .coldCaches: 0.1
      }
    return (relief ?? 0) >= minimum
  }

  /// Whether the deciding figure becomes at least 10 % worse.
  package var harms: Bool { (relief ?? 0) <= -0.1 }

  /// Whether a limit that is already missed is missed by at least 1 % more, relative both to the limit and to the
  /// earlier miss.
  package var worsensLimit: Bool {
    guard let change = self[.missed], let before = change.before, let after = change.after else { return false }
    return after - before >= 0.01 * max(before, 1)
  }

  /// Whether the remedy helps without any cost or worse limit, so that it can be recommended.
  package var isAdvice: Bool { helps && !hasPrice && !worsensLimit }

  /// Whether the remedy has a cost for users or servers.
  ///
  /// A remedy has a cost if a figure in `minHarm` becomes worse by at least 10 % and by at least the minimum listed for
  /// it. In a run without views, spreading a herd also has a cost if 10 % fewer requests are answered.
  package var hasPrice: Bool {
    if Self.minHarm.contains(where: { exceeds($0.figure, by: $0.minimum) }) { return true }
    return costsAnswers
  }

  /// The smallest increase in each figure that is considered a cost.
  private static let minHarm: [(figure: TrialFigure, minimum: Double)] = [
    (.dataAge, 60), (.stale, 0.01), (.overload, RunFinding.minOverload), (.failures, RunFinding.minFailures),
    (.withheld, 0.05), (.exhausted, FindingSurvey.minExhausted),
  ]

  /// Whether spreading a herd reduces the number of answered requests in a run without views. Failed attempts are not
  /// counted.
  package var costsAnswers: Bool {
    guard topic == .herd, self[.dataAge]?.before == nil, let change = self[.answered], let before = change.before,
      let after = change.after
    else { return false }
    return after < 0.9 * before
  }

  private func exceeds(_ figure: TrialFigure, by minimum: Double) -> Bool {
    guard let change = self[figure], let before = change.before, let after = change.after else { return false }
    return after >= before * 1.1 && after - before >= minimum
  }
}

/// The figures of a run's first replication for a trial.
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
    // This figure can be computed only by comparing two runs.
    case .missed: return nil
    }
  }

  /// Returns the changes in all figures of a finding from one run to another.
  static func changes(from before: RunFigures, to after: RunFigures, of finding: RunFinding) -> [TrialOutcome.Change] {
    let missed = before.worstMissed(after)
    return TrialFigure.allCases.map { figure in
      if figure == .missed { return missed }
      return TrialOutcome.Change(
        figure: figure, before: before.value(figure, of: finding).map(significant),
        after: after.value(figure, of: finding).map(significant))
    }
  }

  /// Returns the limit that this run misses and whose miss grows most in the changed run. Limits are set by error goals
  /// and capacities.
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

/// The trials of remedies for a run's findings.
package struct TrialPlan: Sendable {
  package static let maximum = 3
  /// The maximum number of runs. It is twice the maximum number of trials, because each change may also be tried at
  /// half its size.
  package static let maxRuns = 2 * maximum

  /// The most severe findings with a remedy, without duplicate remedies.
  package let findings: [RunFinding]
  private let figures: RunFigures

  package init(_ result: RunResult, _ summary: Summary) {
    figures = RunFigures(run: StoredRun(of: result), summary: summary)
    var seen: Set<Remedy> = []
    let wanted = RunFinding.all(figures.run, summary).filter { finding in
      finding.remedy.map { seen.insert($0).inserted } ?? false
    }
    findings = Array(wanted.prefix(Self.maximum))
  }

  /// - Returns: `nil` if cancelled.
  package func outcome(of finding: RunFinding, _ variants: VariantRuns) throws(StudyError) -> TrialOutcome? {
    guard let remedy = finding.remedy else { return nil }
    let scenario = figures.run.scenario
    guard let result = try variants.result(of: remedy.applied(to: scenario)) else { return nil }
    let after = RunFigures(run: StoredRun(of: result), summary: Summary(of: result))
    let changes = RunFigures.changes(from: figures, to: after, of: finding)
    return TrialOutcome(topic: finding.topic, settings: remedy.text(in: scenario), changes: changes)
  }
}
