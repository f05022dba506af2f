import Studies

/// trials.csv: what the changes that findings advise brought on the same draws, one figure a row; no rows where nothing
/// was tried.
func trialsCSV(of report: Report) -> [UInt8] {
  var csv = CSVWriter(header: ["trial", "finding", "settings", "figure", "unit", "before", "after"])
  for (number, outcome) in report.trials.outcomes.enumerated() {
    for change in outcome.changes {
      csv.row(
        number + 1, outcome.topic.rawValue, outcome.settings, change.figure.rawValue, change.figure.unit,
        change.before, change.after)
    }
  }
  return csv.bytes
}
