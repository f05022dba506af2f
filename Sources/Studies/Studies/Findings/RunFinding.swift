package import Scenario
import SimulationKernel

/// A problem of consequence in a run, with its numbers and the change that may help (MODEL.md 8).
package struct RunFinding: Hashable, Sendable {
  /// The subject, the most severe first; raw values are the column `finding`.
  package enum Topic: String, CaseIterable, Sendable {
    case overload, failures, herd, withheld, stale, budget
    case coldCaches = "cold-caches"
  }

  package var topic: Topic
  /// Index into `Scenario.endpoints`, for a load.
  package var endpoint: Int?
  /// Index into `Scenario.kinds`, for widgets.
  package var kind: Int?
  /// The number behind it: seconds of overload, crest over mean, shares of requests, time and views, times per day.
  package var value: Double
  /// The busiest time of the endpoint.
  package var crest: Crest?
  /// The reason that withholds most.
  package var reason: WaitReason?
  /// The reason of most failed requests.
  package var failure: FailureReason?
  /// False where the sample does not distinguish it from chance.
  package var isResolved = true
  package var remedy: Remedy?

  package init(_ topic: Topic, endpoint: Int? = nil, kind: Int? = nil, value: Double) {
    self.topic = topic
    self.endpoint = endpoint
    self.kind = kind
    self.value = value
  }

  /// The shortest overload of an endpoint that makes a finding, in seconds.
  package static let leastOverload = 60.0
  /// The smallest share of failed requests of an endpoint that makes a finding.
  package static let leastFailures = 0.01
  /// The smallest crest of consequence to servers, in requests per second.
  package static let leastCrest = 10.0

  /// Returns all findings of a run, the most severe first; unresolved ones come last.
  package static func all(_ run: StoredRun, _ summary: Summary) -> [RunFinding] {
    let survey = FindingSurvey(run: run, summary: summary)
    let found = survey.overloads + survey.failures + survey.herds + survey.ofWidgets
    let ranked = found.enumerated().sorted { left, right in
      left.element.rank == right.element.rank
        ? (right.element.value, left.offset) < (left.element.value, right.offset)
        : left.element.rank < right.element.rank
    }
    return ranked.map(\.element)
  }

  /// Returns this finding with a remedy halfway to its own, where that is a span of one key.
  package func milder(in scenario: Scenario) -> RunFinding? {
    guard let remedy = remedy?.milder(in: scenario) else { return nil }
    var finding = self
    finding.remedy = remedy
    return finding
  }

  private var rank: Int { (Topic.allCases.firstIndex(of: topic) ?? 0) + (isResolved ? 0 : Topic.allCases.count) }
}

/// A search for findings in a run.
struct FindingSurvey {
  let run: StoredRun
  let summary: Summary

  var scenario: Scenario { run.scenario }

  /// The share of a capacity above which a crest is of consequence.
  static let leastUse = 0.8
  /// The smallest share of withheld time that makes a finding.
  static let leastWithheld = 0.2
  /// The smallest share of stale views that makes a finding.
  static let leastStale = 0.02
  /// The smallest rate of exhausted budgets that makes a finding, per widget and day.
  static let leastExhausted = 0.1
}
