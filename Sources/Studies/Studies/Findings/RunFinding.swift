package import Scenario
import SimulationKernel

/// Something of consequence in a run, with the numbers it depends on and the change that may help (MODEL.md 8).
package struct RunFinding: Hashable, Sendable {
  /// The most severe first; raw values are the column `finding`.
  package enum Topic: String, CaseIterable, Sendable {
    case overload, failures, herd, withheld, stale, budget
    case coldCaches = "cold-caches"
  }

  package var topic: Topic
  /// Index into `Scenario.endpoints`, of a load.
  package var endpoint: Int?
  /// Index into `Scenario.kinds`, of what widgets do.
  package var kind: Int?
  /// What makes it one: seconds of overload, the crest over the mean, shares of requests, time and views, times
  /// per day.
  package var value: Double
  /// The busiest time of the endpoint.
  package var crest: Crest?
  /// What withholds most.
  package var reason: WaitReason?
  /// What most requests fail for.
  package var failure: FailureReason?
  /// False where the sample does not tell it from chance.
  package var isResolved = true
  package var remedy: Remedy?

  package init(_ topic: Topic, endpoint: Int? = nil, kind: Int? = nil, value: Double) {
    self.topic = topic
    self.endpoint = endpoint
    self.kind = kind
    self.value = value
  }

  /// An endpoint at least so long above its capacity, in seconds.
  package static let leastOverload = 60.0
  /// Least share of an endpoint's requests that must fail to make a finding.
  package static let leastFailures = 0.01
  /// A crest of at least so many requests per second is of consequence to servers.
  package static let leastCrest = 10.0

  /// All of a run, the most severe first; what the sample does not tell comes last.
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

  /// This finding with a remedy half way from what is there to its own, where that is a span of one key.
  package func milder(in scenario: Scenario) -> RunFinding? {
    guard let remedy = remedy?.milder(in: scenario) else { return nil }
    var finding = self
    finding.remedy = remedy
    return finding
  }

  private var rank: Int { (Topic.allCases.firstIndex(of: topic) ?? 0) + (isResolved ? 0 : Topic.allCases.count) }
}

/// Looks for findings in a run.
struct FindingSurvey {
  let run: StoredRun
  let summary: Summary

  var scenario: Scenario { run.scenario }

  /// A crest is of consequence above this share of a capacity, where there is one.
  static let leastUse = 0.8
  /// The share of the time for which a refresh that is due is withheld.
  static let leastWithheld = 0.2
  /// Least share of views that must be stale to make a finding.
  static let leastStale = 0.02
  /// How often per widget and day a budget runs out.
  static let leastExhausted = 0.1
}
