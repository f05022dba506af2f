/// One amount: towards the limit of the goals by halving, towards a lowest place between them by golden sections.
extension TuneSearch {
  /// The part of an interval that a golden section takes: (3 - sqrt 5) / 2.
  private static let golden = 0.381_966

  func nextOnLine(_ cell: [Int]) -> [Int]? {
    guard let axis = axes.firstIndex(where: \.isOrdered) else { return nil }
    let line = points(in: cell).sorted { $0.levels[axis] < $1.levels[axis] }
    guard let best = best(of: line), let place = line.firstIndex(of: best) else { return nil }
    let own = best.levels[axis]
    func setting(_ level: Int) -> [Int] {
      var levels = best.levels
      levels[axis] = level
      return levels
    }
    if place == 0, own > 0 { return setting(0) }
    if place == line.count - 1, own < axes[axis].levels - 1 { return setting(axes[axis].levels - 1) }
    let neighbours = [place - 1, place + 1].filter(line.indices.contains).map { line[$0] }
    if let limit = neighbours.first(where: { isBeyondLimit($0, of: best) }) {
      // What lies on the other side is known to be worse already.
      let gap = limit.levels[axis] - own
      guard abs(gap) > 1 else { return nil }
      // By turns halved, which is sure, and cut where a straight line meets the limit, which is fast.
      let part = line.count % 2 == 0 ? 0.5 : crossing(from: best, to: limit)
      let step = Int((Double(gap) * part).rounded())
      return setting(own + (step == 0 ? gap.signum() : step == gap ? gap - gap.signum() : step))
    }
    let tolerance = max(1, axes[axis].levels / 500)
    let gaps = neighbours.map { $0.levels[axis] - own }.filter { abs($0) > tolerance }
    guard let widest = gaps.max(by: { abs($0) < abs($1) }) else { return nil }
    let step = Int((Double(widest) * Self.golden).rounded())
    return setting(own + (step == 0 ? widest.signum() : step))
  }

  /// The part of the way to a point beyond the limit at which a straight line meets it, a little to this side.
  private func crossing(from best: TunePoint, to limit: TunePoint) -> Double {
    func worst(_ point: TunePoint) -> Double { zip(point.misses, safety).reduce(-1) { max($0, $1.0 + $1.1) } }
    let (room, missed) = (-worst(best), worst(limit))
    guard room >= 0, missed > 0, missed < TunePoint.unknown else { return 0.5 }
    return min(max(room / (room + missed) - 0.02, 0.02), 0.9)
  }

  /// Whether a neighbour would be better if it met the goals: then the best place lies at their limit.
  private func isBeyondLimit(_ neighbour: TunePoint, of best: TunePoint) -> Bool {
    best.violation(safety) == 0 && neighbour.violation(safety) > 0 && neighbour.objective < best.objective
  }
}
