import Scenario
import Studies

/// runs.csv: one row per setting and replication, then per preset of its bracket, the values of the varied keys first.
func runsCSV(of study: SweepStudy) -> [UInt8] {
  let figures = study.figures
  var csv = CSVWriter(header: ["setting"] + study.keys + ["replication", "preset"] + figures.map(column))
  for (number, run) in study.runs.enumerated() {
    let rows = figures.map { run.summary.figure($0) }
    for replication in 0..<run.replications {
      csv.row(
        number + 1, run.values.map(\.text), replication + 1, String?.none,
        rows.map { row in row.flatMap { $0.replications[replication] } })
    }
    for preset in Bracket.ends {
      guard let summary = run.bracket.summaries[preset] else { continue }
      csv.row(number + 1, run.values.map(\.text), 1, preset.rawValue, figures.map { summary.figure($0)?.value })
    }
  }
  return csv.bytes
}

/// settings.csv: one row per setting, with the verdicts of the goals, whether no other one beats it, and the figures'
/// intervals.
func settingsCSV(of study: SweepStudy) -> [UInt8] {
  let figures = study.figures
  let verdicts =
    study.goals.isEmpty
    ? []
    : ["passes"]
      + study.goals.flatMap { goal in
        ["", " margin", " worst"].map { "goal " + goal.id + $0 }
      }
  var csv = CSVWriter(
    header: ["setting"] + study.keys + verdicts + ["pareto"]
      + figures.flatMap(columnsWithEnds))
  for (number, run) in study.runs.enumerated() {
    csv.field(number + 1)
    for value in run.values { csv.field(value.text) }
    if !study.goals.isEmpty { csv.field(run.passes ? "yes" : "no") }
    for goal in study.goals {
      let index = run.goals.firstIndex { $0.goal.id == goal.id }
      csv.field(index.map { run.goals[$0].verdict.rawValue } ?? "")
      csv.field(index.flatMap { run.margins[$0].miss }.map { 0 - $0 })
      csv.field(index.map { run.margins[$0].preset?.rawValue ?? "scenario" } ?? "")
    }
    csv.field(run.isOnFront ? "yes" : "no")
    csv.row(figures.map { run.valueWithEnds(of: $0) })
  }
  return csv.bytes
}

/// A figure with the ends of its interval as names of columns.
private func columnsWithEnds(_ figure: FigureName) -> [String] { ["", " low", " high"].map { column(figure) + $0 } }

extension SweepRun {
  /// A figure with the ends of its interval.
  fileprivate func valueWithEnds(of figure: FigureName) -> [Quantity?] {
    let row = summary.figure(figure)
    return [row?.value] + [row?.interval?.low, row?.interval?.high].map { end in end.map { .real($0) } }
  }
}

/// A figure as the name of a column, with its unit.
func column(_ figure: FigureName) -> String { "\(figure.text) [\(figure.unit.rawValue)]" }
