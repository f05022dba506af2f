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
