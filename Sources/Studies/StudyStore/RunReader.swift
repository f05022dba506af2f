package import Scenario
package import Studies

/// A reader that returns a store's runs one at a time. It loads figure names only once and skips figures that are not
/// needed.
package final class RunReader {
  private let statement: Statement
  /// The names of the figures to read, keyed by number.
  private let names: [Int64: FigureName]

  fileprivate init(_ statement: Statement, _ names: [Int64: FigureName]) {
    self.statement = statement
    self.names = names
  }

  /// Returns the figures of one replication, exactly as they were added.
  package func summary(of run: StoredRunKey) throws(StoreError) -> Summary {
    try statement.bind(run.values)
    var rows: [SummaryRow] = []
    while let row = try statement.next() {
      guard case .integer(let number) = row[0], let name = names[number] else { continue }
      let (value, low, high) = (try row[1].quantity(), try row[2].quantity(), try row[3].quantity())
      let bounds = low.flatMap { low in high.map { Interval(low: low.approximate, high: $0.approximate) } }
      var figure = SummaryRow(
        name.metric, name.labels, name.statistic, replications: [value], bounds: bounds.map { [$0] } ?? [])
      figure.isOfPeriod = name.isOfPeriod
      rows.append(figure)
    }
    return Summary(rows: rows)
  }
}

extension RunStore {
  /// - Parameter isWanted: whether figures with the given labels are read.
  package func reader(of isWanted: (Labels) -> Bool = { _ in true }) throws(StoreError) -> RunReader {
    var names: [Int64: FigureName] = [:]
    for (name, number) in try figureNumbers() where isWanted(name.labels) { names[number] = name }
    let statement = try database.prepare(
      """
      SELECT figure, value, low, high FROM figure_values
      WHERE setting = ? AND preset = ? AND replication = ? ORDER BY figure
      """)
    return RunReader(statement, names)
  }
}
