import Numerics

/// Looks for the best setting: it says what to try next, and is told what came of it.
///
/// All trials have the same draws, so that settings differ by what they do and not by chance. A start that fills the space
/// comes first. Then each of the most promising combinations of words is searched: one amount by halving and golden
/// sections (`nextOnLine`), several by models of what is known near the best point (`nextByModel`). Docs/STUDIES.md says why.
struct TuneSearch {
  let axes: [TuneAxis]
  /// For each goal how much better than its limit it has to be, as a share of the limit.
  var safety: [Double]
  /// In the order in which they were tried.
  private(set) var points: [TunePoint] = []
  private var start: ArraySlice<[Int]>
  private var tried: Set<[Int]> = []
  /// By cell: how far around its best point the models are trusted, as a part of the range.
  var radii: [[Int]: Double] = [:]
  /// The cell whose models made the last proposal.
  var modelled: [Int]?

  /// Cells that are searched after the start.
  private static let mostCells = 3

  /// - Parameter trials: about as many will be made.
  init(axes: [TuneAxis], goals: Int, trials: Int) throws(NumericsError) {
    self.axes = axes
    safety = Array(repeating: 0, count: goals)
    start = try TuneStart.levels(axes, trials: trials)[...]
  }

  /// The best point so far; nil before the first.
  var best: TunePoint? { best(of: points) }

  func hasTried(_ levels: [Int]) -> Bool { tried.contains(levels) }

  func best(of points: [TunePoint]) -> TunePoint? { points.min { $0.isBetter(than: $1, safety) } }

  /// Takes note of what a setting did.
  mutating func add(_ point: TunePoint) {
    if let cell = modelled { adapt(cell, to: point) }
    modelled = nil
    if tried.insert(point.levels).inserted { points.append(point) }
  }

  /// The setting to try next; nil when there is nothing left to learn.
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

  /// The levels of the words, amounts at 0: points of one cell differ in amounts only.
  func cell(of levels: [Int]) -> [Int] { zip(axes, levels).map { $0.isOrdered ? 0 : $1 } }

  func points(in cell: [Int]) -> [TunePoint] { points.filter { self.cell(of: $0.levels) == cell } }

  /// The best cells in the order of their turn: the best one, but none of them gets less than half of its trials.
  private var promising: [[Int]] {
    let cells = Dictionary(grouping: points) { cell(of: $0.levels) }
    let ranked = cells.compactMap { cell, points in best(of: points).map { (cell, $0, points.count) } }
      .sorted { $0.1.isBetter(than: $1.1, safety) }.prefix(Self.mostCells)
    guard let first = ranked.first else { return [] }
    let neglected = ranked.filter { $0.2 * 2 < first.2 }
    return (neglected + ranked.filter { $0.2 * 2 >= first.2 }).map(\.0)
  }
}

/// The settings that are tried before anything is known.
enum TuneStart {
  static func levels(_ axes: [TuneAxis], trials: Int) throws(NumericsError) -> [[Int]] {
    let cells = product(axes.filter { !$0.isOrdered }, most: trials)
    let amounts = axes.count(where: \.isOrdered)
    if product(axes, most: trials) <= trials { return every(axes) { Array(0..<$0.levels) } }
    if amounts == 1, 5 * cells <= trials {
      // The ends and quarters of the one amount, with every word.
      return every(axes) { axis in
        axis.isOrdered ? Set([0, 0.25, 0.5, 0.75, 1].map { axis.level(at: $0) }).sorted() : Array(0..<axis.levels)
      }
    }
    let count = amounts == 0 ? trials : min(max(2 * amounts + 3, 3 * cells), max(trials / 2, 1))
    return (try SobolSequence.points(count, dimensions: axes.count) ?? []).map { point in
      zip(axes, point).map { $0.level(at: $1) }
    }
  }

  /// How many settings there are; any number above `most` when there are more.
  private static func product(_ axes: [TuneAxis], most: Int) -> Int {
    axes.reduce(1) { min($0 * min($1.levels, most + 1), most + 1) }
  }

  private static func every(_ axes: [TuneAxis], _ levels: (TuneAxis) -> [Int]) -> [[Int]] {
    axes.reduce([[]]) { settings, axis in
      settings.flatMap { setting in levels(axis).map { setting + [$0] } }
    }
  }
}
