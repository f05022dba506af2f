package import FleetEngine
package import Scenario

/// All figures of a run: what summary.csv and summary.json hold, and what goals and reports read.
package struct Summary: Hashable, Sendable {
  package var rows: [SummaryRow]
  private var index: [FigureName: Int]

  package init(of result: RunResult) {
    let loads = Summary(
      rows: loadRows(of: result) + otherDayRows(of: result) + originRows(of: result) + serverRows(of: result))
    self.init(
      rows: runRows(of: result) + trafficRows(of: result) + cacheRows(of: result) + viewRows(of: result)
        + pushRows(of: result)
        + loads.rows + offeredRows(of: result, loads)
        + staleAnswerRows(of: result)
        + overloadRows(of: result) + recoveryRows(of: result)
        + energyRows(of: result) + herdRows(of: result))
  }

  package init(rows: [SummaryRow]) {
    self.rows = rows
    index = Dictionary(
      rows.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The row of a figure; nil when this run has no such figure.
  package func row(_ metric: Metric, _ statistic: Statistic, _ labels: Labels = Labels()) -> SummaryRow? {
    index[FigureName(metric, statistic, labels)].map { rows[$0] }
  }

  /// The value of a figure; nil when it is unknown.
  package func value(_ metric: Metric, _ statistic: Statistic, _ labels: Labels = Labels()) -> Double? {
    row(metric, statistic, labels)?.value?.approximate
  }

  /// Whether it tells the load of servers from that of the phones.
  package var hasServerLoad: Bool { rows.contains { $0.metric == .serverPeakRPS } }

  /// This summary with the values of a bracket in `prompt` and `lazy` (MODEL.md 4.8).
  package func bracketed(_ bracket: Bracket) -> Summary {
    Summary(
      rows: rows.map { row in
        var row = row
        row.prompt = bracket.value(of: row.name, under: .prompt, own: row)
        row.lazy = bracket.value(of: row.name, under: .lazy, own: row)
        return row
      })
  }
}

extension RunResult {
  /// Causes with at least one run or request in any replication, in the model's order.
  package var causesSeen: [Cause] {
    Cause.allCases.filter { cause in
      let index = Int(cause.rawValue)
      return replications.contains { replication in
        replication.groups.contains { group in
          group.runs[index] > 0 || group.traffic.contains { $0[index].requests > 0 }
        }
      }
    }
  }
}
