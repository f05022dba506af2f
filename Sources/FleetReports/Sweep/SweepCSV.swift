import Scenario
import Studies

/// runs.csv: one row per setting and replication, the values of the varied keys first.
func runsCSV(of study: SweepStudy) -> [UInt8] {
  let figures = study.figures
  var csv = CSVWriter(header: ["setting"] + study.keys + ["replication"] + figures.map(column))
  for (number, run) in study.runs.enumerated() {
    let rows = figures.map { run.summary.figure($0) }
    for replication in 0..<run.replications {
      csv.field(number + 1)
      for value in run.values { csv.field(value.text) }
      csv.field(replication + 1)
      for row in rows { csv.field(row.flatMap { $0.replications[replication] }) }
      csv.endRow()
    }
  }
  return csv.bytes
}

/// settings.csv: one row per setting, with the verdicts of the goals, whether no other one beats it, and the figures'
/// intervals.
func settingsCSV(of study: SweepStudy) -> [UInt8] {
  let figures = study.figures
  let verdicts = study.goals.isEmpty ? [] : ["passes"] + study.goals.map { "goal " + $0.id }
  var csv = CSVWriter(
    header: ["setting"] + study.keys + verdicts + ["pareto"]
      + figures.flatMap { [column($0), column($0) + " low", column($0) + " high"] })
  for (number, run) in study.runs.enumerated() {
    csv.field(number + 1)
    for value in run.values { csv.field(value.text) }
    if !study.goals.isEmpty { csv.field(run.passes ? "yes" : "no") }
    for goal in study.goals { csv.field(run.goals.first { $0.goal.id == goal.id }?.verdict.rawValue ?? "") }
    csv.field(run.isOnFront ? "yes" : "no")
    for figure in figures {
      let row = run.summary.figure(figure)
      csv.field(row?.value)
      csv.field(row?.interval?.low)
      csv.field(row?.interval?.high)
    }
    csv.endRow()
  }
  return csv.bytes
}

/// A figure as the name of a column, with its unit.
func column(_ figure: FigureName) -> String { "\(figure.text) [\(figure.unit.rawValue)]" }
