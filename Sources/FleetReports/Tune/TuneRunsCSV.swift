import Scenario
import Studies

/// runs.csv: one row for each replication of each trial, then for each preset, in the order in which they were simulated.
func tuneRunsCSV(of report: TuneReport) -> [UInt8] {
  let study = report.study
  let figures = study.problem.figures
  var csv = CSVWriter(
    header: ["trial", "stage"] + report.keys + ["seed", "replication", "preset", "passes", "worst"]
      + figures.map(column))
  for (number, trial) in study.trials.enumerated() {
    let own = (0..<trial.replications).map { (replication: $0, preset: Preset?.none, rows: trial.rows) }
    for run in own + trial.ends.map({ (replication: 0, preset: $0.preset, rows: $0.rows) }) {
      csv.field(number + 1)
      csv.field(trial.stage.rawValue)
      for value in report.values[number] { csv.field(value) }
      csv.field(String(trial.seed))
      csv.field(run.replication + 1)
      csv.field(run.preset?.rawValue ?? "")
      csv.field(trial.passes ? "yes" : "no")
      csv.field(trial.worstPreset?.rawValue ?? "scenario")
      for row in run.rows { csv.field(row.flatMap { $0.replications[run.replication] }) }
      csv.endRow()
    }
  }
  return csv.bytes
}
