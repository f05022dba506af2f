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
        + askedRows(of: result)
        + staleAnswerRows(of: result) + busiestMinuteRows(of: result)
        + overloadRows(of: result) + queueRows(of: result) + recoveryRows(of: result)
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
  ///
  /// Failures of a reason that comes up under an end alone have a row, too: by themselves they are 0.
  package func bracketed(_ bracket: Bracket) -> Summary {
    let ofEnds = Bracket.ends.flatMap { bracket.summaries[$0]?.rows ?? [] }.filter {
      $0.metric == .failures && !$0.labels.reason.isEmpty && index[$0.name] == nil
    }
    let added = ofEnds.map(\.name).eachOnce.compactMap { figure($0) }
    return Summary(
      rows: (rows + added).map { row in
        var row = row
        let prompt = bracket.row(row.name, under: .prompt, own: row)
        let lazy = bracket.row(row.name, under: .lazy, own: row)
        (row.prompt, row.promptInterval) = (prompt?.value, prompt?.estimatedInterval)
        (row.lazy, row.lazyInterval) = (lazy?.value, lazy?.estimatedInterval)
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
