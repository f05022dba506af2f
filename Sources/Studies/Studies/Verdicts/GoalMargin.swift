package import Scenario

/// The distance between a goal's figure and its limit, for the scenario itself or for the worst preset of the bracket.
package struct GoalMargin: Hashable, Sendable {
  /// The preset to which these values belong; `nil` for the scenario itself.
  package private(set) var preset: Preset?
  /// The amount by which the goal is missed, as a fraction of the limit. It is negative if the goal is met and `nil` if
  /// unknown.
  ///
  /// For a limit of 0, the amount is a fraction of the figure, so that any miss is 1.
  package var miss: Double?
  /// The half-width of the 95 % interval of the scenario's own `miss`; 0 if there is only one replication and the
  /// figure is counted, not estimated.
  ///
  /// Presets have no separate interval, so the scenario's interval is used.
  package var half = 0.0
  /// The amount by which the goal is missed, in the figure's unit. It is negative if the goal is met.
  package var distance: Double?

  /// The relative miss that is assumed for a value equal to an exclusive limit.
  private static let minimum = 1e-12

  /// Creates the worst margin among those of the scenario and the bounds of its bracket.
  ///
  /// A bound at which the figure is unknown is ignored.
  package init(of goal: Goal, in summary: Summary, _ bracket: Bracket?) {
    self.init(of: goal, in: summary)
    guard miss != nil, let bracket else { return }
    for preset in Bracket.ends {
      guard let summary = bracket.summaries[preset] else { continue }
      let other = GoalMargin(of: goal, in: summary)
      if let theirs = other.miss, theirs > miss ?? .infinity {
        (self.preset, miss, distance) = (preset, theirs, other.distance)
      }
    }
  }

  private init(of goal: Goal, in summary: Summary) {
    guard let row = summary.figure(goal.figure) else { return }
    let limits = goal.limits(in: summary, count: row.replications.count) ?? []
    let pairs = zip(row.replications, limits).compactMap { value, limit in
      value.flatMap { value in limit.map { (value: value.approximate, limit: $0) } }
    }
    guard !pairs.isEmpty else { return }
    let distances = pairs.map { Self.distance($0.value, $0.limit, goal.comparison) }
    let mean = distances.reduce(0, +) / Double(distances.count)
    let scales = pairs.map { abs($0.limit) }.reduce(0, +)
    let scale =
      (scales > 0 ? scales : max(pairs.map { abs($0.value) }.reduce(0, +), Self.minimum)) / Double(pairs.count)
    let isReached = mean == 0 && (goal.comparison == .less || goal.comparison == .more)
    distance = significant(mean)
    miss = significant(isReached ? Self.minimum : mean / scale)
    // Estimates have additional uncertainty due to sampling.
    half =
      [Interval.student95(of: distances), row.estimatedInterval].compactMap { $0 }
      .map { ($0.high - $0.low) / 2 / scale }.max() ?? 0
  }

  /// Returns the relative amount by which a goal is missed in each replication. An unknown amount is infinite.
  static func misses(of goal: Goal, in summary: Summary) -> [Double] {
    guard let row = summary.figure(goal.figure) else { return [.infinity] }
    let limits = goal.limits(in: summary, count: row.replications.count) ?? []
    return zip(row.replications, limits).map { value, limit in
      guard let value = value?.approximate, let limit else { return .infinity }
      let distance = distance(value, limit, goal.comparison)
      return distance / max(abs(limit) > 0 ? abs(limit) : abs(value), minimum)
    }
  }

  /// Returns the half-width of a figure's 95 % sampling interval, as a fraction of the goal's limit; 0 if the figure is
  /// counted.
  static func half(of goal: Goal, in summary: Summary) -> Double {
    guard let row = summary.figure(goal.figure), let interval = row.estimatedInterval else { return 0 }
    let limits = (goal.limits(in: summary, count: row.replications.count) ?? []).compactMap { $0 }
    let mean = limits.reduce(0) { $0 + abs($1) } / Double(max(limits.count, 1))
    return (interval.high - interval.low) / 2 / max(mean > 0 ? mean : abs(row.value?.approximate ?? 0), minimum)
  }

  /// Returns the signed distance from the limit, which is positive if the goal is missed.
  private static func distance(_ value: Double, _ limit: Double, _ comparison: Comparison) -> Double {
    switch comparison {
    case .atMost, .less: value - limit
    case .atLeast, .more: limit - value
    case .equal: abs(value - limit)
    case .unequal: value == limit ? max(abs(limit), 1) : -abs(value - limit)
    }
  }
}
