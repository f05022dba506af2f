import FleetEngine
package import Scenario

/// What a planner may conclude from a run (Docs/GOALS.md, the verdict of a run).
package struct RunVerdict: Hashable, Sendable {
  /// In the order in which one overrides the next; raw values are what pages and terminals say.
  package enum Word: String, CaseIterable, Sendable {
    case fails = "DOES NOT HOLD"
    case depends = "DEPENDS"
    case unknown = "CANNOT TELL"
    case holds = "HOLDS"
    case unlimited = "NO LIMIT SET"
  }

  package var word: Word
  /// The goals in their order, then what the capacities ask for where no goal says how much overload is accepted.
  package var checks: [RunCheck]

  package init(_ scenario: Scenario, _ summary: Summary, _ goals: [GoalResult]) {
    let doubt = SampleDoubt(scenario, summary)
    let checks = (goals.map { RunCheck($0, summary) } + RunCheck.ofCapacities(scenario, summary)).map {
      $0.doubted(doubt)
    }
    self.checks = checks
    let outcomes = Set(checks.filter { $0.result.goal.severity == .error }.map(\.outcome))
    word =
      Word.allCases.first { outcomes.contains($0) }
      ?? (checks.isEmpty ? .unlimited : .holds)
  }

  /// The checks that make the word, that which is named first.
  ///
  /// A load before other figures, then what is missed by most or, where all hold, has the least room.
  package var deciding: [RunCheck] {
    let made = checks.filter { $0.outcome == word && ($0.result.goal.severity == .error || word == .holds) }
    return made.enumerated().sorted { left, right in
      let (first, second) = (left.element, right.element)
      if first.isLoad != second.isLoad { return first.isLoad }
      let (miss, other) = (first.miss ?? -.infinity, second.miss ?? -.infinity)
      return miss == other ? left.offset < right.offset : miss > other
    }.map(\.element)
  }

  /// Goals of severity `warning` that are missed.
  package var warnings: [RunCheck] { checks.filter { $0.result.verdict == .warn } }
}

/// A goal, or what a capacity asks for, with what a run says of it.
package struct RunCheck: Hashable, Sendable {
  package var result: GoalResult
  /// What it makes of the whole when it is of severity `error`.
  package var outcome: RunVerdict.Word
  /// Index into `Scenario.endpoints` of the capacity that asks for it; nil for a goal.
  package var endpoint: Int?
  /// By how much it is missed, as a share of the limit, below 0 where it is met; nil: unknown.
  package var miss: Double?
  /// Whether the sample fills the queue by its own noise.
  package var sampleIsTooSmall = false

  fileprivate init(_ result: GoalResult, _ summary: Summary, endpoint: Int? = nil) {
    self.result = result
    self.endpoint = endpoint
    miss = GoalMargin(of: result.goal, in: summary, nil).miss
    switch result.verdict {
    case .pass: outcome = .holds
    // A warning that is missed leaves the whole as it is.
    case .fail, .warn: outcome = .fails
    case .inconclusive:
      let isOpen = if case .open = result.goal.finding(in: summary) { true } else { false }
      outcome = isOpen || result.turning.isEmpty && !result.unknownUnder.isEmpty ? .unknown : .depends
    }
  }

  /// Whether it holds a load in requests per second against a number from above.
  package var isLoad: Bool {
    result.goal.figure.unit == .requestsPerSecond && (result.limit ?? 0) > 0
      && [.atMost, .less].contains(result.goal.comparison)
  }

  /// What capacities ask for, as far as the run knows the figure.
  fileprivate static func ofCapacities(_ scenario: Scenario, _ summary: Summary) -> [RunCheck] {
    CapacityGoal.all(of: scenario, HeadlineWindow.of(scenario, [summary])).compactMap { asked in
      guard summary.figure(asked.goal.figure)?.value != nil else { return nil }
      var check = RunCheck(GoalResult(asked.goal, bracketed: summary), summary, endpoint: asked.endpoint)
      if check.outcome == .holds, check.mayBePassedInShorterWindows(scenario, summary) { check.outcome = .unknown }
      return check
    }
  }

  /// Whether the peak in the clock's shortest window, which the sample does not resolve, may be above the limit, be it
  /// under an end of the bracket.
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
