import Scenario

@testable import Studies

/// Handmade sweeps, in which figures are a function of the settings' values.
enum SweepSample {
  static let figure = FigureName(.meanRPS, .mean)

  static func numeric(_ path: String, _ values: [Double]) -> SweepAxis {
    SweepAxis(
      path: path, scale: .numeric(low: values.min() ?? 0, high: values.max() ?? 1), unit: "s",
      values: values.map { SweepValue("\($0)s", amount: $0) })
  }

  static func words(_ path: String, _ values: [String]) -> SweepAxis {
    SweepAxis(path: path, scale: .categorical, values: values.map { SweepValue($0) })
  }

  /// Returns every combination of values.
  static func grid(_ axes: [SweepAxis]) -> [[SweepValue]] {
    axes.reduce([[]]) { rows, axis in rows.flatMap { row in axis.values.map { row + [$0] } } }
  }

  static func run(_ values: [SweepValue], _ figures: [FigureName: [Double?]], goals: [Goal] = []) -> SweepRun {
    let rows = figures.sorted { $0.key.text < $1.key.text }.map { name, values in
      SummaryRow(name.metric, name.labels, name.statistic, replications: values.map { $0.map { .real($0) } })
    }
    let summary = Summary(rows: rows)
    return SweepRun(
      values: values, replications: figures.first?.value.count ?? 1, summary: summary,
      goals: goals)
  }

  /// Returns a study with one figure, whose replications are given for each setting.
  static func study(
    _ axes: [SweepAxis], _ settings: [[SweepValue]], _ function: ([SweepValue]) -> [Double]
  ) -> SweepStudy {
    SweepStudy(axes: axes, goals: [], runs: settings.map { run($0, [figure: function($0)]) })
  }

  static func goal(_ figure: FigureName, _ comparison: Comparison) -> Goal {
    Goal(id: figure.text, text: "", figure: figure, comparison: comparison, limit: .value(1), severity: .error)
  }
}
