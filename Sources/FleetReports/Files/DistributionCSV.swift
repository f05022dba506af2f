import FleetEngine
import Scenario
import Studies

/// distribution.csv: histograms of cohorts and kinds, scaled to the fleet; a bin is [from, to), empty bins are left out.
func distributionCSV(of result: RunResult) -> [UInt8] {
  var csv = CSVWriter(header: [
    "replication", "metric", "cohort", "kind", "cause", "charged", "unit", "from", "to", "count",
  ])
  let scale = FleetCount(Scale(of: result))
  let causes = result.causesSeen
  for (number, replication) in result.replications.enumerated() {
    result.histograms(of: replication, causes) { metric, labels, bins in
      let names = [metric.rawValue, labels.cohort, labels.kind, labels.cause, labels.charged, metric.unit]
        .map(CSVWriter.encoded)
      for bin in bins where bin.count > 0 {
        csv.field(number + 1)
        for name in names { csv.field(encoded: name) }
        csv.field(bin.from)
        csv.field(bin.to)
        csv.field(count: bin.count, scale)
        csv.endRow()
      }
    }
  }
  return csv.bytes
}
