import FleetEngine
package import Scenario
import SimulationKernel

/// A figure that `explain DIR FIGURE` explains.
package enum FigureQuestion: String, CaseIterable, Sendable {
  /// The load in the busiest minute of the busiest endpoint, or in the busiest five minutes if a single minute could be
  /// a random peak.
  case peak
  /// The failure rate at the endpoint where it is highest.
  case failures
  /// The share of stale views for the kind where it is highest.
  case stale
  /// The number of times per day that a widget's budget runs out, for the kind where it is highest.
  case budget
}

/// The part of a run in which the figure is largest, together with everything that contributes to the figure.
package struct FigureSubject: Sendable {
  package let question: FigureQuestion
  /// The finding that describes the subject, in the form used for comparing trials.
  package let finding: RunFinding
  /// The value of the figure in the first replication; `nil` if the run does not have the figure.
  package let value: Double?
  /// The contributions of cohorts and causes to the figure, in descending order.
  package let parts: [FigurePart]
  let run: StoredRun
  let summary: Summary

  /// - Returns: `nil` if there is nothing to explain: no requests, failures, stale views or exhausted budgets.
  package init?(_ question: FigureQuestion, of run: StoredRun, _ summary: Summary) {
    guard let finding = Self.finding(question, run, summary) else { return nil }
    (self.question, self.finding, self.run, self.summary) = (question, finding, run, summary)
    value = RunFigures(run: run, summary: summary).value(TrialFigure(of: finding.topic), of: finding)
    guard let value, value > 0 else { return nil }
    parts = FigurePart.all(of: finding, question, run, summary)
  }

  package var scenario: Scenario { run.scenario }

  /// The summary's figure for which the dependence on assumptions is examined.
  package var screened: FigureName? {
    let endpoint = finding.endpoint.map { scenario.labels(endpoint: $0) } ?? Labels()
    let kind = finding.kind.map { Scope.kind($0).labels(in: scenario) } ?? Labels()
    switch question {
    case .peak:
      let window = HeadlineWindow.of(scenario, [summary])
      let place = LoadPoint.first(scenario, endpoint: finding.endpoint)
      return window.flatMap { place.name(.peak, endpoint: endpoint.endpoint, window: $0.name) }
    case .failures: return FigureName(.failures, .share, endpoint)
    case .stale: return FigureName(.staleViews, .share, kind)
    case .budget: return FigureName(.budgetExhaustedPerDay, .mean, kind)
    }
  }

  /// The summary of the run, with which the results of trials are compared.
  package var figures: Summary { summary }

  private static func finding(_ question: FigureQuestion, _ run: StoredRun, _ summary: Summary) -> RunFinding? {
    let scenario = run.scenario
    switch question {
    case .peak:
      let crests = scenario.endpoints.indices.compactMap { endpoint in
        Crest(endpoint, of: run, summary).map { (endpoint, $0, use($0.rate, scenario.endpoints[endpoint])) }
      }
      guard let (endpoint, crest, _) = crests.max(by: { ($0.2, $0.1.rate, $1.0) < ($1.2, $1.1.rate, $0.0) }) else {
        return nil
      }
      var finding = RunFinding(.herd, endpoint: endpoint, value: crest.rate / max(crest.mean, 1e-9))
      finding.crest = crest
      return finding
    case .failures:
      let counts = scenario.endpoints.indices.map { endpoint in
        (endpoint, summary.value(.failures, .total, scenario.labels(endpoint: endpoint)) ?? 0)
      }
      guard let (endpoint, count) = counts.max(by: { $0.1 < $1.1 }), count > 0 else { return nil }
      return RunFinding(.failures, endpoint: endpoint, value: count)
    case .stale: return largest(.stale, .staleViews, .share, summary, scenario)
    case .budget: return largest(.budget, .budgetExhaustedPerDay, .mean, summary, scenario)
    }
  }

  /// Returns a load as a fraction of an endpoint's capacity; 0 if the endpoint has no fixed capacity.
  private static func use(_ rate: Double, _ endpoint: Endpoint) -> Double {
    guard endpoint.autoscale == nil, let capacity = endpoint.capacity, capacity > 0 else { return 0 }
    return (rate + (endpoint.baseLoad?.rate ?? 0)) / capacity
  }

  private static func largest(
    _ topic: RunFinding.Topic, _ metric: Metric, _ statistic: Statistic, _ summary: Summary, _ scenario: Scenario
  ) -> RunFinding? {
    let values = scenario.kinds.indices.compactMap { kind in
      summary.value(metric, statistic, Scope.kind(kind).labels(in: scenario)).map { (kind, $0) }
    }
    guard let (kind, value) = values.max(by: { $0.1 < $1.1 }), value > 0 else { return nil }
    return RunFinding(topic, kind: kind, value: value)
  }
}
