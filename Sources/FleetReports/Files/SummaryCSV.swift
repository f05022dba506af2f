import Scenario
import Studies

/// summary.csv: one row per figure.
func summaryCSV(of summary: Summary) -> [UInt8] {
  let values = ["statistic", "unit", "value", "low", "high", "prompt", "lazy"]
  var csv = CSVWriter(header: ["metric"] + Labels.names + values)
  for row in summary.rows {
    csv.row(
      row.metric.rawValue, row.labels.values, row.statistic.rawValue, row.unit, row.value, row.interval?.low,
      row.interval?.high, row.prompt, row.lazy)
  }
  return csv.bytes
}
