import FleetEngine
package import Scenario

/// The overall verdict on a run (Docs/GOALS.md, the verdict of a run).
package struct RunVerdict: Hashable, Sendable {
  /// The overall result, highest precedence first. The raw values are the words shown on pages and terminals.
  package enum Word: String, CaseIterable, Sendable {
    case fails = "DOES NOT HOLD"
    case depends = "DEPENDS"
    case unknown = "CANNOT TELL"
    case holds = "HOLDS"
    case unlimited = "NO LIMIT SET"
  }

  package var word: Word
  /// The scenario's goals in order, followed by the implicit goals that endpoint capacities set. An implicit goal is
  /// omitted if a goal defines the accepted overload.
  package var checks: [RunCheck]

  package init(_ scenario: Scenario, _ summary: Summary, _ goals: [GoalResult]) {
    let doubt = NoisyQueues(scenario, summary)
    let checks = (goals.map { RunCheck($0, summary) } + RunCheck.ofCapacities(scenario, summary)).map {
      $0.doubted(doubt)
    }
    self.checks = checks
    let outcomes = Set(checks.filter { $0.result.goal.severity == .error }.map(\.outcome))
    word =
      Word.allCases.first { outcomes.contains($0) }
      ?? (checks.isEmpty ? .unlimited : .holds)
  }

  /// The checks that determine the result, most important first.
  ///
  /// Loads precede other figures. Within each group, the largest misses come first or, if all goals are met, the
  /// smallest margins.
  package var deciding: [RunCheck] {
    let made = checks.filter { $0.outcome == word && ($0.result.goal.severity == .error || word == .holds) }
    return made.enumerated().sorted { left, right in
      let (first, second) = (left.element, right.element)
      if first.isLoad != second.isLoad { return first.isLoad }
      let (miss, other) = (first.miss ?? -.infinity, second.miss ?? -.infinity)
      return miss == other ? left.offset < right.offset : miss > other
    }.map(\.element)
  }

  /// The missed goals of severity `warning`.
  package var warnings: [RunCheck] { checks.filter { $0.result.verdict == .warn } }
}

/// A goal from the scenario, or the implicit goal of a capacity, with its result in a run.
package struct RunCheck: Hashable, Sendable {
  package var result: GoalResult
  /// The check's contribution to the overall result if its severity is `error`.
  package var outcome: RunVerdict.Word
  /// The index into `Scenario.endpoints` for a capacity's implicit goal; `nil` for a goal from the scenario file.
  package var endpoint: Int?
  /// The relative amount by which the goal is missed. It is negative if the goal is met and `nil` if unknown.
  package var miss: Double?
  /// Whether the queue fills only because of sampling noise, so that more phones are needed.
  package var sampleIsTooSmall = false

  fileprivate init(_ result: GoalResult, _ summary: Summary, endpoint: Int? = nil) {
    self.result = result
    self.endpoint = endpoint
    miss = GoalMargin(of: result.goal, in: summary, nil).miss
    switch result.verdict {
    case .pass: outcome = .holds
    // A missed warning does not change the overall result.
    case .fail, .warn: outcome = .fails
    case .inconclusive:
      let isOpen = if case .open = result.goal.finding(in: summary) { true } else { false }
      outcome =
        isOpen || result.dependsOn.isEmpty && result.turning.isEmpty && !result.unknownUnder.isEmpty
        ? .unknown : .depends
    }
  }

  /// Whether the goal sets a positive upper limit on a load in requests per second.
  package var isLoad: Bool {
    result.goal.figure.unit == .requestsPerSecond && (result.limit ?? 0) > 0
      && [.atMost, .less].contains(result.goal.comparison)
  }

  /// Returns the checks of the capacities' implicit goals whose figures are in the summary.
  fileprivate static func ofCapacities(_ scenario: Scenario, _ summary: Summary) -> [RunCheck] {
    CapacityGoal.all(of: scenario, HeadlineWindow.of(scenario, [summary])).compactMap { asked in
      guard summary.figure(asked.goal.figure)?.value != nil else { return nil }
      var check = RunCheck(
        GoalResult(asked.goal, bracketed: summary).depending(in: scenario), summary, endpoint: asked.endpoint)
      if check.outcome == .holds, check.mayBePassedInShorterWindows(scenario, summary) { check.outcome = .unknown }
      return check
    }
  }

  /// Returns whether the peak in the clock's shortest window may exceed the limit, for the scenario or at an end of the
  /// bracket.
  ///
  /// The sample is too small to determine this peak.
  private func mayBePassedInShorterWindows(_ scenario: Scenario, _ summary: Summary) -> Bool {
    guard isLoad, let limit = result.limit, let finest = LoadWindow.finest(of: scenario.clock) else { return false }
    var figure = result.goal.figure
    figure.labels.window = finest.name
    guard figure != result.goal.figure, let row = summary.figure(figure) else { return false }
    return ([row] + Bracket.ends.compactMap { row.under($0) }).contains {
      !$0.isResolved && ($0.estimatedInterval?.high ?? 0) > limit
    }
  }
}
