/// Searches the least load from which on goals are missed, on a scale on which more is worse (Docs/STUDIES.md).
///
/// Whoever asks it simulates what `next` names, and gives what came of it to `add`.
package struct LimitSearch: Sendable {
  /// A load that was simulated.
  package struct Point: Hashable, Sendable {
    package var load: Double
    /// By how much each goal is missed in each replication, as a share of its limit, below 0 where it is met. One row per
    /// goal; a replication in which that is unknown counts as a miss.
    package var misses: [[Double]]
    /// Half of what each goal's figure may be off by as an estimate of a sample, as a share of its limit (95 %).
    package var halves: [Double]

    /// - Parameter halves: none: the figures are counted.
    package init(load: Double, misses: [[Double]], halves: [Double] = []) {
      self.load = load
      self.misses = misses
      self.halves = halves.isEmpty ? misses.map { _ in 0 } : halves
    }

    var replications: Int { misses.map(\.count).min() ?? 0 }

    /// How far the goal is missed that is missed most, or has the least room.
    private func miss(_ replication: Int) -> Double { misses.map { $0[replication] }.max() ?? 0 }

    /// Over the replications.
    package var miss: Double { (0..<replications).reduce(0) { $0 + miss($1) } / Double(max(replications, 1)) }

    func miss(_ course: Course) -> Double {
      switch course {
      case .replication(let index): miss(index)
      case .highest: miss + (worstGoal.map { halves[$0] } ?? 0)
      case .lowest: miss - (worstGoal.map { halves[$0] } ?? 0)
      }
    }

    package var holds: Bool { miss <= 0 }

    /// The goal that is missed most in the mean over replications, or has the least room.
    package var worstGoal: Int? {
      misses.indices.max { left, right in
        misses[left].reduce(0, +) < misses[right].reduce(0, +)
      }
    }
  }

  /// One course of misses over the loads: each meets the limit at a load of its own.
  enum Course: Hashable {
    case replication(Int)
    /// The mean over replications, with the ends of the interval of what a sample estimates.
    case highest, lowest
  }

  /// Where the search begins, and between what it looks.
  package struct Range: Hashable, Sendable {
    package var start: Double
    package var least: Double
    package var most: Double
    /// The most by which one step multiplies or divides a load while no end is known.
    package var stride: Double
    /// Whether it is enough to know where to look: no interval is wanted.
    package var isRough = false

    /// Within this share of itself the limit is known.
    var precision: Double { isRough ? 0.1 : 0.01 }
  }

  /// Loads that are simulated at most.
  package static let mostPoints = 24
  /// Loads among these that are simulated only because single courses meet the limit further out.
  private static let mostForCourses = 6

  private let range: Range
  /// In the order in which they were simulated.
  package private(set) var points: [Point] = []
  private var pointsForCourses = 0

  package init(_ range: Range) { self.range = range }

  package mutating func add(_ point: Point) { points.append(point) }

  private var ordered: [Point] { points.sorted { $0.load < $1.load } }

  /// The least load that misses a goal, and the most below it that holds; nil: there is none.
  package var bracket: (holds: Point?, misses: Point?) {
    let ordered = ordered
    let misses = ordered.first { !$0.holds }
    return (ordered.last { point in point.holds && misses.map { point.load < $0.load } ?? true }, misses)
  }
}

extension LimitSearch {
  /// The next load to be simulated; nil: what can be known is.
  package mutating func next() -> Double? {
    guard points.count < Self.mostPoints else { return nil }
    switch bracket {
    case (nil, nil): return range.start
    case (let holds?, nil): return holds.load < range.most ? grown(from: holds) : nil
    case (nil, let misses?): return misses.load > range.least ? shrunk(from: misses) : nil
    case (let holds?, let misses?):
      if misses.load / holds.load > 1 + range.precision { return between(holds, misses) }
      return loadForCourses()
    }
  }

  /// A little beyond where the goal would be missed if what it limits grew with the load; where that was wrong, a stride.
  private func grown(from point: Point) -> Double {
    let factor = points.count > 2 ? range.stride : 1.01 / max(1 + point.miss, 1e-6)
    return min(point.load * min(max(factor, 1.02), range.stride), range.most)
  }

