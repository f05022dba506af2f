package import Scenario

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
