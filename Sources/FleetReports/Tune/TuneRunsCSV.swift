import Scenario
import Studies

/// runs.csv: one row for each replication of each trial, then for each preset, in the order in which they were simulated.
func tuneRunsCSV(of report: TuneReport) -> [UInt8] {
  let study = report.study
  let figures = study.problem.figures
  var csv = CSVWriter(
    header: ["trial", "stage"] + report.keys.map(\.path) + ["seed", "replication", "preset", "passes", "worst"]
      + figures.map(column))
  for (number, trial) in study.trials.enumerated() {
    let own = (0..<trial.replications).map { (replication: $0, preset: Preset?.none, rows: trial.rows) }
    for run in own + trial.ends.map({ (replication: 0, preset: $0.preset, rows: $0.rows) }) {
      csv.row(
        number + 1, trial.stage.rawValue, report.values[number], String(trial.seed), run.replication + 1,
        run.preset?.rawValue, trial.passes ? "yes" : "no", trial.worstPreset?.rawValue ?? "scenario",
        run.rows.map { row in row.flatMap { $0.replications[run.replication] } })
    }
  }
  return csv.bytes
}
