package import Scenario

/// The change in one figure between a base run and another run with the same random draws.
package struct FigureChange: Hashable, Sendable {
  package var figure: FigureName
  /// The mean over replications; `nil` if unknown.
  package var base: Quantity?
  package var new: Quantity?
  /// The mean of new minus base, over the replications in which both values are known; `nil` if there are none.
  package var difference: Double?
  /// Student's 95 % t interval of the difference, widened if either value is estimated from a sample; `nil` if there
  /// are fewer than two pairs of counted figures.
  package var interval: Interval?
  /// The number of replications in which both values are known.
  package var pairs: Int
  /// The mean of the base values over the replications in which both values are known.
  private var pairedBase: Double
  /// Whether both values are equal in every replication; this can also be true of values estimated from samples.
  package var isIdentical = false
  /// Whether both values are resolved by the sample (MODEL.md 8.1).
  package var isResolved: Bool

  package init(_ figure: FigureName, _ base: SummaryRow?, _ new: SummaryRow?) {
    self.figure = figure
    (self.base, self.new) = (base?.value, new?.value)
    isResolved = base?.isResolved != false && new?.isResolved != false
    let pairs = FigureChange.pairs(base, new)
    self.pairs = pairs.count
    pairedBase = pairs.reduce(0) { $0 + $1.base } / Double(max(pairs.count, 1))
    guard !pairs.isEmpty else { return }
    let differences = pairs.map { $0.new - $0.base }
    isIdentical = differences.allSatisfy { $0 == 0 }
    difference = significant(differences.reduce(0, +) / Double(pairs.count))
    interval = FigureChange.interval(of: differences, base, new)
  }

  /// Returns whether two means of a figure differ significantly, which means that the 95 % interval of the difference
  /// excludes 0.
  ///
  /// With one replication of counted figures, there is no interval, and any difference is considered significant.
  static func isClear(_ base: SummaryRow?, _ new: SummaryRow?) -> Bool {
    let pairs = pairs(base, new)
    let differences = pairs.map { $0.new - $0.base }
    guard let first = differences.first else { return false }
    guard differences.count > 1 || base?.isEstimate == true || new?.isEstimate == true else { return first != 0 }
    guard let interval = interval(of: differences, base, new) else { return false }
    return interval.low > 0 || interval.high < 0
  }

  /// Whether the change is statistically significant (`isClear`).
  package var isClear: Bool { [.small, .large].contains(size(minimum: 0)) }

  /// Returns Student's t interval of the differences between two figures, at least as wide as the uncertainty of the
  /// estimates.
  static func interval(of distances: [Double], _ base: SummaryRow?, _ new: SummaryRow?) -> Interval? {
    let student = Interval.student95(of: distances)
    guard let reach = reach(base, new) else { return student }
    let mean = distances.reduce(0, +) / Double(max(distances.count, 1))
    return Interval(
      low: significant(min(mean - reach, student?.low ?? mean)),
      high: significant(max(mean + reach, student?.high ?? mean)))
  }

  /// Returns the half-width of the 95 % interval of the difference between two estimates. The samples are assumed to be
  /// independent; with the same random draws, the difference would vary less.
  ///
  /// - Returns: `nil` if both values are counted.
  static func reach(_ base: SummaryRow?, _ new: SummaryRow?) -> Double? {
    let halves = [base, new].compactMap { $0?.estimatedInterval.map { ($0.high - $0.low) / 2 } }
    return halves.isEmpty ? nil : halves.reduce(0) { $0 + $1 * $1 }.squareRoot()
  }

  /// Returns the values of both runs for each replication in which both are known.
  static func pairs(_ base: SummaryRow?, _ new: SummaryRow?) -> [(base: Double, new: Double)] {
    zip(base?.replications ?? [], new?.replications ?? []).compactMap { base, new in
      base.flatMap { base in new.map { (base.approximate, $0.approximate) } }
    }
  }

  /// Whether the value changes sign between the two runs, which makes a relative change meaningless.
  package var changesSign: Bool { pairedBase * (pairedBase + (difference ?? 0)) < 0 }

  /// Returns a difference as a fraction of the base; `nil` if the base is 0, and for times of day, which have no
  /// natural zero.
  package func relative(_ difference: Double) -> Double? {
    pairedBase == 0 || figure.unit == .hours ? nil : significant(difference / pairedBase.magnitude)
  }

  package enum Size: String, CaseIterable, Sendable {
    /// The values of the figure are equal in every replication.
    case equal
    /// The interval of the difference contains 0, so the change may be due to random variation.
    case uncertain
    /// The change in the figure is smaller than the given threshold.
    case small
    case large
    /// The value of the figure is known in only one of the two runs.
    case unknown
  }

  /// - Parameter minimum: the smallest significant change, as a fraction of the base, or of a day for times of day.
  package func size(minimum: Double) -> Size {
    guard let difference else { return base == nil && new == nil ? .equal : .unknown }
    if isIdentical { return .equal }
    if let interval, interval.low <= 0, interval.high >= 0 { return .uncertain }
    guard let relative = figure.unit == .hours ? difference / 24 : relative(difference) else { return .large }
    return relative.magnitude < minimum ? .small : .large
  }
}

extension ChangeCondition {
  /// Returns whether the expected change is present in two runs with the same random draws.
  ///
  /// If there are several replications, the finding is based on Student's 95 % t interval of the paired distances to
  /// the limit. It is open if the interval contains 0. If the figure is estimated from a sample, the interval of the
  /// estimate is used (MODEL.md 8.1).
  func tried(_ base: Summary, _ new: Summary) -> Finding {
    let rows = (base.figure(figure), new.figure(figure))
    let distances = FigureChange.pairs(rows.0, rows.1).map { $0.new - change.applied(to: $0.base) }
    guard let first = distances.first else { return .open("the figure is unknown in one of the runs") }
    let isUnresolved = [rows.0, rows.1].contains { $0?.isResolved == false && $0?.estimatedInterval == nil }
    guard !isUnresolved else {
      return .open("the sample does not resolve this figure: its 95 % interval is wider than 5 % on either side")
    }
    guard let interval = FigureChange.interval(of: distances, rows.0, rows.1) else {
      return comparison.holds(first, 0) ? .holds : .misses
    }
    switch (comparison.holds(interval.low, 0), comparison.holds(interval.high, 0)) {
    case (true, true): return .holds
    case (false, false): return .misses
    default: return .open("the 95 % interval of the change includes the limit")
    }
  }
}
