import Scenario

/// How far a goal is from its limit.
package struct TuneMargin: Hashable, Sendable {
  /// By how much it is missed, as a share of the limit, below 0 where it is met; nil: unknown.
  ///
  /// Of a limit of 0 the figure itself is the measure, so that missing it is 1.
  package var miss: Double?
  /// Half of the 95 % interval of `miss`; 0 with one replication.
  package var half = 0.0
  /// By how much it is missed, in the figure's unit; below 0: the room that is left.
  package var distance: Double?

  /// What is exactly at a limit that must not be reached misses it by this.
  private static let least = 1e-12

  init(of goal: Goal, in summary: Summary) {
    guard let row = summary.figure(goal.figure) else { return }
    let limits: [Double?]
    switch goal.limit {
    case .value(let value): limits = row.replications.map { _ in value }
    case .multiple(let factor, of: let reference):
      limits = summary.figure(reference)?.replications.map { $0.map { factor * $0.approximate } } ?? []
    }
    let pairs = zip(row.replications, limits).compactMap { value, limit in
      value.flatMap { value in limit.map { (value: value.approximate, limit: $0) } }
    }
    guard !pairs.isEmpty else { return }
    let distances = pairs.map { Self.distance($0.value, $0.limit, goal.comparison) }
    let mean = distances.reduce(0, +) / Double(distances.count)
    let scales = pairs.map { abs($0.limit) }.reduce(0, +)
    let scale = (scales > 0 ? scales : max(pairs.map { abs($0.value) }.reduce(0, +), Self.least)) / Double(pairs.count)
    let isReached = mean == 0 && (goal.comparison == .less || goal.comparison == .more)
    distance = significant(mean)
    miss = significant(isReached ? Self.least : mean / scale)
    if let interval = Interval.student95(of: distances) { half = (interval.high - interval.low) / 2 / scale }
  }

  /// Above 0 where the value misses its limit.
  private static func distance(_ value: Double, _ limit: Double, _ comparison: Comparison) -> Double {
    switch comparison {
    case .atMost, .less: value - limit
    case .atLeast, .more: limit - value
    case .equal: abs(value - limit)
    case .unequal: value == limit ? max(abs(limit), 1) : -abs(value - limit)
    }
  }
}
