import FleetEngine
import Scenario
import Studies

/// That requests fail because the file sets no `queue`, so that all wait behind a capacity (Docs/GOALS.md, the verdict
/// of a run).
enum DefaultQueueWords {
  /// `; 93 % of the requests fail, most of them by timeout: no queue is set, ...`; empty where that is not so.
  ///
  /// - Parameter figure: of which the sentence before it speaks.
  static func clause(_ report: ReportContent, after figure: FigureName) -> String {
    let scenario = report.run.scenario
    let endpoints = Overload.endpoints(of: scenario).filter { scenario.endpoints[$0].queue == nil }
    return endpoints.map { endpoint in
      let ends = [nil, Preset.prompt, .lazy]
      guard let end = ends.first(where: { failing(report.summary, scenario, endpoint, under: $0) != nil }) else {
        return ""
      }
      return clause(failing(report.summary, scenario, endpoint, under: end) ?? 0, scenario, endpoint, end, figure)
    }.joined()
  }

  private static func clause(
    _ share: Double, _ scenario: Scenario, _ endpoint: Int, _ end: Preset?, _ figure: FigureName
  ) -> String {
    let name = scenario.endpoints[endpoint].name
    let requests = scenario.endpoints.count > 1 ? "requests to \(name)" : "requests"
    let reason =
      "time out, since no queue is set (backend.endpoints.\(name).queue): all requests wait, however long that takes"
    // The share of an end stands beside its load.
    if let end { return "; if the system is \(end.rawValue), most \(requests) that fail \(reason)" }
    if figure.metric == .failures { return "; most \(requests) that fail \(reason)" }
    return "; \(NumberText.percent(share)) of the \(requests) fail, and most of these \(reason)"
  }

  /// The share of an endpoint's requests that fail, under an end of the bracket or in the scenario itself; nil where few
  /// do, or most for another reason than timeouts.
  private static func failing(_ summary: Summary, _ scenario: Scenario, _ endpoint: Int, under end: Preset?) -> Double?
  {
    let labels = Labels().with(\.endpoint, scenario.endpoints[endpoint].name)
    let value = { (statistic: Statistic, reason: String) -> Double? in
      let row = summary.figure(FigureName(.failures, statistic, labels.with(\.reason, reason)))
      return (end.map { row?.under($0) } ?? row)?.value?.approximate
    }
    guard let share = value(.share, ""), share >= RunFinding.leastFailures, let all = value(.total, ""),
      let timeouts = value(.total, FailureReason.timeout.name)
    else { return nil }
    return timeouts > (all - (value(.total, FailureReason.offline.name) ?? 0)) / 2 ? share : nil
  }
}
