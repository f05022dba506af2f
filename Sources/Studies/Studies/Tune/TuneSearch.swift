import Numerics

/// A search for the best setting. It proposes a setting to try, receives its result, and proposes the next one.
///
/// All trials use the same draws, so that settings do not differ by chance. The search starts with space-filling
/// settings. Then it searches each of the most promising combinations of words. A single number is searched by
/// bisection and golden-section search (`nextOnLine`). Several numbers are searched with models of the points near the
/// best point (`nextByModel`). Docs/STUDIES.md explains these choices.
struct TuneSearch {
  let axes: [TuneAxis]
  /// The required margin of each goal, as a fraction of its limit.
  var safety: [Double]
  /// The points in the order in which they were tried.
  private(set) var points: [TunePoint] = []
  private var start: ArraySlice<[Int]>
  private var tried: Set<[Int]> = []
  /// The radius around the best point of each cell within which the cell's models are trusted, as a fraction of the
  /// range.
  var radii: [[Int]: Double] = [:]
  /// The cell whose models produced the last proposal.
  var modelled: [Int]?

  /// The maximum number of cells to search after the initial settings.
  private static let maxCells = 3

  /// - Parameter trials: the approximate number of trials.
  init(axes: [TuneAxis], goals: Int, trials: Int) throws(NumericsError) {
    self.axes = axes
    safety = Array(repeating: 0, count: goals)
    start = try TuneStart.levels(axes, trials: trials)[...]
  }

  /// The best point so far; `nil` before the first result.
  var best: TunePoint? { best(of: points) }

  func hasTried(_ levels: [Int]) -> Bool { tried.contains(levels) }

  func best(of points: [TunePoint]) -> TunePoint? { points.min { $0.isBetter(than: $1, safety) } }

  /// Adds the result for a setting.
  mutating func add(_ point: TunePoint) {
    if let cell = modelled { adapt(cell, to: point) }
    modelled = nil
    if tried.insert(point.levels).inserted { points.append(point) }
  }

  /// Returns the next setting to try; `nil` if no further trial is worthwhile.
  mutating func next() throws(NumericsError) -> [Int]? {
    while let levels = start.popFirst() { if !tried.contains(levels) { return levels } }
    for cell in promising {
      if let levels = try next(in: cell) { return levels }
    }
    return nil
  }

  private mutating func next(in cell: [Int]) throws(NumericsError) -> [Int]? {
    switch axes.count(where: \.isOrdered) {
    case 0: nil
    case 1: nextOnLine(cell)
    default: try nextByModel(cell)
    }
  }

  /// Returns the levels with all numeric levels set to 0. All points in a cell have the same words and differ only in
  /// numbers.
  func cell(of levels: [Int]) -> [Int] { zip(axes, levels).map { $0.isOrdered ? 0 : $1 } }

  func points(in cell: [Int]) -> [TunePoint] { points.filter { self.cell(of: $0.levels) == cell } }

  /// The best cells, in the order in which they are searched.
  ///
  /// A cell precedes better cells if it has fewer than half as many trials as the best cell.
  private var promising: [[Int]] {
    let cells = Dictionary(grouping: points) { cell(of: $0.levels) }
    let ranked = cells.compactMap { cell, points in best(of: points).map { (cell, $0, points.count) } }
      .sorted { $0.1.isBetter(than: $1.1, safety) }.prefix(Self.maxCells)
    guard let first = ranked.first else { return [] }
    let neglected = ranked.filter { $0.2 * 2 < first.2 }
    return (neglected + ranked.filter { $0.2 * 2 >= first.2 }).map(\.0)
  }
}

/// The settings that are tried before any results are known.
enum TuneStart {
  static func levels(_ axes: [TuneAxis], trials: Int) throws(NumericsError) -> [[Int]] {
    let cells = product(axes.filter { !$0.isOrdered }, maximum: trials)
    let amounts = axes.count(where: \.isOrdered)
    if product(axes, maximum: trials) <= trials { return every(axes) { Array(0..<$0.levels) } }
    if amounts == 1, 5 * cells <= trials {
      // The bounds and quartiles of a single numeric axis are combined with every word.
      return every(axes) { axis in
        axis.isOrdered ? Set([0, 0.25, 0.5, 0.75, 1].map { axis.level(at: $0) }).sorted() : Array(0..<axis.levels)
      }
    }
    let count = amounts == 0 ? trials : min(max(2 * amounts + 3, 3 * cells), max(trials / 2, 1))
    return (try SobolSequence.points(count, dimensions: axes.count) ?? []).map { point in
      zip(axes, point).map { $0.level(at: $1) }
    }
  }

