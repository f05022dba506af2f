package import Scenario

/// The endpoints whose queues fill only because of sampling noise. The fleet's load in these queues is unknown
/// (MODEL.md 8.1.12).
struct NoisyQueues {
  private let scenario: Scenario
  private let summary: Summary
  private let window: LoadWindow?

  init(_ scenario: Scenario, _ summary: Summary) {
    (self.scenario, self.summary) = (scenario, summary)
    window = HeadlineWindow.of(scenario, [summary])
  }

  /// Returns whether a figure depends on a queue that fills only because of noise. An empty name refers to all
  /// endpoints.
  ///
  /// - Parameter end: a bound of the bracket; `nil` for the scenario's own run.
  func holds(endpoint name: String, under end: Preset? = nil) -> Bool {
    scenario.endpoints.indices.contains { index in
      ["", scenario.endpoints[index].name].contains(name) && isDoubtful(index, under: end)
    }
  }

  private func isDoubtful(_ index: Int, under end: Preset?) -> Bool {
    let target = scenario.endpoints[index]
    let hasOutage = scenario.events.contains { $0.failingEndpoint == index || $0.limitedEndpoint == index }
    guard let capacity = target.capacity, target.autoscale == nil, !hasOutage, let window else { return false }
    let labels = scenario.labels(endpoint: index).with(\.window, window.name)
    guard let row = summary.row(.offeredPeakRPS, .max, labels), let interval = row.estimatedInterval,
      let own = row.value?.approximate, own > 0, let offered = value(row, end),
      let load = summary.figure(FigureName(.serverPeakRPS, .max, labels)).flatMap({ value($0, end) }), load != offered
    else { return false }
    return offered * interval.low / own <= capacity
  }

  private func value(_ row: SummaryRow, _ end: Preset?) -> Double? {
    switch end {
    case .prompt: row.prompt?.approximate
    case .lazy: row.lazy?.approximate
    default: row.value?.approximate
    }
  }
}

extension Goal {
  /// Returns whether the goal is missed only because sampling noise fills a queue.
  fileprivate func isDoubtful(_ doubt: NoisyQueues, turning: [Preset]) -> Bool {
    guard dependsOnSystem else { return false }
    let name = figure.labels.endpoint
    return turning.isEmpty
      ? doubt.holds(endpoint: name) : turning.allSatisfy { doubt.holds(endpoint: name, under: $0) }
  }
}

extension GoalResult {
  package static let tooSmall = "too few phones are simulated for the queue: simulate more"

  /// Returns this result, marked as inconclusive if requests fail only because of sampling noise.
  package func doubted(_ scenario: Scenario, _ summary: Summary) -> GoalResult {
    guard verdict == .fail || verdict == .warn,
      goal.isDoubtful(NoisyQueues(scenario, summary), turning: [])
    else { return self }
    var result = self
    (result.verdict, result.reason) = (.inconclusive, Self.tooSmall)
    return result
  }
}

extension RunCheck {
  /// Returns this check, marked as undecided if requests fail only because of sampling noise. A goal that the scenario
  /// and the presets meet does not depend on the queue.
  func doubted(_ doubt: NoisyQueues) -> RunCheck {
    let isMet = result.turning.isEmpty && (miss ?? 1) <= 0
    guard outcome == .fails || outcome == .depends && !isMet,
      result.goal.isDoubtful(doubt, turning: result.turning)
    else { return self }
    var check = self
    check.outcome = .unknown
    check.sampleIsTooSmall = true
    return check
  }
}
