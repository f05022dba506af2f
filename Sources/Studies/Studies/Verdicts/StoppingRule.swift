package import FleetEngine
package import Scenario

/// Says when the figures of goals are known well enough: replication by replication, until every interval is narrow.
///
/// An interval counts as narrow when half of it is at most a share of the figure. Stopping there makes 95 % intervals
/// hold the true mean a little less often than 95 %; `fewest` replications keep a narrow one from being mere luck.
package struct StoppingRule: Sendable {
  /// Replications without which nothing is decided.
  package static let fewest = 5

  /// Half the width of an interval, as a share of the figure.
  package let share: Double
  /// What is watched, each figure once, with its value in every replication that knows it.
  private var figures: [(name: FigureName, values: [Double])]
  private var replications = 0

  /// - Parameter goals: the ones whose figures are watched.
  package init(_ goals: [Goal], share: Double) {
    self.share = share
    figures = goals.map(\.figure).eachOnce.map { ($0, []) }
  }

  /// Takes note of the last replication of a result.
  package mutating func add(lastOf result: RunResult) {
    var last = result
    last.replications = Array(result.replications.suffix(1))
    add(Summary(of: last))
  }

  /// Takes note of one replication's figures.
  mutating func add(_ summary: Summary) {
    replications += 1
    for index in figures.indices {
      guard let value = summary.figure(figures[index].name)?.value else { continue }
      figures[index].values.append(value.approximate)
    }
  }

  /// Whether nothing is left to learn.
  package var isSatisfied: Bool { replications >= StoppingRule.fewest && open.isEmpty }

  /// Figures that are not known well enough, with half the width of their intervals as a share of them; nil: of one value,
  /// or of a mean of 0. What no replication knows more of them will not know either.
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

/// How well `--until-ci` wanted the figures of goals to be known.
package struct AskedPrecision: Hashable, Sendable {
  /// Half the width of a 95 % interval at most, as a share of the figure.
  package var share: Double
  /// Replications after which it gave up.
  package var mostReplications: Int

  package init(share: Double, mostReplications: Int) {
    self.share = share
    self.mostReplications = mostReplications
  }

  /// A figure of a goal with what is known of it.
  package struct Reached: Hashable, Sendable {
    package var figure: FigureName
    package var row: SummaryRow?
    /// Half of the interval as a share of the figure; nil: unknown, or of a figure of 0.
    package var share: Double?
    /// Whether it is known as well as was asked for. So is a figure that is the same in all replications, and one that no
    /// replication knows: more of them would not tell either.
    package var isEnough: Bool
  }

  /// For the figure of every goal, each once.
  package func reached(_ goals: [Goal], _ summary: Summary) -> [Reached] {
    goals.map(\.figure).eachOnce.map { name in
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