  /// Returns the number of settings. If there are more than `maximum`, the result may be any larger number.
  private static func product(_ axes: [TuneAxis], maximum: Int) -> Int {
    axes.reduce(1) { min($0 * min($1.levels, maximum + 1), maximum + 1) }
  }

  private static func every(_ axes: [TuneAxis], _ levels: (TuneAxis) -> [Int]) -> [[Int]] {
    axes.reduce([[]]) { settings, axis in
      settings.flatMap { setting in levels(axis).map { setting + [$0] } }
    }
  }
}

/// The search over a single number. It bisects towards the limit of the goals or, for a minimum between the limits,
/// uses golden sections.
extension TuneSearch {
  /// The fraction at which an interval is divided in golden-section search: (3 - sqrt 5) / 2.
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
      // The levels on the opposite side of the best point are known to be worse.
      let gap = limit.levels[axis] - own
      guard abs(gap) > 1 else { return nil }
      // Bisection, which is safe, alternates with the intersection of a straight line and the limit, which is fast.
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

  /// Returns the fraction of the distance to a point beyond the limit at which a straight line crosses the limit, minus
  /// a small margin.
  private func crossing(from best: TunePoint, to limit: TunePoint) -> Double {
    func worst(_ point: TunePoint) -> Double { zip(point.misses, safety).reduce(-1) { max($0, $1.0 + $1.1) } }
    let (room, missed) = (-worst(best), worst(limit))
    guard room >= 0, missed > 0, missed < TunePoint.unknown else { return 0.5 }
    return min(max(room / (room + missed) - 0.02, 0.02), 0.9)
  }

  /// Returns whether a neighbour would be better if it met the goals. If so, the optimum is at the limit of the goals.
  private func isBeyondLimit(_ neighbour: TunePoint, of best: TunePoint) -> Bool {
    best.violation(safety) == 0 && neighbour.violation(safety) > 0 && neighbour.objective < best.objective
  }
}

/// The search over several numbers. It uses models of the figure and of each goal's miss, which are trusted in a box
/// around the best point.
///
/// Goals have separate models, as in Powell's COBYLA (Advances in Optimization and Numerical Analysis, 1994). These
/// models find limits more accurately than a penalty added to the figure. The box grows after a success and shrinks
/// after a failure.
extension TuneSearch {
  private static let firstRadius = 0.25
  private static let maxRadius = 0.5
  /// The smallest box size for which a trial is worthwhile.
  private static let minRadius = 0.004

  mutating func nextByModel(_ cell: [Int]) throws(NumericsError) -> [Int]? {
    let known = points(in: cell).filter { $0.objective.isFinite }
    guard let best = best(of: known) else { return nil }
    let ordered = axes.indices.filter { axes[$0].isOrdered }
    var radius = radii[cell] ?? Self.firstRadius
    defer { radii[cell] = radius }
    while radius >= Self.minRadius {
      let model = TuneModel(axes: axes, ordered: ordered, best: best, points: known, radius: radius, safety: safety)
      if let levels = model.unseen(at: try model.lowest()), !hasTried(levels) {
        modelled = cell
        return levels
      }
      // The models contain no information about directions in which no point has been tried yet.
      if let levels = model.blindSpots.lazy.compactMap({ model.unseen(at: $0) }).first(where: { !hasTried($0) }) {
        return levels
      }
      radius /= 2
    }
    return nil
  }

  /// Increases the trust radius after correct predictions, and decreases it after wrong predictions.
  mutating func adapt(_ cell: [Int], to point: TunePoint) {
    let radius = radii[cell] ?? Self.firstRadius
    let best = best(of: points(in: cell))
    let isBetter = best.map { point.isBetter(than: $0, safety) } ?? true
    radii[cell] = isBetter ? min(radius * 2, Self.maxRadius) : radius / 2
  }

  /// Restores trust in the models after the limits have changed.
  mutating func restoreTrust() { radii = radii.mapValues { max($0, Self.firstRadius / 4) } }
}
