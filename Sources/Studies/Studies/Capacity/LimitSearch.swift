/// A search for the smallest load at which goals are missed, assuming that larger loads are worse (Docs/STUDIES.md).
///
/// The caller simulates the load returned by `next` and passes the result to `add`.
package struct LimitSearch: Sendable {
  /// A simulated load and the amounts by which it misses the goals.
  package struct Point: Hashable, Sendable {
    package var load: Double
    /// The relative amounts by which goals are missed, indexed by goal, then by replication. An amount is negative if
    /// the goal is met. A goal whose figure is unknown counts as missed.
    package var misses: [[Double]]
    /// The half-width of the 95 % sampling interval of each goal's figure, as a fraction of its limit.
    package var halves: [Double]

    /// - Parameter halves: empty if no figure is estimated from a sample.
    package init(load: Double, misses: [[Double]], halves: [Double] = []) {
      self.load = load
      self.misses = misses
      self.halves = halves.isEmpty ? misses.map { _ in 0 } : halves
    }

    var replications: Int { misses.map(\.count).min() ?? 0 }

    /// Returns the largest relative amount by which any goal is missed in a replication; negative if all goals are met.
    private func miss(_ replication: Int) -> Double { misses.map { $0[replication] }.max() ?? 0 }

    /// The largest relative amount by which any goal is missed, averaged over replications.
    package var miss: Double { (0..<replications).reduce(0) { $0 + miss($1) } / Double(max(replications, 1)) }

    func miss(_ course: Course) -> Double {
      switch course {
      case .replication(let index): miss(index)
      case .highest: miss + (worstGoal.map { halves[$0] } ?? 0)
      case .lowest: miss - (worstGoal.map { halves[$0] } ?? 0)
      }
    }

    package var holds: Bool { miss <= 0 }

    /// The goal with the largest miss, averaged over replications; if all goals are met, the goal with the smallest
    /// margin.
    package var worstGoal: Int? {
      misses.indices.max { left, right in
        misses[left].reduce(0, +) < misses[right].reduce(0, +)
      }
    }
  }

  /// A curve of the relative amount by which goals are missed, as a function of load. Each curve reaches its limit at a
  /// different load.
  enum Course: Hashable {
    case replication(Int)
    /// The mean over replications, shifted to the upper or lower bound of the sampling interval.
    case highest, lowest
  }

  /// The range of a search, and the load at which it starts.
  package struct Range: Hashable, Sendable {
    package var start: Double
    package var minimum: Double
    package var maximum: Double
    /// The maximum ratio of two consecutive loads until both a passing and a failing load are known.
    package var stride: Double
    /// Whether an approximate limit without an interval is sufficient.
    package var isRough = false

    /// The relative precision to which the limit is determined.
    var precision: Double { isRough ? 0.1 : 0.01 }
  }

  /// The maximum number of simulated loads.
  package static let maxPoints = 24
  /// The maximum number of extra loads simulated because some curves reach their limits outside the loads simulated so
  /// far.
  private static let maxForCourses = 6

  private let range: Range
  /// The points, in the order in which they were simulated.
  package private(set) var points: [Point] = []
  private var pointsForCourses = 0

  package init(_ range: Range) { self.range = range }

  package mutating func add(_ point: Point) { points.append(point) }

  private var ordered: [Point] { points.sorted { $0.load < $1.load } }

  /// The smallest load that misses a goal, and the largest load below it that meets all goals; `nil` if there is no
  /// such load.
  package var bracket: (holds: Point?, misses: Point?) {
    let ordered = ordered
    let misses = ordered.first { !$0.holds }
    return (ordered.last { point in point.holds && misses.map { point.load < $0.load } ?? true }, misses)
  }
}

extension LimitSearch {
  /// Returns the next load to simulate; `nil` once the search has converged.
  package mutating func next() -> Double? {
    guard points.count < Self.maxPoints else { return nil }
    switch bracket {
    case (nil, nil): return range.start
    case (let holds?, nil): return holds.load < range.maximum ? grown(from: holds) : nil
    case (nil, let misses?): return misses.load > range.minimum ? shrunk(from: misses) : nil
    case (let holds?, let misses?):
      if misses.load / holds.load > 1 + range.precision { return between(holds, misses) }
      return loadForCourses()
    }
  }

  /// Returns a load slightly beyond the limit, assuming that the limited figure grows with the load.
  ///
  /// If that assumption was wrong, the load changes by one stride.
  private func grown(from point: Point) -> Double {
    let factor = points.count > 2 ? range.stride : 1.01 / max(1 + point.miss, 1e-6)
    return min(point.load * min(max(factor, 1.02), range.stride), range.maximum)
  }

