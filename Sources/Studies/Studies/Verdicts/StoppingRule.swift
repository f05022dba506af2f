package import FleetEngine
package import Scenario

/// A rule that stops a run once the intervals of all observed figures are narrow enough.
///
/// An interval is narrow enough if its half-width is at most a given fraction of the figure. With this rule, 95 %
/// intervals contain the true mean slightly less often than 95 % of the time. The minimum of `fewest` replications
/// excludes intervals that are narrow by chance.
package struct StoppingRule: Sendable {
  /// The minimum number of replications.
  package static let fewest = 5

  /// The maximum half-width of an interval, as a fraction of the figure.
  package let share: Double
  /// The observed figures without duplicates, with the values of all replications in which they are known.
  private var figures: [(name: FigureName, values: [Double])]
  private var replications = 0

  /// - Parameter goals: the goals whose figures are observed.
  package init(_ goals: [Goal], share: Double) {
    self.share = share
    figures = goals.map(\.figure).uniqued.map { ($0, []) }
  }

  /// Records the figures of a result's last replication.
  package mutating func add(lastOf result: RunResult) {
    var last = result
    last.replications = Array(result.replications.suffix(1))
    add(Summary(of: last))
  }

  /// Records the figures of one replication.
  mutating func add(_ summary: Summary) {
    replications += 1
    for index in figures.indices {
      guard let value = summary.figure(figures[index].name)?.value else { continue }
      figures[index].values.append(value.approximate)
    }
  }

  /// Whether all observed figures are precise enough.
  package var isSatisfied: Bool { replications >= StoppingRule.fewest && open.isEmpty }

  /// The figures that are not precise enough, with the relative half-widths of their intervals. A half-width is `nil`
  /// if there is only one value or the mean is 0.
  ///
  /// Figures without any values are omitted because more replications would not help.
  package var open: [(name: FigureName, share: Double?)] {
    figures.compactMap { name, values in
      guard !values.isEmpty else { return nil }
      guard let interval = Interval.student95(of: values) else { return (name, nil) }
      let half = (interval.high - interval.low) / 2
      guard half > 0 else { return nil }
      let mean = (values.reduce(0, +) / Double(values.count)).magnitude
      guard mean > 0 else { return (name, nil) }
      return half <= share * mean ? nil : (name, significant(half / mean))
    }
  }
}

/// The precision that `--until-ci` requires of the goals' figures.
package struct RequiredPrecision: Hashable, Sendable {
  /// The maximum half-width of a 95 % interval, as a fraction of the figure.
  package var share: Double
  /// The number of replications after which the run stops even if the required precision has not been reached.
  package var maxReplications: Int

  package init(share: Double, maxReplications: Int) {
    self.share = share
    self.maxReplications = maxReplications
  }

  /// The precision reached for a goal's figure.
  package struct Reached: Hashable, Sendable {
    package var figure: FigureName
    package var row: SummaryRow?
    /// The half-width of the interval relative to the value; `nil` if unknown, or if the value is 0.
    package var share: Double?
    /// Whether the required precision has been reached. This is also true if the figure is the same in all replications
    /// or missing from all of them.
    package var isEnough: Bool
  }

  /// Returns the precision reached for the figure of each goal, without duplicates.
  package func reached(_ goals: [Goal], _ summary: Summary) -> [Reached] {
    goals.map(\.figure).uniqued.map { name in
      let row = summary.figure(name)
      guard let row, let value = row.value?.approximate.magnitude else {
        return Reached(figure: name, row: row, share: nil, isEnough: true)
      }
      guard let interval = row.interval else { return Reached(figure: name, row: row, share: nil, isEnough: false) }
      let half = (interval.high - interval.low) / 2
      guard half > 0 else { return Reached(figure: name, row: row, share: 0, isEnough: true) }
      guard value > 0 else { return Reached(figure: name, row: row, share: nil, isEnough: false) }
      return Reached(figure: name, row: row, share: half / value, isEnough: half <= share * value)
    }
  }
}
