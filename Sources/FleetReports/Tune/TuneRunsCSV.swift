import Scenario
import Studies

/// runs.csv: one row for each replication of each trial, in the order in which they were simulated.
func tuneRunsCSV(of report: TuneReport) -> [UInt8] {
  let study = report.study
  let figures = study.problem.figures
  var csv = CSVWriter(
    header: ["trial", "stage"] + report.keys + ["seed", "replication", "passes"] + figures.map(column))
  for (number, trial) in study.trials.enumerated() {
    for replication in 0..<trial.replications {
      csv.field(number + 1)
      csv.field(trial.stage.rawValue)
      for value in report.values[number] { csv.field(value) }
      csv.field(String(trial.seed))
      csv.field(replication + 1)
      csv.field(trial.passes ? "yes" : "no")
      for row in trial.rows { csv.field(row.flatMap { $0.replications[replication] }) }
      csv.endRow()
    }
  }
  return csv.bytes
}
