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
