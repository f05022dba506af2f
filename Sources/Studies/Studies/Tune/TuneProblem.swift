package import Scenario

/// What tuning is asked for.
package struct TuneProblem: Hashable, Sendable {
  /// To be made small.
  package var objective: TuneObjective
  /// To be met.
  package var goals: [Goal]
  package var axes: [TuneAxis]
  /// Seed of the search; checks take the seeds after it.
  package var seed: UInt64
  /// Replications of each setting in the search; each counts as a run.
  package var replications: Int
  package var mostRuns: Int
  /// The ends of the bracket by which settings are judged besides; each is a run of one replication.
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

  /// Replications of a check on fresh seeds: enough for an interval.
  package var checkReplications: Int { max(5, replications) }

  /// For less no search is worth its name: three settings and two checks.
  package var fewestRuns: Int { 3 * settingRuns + 2 * checkRuns }

  /// Runs of a setting of the search, and of the least check.
  package var settingRuns: Int { replications + presets.count }
  var checkRuns: Int { checkReplications + presets.count }

  package var judging: Judging { presets.isEmpty ? .nominal : .bracket }

  /// What tables show: the figure that is made small, then those of the goals, each once.
  package var figures: [FigureName] { ([objective.figure].compactMap { $0 } + goals.map(\.figure)).eachOnce }
}

/// What tuning may choose for one key: levels by number, from 0.
package struct TuneAxis: Hashable, Sendable {
  package var levels: Int
  /// Whether neighbours are alike: amounts, and not words.
  package var isOrdered: Bool

  package init(levels: Int, isOrdered: Bool) {
    self.levels = levels
    self.isOrdered = isOrdered
  }

  /// The level at a place of the unit interval; those that are no amounts have equal parts of it.
  func level(at place: Double) -> Int {
    let span = Double(isOrdered ? levels - 1 : levels)
    let number = (min(max(place, 0), 1) * span).rounded(isOrdered ? .toNearestOrAwayFromZero : .down)
    return min(Int(number), levels - 1)
  }

  /// The place of a level in the unit interval.
  func place(of level: Int) -> Double { levels > 1 ? Double(level) / Double(levels - 1) : 0 }
}

/// What a setting was found to do, as the search sees it.
struct TunePoint: Hashable, Sendable {
  /// One for each axis.
  var levels: [Int]
  /// To be made small; infinite when it is unknown.
  var objective: Double
  /// For each goal how far it is missed, as a share of its limit; not above 0 where it is met.
  var misses: [Double]

  /// The worst miss with the safety that is asked of each goal; 0 when all are met.
  func violation(_ safety: [Double]) -> Double {
    objective.isFinite ? zip(misses, safety).reduce(0) { max($0, $1.0 + $1.1) } : TunePoint.unknown
  }

  /// In place of the miss of a goal that cannot be judged: worse than any.
  static let unknown = 1e6
}

extension TunePoint {
  /// Whether it is to be preferred: what meets the goals before what does not, then by figure, then by misses
  /// (Deb, "An efficient constraint handling method for genetic algorithms", Comput. Methods Appl. Mech. Eng. 186, 2000).
  func isBetter(than other: TunePoint, _ safety: [Double]) -> Bool {
    let (own, others) = (violation(safety), other.violation(safety))
    if own != others { return own < others }
    if objective != other.objective { return objective < other.objective }
    return slack < other.slack
  }

  /// The sum of all distances: among equals that with the most room is the better one.
  private var slack: Double { misses.reduce(0, +) }
}
