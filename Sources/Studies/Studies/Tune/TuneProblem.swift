package import Scenario

/// The task of tuning.
package struct TuneProblem: Hashable, Sendable {
  /// The figure or key to minimize.
  package var objective: TuneObjective
  /// The goals to meet.
  package var goals: [Goal]
  package var axes: [TuneAxis]
  /// The seed of the search; checks use the seeds after it.
  package var seed: UInt64
  /// The replications of each setting in the search; each counts as a run.
  package var replications: Int
  package var mostRuns: Int
  /// The ends of the bracket that settings are judged by too; each is a run of one replication.
  package var presets: [Preset]

  package init(
    objective: TuneObjective, goals: [Goal], axes: [TuneAxis], seed: UInt64, replications: Int, mostRuns: Int,
    presets: [Preset] = []
  ) {
    self.objective = objective
    self.goals = goals
    self.axes = axes
    self.seed = seed
    self.replications = replications
    self.mostRuns = mostRuns
    self.presets = presets
  }

  /// The replications of a check on fresh seeds: enough for an interval.
  package var checkReplications: Int { max(5, replications) }

  /// The smallest useful number of runs: three settings and two checks.
  package var fewestRuns: Int { 3 * settingRuns + 2 * checkRuns }

  /// The runs of a setting of the search, and of the smallest check.
  package var settingRuns: Int { replications + presets.count }
  var checkRuns: Int { checkReplications + presets.count }

  package var judging: Judging { presets.isEmpty ? .nominal : .bracket }

  /// The figures for tables: the minimized one, then those of the goals, each once.
  package var figures: [FigureName] { ([objective.figure].compactMap { $0 } + goals.map(\.figure)).eachOnce }
}

/// The choices of tuning for one key: levels by number, from 0.
package struct TuneAxis: Hashable, Sendable {
  package var levels: Int
  /// Whether neighbours are similar: amounts, not words.
  package var isOrdered: Bool

  package init(levels: Int, isOrdered: Bool) {
    self.levels = levels
    self.isOrdered = isOrdered
  }

  /// Returns the level at a place of the unit interval; levels that are not amounts have equal parts of it.
  func level(at place: Double) -> Int {
    let span = Double(isOrdered ? levels - 1 : levels)
    let number = (min(max(place, 0), 1) * span).rounded(isOrdered ? .toNearestOrAwayFromZero : .down)
    return min(Int(number), levels - 1)
  }

  /// Returns the place of a level in the unit interval.
  func place(of level: Int) -> Double { levels > 1 ? Double(level) / Double(levels - 1) : 0 }

  /// Returns the middle of a level's part: amounts reach from edge to edge, words have equal parts.
  package func middle(of level: Int) -> Double {
    isOrdered ? place(of: level) : (Double(level) + 0.5) / Double(levels)
  }
}

/// The result of a setting, for the search.
struct TunePoint: Hashable, Sendable {
  /// The levels, one for each axis.
  var levels: [Int]
  /// The value to minimize; infinite when it is unknown.
  var objective: Double
  /// The miss of each goal, as a share of its limit; at most 0 where it is met.
  var misses: [Double]

  /// Returns the worst miss with the safety required of each goal; 0 when all are met.
  func violation(_ safety: [Double]) -> Double {
    objective.isFinite ? zip(misses, safety).reduce(0) { max($0, $1.0 + $1.1) } : TunePoint.unknown
  }

  /// The miss of a goal that cannot be judged: worse than any.
  static let unknown = 1e6
}

extension TunePoint {
  /// Returns whether it is preferred: points that meet the goals first, then by figure, then by misses (Deb, "An
  /// efficient constraint handling method for genetic algorithms", Comput. Methods Appl. Mech. Eng. 186, 2000).
  func isBetter(than other: TunePoint, _ safety: [Double]) -> Bool {
    let (own, others) = (violation(safety), other.violation(safety))
    if own != others { return own < others }
    if objective != other.objective { return objective < other.objective }
    return slack < other.slack
  }

  /// The sum of all misses: on ties the smaller sum has more room.
  private var slack: Double { misses.reduce(0, +) }
}
