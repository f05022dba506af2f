package import Scenario

/// A tuning problem: the objective, goals, axes and limits.
package struct TuneProblem: Hashable, Sendable {
  /// The figure or key to minimize.
  package var objective: TuneObjective
  /// The goals to meet.
  package var goals: [Goal]
  package var axes: [TuneAxis]
  /// The seed of the search. Checks use the next seeds.
  package var seed: UInt64
  /// The number of replications per setting in the search. Each replication counts as a run.
  package var replications: Int
  package var maxRuns: Int
  /// The ends of the bracket at which settings are also evaluated, with one single-replication run each.
  package var presets: [Preset]

  package init(
    objective: TuneObjective, goals: [Goal], axes: [TuneAxis], seed: UInt64, replications: Int, maxRuns: Int,
    presets: [Preset] = []
  ) {
    self.objective = objective
    self.goals = goals
    self.axes = axes
    self.seed = seed
    self.replications = replications
    self.maxRuns = maxRuns
    self.presets = presets
  }

  /// The number of replications in a check with new seeds, which is enough to compute an interval.
  package var checkReplications: Int { max(5, replications) }

  /// The minimum number of runs, which is enough for three settings and two checks.
  package var fewestRuns: Int { 3 * settingRuns + 2 * checkRuns }

  /// The number of runs per setting in the search. `checkRuns` is the number of runs in the smallest check.
  package var settingRuns: Int { replications + presets.count }
  var checkRuns: Int { checkReplications + presets.count }

  package var judging: Judging { presets.isEmpty ? .nominal : .bracket }

  /// The figures shown in tables: the minimized figure and the figures of the goals, without duplicates.
  package var figures: [FigureName] { ([objective.figure].compactMap { $0 } + goals.map(\.figure)).uniqued }
}

/// The possible values of one key, represented by levels that are numbered from 0.
package struct TuneAxis: Hashable, Sendable {
  package var levels: Int
  /// Whether neighbouring levels are similar. This is the case for numbers, but not for words.
  package var isOrdered: Bool

  package init(levels: Int, isOrdered: Bool) {
    self.levels = levels
    self.isOrdered = isOrdered
  }

  /// Returns the level at a position in the unit interval. Words divide the interval into equal sections.
  func level(at place: Double) -> Int {
    let span = Double(isOrdered ? levels - 1 : levels)
    let number = (min(max(place, 0), 1) * span).rounded(isOrdered ? .toNearestOrAwayFromZero : .down)
    return min(Int(number), levels - 1)
  }

  func place(of level: Int) -> Double { levels > 1 ? Double(level) / Double(levels - 1) : 0 }

  /// Returns the middle of a level's section. The levels of numbers extend from 0 to 1, whereas words have sections of
  /// equal size.
  package func middle(of level: Int) -> Double {
    isOrdered ? place(of: level) : (Double(level) + 0.5) / Double(levels)
  }
}

/// The result of a setting, in the form that the search uses.
struct TunePoint: Hashable, Sendable {
  /// The levels of the axes.
  var levels: [Int]
  /// The value to minimize; infinite if unknown.
  var objective: Double
  /// The relative amount by which each goal is missed; it is at most 0 if the goal is met.
  var misses: [Double]

  /// Returns the largest relative amount by which any goal is missed, including its safety margin; 0 if all goals are
  /// met.
  func violation(_ safety: [Double]) -> Double {
    objective.isFinite ? zip(misses, safety).reduce(0) { max($0, $1.0 + $1.1) } : TunePoint.unknown
  }

  /// The relative miss of a goal that cannot be evaluated, which is larger than any other miss.
  static let unknown = 1e6
}

extension TunePoint {
  /// Returns whether the point is preferred to another. Meeting the goals counts first, then the figure, then the
  /// misses (Deb, "An efficient constraint handling method for genetic algorithms", Comput. Methods Appl. Mech. Eng.
  /// 186, 2000).
  func isBetter(than other: TunePoint, _ safety: [Double]) -> Bool {
    let (own, others) = (violation(safety), other.violation(safety))
    if own != others { return own < others }
    if objective != other.objective { return objective < other.objective }
    return slack < other.slack
  }

  /// The sum of all relative misses, used to break ties. A smaller sum means larger margins.
  private var slack: Double { misses.reduce(0, +) }
}
