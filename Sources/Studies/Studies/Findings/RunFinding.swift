package import Scenario
import SimulationKernel

/// A significant problem in a run, with its numbers and a change that may resolve it (MODEL.md 8).
package struct RunFinding: Hashable, Sendable {
  /// The subject of the finding, in descending order of severity; raw values appear in the `finding` column.
  package enum Topic: String, CaseIterable, Sendable {
    case overload, failures, herd, withheld, stale, budget
    case coldCaches = "cold-caches"
  }

  package var topic: Topic
  /// The index into `Scenario.endpoints`, for load findings.
  package var endpoint: Int?
  /// The index into `Scenario.kinds`, for widget findings.
  package var kind: Int?
  /// The severity, whose unit depends on the topic: seconds of overload, ratio of crest to mean, share of requests,
  /// time or views, or times per day.
  package var value: Double
  /// The busiest time of the endpoint.
  package var crest: Crest?
  /// The reason that accounts for the longest time with withheld refreshes.
  package var reason: WaitReason?
  /// The reason for the largest number of failed requests.
  package var failure: FailureReason?
  /// Whether the sample is large enough to distinguish the finding from random variation.
  package var isResolved = true
  package var remedy: Remedy?

  package init(_ topic: Topic, endpoint: Int? = nil, kind: Int? = nil, value: Double) {
    self.topic = topic
    self.endpoint = endpoint
    self.kind = kind
    self.value = value
  }

  /// The shortest overload of an endpoint that is reported as a finding, in seconds.
  package static let minOverload = 60.0
  /// The smallest failure rate of an endpoint that is reported as a finding.
  package static let minFailures = 0.01
  /// The smallest crest that is significant for servers, in requests per second.
  package static let minCrest = 10.0

  /// Returns all findings of a run in descending order of severity, with unresolved findings last.
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

  /// Returns this finding with a remedy that is half as strong, if the remedy changes a single span.
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

  /// The fraction of a capacity above which a crest is considered significant.
  static let minUse = 0.8
  /// The smallest share of time with withheld refreshes that is reported as a finding.
  static let minWithheld = 0.2
  /// The smallest share of stale views that is reported as a finding.
  static let minStale = 0.02
  /// The smallest rate of budget exhaustion, per widget per day, that is reported as a finding.
  static let minExhausted = 0.1
}