  private func shrunk(from point: Point) -> Double {
    let factor = points.count > 2 ? 1 / range.stride : 0.99 / max(1 + point.miss, 1e-6)
    return max(point.load * min(max(factor, 1 / range.stride), 0.98), range.minimum)
  }

  /// Returns, alternately, the load at which a straight line between two points crosses the limit, and the midpoint,
  /// because misses may change abruptly.
  private func between(_ holds: Point, _ misses: Point) -> Double {
    let middle = (holds.load * misses.load).squareRoot()
    guard points.count.isMultiple(of: 2), misses.miss > holds.miss, misses.miss.isFinite else { return middle }
    let straight = Self.crossing(holds.load, holds.miss, misses.load, misses.miss)
    // The next load is a third of the precision beyond the estimated limit, so that it is likely to fall on the other
    // side.
    let margin = 1 + range.precision / 3
    let isNearer = straight / holds.load < misses.load / straight
    let shifted = isNearer ? straight * margin : straight / margin
    return min(max(shifted, holds.load * margin), misses.load / margin)
  }

  /// The curves of all replications and, for estimated figures, of both bounds of the sampling interval.
  private var courses: [Course] {
    let count = points.map(\.replications).min() ?? 0
    return (0..<count).map { .replication($0) } + (isEstimated ? [.highest, .lowest] : [])
  }

  /// Whether, at any simulated point, the figure of the worst goal is estimated from a sample.
  package var isEstimated: Bool { points.contains { point in point.worstGoal.map { point.halves[$0] > 0 } ?? false } }

  /// Whether no more replications are needed, because the first missed goal's figure is estimated from a sample or
  /// there is no limit.
  package var needsNoReplications: Bool {
    guard bracket.holds != nil, let goal = bracket.misses?.worstGoal else { return true }
    return points.contains { $0.halves[goal] > 0 }
  }

  /// Returns a load at which curves that have not yet crossed the limit may cross it.
  private mutating func loadForCourses() -> Double? {
    guard !range.isRough, pointsForCourses < Self.maxForCourses else { return nil }
    let ordered = ordered
    let isAbove = courses.contains { course in ordered.allSatisfy { $0.miss(course) <= 0 } }
    let isBelow = courses.contains { course in ordered.allSatisfy { $0.miss(course) > 0 } }
    guard isAbove || isBelow, let first = ordered.first, let last = ordered.last else { return nil }
    let wanted = isAbove ? min(last.load * 1.1, range.maximum) : max(first.load / 1.1, range.minimum)
    pointsForCourses += 1
    return wanted == last.load || wanted == first.load ? nil : wanted
  }

  /// The midpoint between the largest load that meets the goals and the smallest load that misses one. If only one of
  /// these loads is known, it is used instead; `nil` if neither is known.
  package var middle: Double? {
    switch bracket {
    case (nil, nil): nil
    case (let holds?, nil): holds.load
    case (nil, let misses?): misses.load
    case (let holds?, let misses?): Self.crossing(holds.load, holds.miss, misses.load, misses.miss)
    }
  }

  /// The load at which each replication starts to miss a goal; `nil` if it lies outside the simulated loads.
  package var limits: [Double?] {
    courses.filter { $0 != .highest && $0 != .lowest }.map(limit)
  }

  /// The sampling interval of the limit; `nil` if no figure is estimated, or if a bound lies outside the simulated
  /// loads.
  package var limitsOfEstimate: (low: Double, high: Double)? {
    guard isEstimated, let low = limit(.highest), let high = limit(.lowest) else { return nil }
    return (low, high)
  }

  /// Returns the load at which a curve starts to miss the goals.
  private func limit(_ course: Course) -> Double? {
    let ordered = ordered
    guard let above = ordered.firstIndex(where: { $0.miss(course) > 0 }), above > 0 else { return nil }
    let (low, high) = (ordered[above - 1], ordered[above])
    return Self.crossing(low.load, low.miss(course), high.load, high.miss(course))
  }

  /// Returns the load at which a straight line between two points is zero, or their midpoint if a value is infinite.
  private static func crossing(_ low: Double, _ below: Double, _ high: Double, _ above: Double) -> Double {
    guard below.isFinite, above.isFinite, above > below else { return (low * high).squareRoot() }
    return low + (high - low) * -below / (above - below)
  }
}
