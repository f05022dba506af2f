package import Scenario

/// A figure that good settings minimize or maximize.
package struct SweepObjective: Hashable, Sendable {
  package enum Direction: String, Hashable, Sendable {
    case minimum, maximum
  }

  package var figure: FigureName
  package var direction: Direction

  package init(_ figure: FigureName, _ direction: Direction) {
    self.figure = figure
    self.direction = direction
  }

  /// Returns the figures of all goals that set a limit, each with the direction of the limit.
  ///
  /// Without such goals, returns the peak of the busiest endpoint, the share of stale views and the battery use, if
  /// measured.
  static func all(of goals: [Goal], _ runs: [SweepRun]) -> [SweepObjective] {
    var seen: Set<FigureName> = []
    let wanted = goals.compactMap { goal in goal.comparison.direction.map { SweepObjective(goal.figure, $0) } }
    let asked = wanted.isEmpty ? standard(of: runs) : wanted
    return asked.filter { objective in
      seen.insert(objective.figure).inserted && runs.contains { objective.cost(in: $0.summary) != nil }
    }
  }

  private static func standard(of runs: [SweepRun]) -> [SweepObjective] {
    let peak = highestPeak(of: runs).map { [SweepObjective($0, .minimum)] } ?? []
    return peak + [
      SweepObjective(FigureName(.staleViews, .share), .minimum),
      SweepObjective(FigureName(.batteryPercentPerDay, .mean), .minimum),
    ]
  }

  /// Returns the highest peak that any single endpoint has in any setting, in the shortest window (the first one if
  /// several tie). The peak is measured at the servers if their load differs from the phones' load.
  private static func highestPeak(of runs: [SweepRun]) -> FigureName? {
    let isServed = runs.contains { $0.summary.hasServerLoad }
    let metric = isServed ? Metric.serverPeakRPS : .peakRPS
    let first = runs.lazy.flatMap(\.summary.rows).first { $0.metric == metric }
    guard let window = first?.labels.window else { return nil }
    var highest: (name: FigureName, peak: Double)?
    for run in runs {
      for row in run.summary.rows where row.metric == metric && row.labels.window == window {
        guard !row.labels.endpoint.isEmpty, let peak = row.value?.approximate else { continue }
        if peak > highest?.peak ?? -1 { highest = (row.name, peak) }
      }
    }
    return highest?.name
  }

  /// Returns the value, negated if the objective is to be maximized, so that a lower cost is always better; `nil` if
  /// unknown.
  func cost(in summary: Summary) -> Double? {
    let value = summary.figure(figure)?.value?.approximate
    return direction == .minimum ? value : value.map { -$0 }
  }
}

extension Comparison {
  /// The direction of change that satisfies a limit; `nil` if the goal requires an exact value.
  fileprivate var direction: SweepObjective.Direction? {
    switch self {
    case .atMost, .less: .minimum
    case .atLeast, .more: .maximum
    case .equal, .unequal: nil
    }
  }
}
