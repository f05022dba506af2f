package import Scenario

extension Summary {
  /// Merges the figures of replications that were simulated separately.
  package init(merging parts: [Summary], of scenario: Scenario) {
    if parts.count == 1 {
      self = parts[0]
      return
    }
    let names = parts.flatMap(\.rows).map(\.name).uniqued
    self.init(
      rows: names.map { name in
        let rows = parts.map { $0.figure(name) }
        return SummaryRow(
          name.metric, name.labels, name.statistic, replications: rows.map { $0?.replications.first ?? nil },
          bounds: rows.contains { $0?.isEstimate ?? false } ? rows.map { $0?.bounds.first ?? nil } : []
        ).possible(in: scenario.clock)
      })
  }

  /// Returns only the figures over all cohorts, kinds and causes and the figures of the given goals. This saves memory
  /// in sweeps with thousands of settings.
  package func essential(_ goals: [Goal]) -> Summary {
    let names = rows.filter(\.labels.isOverAll).map(\.name)
    return Summary(rows: (names + goals.flatMap(\.figures)).uniqued.compactMap { figure($0) })
  }
}

/// The labels of the figures that `Summary.essential` keeps.
package struct EssentialLabels: Sendable {
  private let ofGoals: Set<Labels>

  package init(of goals: [Goal]) {
    let labels = goals.flatMap(\.figures).map(\.labels)
    // The figure over all causes or reasons is needed to show that a given cause or reason never occurred.
    ofGoals = Set(labels + labels.map { $0.with(\.cause, "").with(\.reason, "") })
  }

  package func contains(_ labels: Labels) -> Bool { labels.isOverAll || ofGoals.contains(labels) }
}

extension Goal {
  /// The goal's figure, followed by the figure that serves as its limit, if any.
  fileprivate var figures: [FigureName] {
    if case .multiple(_, of: let other) = limit { return [figure, other] }
    return [figure]
  }
}

extension Labels {
  /// Whether all labels other than endpoint and window are empty.
  fileprivate var isOverAll: Bool { with(\.endpoint, "").with(\.window, "") == Labels() }
}
