import Numerics

/// Several amounts: models of the figure and of every goal's miss, trusted in a box around the best point.
///
/// As in Powell's COBYLA (Advances in Optimization and Numerical Analysis, 1994) goals have models of their own, which knows
/// their limits better than a penalty added to the figure. The box grows with success and shrinks without.
extension TuneSearch {
  private static let firstRadius = 0.25
  private static let mostRadius = 0.5
  /// A smaller box is not worth a trial.
  private static let leastRadius = 0.004

  mutating func nextByModel(_ cell: [Int]) throws(NumericsError) -> [Int]? {
    let known = points(in: cell).filter { $0.objective.isFinite }
    guard let best = best(of: known) else { return nil }
    let ordered = axes.indices.filter { axes[$0].isOrdered }
    var radius = radii[cell] ?? Self.firstRadius
    defer { radii[cell] = radius }
    while radius >= Self.leastRadius {
      let model = TuneModel(axes: axes, ordered: ordered, best: best, points: known, radius: radius, safety: safety)
      if let levels = model.unseen(at: try model.lowest()), !hasTried(levels) {
        modelled = cell
        return levels
      }
      // Of a direction in which nothing was tried models know nothing.
      if let levels = model.blindSpots.lazy.compactMap({ model.unseen(at: $0) }).first(where: { !hasTried($0) }) {
        return levels
      }
      radius /= 2
    }
    return nil
  }

  /// Trusts models further after they were right, and less after they were wrong.
  mutating func adapt(_ cell: [Int], to point: TunePoint) {
    let radius = radii[cell] ?? Self.firstRadius
    let best = best(of: points(in: cell))
    let isBetter = best.map { point.isBetter(than: $0, safety) } ?? true
    radii[cell] = isBetter ? min(radius * 2, Self.mostRadius) : radius / 2
  }

  /// After the limits have moved.
  mutating func trustAgain() { radii = radii.mapValues { max($0, Self.firstRadius / 4) } }
}
