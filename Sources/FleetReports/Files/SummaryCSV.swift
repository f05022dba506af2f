import Scenario
import Studies

/// summary.csv: one row per figure.
func summaryCSV(of summary: Summary) -> [UInt8] {
  let values = ["statistic", "unit", "value", "low", "high", "prompt", "lazy"]
  var csv = CSVWriter(header: ["metric"] + Labels.names + values)
  for row in summary.rows {
    csv.field(row.metric.rawValue)
    for label in row.labels.values { csv.field(label) }
    csv.field(row.statistic.rawValue)
    csv.field(row.unit)
    csv.field(row.value)
    csv.field(row.interval?.low)
    csv.field(row.interval?.high)
    csv.field(row.prompt)
    csv.field(row.lazy)
    csv.endRow()
  }
  return csv.bytes
}
