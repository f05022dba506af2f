package import Scenario

/// The differences in figures and distributions between a base run and another run with the same random draws.
package struct RunComparison: Sendable {
  /// The smallest change that is shown by default, as a fraction of the base value.
  package static let standardMin = 0.01

  package var base: ComparedRun
  package var new: ComparedRun
  package var differences: [ScenarioDifference]
  /// The figures, in the order of the base's rows, followed by the figures that only the other run has.
  package var figures: [FigureChange]
  /// The distributions for which both runs have values, sorted by distance in descending order.
  package var distributions: [DistributionChange]
  package var conditions: [ConditionResult]
  /// The smallest change that is shown, as a fraction of the base value.
  package var minimum: Double

  /// - Precondition: `new.obstacles(to: base)` is empty.
  package init(
    _ base: ComparedRun, _ new: ComparedRun, differences: [ScenarioDifference] = [], conditions: [ChangeCondition],
    minimum: Double
  ) {
    (self.base, self.new, self.differences, self.minimum) = (base, new, differences, minimum)
    figures = (base.summary.rows + new.summary.rows).map(\.name).uniqued.map {
      FigureChange($0, base.summary.figure($0), new.summary.figure($0))
    }
    let phones = base.devicesSimulated * base.scenario.run.replications
    distributions = base.distributions.histograms.compactMap { name, histogram in
      new.distributions.histograms[name].flatMap { DistributionChange(name, histogram, $0, phones: phones) }
    }.sorted { ($1.distance, $0.name.text) < ($0.distance, $1.name.text) }
    self.conditions = conditions.map { condition in
      ConditionResult(
        condition: condition, finding: condition.finding(base.summary, new.summary),
        change: FigureChange(
          condition.figure, base.summary.figure(condition.figure), new.summary.figure(condition.figure)))
    }
  }

  /// Returns the number of figures whose change has this size.
  package func count(_ size: FigureChange.Size) -> Int { figures.count { $0.size(minimum: minimum) == size } }

  package var largeFigures: [FigureChange] { figures.filter { $0.size(minimum: minimum) == .large } }

  package var largeDistributions: [DistributionChange] { distributions.filter { $0.isLarge(minimum: minimum) } }
}

/// The result of a `--fail-on` condition.
package struct ConditionResult: Hashable, Sendable {
  package enum Verdict: String, CaseIterable, Sendable {
    case regression, inconclusive, clear
  }

  package var condition: ChangeCondition
  package var finding: Finding
  package var change: FigureChange

  package var verdict: Verdict {
    switch finding {
    case .holds: .regression
    case .misses: .clear
    case .open: .inconclusive
    }
  }

  /// The reason for an inconclusive result; empty if the result is conclusive.
  package var reason: String {
    if case .open(let sentence) = finding { return sentence }
    return ""
  }
}
