import Studies

/// trials.csv: what the changes that findings advise brought on the same draws, one figure a row; no rows where nothing
/// was tried.
func trialsCSV(of report: Report) -> [UInt8] {
  var csv = CSVWriter(header: StoredColumns.trials)
  for (number, outcome) in report.trials.outcomes.enumerated() {
    for change in outcome.changes {
      csv.field(number + 1)
      csv.field(outcome.topic.rawValue)
      csv.field(outcome.settings)
      csv.field(change.figure.rawValue)
      csv.field(change.figure.unit)
      csv.field(change.before)
      csv.field(change.after)
      csv.endRow()
    }
  }
  return csv.bytes
}