  private func shrunk(from point: Point) -> Double {
    let factor = points.count > 2 ? 1 / range.stride : 0.99 / max(1 + point.miss, 1e-6)
    return max(point.load * min(max(factor, 1 / range.stride), 0.98), range.least)
  }

  /// By turns where a straight line between the two meets the limit, and half-way: misses may jump.
  private func between(_ holds: Point, _ misses: Point) -> Double {
    let middle = (holds.load * misses.load).squareRoot()
    guard points.count.isMultiple(of: 2), misses.miss > holds.miss, misses.miss.isFinite else { return middle }
    let straight = Self.crossing(holds.load, holds.miss, misses.load, misses.miss)
    // Off the limit by a third of what is wanted, so that the next one falls on its other side.
    let margin = 1 + range.precision / 3
    let isNearer = straight / holds.load < misses.load / straight
    let shifted = isNearer ? straight * margin : straight / margin
    return min(max(shifted, holds.load * margin), misses.load / margin)
  }

  /// Every replication's, and of estimates the ends of their interval.
  private var courses: [Course] {
    let count = points.map(\.replications).min() ?? 0
    return (0..<count).map { .replication($0) } + (isEstimated ? [.highest, .lowest] : [])
  }

  /// Whether a sample estimates the figure of a goal that has the least room somewhere.
  package var isEstimated: Bool { points.contains { point in point.worstGoal.map { point.halves[$0] > 0 } ?? false } }

  /// Whether one replication tells how well the limit is known: a sample estimates the figure of the goal that is missed
  /// first, or there is no limit.
  package var needsNoReplications: Bool {
    guard bracket.holds != nil, let goal = bracket.misses?.worstGoal else { return true }
    return points.contains { $0.halves[goal] > 0 }
  }

  /// Where courses that hold or miss everywhere may meet the limit.
  private mutating func loadForCourses() -> Double? {
    guard !range.isRough, pointsForCourses < Self.mostForCourses else { return nil }
    let ordered = ordered
    let isAbove = courses.contains { course in ordered.allSatisfy { $0.miss(course) <= 0 } }
    let isBelow = courses.contains { course in ordered.allSatisfy { $0.miss(course) > 0 } }
    guard isAbove || isBelow, let first = ordered.first, let last = ordered.last else { return nil }
    let wanted = isAbove ? min(last.load * 1.1, range.most) : max(first.load / 1.1, range.least)
    pointsForCourses += 1
    return wanted == last.load || wanted == first.load ? nil : wanted
  }

  /// Between what holds and what misses, or where neither is known; nil before anything is.
  package var middle: Double? {
    switch bracket {
    case (nil, nil): nil
    case (let holds?, nil): holds.load
    case (nil, let misses?): misses.load
    case (let holds?, let misses?): Self.crossing(holds.load, holds.miss, misses.load, misses.miss)
    }
  }

  /// The load from which on each replication misses a goal; nil where it is beyond all that was simulated.
  package var limits: [Double?] {
    courses.filter { $0 != .highest && $0 != .lowest }.map(limit)
  }

  /// Between which loads the limit lies as far as a sample knows; nil: nothing is estimated, or beyond what was simulated.
  package var limitsOfEstimate: (low: Double, high: Double)? {
    guard isEstimated, let low = limit(.highest), let high = limit(.lowest) else { return nil }
    return (low, high)
  }

  /// The load from which on a course misses.
  private func limit(_ course: Course) -> Double? {
    let ordered = ordered
    guard let above = ordered.firstIndex(where: { $0.miss(course) > 0 }), above > 0 else { return nil }
    let (low, high) = (ordered[above - 1], ordered[above])
    return Self.crossing(low.load, low.miss(course), high.load, high.miss(course))
  }

  /// Where a straight line between two points is 0; half-way where one of them is beyond numbers.
  private static func crossing(_ low: Double, _ below: Double, _ high: Double, _ above: Double) -> Double {
    guard below.isFinite, above.isFinite, above > below else { return (low * high).squareRoot() }
    return low + (high - low) * -below / (above - below)
  }
}
