import Numerics

/// A model of the figure and the goals near the best point.
///
/// Each response is modelled by a quadratic function without mixed terms, fitted to the surrounding points by weighted
/// least squares. Positions are relative to the best point, in units of the box's radius.
struct TuneModel {
  private let axes: [TuneAxis]
  private let ordered: [Int]
  private let best: TunePoint
  private let radius: Double
  private let near: [[Double]]
  /// The terms of the figure, followed by those of each goal. The slopes of each response precede its curvatures.
  private var terms: [[Double]] = []
  /// The amount by which the figure and each goal vary over the box.
  private var spreads: [Double] = []
  /// The relative amount by which each goal is missed at the best point, including the safety margin.
  private let misses: [Double]

  /// The range of relative misses that are informative about the limit. Misses outside this range are clamped to it.
  private static let cap = -2.0...3.0
  /// The penalty, in units of the value to minimize, for a goal whose miss is as large as the goal's variation over the
  /// box.
  private static let penalty = 10.0
  /// The margin to keep from each goal's limit, as a fraction of the goal's variation over the box.
  private static let margin = 0.03

  init(axes: [TuneAxis], ordered: [Int], best: TunePoint, points: [TunePoint], radius: Double, safety: [Double]) {
    (self.axes, self.ordered, self.best, self.radius) = (axes, ordered, best, radius)
    misses = zip(best.misses, safety).map { Self.capped($0) + $1 }
    func place(_ point: TunePoint) -> [Double] {
      ordered.map { (axes[$0].place(of: point.levels[$0]) - axes[$0].place(of: best.levels[$0])) / radius }
    }
    let others = points.filter { $0 != best }.map { (place: place($0), point: $0) }
      .sorted { Self.reach($0.place) < Self.reach($1.place) }.prefix(4 * ordered.count + 2)
    near = others.map(\.place)
    for response in 0...safety.count {
      let differences = others.map { Self.response($0.point, response) - Self.response(best, response) }
      let count = ordered.count
      let fitted = Self.fit(near, differences, axes: count)
      terms.append(fitted)
      let spread = (0..<count).reduce(0) { $0 + abs(fitted[$1]) + abs(fitted[count + $1]) / 2 }
      spreads.append(max(spread, 1e-12))
    }
  }

  private static func response(_ point: TunePoint, _ number: Int) -> Double {
    number == 0 ? point.objective : capped(point.misses[number - 1])
  }

  private static func capped(_ miss: Double) -> Double { min(max(miss, cap.lowerBound), cap.upperBound) }

  private static func reach(_ place: [Double]) -> Double { place.reduce(0) { max($0, abs($1)) } }

  /// Returns a model's value at a position, minus its value at the best point.
  private func change(_ response: Int, at place: [Double]) -> Double {
    let terms = terms[response]
    return place.indices.reduce(0) { sum, axis in
      sum + place[axis] * (terms[axis] + place[axis] * terms[place.count + axis] / 2)
    }
  }

  /// Returns the value to minimize: the figure plus penalties for missed goals and for positions outside the box.
  private func merit(at place: [Double]) -> Double {
    let inside = clamped(place)
    let outside = zip(place, inside).reduce(0) { $0 + abs($1.0 - $1.1) }
    let missed = misses.indices.reduce(0) { sum, goal in
      let spread = spreads[goal + 1]
      return sum + max(0, (misses[goal] + change(goal + 1, at: inside)) / spread + Self.margin)
    }
    return change(0, at: inside) / spreads[0] + Self.penalty * (missed + outside)
  }

  /// Returns a position clamped to the box and to the ranges of the axes.
  private func clamped(_ place: [Double]) -> [Double] {
    zip(ordered, place).map { axis, value in
      let own = axes[axis].place(of: best.levels[axis])
      return min(max(value, max(-1, -own / radius)), min(1, (1 - own) / radius))
    }
  }

  /// Returns the position with the lowest merit. The simplex search starts at the best of several space-filling
  /// positions.
  func lowest() throws(NumericsError) -> [Double] {
    let fill = (try SobolSequence.points(63, dimensions: ordered.count) ?? []).map { $0.map { 2 * $0 - 1 } }
    let starts = (fill + [ordered.map { _ in 0 }]).map { ($0, merit(at: $0)) }.sorted { $0.1 < $1.1 }.prefix(3)
    var lowest = (starts[0].0, starts[0].1)
    for start in starts {
      let place = try SimplexMinimum.place(from: start.0, step: 0.3, size: 1e-4) { merit(at: $0) }
      let value = merit(at: place)
      if value < lowest.1 { lowest = (place, value) }
    }
    return clamped(lowest.0)
  }

  /// The steps along the axes in which no nearby point is at least a quarter of the box's radius away from the best
  /// point.
  var blindSpots: [[Double]] {
    ordered.indices.filter { axis in
      !near.contains { Self.reach($0) <= 2 && abs($0[axis]) >= 0.25 }
    }.flatMap { axis in
      [1.0, -1.0].map { side in ordered.indices.map { $0 == axis ? side : 0 } }
    }
  }

  /// Returns the levels at a position; `nil` if these are the levels of the best point.
  func unseen(at place: [Double]) -> [Int]? {
    var levels = best.levels
    for (axis, value) in zip(ordered, clamped(place)) {
      levels[axis] = axes[axis].level(at: axes[axis].place(of: levels[axis]) + value * radius)
    }
    return levels == best.levels ? nil : levels
  }
}

extension TuneModel {
  /// The ridge weights. Those for slopes are small and matter only if there are few points; those for curvatures are
  /// larger.
  private static let ridges = (slope: 1e-4, curvature: 1e-2)

  /// Returns the terms of the best-fitting function through 0, giving nearer positions a higher weight.
  private static func fit(_ places: [[Double]], _ values: [Double], axes count: Int) -> [Double] {
    var matrix = Array(repeating: Array(repeating: 0.0, count: 2 * count), count: 2 * count)
    var sums = Array(repeating: 0.0, count: 2 * count)
    for (place, value) in zip(places, values) {
      let features = place + place.map { $0 * $0 / 2 }
      let reach = reach(place)
      let weight = 1 / (1 + reach * reach * reach * reach)
      for row in features.indices {
        sums[row] += weight * features[row] * value
        for column in features.indices { matrix[row][column] += weight * features[row] * features[column] }
      }
    }
    for row in matrix.indices { matrix[row][row] += row < count ? ridges.slope : ridges.curvature }
    return solution(matrix, sums)
  }

  /// Solves a symmetric, positive-definite system of linear equations by elimination.
  private static func solution(_ matrix: [[Double]], _ sums: [Double]) -> [Double] {
    var (matrix, sums) = (matrix, sums)
    for pivot in sums.indices {
      for row in sums.indices where row > pivot {
        let factor = matrix[row][pivot] / matrix[pivot][pivot]
        for column in pivot..<sums.count { matrix[row][column] -= factor * matrix[pivot][column] }
        sums[row] -= factor * sums[pivot]
      }
    }
    for row in sums.indices.reversed() {
      let known = sums.indices.filter { $0 > row }.reduce(0) { $0 + matrix[row][$1] * sums[$1] }
      sums[row] = (sums[row] - known) / matrix[row][row]
    }
    return sums
  }
}
